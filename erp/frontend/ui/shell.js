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
import { keyHint } from "./key.js";
import { icon } from "./icon.js";
import { actionsOfList, viewsOfList } from "./listed.js";
import { menu } from "./menu.js";
import { pageHead, said } from "./page.js";

const { a, button, div, header, img, main, nav, p, span } = tags;

// The page of someone who is signed in. `places` are groups of the navigation, `tools` stand in the header.
export function shell({ places, onPhone, userMenu, openPalette, brandIcon, tools = [] }) {
  const visible = () => places.map((group) => group.filter((place) => may(place.may))).filter((group) => group.length);
  bindPlaces(places.flat());
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
        div({ class: "shell-tools" }, notice, ...tools, () => userButton(userMenu)),
      ),
      nav(
        { class: "sidebar", "aria-label": t("Navigation") },
        () => visible().map((group) => div({ class: "nav-group" }, group.map(placeLink))),
      ),
      main({ class: "main", id: "main", "aria-busy": () => String(isMoving.value) }, () => screenOf(current.value)),
      nav({ class: "bottombar", "aria-label": t("Navigation, short") }, () => phoneBar(visible().flat(), onPhone(may))),
    ),
  ];
}

const notice =
  () => (offlineSince.value
    ? p({ class: "offline", role: "status" }, t("Offline since {time}", { time: time(offlineSince.value) }))
    : null);

function skip(event) {
  event.preventDefault();
  heading()?.focus();
}

function placeLink(place) {
  const isHere = () => (current.value?.route.under === place.under ? "page" : null);
  return a(
    { href: place.href, class: "nav-link", "aria-current": isHere, title: place.name() },
    icon(place.icon),
    span(place.name()),
  );
}

function phoneBar(all, names) {
  const rest = all.filter(({ under }) => !names.includes(under));
  const items = () => rest.map((place) => ({ name: place.name(), icon: place.icon, run: () => void go(place.href) }));
  return [
    ...all.filter(({ under }) => names.includes(under)).map(placeLink),
    rest.length > 0 && menu({ class: "nav-link", label: [icon("ellipsis"), span(t("More"))], title: t("More"), items }),
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
  return div(
    { class: "page" },
    p({ class: "print-head only-print" }, () => session.value?.workspace?.name),
    pageHead({ ...screen, beside: viewsOfList, actions: () => actionsOf(screen) }),
    screen.body,
  );
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
      isOn: () => may(place.may),
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
    bind({ ...up, ...Object.fromEntries(ofActions), ...screen.keys });
  });
}
