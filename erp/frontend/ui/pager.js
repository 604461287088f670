// To the record before and after, by [ and ].
import { t } from "../core/i18n.js";
import { bind } from "../core/keys.js";
import { tags } from "../core/view.js";
import { icon } from "./icon.js";

const arrow = (href, name, mark, key) =>
  tags.a({ class: "button is-plain is-icon", href: href || null, "aria-label": name, title: name, "aria-disabled": href ? null : "true", "aria-keyshortcuts": key, role: href ? null : "link" }, icon(mark));

// `before` and `after` are addresses or null.
export function pager({ before = null, after = null, place = null }) {
  const back = arrow(before, t("Previous record"), "chevron-left", "[");
  const on = arrow(after, t("Next record"), "chevron-right", "]");
  const follow = (link) => (link.hasAttribute("href") ? link.click() : false);
  bind({ "[": { text: t("Previous record"), run: () => follow(back) }, "]": { text: t("Next record"), run: () => follow(on) } });
  return tags.nav({ class: "pager", "aria-label": t("Records") }, back, place && tags.span({ class: "soft small nowrap" }, place), on);
}
