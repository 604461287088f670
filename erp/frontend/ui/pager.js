// To the record before and after, by [ and ].
import { t } from "../core/i18n.js";
import { bind } from "../core/keys.js";
import { go } from "../core/router.js";
import { tags } from "../core/view.js";
import { icon } from "./icon.js";

const arrow = (href, name, none, mark, key) => {
  const text = () => (href() ? name : none);
  return tags.a({
    class: "button is-plain is-icon",
    href,
    "aria-label": text,
    title: text,
    "aria-disabled": () => (href() ? null : "true"),
    "aria-keyshortcuts": key,
    role: () => (href() ? null : "link"),
  }, icon(mark));
};

// `place` is a signal of core/neighbours, `href` makes the address of a record. Nothing while no list is known.
export function pager(place, href) {
  const addressAt = (at) => (place.value?.items[at] ? href(place.value.items[at]) : null);
  const beside = (steps) => () => place.value && addressAt(place.value.at + steps);
  const step = (steps) => {
    const to = addressAt(reached() + steps);
    return to ? void go(to) : false;
  };
  // Where the address is, which is ahead of the screen when keys are pressed quickly.
  const reached = () => {
    const { items, at } = place.peek();
    const ahead = items.findIndex((one) => href(one) === location.pathname + location.search);
    return ahead < 0 ? at : ahead;
  };
  const isOn = () => place.peek() !== null;
  bind({
    "[": { text: t("Previous record"), isOn, run: () => step(-1) },
    "]": { text: t("Next record"), isOn, run: () => step(1) },
  });
  const shown = tags.nav(
    { class: "pager", "aria-label": t("Records") },
    arrow(beside(-1), t("Previous record"), t("No record before this one"), "chevron-left", "["),
    tags.span(
      { class: "soft small nowrap only-wide" },
      () => place.value && t("{n} of {total}", { n: place.value.at + 1, total: place.value.total }),
    ),
    arrow(beside(1), t("Next record"), t("No record after this one"), "chevron-right", "]"),
  );
  return () => (place.value ? shown : null);
}
