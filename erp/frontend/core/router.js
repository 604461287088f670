// Which screen is shown: the address decides. Moving goes through the Navigation API, so that links stay links, Back
// finds the row and the place one left, and a screen that is only filtered stays.
import { forgetPlace } from "./focus.js";
import { daysOf } from "./periods.js";
import { effect, scope, signal, untracked } from "./signals.js";
import { askAhead } from "./store.js";

const SERVED = /^\/((api|static)\/|docs(\/|$))/;
const OURS = "go";
const FRAMES = 60; // in which a long list has found its place again
const SECRETS = /^#(\w+)(?:=(.+))?$/s;

let routes = [];
let dropped = () => {};
// Where an entry of the tab's history was opened from, by its key: { key, href, text }.
const ways = new Map();
let placeOf = null; // the route that an address shows now, with its parameters
const focused = new Map();

export const path = signal(location.pathname);
export const query = signal(parametersIn(location.search));
// The route and the screen that are shown: { route, params, title, actions, body, keys, state, back }.
export const current = signal(null);
export const isMoving = signal(false);

// The names of the parameters that the screen has asked for.
export const asked = new Set();

function parametersIn(search) {
  const found = new URLSearchParams(search);
  const get = found.get.bind(found);
  return Object.assign(found, { get: (name) => (asked.add(name), get(name)) });
}

// A line of the table of screens: its address, and what imports its module.
export function routeTo(pattern, file, { load, ...about }) {
  const names = [];
  const source = pattern.replace(/:(\w+)/g, (_, name) => `([^/]+)${names.push(name) ? "" : ""}`);
  return { pattern, file, matches: new RegExp(`^${source}$`), names, load, ...about };
}

function match(address) {
  for (const route of routes) {
    const found = address.match(route.matches);
    const params = found && paramsOf(route, found);
    if (params) return { route, params };
  }
  return { route: routes.at(-1), params: {} };
}

// The parts of an address by their names; null for a "%" that stands for no sign.
function paramsOf(route, found) {
  try {
    return Object.fromEntries(route.names.map((name, at) => [name, decodeURIComponent(found[at + 1])]));
  } catch {
    return null;
  }
}

// A secret after the "#" is removed from the address at once, so that no one reads it over a shoulder or copies it with
// the address. It is stored with this one entry of the tab's history, until the screen forgets it.
function hideSecret() {
  const [, name, secret] = location.hash.match(SECRETS) ?? [];
  if (name && secret) history.replaceState({ secret }, "", `${location.pathname}#${name}`);
}

export const secret = () => history.state?.secret ?? null;
export const forgetSecret = () => history.replaceState(null, "", location.href);

// `decide` may answer another address to show in place of the one asked for, such as the sign-in page.
export async function startRouter(table, decide) {
  routes = table;
  hideSecret();
  placeOf = (url) => {
    const name = url.hash.match(SECRETS)?.[1];
    const wanted = match(url.pathname === "/" && name ? `#${name}` : url.pathname);
    const instead = decide(wanted);
    return instead ? match(instead) : wanted;
  };
  navigation.addEventListener("navigate", onNavigate);
  await showAgain();
  firstField()?.focus();
}

function onNavigate(event) {
  const url = new URL(event.destination.url);
  if (
    !event.canIntercept || event.downloadRequest !== null || url.origin !== location.origin || SERVED.test(url.pathname)
  ) return;
  if (event.hashChange && !SECRETS.test(url.hash)) return;
  if (event.navigationType === "reload") return;
  if (event.navigationType === "replace" && event.info !== OURS && !event.userInitiated) return; // a secret is forgotten
  remember();
  const isBack = event.navigationType === "traverse";
  const way = event.navigationType === "push" ? wayFrom(url) : null;
  const stays = url.pathname === path.peek() && placeOf(url).route === current.peek()?.route;
  event.intercept({
    focusReset: "manual",
    scroll: stays ? "manual" : "after-transition",
    handler: async () => {
      hideSecret();
      if (way) ways.set(navigation.currentEntry.key, way);
      if (stays) return void (query.value = parametersIn(url.search));
      await showAgain();
      settle(isBack);
    },
  });
}

// A screen that `leadsOn` is the way back from what it leads to: true of a record, for all but the record beside it, which
// keeps the way; a function of the address says it of other screens.
function wayFrom(url) {
  const left = current.peek();
  const isBeside = left?.route === placeOf(url).route;
  const leads = typeof left?.leadsOn === "function" ? left.leadsOn(url) : left?.leadsOn && !isBeside;
  if (leads) {
    return {
      key: navigation.currentEntry.key,
      href: location.pathname + location.search,
      text: untracked(() => said(left.title)),
    };
  }
  return isBeside ? ways.get(navigation.currentEntry.key) : null;
}

// Up to where a screen belongs, or back to where it was opened from.
export function goUp({ key, href }) {
  const before = navigation.entries()[navigation.currentEntry.index - 1];
  return before && before.key === key ? navigation.back().finished.catch(() => {}) : go(href);
}

function remember() {
  /** @type {HTMLElement} */
  const link = document.activeElement?.closest?.("a[href], [data-key]");
  if (link) focused.set(navigation.currentEntry.key, link.getAttribute("href") ?? link.dataset.key);
}

const said = (words) => (typeof words === "function" ? words() : words);

/** @returns {HTMLElement} */
export const heading = () => document.querySelector("main h1");

// Browsers look for `autofocus` once a page, and complain of it later.
/** @returns {HTMLElement} */
const firstField = () => document.querySelector("main [data-autofocus]");

// After moving, the heading has the focus; after Back, what had it before, once it is drawn.
function settle(isBack) {
  /** @type {any} */
  const wanted = firstField() || heading();
  wanted?.focus({ preventScroll: isBack });
  const before = isBack && focused.get(navigation.currentEntry.key);
  if (before) focusOnceDrawn(before, wanted);
}

// Of a long list the rows in view are drawn after the place has been found again.
function focusOnceDrawn(href, held, frames = FRAMES) {
  /** @type {HTMLElement} */
  const link = document.querySelector(`main a[href='${CSS.escape(href)}']`);
  if (link) link.focus({ preventScroll: true });
  else if (frames) {
    requestAnimationFrame(() => document.activeElement === held && focusOnceDrawn(href, held, frames - 1));
  }
}

let latest = 0;

async function open({ route, params }, url) {
  const turn = (latest += 1);
  isMoving.value = true;
  const made = await route.load().catch((error) => ({ default: () => ({ title: "", problem: error, body: null }) }));
  if (turn !== latest) return;
  dropped();
  const opened = scope(() => {
    path.value = url.pathname;
    query.value = parametersIn(url.search);
    asked.clear();
    const screen = untracked(() => made.default({ params, query, path }));
    const way = "back" in screen ? ways.get(navigation.currentEntry.key) : null;
    current.value = { route, params, ...screen, ...(way && { back: way }) };
  });
  dropped = opened.drop;
  forgetPlace();
  isMoving.value = false;
  if (turn === 1) requestAnimationFrame(() => settle(false));
}

export const go = (address, { replace = false } = {}) =>
  navigation.navigate(address, { history: replace ? "replace" : "auto", info: OURS }).finished.catch(() => {});

// Show the present address again, as after signing in.
export function showAgain() {
  const url = new URL(location.href);
  return open(placeOf(url), url);
}

// Change parameters of the address; null takes one away. The screen stays.
export function setQuery(changes) {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    value === null || value === "" ? next.delete(name) : next.set(name, value);
  }
  const text = next.size ? `?${next}` : "";
  if (text !== location.search) go(location.pathname + text, { replace: true });
}

// Load the module of a screen before it is opened.
export const loadScreen = (address) => void match(address).route.load().catch(() => {});

export function preload(event) {
  const link = event.target.closest?.("a[href^='/']");
  if (link && link.origin === location.origin && !SERVED.test(link.pathname)) loadScreen(link.pathname);
}

// Ask for the first answer of a screen as soon as its link is pressed, which is before it is opened.
export function askFirst({ target, button }) {
  const link = target.closest?.("a[href^='/']") ?? target.closest?.("[data-row]")?.querySelector("a[data-opens]");
  if (!link || button) return;
  const { route, params } = placeOf(new URL(link.href));
  if (route.asks) askAhead(params.id ? `${route.asks}/${params.id}` : route.asks);
}

// The window takes its title from the screen.
export function followTitle(nameOfWorkspace) {
  effect(() => {
    document.title = [said(current.value?.title), nameOfWorkspace(), "erp"].filter(Boolean).join(" – ");
  });
}

// What the address says for these filters; null for what it does not. Of all but some values is `not.…`, and a `period`
// stands for its days.
export function parametersOf(names) {
  const days = names.includes("dateFrom") && daysOf(query.value.get("period"));
  const others = names.map((name) => `not.${name}`).filter((name) => query.value.has(name));
  return {
    ...Object.fromEntries([...names, ...others].map((name) => [name, query.value.get(name)])),
    ...(days && { dateFrom: days[0], dateTo: days[1] }),
  };
}

// A parameter of the address as a signal, for a control that writes it.
export const parameter = (name) => ({
  get value() {
    return query.value.get(name) ?? "";
  },
  set value(value) {
    setQuery({ [name]: value });
  },
  peek: () => query.peek().get(name) ?? "",
});
