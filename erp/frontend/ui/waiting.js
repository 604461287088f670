// What waits for someone, each with what can be done about it.
import { each, tags } from "../core/view.js";
import { actionButton } from "./actions.js";
import { empty } from "./empty.js";

// Items: { key, text, more, href, actions }.
export function waitingList({ items, empty: none = null, label = null }) {
  const list = tags.ul({ class: "waiting", "aria-label": label }, each(items, ({ key }) => key, waiting));
  return tags.div(list, () => (items().length || !none ? null : empty(none)));
}

function waiting(get) {
  const words = () => {
    const { text, more, href } = get.value;
    return [
      href ? tags.a({ href, class: "strong" }, text) : tags.span({ class: "strong" }, text),
      more && tags.span({ class: "waiting-more" }, more),
    ];
  };
  const buttons = () =>
    (get.value.actions ?? []).map((action) =>
      actionButton({ ...action, main: false }, { isSmall: true, name: `${action.name}: ${plain(get.value.text)}` })
    );
  return tags.li(
    { class: "waiting-item" },
    tags.div({ class: "waiting-words" }, words),
    tags.div({ class: "row" }, buttons),
  );
}

const plain = (text) => (typeof text === "string" ? text : (text?.textContent ?? ""));
