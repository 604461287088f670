// The navigation at the side: groups that open and close, the user's favourites, and what stays at the foot. The group of the
// screen that is shown opens by itself; what someone opens or closes is kept.
import { waitingCounts } from "../core/changes.js";
import { number } from "../core/format.js";
import { t } from "../core/i18n.js";
import { current } from "../core/router.js";
import { keep, kept, may } from "../core/session.js";
import { effect, signal, tags, untracked } from "../core/view.js";
import { favourites } from "./favourites.js";
import { icon } from "./icon.js";
import { keyHint } from "./key.js";

const FEW = 12; // entries that are all shown at first
const visited = signal(new Set()); // groups that someone went into, in this tab

const { a, button, div, nav, span } = tags;
const under = () => current.value?.route.under;

export function sidebar({ first, groups, last, nameOf, showHelp }) {
  const isFew = groups.flatMap(({ places }) => places).length <= FEW;
  const choices = () => kept("nav").groups ?? {};
  const isOpen = ({ key }) => visited.value.has(key) || (choices()[key] ?? isFew);
  effect(() => {
    const here = groups.find(({ places }) => places.some((place) => place.under === under()));
    if (here) untracked(() => visited.value = new Set([...visited.peek(), here.key]));
  });
  const turn = (group) => {
    const next = !isOpen(group);
    if (!next) visited.value = new Set([...visited.peek()].filter((key) => key !== group.key));
    return keep("nav", { ...kept("nav"), groups: { ...choices(), [group.key]: next } });
  };
  return nav(
    { class: "sidebar", "aria-label": t("Navigation") },
    div(
      { class: "nav-places" },
      div({ class: "nav-group" }, first.map((place) => placeLink(place))),
      () =>
        favourites().length > 0 &&
        div(
          { class: "nav-group", role: "group", "aria-label": t("Favourites") },
          favourites().map((one) => placeLink({ ...one, name: () => nameOf(one), icon: "star" })),
        ),
      groups.map((group) => foldedGroup(group, () => isOpen(group), () => turn(group))),
    ),
    div(
      { class: "nav-foot" },
      last.map((place) => placeLink(place)),
      button(
        { type: "button", class: "nav-link nav-help", onclick: showHelp, title: t("Help") },
        icon("circle-question-mark"),
        span(t("Help")),
        keyHint("?"),
      ),
    ),
  );
}

function foldedGroup({ key, name, places }, isOpen, turn) {
  const id = `nav-${key}`;
  const waiting =
    () => (isOpen() ? 0 : places.reduce((sum, { counts }) => sum + (waitingCounts.value[counts] ?? 0), 0));
  return div(
    { class: "nav-group" },
    button(
      {
        type: "button",
        class: "nav-head",
        "aria-expanded": () => String(isOpen()),
        "aria-controls": id,
        onclick: turn,
      },
      span(name()),
      () => counted(waiting()),
      icon("chevron-down"),
    ),
    div({ id, class: () => `nav-list${isOpen() ? "" : " is-closed"}` }, places.map((place) => placeLink(place))),
  );
}

// Only what waits for the user is counted.
const counted = (count) => (count ? span({ class: "nav-count" }, number(String(count))) : null);

export function placeLink(place) {
  const isHere = () => (place.under && under() === place.under ? "page" : null);
  return a(
    { href: place.href, class: "nav-link", "aria-current": isHere, title: place.name() },
    icon(place.icon),
    span({ class: "nav-name" }, place.name()),
    place.counts && (() => counted(waitingCounts.value[place.counts])),
  );
}

export const visiblePlaces = ({ first, groups, last }) => {
  const shown = (all) => all.filter((place) => may(place.may) && (!place.isShown || place.isShown()));
  return {
    first: shown(first),
    groups: groups.map((group) => ({ ...group, places: shown(group.places) })).filter(({ places }) => places.length),
    last: shown(last),
  };
};
