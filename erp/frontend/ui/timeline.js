// What happened, the newest first.
import { ago, moment } from "../core/format.js";
import { each, tags } from "../core/view.js";
import { avatar } from "./avatar.js";

// Entries: { key, at, who, text, more, href }.
export const timeline = (entries) =>
  tags.ol(
    { class: "timeline" },
    each(entries, ({ key, at, text }) => key ?? `${at} ${text}`, (get) => tags.li(() => entry(get.value))),
  );

function entry({ at, who, text, more, href }) {
  return [
    tags.span({ class: "timeline-mark" }, who ? avatar(who) : null),
    tags.div(
      { class: "timeline-words" },
      tags.p(who && tags.strong(who), who && " ", href ? tags.a({ href }, text) : text),
      more && tags.div({ class: "timeline-more" }, more),
      tags.time({ datetime: at, title: moment(at), class: "soft small" }, ago(at)),
    ),
  ];
}
