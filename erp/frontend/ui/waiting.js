// What waits for someone, each with what can be done about it.
import { computed, each, tags } from "../core/view.js";
import { actionButton } from "./actions.js";
import { empty } from "./empty.js";

// Items: { key, text, more, href, actions }.
export function waitingList({ items, empty: none = null, label = null }) {
  const list = tags.ul({ class: "waiting", "aria-label": label }, each(items, ({ key }) => key, waiting));
  return tags.div(list, () => (items().length || !none ? null : empty(none)));
}

function waiting(get) {
  const text = () => get.value.text;
  const isLink = computed(() => Boolean(get.value.href));
  const words = () =>
    isLink.value ? tags.a({ href: () => get.value.href, class: "strong" }, text) : tags.span({ class: "strong" }, text);
  return tags.li(
    { class: "waiting-item" },
    tags.div(
      { class: "waiting-words" },
      words,
      () => get.value.more && tags.span({ class: "waiting-more" }, get.value.more),
    ),
    tags.div({ class: "row" }, each(() => get.value.actions ?? [], ({ name }) => name, (act) => doing(act, text))),
  );
}

const doing = (get, text) =>
  actionButton({ ...get.peek(), main: false, run: () => get.peek().run() }, {
    isSmall: true,
    name: () => `${get.peek().name}: ${plain(text())}`,
  });

const plain = (text) => (typeof text === "string" ? text : (text?.textContent ?? ""));
