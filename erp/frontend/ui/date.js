// A day: typed as people write it ("fr", "+14", "25.11."), or picked from a calendar.
import { day } from "../core/format.js";
import { t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { parseDay, today } from "../core/parse.js";
import { batch, signal, tags } from "../core/view.js";
import { iconButton } from "./button.js";
import { dayGrid, monthHead } from "./days.js";
import { popover } from "./menu.js";
import { typedInput } from "./typed.js";

// `from` answers the day that "+14" counts from; `marks(iso)` tells days to mark in the calendar.
export function dateField({ value, from = () => undefined, marks = () => false, ...about }) {
  const input = typedInput({
    value,
    parse: (text) => parseDay(text, from() ?? undefined),
    show: (iso) => (iso ? day(iso) : ""),
    wrong: t("Not a date. For example 25 Nov, +14 or fr."),
    isEager: false,
    ...about,
  });
  const open = () =>
    void popover(input, (close) => picker({ value, input, marks, close }), { label: t("Calendar"), class: "calendar" });
  input.addEventListener("keydown", (event) => {
    if (keyOf(event) === "Enter") input.settle();
    if (!(keyOf(event) === "ArrowDown" && event.altKey)) return;
    event.preventDefault();
    event.stopPropagation();
    input.settle();
    open();
  });
  return tags.div(
    { class: "date" },
    input,
    iconButton("calendar", t("Open the calendar"), open, {
      tabindex: "-1",
      isOff: Boolean(about.isOff || about.isReadOnly),
    }),
  );
}

function picker({ value, input, marks, close }) {
  const at = signal(value.peek() ?? today());
  const choose = (iso) => {
    batch(() => void (value.value = iso));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    close();
  };
  const grid = dayGrid({ at, chosen: () => value.value, choose, isBusyDay: marks });
  grid.querySelector("[tabindex='0']")?.setAttribute("data-autofocus", "");
  return tags.div(
    { class: "stack-tight" },
    monthHead(at),
    grid,
    tags.button({ type: "button", class: "button is-plain is-small", onclick: () => choose(today()) }, t("Today")),
  );
}
