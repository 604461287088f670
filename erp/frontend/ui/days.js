// A month as a grid of days, with the keys of a calendar. The date field and the month calendar show it.
import { longDay, month, weekday } from "../core/format.js";
import { formatBy, t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { addDays, addMonths, today, weekdayOf } from "../core/parse.js";
import { tags } from "../core/view.js";
import { iconButton } from "./button.js";

const firstWeekday = () => formatBy(Intl.Locale).getWeekInfo?.().firstDay ?? 1;

// The weeks that show a month ("2026-11"), whole.
function weeksOf(shown) {
  const first = `${shown}-01`;
  const start = addDays(first, -((weekdayOf(first) - firstWeekday() + 7) % 7));
  const length = addDays(addMonths(first, 1), -1).slice(8);
  const lead = (weekdayOf(first) - firstWeekday() + 7) % 7;
  const count = Math.ceil((lead + Number(length)) / 7);
  return Array.from(
    { length: count },
    (_, week) => Array.from({ length: 7 }, (_, day) => addDays(start, week * 7 + day)),
  );
}

const MOVES = {
  ArrowLeft: (iso) => addDays(iso, -1),
  ArrowRight: (iso) => addDays(iso, 1),
  ArrowUp: (iso) => addDays(iso, -7),
  ArrowDown: (iso) => addDays(iso, 7),
  PageUp: (iso) => addMonths(iso, -1),
  PageDown: (iso) => addMonths(iso, 1),
};

// `at` is a signal of the day that has the focus; `cell(iso)` answers what stands in a day beside its number.
export function dayGrid(
  { at, chosen = () => null, choose = null, cell = (_iso) => null, isBusyDay = (_iso) => false, label = null },
) {
  const onKey = (event) => {
    const move = MOVES[keyOf(event)];
    if (!move) return;
    event.preventDefault();
    at.value = move(at.peek());
    queueMicrotask(() => table.querySelector(`[data-day="${at.peek()}"]`)?.focus()); // once its month is drawn
  };
  const body = (shown) => tags.tbody(weeksOf(shown).map((week) => tags.tr(week.map((iso) => oneDay(iso, shown)))));
  const oneDay = (iso, shown) => {
    const state = [
      iso.startsWith(shown) ? "" : "is-outside",
      iso === today() ? "is-today" : "",
      weekdayOf(iso) > 5 ? "is-weekend" : "",
      isBusyDay(iso) ? "is-busy" : "",
    ].join(" ");
    const number = String(Number(iso.slice(8)));
    return tags.td(
      { class: state, "aria-selected": () => String(chosen() === iso) },
      tags.button({
        type: "button",
        class: "day",
        "data-day": iso,
        "aria-label": longDay(iso),
        "aria-current": iso === today() ? "date" : null,
        tabindex: () => (at.value === iso ? "0" : "-1"),
        disabled: !choose && !cell(iso),
        onclick: () => choose?.(iso),
      }, number),
      cell(iso),
    );
  };
  const table = tags.table(
    { class: "days", role: "grid", "aria-label": () => label ?? month(at.value), onkeydown: (event) => onKey(event) },
    tags.thead(
      tags.tr(
        weeksOf("2026-11")[0].map((iso) =>
          tags.th({ scope: "col", abbr: weekday(iso, "long") }, weekday(iso, "short"))
        ),
      ),
    ),
    () => body(at.value.slice(0, 7)),
  );
  return table;
}

export function monthHead(at) {
  const turn = (by) => () => void (at.value = addMonths(at.peek(), by));
  return tags.header(
    { class: "days-head" },
    iconButton("chevron-left", t("Previous month"), turn(-1), { isSmall: true }),
    tags.strong({ "aria-live": "polite" }, () => month(at.value)),
    iconButton("chevron-right", t("Next month"), turn(1), { isSmall: true }),
  );
}
