// Parts of a screen.
import { tags } from "../core/view.js";

export function card({ title = null, actions = [], href = null, class: more = "" }, ...children) {
  const words = href ? tags.a({ href }, title) : title;
  const head = title || actions.length
    ? tags.header({ class: "card-head" }, title && tags.h2(words), tags.div({ class: "row" }, actions))
    : null;
  return tags.section({ class: `card ${more}` }, head, children);
}

// What most people do not need; it opens in place.
export function more(text, ...children) {
  const { text: words, isOpen = false } = text?.constructor === Object ? text : { text };
  return tags.details({ class: "more", open: isOpen }, tags.summary(words), tags.div({ class: "more-body" }, children));
}
