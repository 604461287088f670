// What surrounds each screen: the header, the navigation, and the notice of a server that is off.
import { offlineSince } from "../core/changes.js";
import { time } from "../core/format.js";
import { t } from "../core/i18n.js";
import { bind } from "../core/keys.js";
import { askFirst, current, go, goUp, heading, isMoving, preload } from "../core/router.js";
import { may, session } from "../core/session.js";
import { effect, tags } from "../core/view.js";
import { perform } from "./actions.js";
import { avatar } from "./avatar.js";
import { favourites, star, turnFavourite } from "./favourites.js";
import { keyHint } from "./key.js";
import { icon } from "./icon.js";
import { actionsOfList, viewsOfList } from "./listed.js";
import { menu } from "./menu.js";
import { pageHead, said } from "./page.js";
import { pointing } from "./pointing.js";
import { placeLink, sidebar, visiblePlaces } from "./sidebar.js";

const { a, button, div, header, img, main, nav, p, span } = tags;

// The page of someone who is signed in. `places` are the navigation, `tools` stand in the header. It is made again when
// their rights change.
export function shell(
  { places, onPhone, nameOf, userMenu, openPalette, openMaking, showHelp, brandIcon, tools = [], notice = null },
) {
  const visible = visiblePlaces(places);
  const sections = [visible.first, ...visible.groups.map((group) => group.places), visible.last];
  bindPlaces(sections.flat());
  followKeys();
  return [
    a({ class: "skip", href: "#main", onclick: skip }, t("Skip to the content")),
    div(
      { class: "shell", onpointerover: preload, onfocusin: preload, onpointerdown: askFirst },
      header(
        { class: "shell-header" },
        a(
          { class: "brand", href: "/" },
          img({ src: brandIcon, alt: "", width: "24", height: "24" }),
          span({ class: "brand-name" }, () => session.value?.workspace?.name ?? "erp"),
        ),
        button(
          { type: "button", class: "find", onclick: openPalette, "aria-label": t("Find or do") },
          icon("search"),
          span(t("Find or do")),
          keyHint("Control+k"),
        ),
        div({ class: "shell-tools" }, offline, openMaking && making(openMaking), ...tools, () => userButton(userMenu)),
      ),
      sidebar({ ...visible, nameOf, showHelp }),
      main(
        { class: "main", id: "main", "aria-busy": () => String(isMoving.value) },
        notice,
        () => screenOf(current.value),
      ),
      nav({ class: "bottombar", "aria-label": t("Navigation, short") }, phoneBar(sections, onPhone(may), nameOf)),
    ),
  ];
}

const offline =
  () => (offlineSince.value
    ? p({ class: "offline", role: "status" }, t("Offline since {time}", { time: time(offlineSince.value) }))
    : null);

function skip(event) {
  event.preventDefault();
  heading()?.focus();
}

// On a phone it stands above the bar.
const making = (run) =>
  button(
    { type: "button", class: "making", "aria-keyshortcuts": "c", onclick: run },
    icon("plus"),
    span(t.of("record", "New")),
    keyHint("c"),
  );

function phoneBar(sections, names, nameOf) {
  const inBar = ({ under }) => names.includes(under);
  const entry = (place) => ({ name: place.name(), icon: place.icon, href: place.href });
  const items = () => {
    const starred = favourites().map((one) => ({ name: nameOf(one), icon: "star", href: one.href }));
    const groups = [starred, ...sections.map((all) => all.filter((place) => !inBar(place)).map(entry))];
    return groups.filter((group) => group.length).flatMap((group, at) => (at ? [null, ...group] : group));
  };
  return [
    ...sections.flat().filter(inBar).map(placeLink),
    menu({
      class: "nav-link",
      label: [icon("ellipsis"), span({ class: "nav-name" }, t("More"))],
      title: t("More"),
      items,
    }),
  ];
}

function userButton(items) {
  const { user } = session.value ?? {};
  return user ? menu({ class: "user-button", label: avatar(user.name), title: user.name, items }) : null;
}

// A screen under the head that its title and actions make.
function screenOf(screen) {
  if (!screen) return null;
  if (screen.problem) return p({ role: "alert" }, screen.problem.message);
  if (screen.isBare) return screen.body;
  const page = div(
    { class: "page" },
    p({ class: "print-head only-print" }, () => session.value?.workspace?.name),
    pageHead({ ...screen, star: star(), beside: viewsOfList, actions: () => actionsOf(screen) }),
    screen.body,
  );
  return pointing(page);
}

// The actions that are possible now; a screen gives a list, or a function that follows signals.
export function actionsOf(screen) {
  const actions = typeof screen?.actions === "function" ? screen.actions() : (screen?.actions ?? []);
  return [...actions, ...actionsOfList()].filter((action) =>
    action && may(action.may) && (!action.isShown || action.isShown())
  );
}

function bindPlaces(places) {
  const keyed = places.filter(({ key }) => key);
  bind(
    Object.fromEntries(keyed.map((place) => [place.key, {
      text: place.name(),
      run: () => void go(place.href),
    }])),
  );
}

// The keys of a screen: its own, its actions', and "u" for the way up.
function followKeys() {
  effect(() => {
    const screen = current.value;
    if (!screen) return;
    const ofActions = actionsOf(screen).filter(({ key }) => key).map((
      action,
    ) => [action.key, { text: action.name, run: () => void perform(action) }]);
    const up = screen.back ? { u: { text: t("Up"), run: () => void goUp(said(screen.back)) } } : {};
    const favourite = screen.isBare ? {} : { F: { text: t("Favourite"), run: () => void turnFavourite() } };
    bind({ ...favourite, ...up, ...Object.fromEntries(ofActions), ...screen.keys });
  });
}
