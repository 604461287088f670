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

// Filters: { key, text, options, load or make, value, shown, choose, kind, isThere }; `make(filter, close)` draws what chooses.
export const filterChips = (filters) =>
  tags.div({ class: "filters row", role: "group", "aria-label": t("Filters") }, filters.filter(Boolean).map(maybe));

const maybe = (about) => (about.isThere ? () => about.isThere() && chip(about) : chip(about));

export const periodChips = () => [
  { key: "dateFrom", text: t("First day"), kind: "day" },
  { key: "dateTo", text: t("Last day"), kind: "day" },
];

export const dueChips = (last = "dueTo") => [
  { key: "dueFrom", text: t("Due from"), kind: "day" },
  { key: last, text: t("Due to"), kind: "day" },
];

function chip(about) {
  const { key } = about;
  const filter = { value: () => query.value.get(key), choose: (value) => setQuery({ [key]: value }), ...about };
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

// What is chosen, by its name.
function words(filter) {
  const value = filter.value();
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
const listOf = ({ options = [] }) => (typeof options === "function" ? options() : options);

function show(filter, anchor) {
  if (filter.kind === "day") {
    return void popover(anchor, (close) => dayPicker(filter, close), { label: filter.text, class: "calendar" });
  }
  if (filter.make) return void popover(anchor, (close) => filter.make(filter, close), { label: filter.text });
  const options = listOf(filter);
  if (filter.load || options.length > MANY) {
    return void popover(anchor, (close) => finder(filter, close), { label: filter.text });
  }
  const isChosen = (option) => String(option.value) === String(filter.value() ?? "");
  return void openMenu(
    anchor,
    options.map((option) => ({
      name: option.text,
      icon: isChosen(option) ? "check" : null,
      run: () => filter.choose(isChosen(option) ? null : option.value),
    })),
    { label: filter.text },
  );
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
