// A month at a glance, with what is on each day.
import { effect, signal, tags } from "../core/view.js";
import { today } from "../core/parse.js";
import { dayGrid, monthHead } from "./days.js";
import { pill } from "./pill.js";

// `month` is a signal ("2026-11"); `marks(iso)` answers [{ text, kind, href }].
export function monthCalendar(
  { month, marks = (_iso) => [], choose = null, chosen = () => null, label = null, hasHead = true },
) {
  const begin = (shown) => (today().startsWith(shown) ? today() : `${shown}-01`);
  const at = signal(begin(month.peek()));
  effect(() => void (month.value = at.value.slice(0, 7)));
  effect(() => {
    const shown = month.value;
    if (!at.peek().startsWith(shown)) at.value = begin(shown);
  });
  const cell = (iso) => {
    const found = marks(iso);
    return found.length ? tags.ul({ class: "day-marks" }, found.map(mark)) : null;
  };
  return tags.div({ class: "month" }, hasHead && monthHead(at), dayGrid({ at, chosen, choose, cell, label }));
}

const mark = ({ text, kind, href }) =>
  tags.li(href ? tags.a({ href, class: `pill is-${kind ?? "neutral"}` }, text) : pill(text, kind));
