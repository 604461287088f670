// Filters as chips: each opens its choices and says what was chosen. A chip sets the parameter of the address that its key
// names, unless it says otherwise.
import { day } from "../core/format.js";
import { t } from "../core/i18n.js";
import { today } from "../core/parse.js";
import { query, setQuery } from "../core/router.js";
import { signal, tags } from "../core/view.js";
import { iconButton } from "./button.js";
import { combobox } from "./combobox.js";
import { dayGrid, monthHead } from "./days.js";
import { icon } from "./icon.js";
import { openMenu, popover } from "./menu.js";

const MANY = 12; // more choices than this are searched
const SHOWN = 2; // values of a chip that have their words on it

// Filters: { key, text, several, options, load or make, value, shown, choose, kind, isThere }; `make(filter, close)` draws what chooses.
export const filterChips = (filters) =>
  tags.div({ class: "filters row", role: "group", "aria-label": t("Filters") }, filters.filter(Boolean).map(maybe));

const maybe = (about) => (about.isThere ? () => about.isThere() && chip(about) : chip(about));

// The same filter, of several values.
export const several = (filter) => ({ ...filter, several: true });

// Of a list: its days by words, or from one day to another.
export const dayChips = () => [
  {
    key: "period",
    text: t("Period"),
    options: [
      { value: "this_month", text: t("This month") },
      { value: "last_month", text: t("Last month") },
      { value: "this_quarter", text: t("This quarter") },
      { value: "last_quarter", text: t("Last quarter") },
      { value: "this_year", text: t("This year") },
      { value: "last_year", text: t("Last year") },
    ],
    choose: (period) => setQuery({ period, dateFrom: null, dateTo: null }),
    more: periodChips(),
  },
  ...periodChips().map((one) => ({ ...one, isThere: () => query.value.get(one.key) })),
];

export const periodChips = () => [
  { key: "dateFrom", text: t("First day"), kind: "day" },
  { key: "dateTo", text: t("Last day"), kind: "day" },
];

export const dueChips = (last = "dueTo") => [
  { key: "dueFrom", text: t("Due from"), kind: "day" },
  { key: last, text: t("Due to"), kind: "day" },
];

function filterOf(about) {
  const { key } = about;
  const others = `not.${key}`; // all but what is chosen
  const isDay = ["dateFrom", "dateTo"].includes(key) && { period: null };
  return {
    value: () => query.value.get(key) ?? query.value.get(others),
    isNot: () => query.value.has(others),
    choose: (value, isNot = false) =>
      setQuery({ [key]: isNot ? null : value, [others]: isNot ? value : null, ...isDay }),
    ...about,
  };
}

function chip(about) {
  const filter = filterOf(about);
  const isSet = () => ![null, undefined, ""].includes(filter.value());
  const clear = () => filter.choose(null);
  const open = tags.button(
    {
      type: "button",
      class: "chip-open",
      "aria-haspopup": "dialog",
      "aria-expanded": "false",
      onclick: () => show(filter, open),
    },
    tags.span(filter.text),
    () => (isSet() ? words(filter) : null),
    icon("chevron-down"),
  );
  return tags.span(
    { class: () => `chip${isSet() ? " is-set" : ""}` },
    open,
    () => (isSet() ? iconButton("x", t("Clear {filter}", { filter: filter.text }), clear, { isSmall: true }) : null),
  );
}

// What is chosen, by its name; of several, the first two.
function words(filter) {
  const values = filter.several ? String(filter.value()).split(",") : [filter.value()];
  const rest = values.length - SHOWN;
  return [
    filter.several && filter.isNot() && tags.span({ class: "chip-not" }, t.of("filter", "not")),
    values.slice(0, SHOWN).map((value) => wordOf(filter, value)),
    rest > 0 && tags.span({ class: "chip-value" }, `+${rest}`),
  ];
}

function wordOf(filter, value) {
  const text = filter.shown
    ? filter.shown(value)
    : filter.kind === "day"
    ? day(value)
    : listOf(filter).find((option) => String(option.value) === value)?.text;
  const place = tags.span({ class: "chip-value" }, typeof text?.then === "function" ? "…" : (text ?? value));
  if (typeof text?.then === "function") text.then((late) => place.replaceChildren(late));
  return place;
}

/** @param {{ options?: any }} filter */
export const listOf = ({ options = [] }) => (typeof options === "function" ? options() : options);

async function show(filter, anchor) {
  if (filter.several) return void (await import("./lists/several.js")).severalOf(filter, anchor);
  if (filter.kind === "day") {
    return void popover(anchor, (close) => dayPicker(filter, close), { label: filter.text, class: "calendar" });
  }
  if (filter.make) return void popover(anchor, (close) => filter.make(filter, close), { label: filter.text });
  const options = listOf(filter);
  if (filter.load || options.length > MANY) {
    return void popover(anchor, (close) => finder(filter, close), { label: filter.text });
  }
  const isChosen = (option) => String(option.value) === String(filter.value() ?? "");
  const entries = options.map((option) => ({
    name: option.text,
    icon: isChosen(option) ? "check" : null,
    run: () => filter.choose(isChosen(option) ? null : option.value),
  }));
  const others = filter.more?.map((one) => ({ name: one.text, run: () => void show(filterOf(one), anchor) }));
  return void openMenu(anchor, others ? [...entries, null, ...others] : entries, { label: filter.text });
}

function finder(filter, close) {
  const value = signal(null);
  const choose = (option) => {
    close();
    filter.choose(option?.value ?? null);
  };
  return tags.div(
    { class: "finder" },
    combobox({
      value,
      label: filter.text,
      placeholder: filter.text,
      options: filter.load ?? filter.options,
      choose,
      autofocus: true,
    }),
  );
}

function dayPicker(filter, close) {
  const at = signal(filter.value() || today());
  const choose = (iso) => {
    close();
    filter.choose(iso);
  };
  return tags.div({ class: "stack-tight" }, monthHead(at), dayGrid({ at, chosen: filter.value, choose }));
}
