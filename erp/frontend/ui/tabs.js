// Tabs: links where they are part of the address, else a list that arrows go through.
import { address } from "../core/api.js";
import { t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { query } from "../core/router.js";
import { effect, tags } from "../core/view.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
const inside = (
  item,
) => [
  tags.span(item.text),
  item.count === undefined || item.count === null ? null : tags.span({ class: "tab-count" }, String(item.count)),
];

export function tabs({ label, items, current, choose = null }) {
  const list = () => (typeof items === "function" ? items() : items);
  const isLinks = choose === null;
  const tab = (item) => (isLinks ? linked(item, current) : chosen(item, current, choose));
  const content = () => list().map(tab);
  if (isLinks) return inView(tags.nav({ class: "tabs", "aria-label": label }, content), current);
  const element = tags.div({
    class: "tabs",
    role: "tablist",
    "aria-label": label,
    onkeydown: (event) => walk(event, list(), current, choose),
  }, content);
  return inView(element, current);
}

// On a phone the tabs scroll sideways; the current one is in view.
function inView(element, current) {
  effect(() => {
    current();
    requestAnimationFrame(() => {
      const tab = element.querySelector("[aria-current], [aria-selected=true]");
      if (tab) element.scrollLeft = tab.offsetLeft - (element.clientWidth - tab.offsetWidth) / 2;
    });
  });
  return element;
}

// Tabs that set one parameter of the address and leave the others. Options are [key, text] or [key, text, count], a list or
// what makes it; the first is what is meant where the address does not say.
export function parameterTabs({ name, label, options }) {
  const here = location.pathname;
  const list = () => (typeof options === "function" ? options() : options);
  const first = list()[0][0];
  const hrefOf = (key) => address(here, { ...Object.fromEntries(query.value), [name]: key === first ? "" : key });
  return tabs({
    label,
    items: () => list().map(([key, text, count]) => ({ key, text, count, href: hrefOf(key) })),
    current: () => query.value.get(name) ?? first,
  });
}

// Of records that can be archived: those in use, which are shown first, and the others.
export const stateTabs = () =>
  parameterTabs({ name: "state", label: t("Status"), options: [["used", t("Active")], ["archived", t("Archived")]] });

const linked = (item, current) =>
  tags.a(
    { class: "tab", href: item.href, "aria-current": () => (current() === item.key ? "true" : null) },
    inside(item),
  );

const chosen = (item, current, choose) =>
  tags.button(
    {
      class: "tab",
      type: "button",
      role: "tab",
      "data-key": item.key,
      "aria-selected": () => String(current() === item.key),
      tabindex: () => (current() === item.key ? "0" : "-1"),
      onclick: () => choose(item.key),
    },
    inside(item),
  );

function walk(event, items, current, choose) {
  const step = STEPS[keyOf(event)];
  if (!step) return;
  event.preventDefault();
  const at = items.findIndex(({ key }) => key === current());
  const next = items[(at + step + items.length) % items.length];
  const box = event.currentTarget;
  choose(next.key);
  queueMicrotask(() => box.querySelector(`[data-key="${CSS.escape(next.key)}"]`)?.focus());
}
