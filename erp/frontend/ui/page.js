// The head of each screen: where one is, what it is, its state, what can be done.
import { t } from "../core/i18n.js";
import { computed, tags } from "../core/view.js";
import { actionButton, perform, possible } from "./actions.js";
import { icon } from "./icon.js";
import { menu } from "./menu.js";

const SHOWN = 2; // beside the main one; the others are in the menu

export function pageHead(
  { title, state = null, star = null, actions = [], back = null, pager = null, beside = null },
) {
  const all = computed(() => possible(actions));
  const opener = more(all); // one for all answers: a menu that is open stays so
  return tags.header(
    { class: "page-head" },
    back &&
      tags.div(
        { class: "page-way" },
        () => wayUp(said(back)),
        pager,
      ),
    tags.div({ class: "page-title" }, tags.h1({ tabindex: "-1" }, () => said(title) || "…"), state, star, beside),
    tags.div({ class: "page-actions" }, () => buttons(all.value, opener)),
  );
}

const wayUp = ({ href, text }) => tags.a({ class: "page-back", href }, icon("chevron-left"), tags.span(text));

// What is said at once, or of a record only once it is read.
export const said = (words) => (typeof words === "function" ? words() : words);

// Steps, such as to the week before, stay on a phone as arrows. The main action stands at the end; on a phone it stands alone beside the menu.
function buttons(actions, opener) {
  const { main, steps, others, beside } = parted(actions);
  return [
    others.length ? opener : null,
    beside.map((action) => tags.span({ class: "only-wide" }, actionButton(action))),
    steps.map((action) => actionButton(action)),
    main && actionButton(main),
  ];
}

function parted(actions) {
  const main = actions.find((action) => action.main);
  const steps = actions.filter(({ isStep }) => isStep);
  const others = actions.filter((action) => action !== main && !action.isStep);
  const beside = others.filter(({ danger, isAside }) => !danger && !isAside).slice(0, SHOWN);
  return { main, steps, others, beside, hasMore: others.length > beside.length };
}

function more(all) {
  const isWide = () => matchMedia("(min-width: 40rem)").matches;
  const items = () => {
    const { others, beside } = parted(all.peek());
    return others.filter((action) => !isWide() || !beside.includes(action)).map(entry);
  };
  return tags.span(
    { class: () => (parted(all.value).hasMore ? "" : "only-phone") },
    menu({ title: t("More actions"), items }),
  );
}

const entry = (action) => ({ ...action, run: () => perform(action) });
