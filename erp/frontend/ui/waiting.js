// What waits for someone, each with what can be done about it.
import { t } from "../core/i18n.js";
import { bind } from "../core/keys.js";
import { computed, each, tags } from "../core/view.js";
import { actionButton } from "./actions.js";
import { empty } from "./empty.js";

// Items: { key, text, more, href, actions, canSelect }. With `selected`, the keys of the chosen ones, several that
// `canSelect` can be decided at once; `x` chooses the one in which the focus is, else the next.
export function waitingList({ items, empty: none = null, label = null, selected = null }) {
  if (selected) bind({ x: { text: t("Select the row"), run: () => choose(selected, keyIn(items, selected)) } });
  const make = (get) => waiting(get, selected);
  const list = tags.ul({ class: "waiting", "aria-label": label }, each(items, ({ key }) => key, make));
  return tags.div(list, () => (items().length || !none ? null : empty(none)));
}

function choose(selected, key) {
  const keys = new Set(selected.peek());
  if (key && !keys.delete(key)) keys.add(key);
  selected.value = keys;
}

function keyIn(items, selected) {
  const open = items().filter(({ canSelect }) => canSelect).map(({ key }) => key);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("[data-waiting]"));
  return open.find((key) => key === focused?.dataset.waiting) ?? open.find((key) => !selected.peek().has(key));
}

function waiting(get, selected) {
  const text = () => get.value.text;
  const { key } = get.peek();
  const isLink = computed(() => Boolean(get.value.href));
  const words = () =>
    isLink.value ? tags.a({ href: () => get.value.href, class: "strong" }, text) : tags.span({ class: "strong" }, text);
  return tags.li(
    { class: "waiting-item", "data-waiting": key },
    selected && (() => get.value.canSelect && checkOne(key, text, selected)),
    tags.div(
      { class: "waiting-words" },
      words,
      () => get.value.more && tags.span({ class: "waiting-more" }, get.value.more),
    ),
    tags.div({ class: "row" }, each(() => get.value.actions ?? [], ({ name }) => name, (act) => doing(act, text))),
  );
}

const checkOne = (key, text, selected) =>
  tags.input({
    type: "checkbox",
    "aria-label": () => t("Select: {name}", { name: plain(text()) }),
    checked: () => selected.value.has(key),
    onclick: () => choose(selected, key),
  });

const doing = (get, text) =>
  actionButton({ ...get.peek(), main: false, run: () => get.peek().run() }, {
    isSmall: true,
    name: () => `${get.peek().name}: ${plain(text())}`,
  });

const plain = (text) => (typeof text === "string" ? text : (text?.textContent ?? ""));
