// The user's favourites in this workspace: addresses that stand in the navigation.
import { t } from "../core/i18n.js";
import { notify, tried } from "../core/notices.js";
import { current, path, query } from "../core/router.js";
import { keep, kept, session } from "../core/session.js";
import { tags } from "../core/view.js";
import { icon } from "./icon.js";

const MOST = 8;
const LONGEST = 60; // letters of a name
const place = () => `favourites/${session.peek()?.workspace?.id}`;

export const favourites = () => kept(place()).list ?? [];

const here = () => path.value + (query.value.size ? `?${query.value}` : "");
const isFavourite = () => favourites().some(({ href }) => href === here());

// What tells this address from others of its screen: the tab and the filters that are chosen.
function shownName() {
  const chosen = query.peek().size ? "main .tab[aria-current] > span:first-child, main .chip-value" : "main h1";
  const parts = [document.querySelector("main h1"), ...document.querySelectorAll(chosen)].map((one) =>
    one?.textContent
  );
  return [...new Set(parts)].join(" · ").slice(0, LONGEST);
}

export function turnFavourite() {
  const [list, href] = [favourites(), here()];
  const others = list.filter((one) => one.href !== href);
  if (others.length === list.length && list.length >= MOST) {
    return notify(t("There can be {n} favourites. Remove one first.", { n: MOST }), { kind: "bad" });
  }
  const added = others.length < list.length ? [] : [{ href, name: shownName() }];
  return tried(() => keep(place(), { list: [...others, ...added] }));
}

export const star = () =>
  tags.button(
    {
      type: "button",
      class: "button is-plain is-icon star",
      "aria-label": t("Favourite"),
      title: t("Favourite"),
      "aria-pressed": () => String(Boolean(current.value && isFavourite())),
      "aria-keyshortcuts": "Shift+F",
      onclick: turnFavourite,
    },
    icon("star"),
  );
