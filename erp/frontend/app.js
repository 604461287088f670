// The page: who is signed in decides whether the shell with all screens is shown, or a screen without it.
import { file, forgetEarly, get, onOtherUser, onSignedOut } from "./core/api.js";
import { followChanges, stopFollowing } from "./core/changes.js";
import { countDrafts, deleteDrafts } from "./core/drafts.js";
import { language, ownLanguage, speak, t, tn, withRegion } from "./core/i18n.js";
import { canInstall, followOffer, install } from "./core/installing.js";
import { bind, useSingleKeys } from "./core/keys.js";
import { forgetLists } from "./core/neighbours.js";
import { notify } from "./core/notices.js";
import { followDays } from "./core/parse.js";
import { followRecent, forgetRecent, recent } from "./core/recent.js";
import { current, followTitle, go, loadScreen, startRouter } from "./core/router.js";
import {
  isAdmin,
  isSignedIn,
  may,
  onOthersSession,
  preferences,
  readSession,
  session,
  signOut,
} from "./core/session.js";
import { sendHeld } from "./core/undo.js";
import { computed, effect, tags, untracked } from "./core/view.js";
import { bell } from "./office/notices/bell.js";
import { signInAgain } from "./office/sign_in/again.js";
import { meetOtherUser } from "./office/sign_in/other_user.js";
import { allPlaces, further, MAKERS, onPhone, places } from "./places.js";
import { load, routes } from "./routes.js";
import { alert } from "./ui/alert.js";
import { button, iconButton } from "./ui/button.js";
import { confirm } from "./ui/dialog.js";
import { openPalette } from "./ui/palette.js";
import { shell } from "./ui/shell.js";
import { toastRegion } from "./ui/toast.js";
import { timerButton } from "./work/time/timer.js";

const { main } = tags;
let isNew = false; // no one has set up this server yet
const NOWHERE = ".*";
const QUIET = 2500; // ms after the first view
const STATIC = new URL("./", import.meta.url).pathname;

const openDocumentation = () => location.assign(`/docs/${language().split("-")[0]}`);

const commands = () => [
  { name: t("New invoice"), icon: "file-plus", may: "finance.write", href: "/invoices/new" },
  { name: t("Record payments"), icon: "banknote", may: "finance.write", href: "/payments/new" },
  { name: t("Log time"), icon: "clock", may: "time.write_own", href: "/time?field=task" },
  { name: t("Request leave"), icon: "tree-palm", may: "leave.write_own", href: "/me?ask=leave" },
  { name: t("Your profile"), icon: "user", href: "/profile" },
  { name: t("Documentation"), icon: "book-open", run: openDocumentation },
  { name: t("API documentation"), icon: "book-open", run: () => location.assign("/api/docs") },
];

function userMenu() {
  const { workspaces = [] } = session.value ?? {};
  return [
    { name: t("Your profile"), icon: "user", run: () => go("/profile") },
    (workspaces.length > 1 || isSample()) &&
    { name: t("Change the workspace"), icon: "arrow-right-left", run: () => go("/choose") },
    isAdmin() && { name: t("Server"), icon: "server", run: () => go("/server") },
    { name: t("Help"), icon: "circle-question-mark", key: "?", run: () => void showHelp() },
    { name: t("Documentation"), icon: "book-open", run: openDocumentation },
    canInstall() && { name: t("Install as an app"), icon: "download", run: install },
    { name: t("Sign out"), icon: "log-out", run: leave },
  ].filter(Boolean);
}

async function leave() {
  const count = countDrafts();
  const text = tn(
    "{n} unsaved draft will be deleted from this browser.",
    "{n} unsaved drafts will be deleted from this browser.",
    count,
  );
  if (count && !(await confirm({ title: t("Sign out?"), text, verb: t("Sign out"), danger: true }))) return;
  deleteDrafts();
  forgetLists();
  forgetRecent();
  await sendHeld();
  await signOut();
  location.assign("/sign-in");
}

// Where to go in place of an address that someone may not see now.
function decide({ route }) {
  if (route.isPublic) return null;
  if (!session.peek() && route.pattern === NOWHERE) return null;
  if (!session.peek()) return isNew ? "#setup" : "/sign-in";
  if (!session.peek().workspace) return "/choose";
  if (session.peek().workspace.lacksTwoFactor) return "/two-factor";
  return may(route.may) && (!route.isAdmin || isAdmin()) ? null : "/nowhere";
}

const isLetIn = () => Boolean(session.value?.workspace && !session.value.workspace.lacksTwoFactor);

// Who is inside, where, and with which rights; empty outside. The shell is drawn again if that changes, and stays, with
// the focus, when the session is only read again.
const inside = computed(() => {
  const { user, workspace } = session.value ?? {};
  return workspace && current.value && !current.value.route.isPublic
    ? [user.id, workspace.id, workspace.permissions].join()
    : "";
});

function draw() {
  document.body.classList.toggle("is-bare", !inside.value);
  if (!inside.value) return main({ class: "main", id: "main" }, () => current.value?.body);
  return untracked(() =>
    shell({
      places,
      onPhone,
      userMenu,
      nameOf: ({ href, name }) => placeOf(href)?.name() ?? name,
      openPalette: find,
      openMaking: may(MAKERS) ? make : null,
      showHelp,
      notice: ofSample(),
      brandIcon: `${STATIC}icon.svg`,
      tools: [timerButton(), bell(), iconButton("circle-question-mark", t("Help"), showHelp, { key: "F1" })],
    })
  );
}

const isSample = () => Boolean(session.peek()?.workspace?.isSample);
const deleteSample = async () => (await load("office/workspace/sample")).deleteSample(session.peek().workspace);
const ofSample = () =>
  isSample() && alert({
    kind: "info",
    text: t("Sample data."),
    actions: may("workspace.own") ? [button(t("Delete it"), deleteSample, { isSmall: true })] : [],
  });

const placeOf = (href) => [...allPlaces, ...further].find((one) => one.href === href);
const searchWords = async () => (await import("./search_words.js")).SEARCH_WORDS;
const find = () =>
  openPalette({
    places: [...allPlaces, ...further],
    furtherPlaces: settingsPages,
    commands: commands(),
    recent: recent().map((one) => ({ ...one, icon: allPlaces.find(({ under }) => under === one.under)?.icon })),
    searchWords,
    manual: async () => (await load("help/manual")).manualPages(),
    wordsOf: async () => (await load("search_results")).wordsOf,
  });
const showHelp = async () => (await load("help/panel")).showHelp(load);
const make = async () => (await load("making")).openMaking(searchWords);

async function settingsPages() {
  const { groups } = await load("office/settings/navigation");
  const entries = groups().filter((group) => !group.isAdmin || isAdmin()).flatMap((group) => group.entries);
  return entries.map((entry) => ({ ...entry, name: () => entry.name, icon: "settings" }));
}

function bindKeys() {
  bind({
    "Control+k": { text: t("Find or do"), run: () => void (session.peek()?.workspace && find()) },
    c: {
      text: t.of("record", "New"),
      isOn: () => may(MAKERS),
      run: () => void (inside.peek() && make()),
    },
    "?": { text: t("Help"), run: () => void showHelp() },
    F1: { text: t("Help"), run: () => void showHelp() },
  }, { isEverywhere: true });
}

const catalogue = (base, screen) => file(`${STATIC}messages/${screen ? `${base}/${screen}` : base}.json`);

async function start() {
  followOffer();
  addEventListener("unhandledrejection", ({ reason }) => notify(reason?.message ?? String(reason), { kind: "bad" }));
  const admission = await get("/auth/register");
  isNew = admission.mode === "setup";
  await readSession(admission);
  const { locale, theme, singleKeys = true } = preferences();
  await speak(withRegion(locale ?? ownLanguage()), catalogue);
  effect(() => void (document.documentElement.lang = language()));
  if (theme && theme !== "system") document.documentElement.dataset.scheme = theme;
  useSingleKeys(singleKeys);
  onSignedOut((request) => isSignedIn() && signInAgain(request));
  onOtherUser(meetOtherUser);
  onOthersSession(meetOtherUser);
  bindKeys();
  followDays();
  followRecent();
  effect(() => session.value && forgetRecent(session.value.user.id)); // nothing of another user is left
  followTitle(() => session.value?.workspace?.name);
  effect(() => (isLetIn() ? (followChanges(session.value.workspace), stopFollowing) : undefined));
  await startRouter(routes, decide);
  document.body.replaceChildren(...inBody());
  forgetEarly();
  setTimeout(loadPlaces, QUIET);
}

// The screens of a phone's bar, while nothing else is to be done.
function loadPlaces() {
  if (!inside.peek() || /** @type {any} */ (navigator).connection?.saveData) return;
  const keys = onPhone(may);
  for (const { under, href } of allPlaces) if (keys.includes(under)) loadScreen(href);
}

function inBody() {
  const box = tags.div({ class: "root" }, draw);
  return [box, toastRegion()].flat();
}

if (!("older" in document.documentElement.dataset)) start(); // not awaited: screens import this file once it has run
