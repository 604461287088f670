// Go, do, find: one line to type in, opened by Ctrl-K from everywhere.
import { address, get } from "../core/api.js";
import { t, tn } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { say } from "../core/notices.js";
import { documentPath, viewPath } from "../core/record_paths.js";
import { current, go } from "../core/router.js";
import { may } from "../core/session.js";
import { batch, computed, effect, scope, signal, tags } from "../core/view.js";
import { perform } from "./actions.js";
import { icon } from "./icon.js";
import { keyHint } from "./key.js";
import { actionsOf } from "./shell.js";

const PAUSE = 120; // ms after the last key, before the server is asked
const LEAST = 2;
const { dialog: dialogElement, input, li, span, ul } = tags;

// What a result of each kind leads to, and its icon.
const FOUND = {
  invoice: [(_, hit) => documentPath(hit), "file-text"],
  quote: [(id) => `/quotes/${id}`, "file-pen"],
  payment: [(id) => `/payments/${id}`, "banknote"],
  contact: [(id) => `/contacts/${id}`, "contact"],
  employee: [(id) => `/people/${id}`, "user"],
  project: [(id) => `/projects/${id}`, "folder"],
  task: [(id) => `/tasks/${id}`, "square-check"],
  expense_claim: [(id) => `/expenses/${id}`, "receipt-text"],
  journal_entry: [(id) => `/journals/${id}`, "book-open"],
  asset: [(id) => `/assets/${id}`, "package"],
  reminder: [(id) => `/reminders/${id}`, "bell"],
  view: [(_, hit) => viewPath(hit), "star"],
  account: [(id) => `/reports/general-ledger?accountId=${id}`, "list-tree"],
};

const HAVE_DRAFTS = ["invoice", "quote"];

let opened = null;

// `commands` are what can be done from every screen. `searchWords` loads more words by which a screen is found, by its
// address, `furtherPlaces` more screens, `manual` the pages of the manual, and `wordsOf` what is said of a record that is
// found. `recent` are the records that were opened last. Without `places` it has the commands alone, under their `label`.
export function openPalette(about) {
  if (opened?.open) return;
  const made = scope(() => palette(about));
  const element = opened = made.value;
  element.addEventListener("close", () => {
    element.remove();
    made.drop();
  });
  document.body.append(element);
  element.showModal();
}

function palette(
  { places = null, commands, searchWords, furtherPlaces, manual, wordsOf, recent = [], label = t("Find or do") },
) {
  const typed = signal("");
  const found = signal([]);
  const chosen = signal(0);
  const others = signal({});
  const more = signal([]);
  const pages = signal([]);
  const entries = computed(() =>
    places
      ? [
        ...(typed.value.trim()
          ? []
          : recent.map((one) => ({ ...one, group: t("Recent"), run: () => void go(one.href) }))),
        ...fitting(typed.value, actionEntries(), others.value),
        ...fitting(typed.value, commandEntries(commands), others.value),
        ...fitting(typed.value, placeEntries([...places, ...more.value]), others.value),
        ...(typed.value.trim()
          ? fitting(typed.value, placeEntries(pages.value, t("Documentation")), others.value)
          : []),
        ...found.value,
      ]
      : fitting(typed.value, commandEntries(commands, label), others.value)
  );
  searchWords().then((words) => void (others.value = words), () => {}); // without them, names still find
  if (places) {
    furtherPlaces().then((all) => void (more.value = all), () => {});
    manual().then((all) => void (pages.value = all), () => {});
    followServer(typed, found, wordsOf);
  }
  effect(() => {
    entries.value;
    chosen.value = 0;
  });
  const run = (entry) => {
    element.close();
    entry?.run();
  };
  const field = input({
    class: "palette-input",
    type: "text",
    role: "combobox",
    autofocus: true,
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": label,
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    placeholder: places ? t("Go to, do, or find …") : label,
    "aria-activedescendant": () => (entries.value.length ? `palette-${chosen.value}` : null),
    oninput: () => void (typed.value = field.value),
    onkeydown: (event) => onKey(event, { entries, chosen, run }),
  });
  const list = ul(
    { class: "palette-list", role: "listbox", id: "palette-list", "aria-label": t("Results") },
    () => rows(entries.value, chosen, run),
  );
  const element = dialogElement(
    {
      class: "palette",
      "aria-label": label,
      onclick: (event) => event.target === element && element.close(),
    },
    field,
    list,
  );
  return element;
}

function onKey(event, { entries, chosen, run }) {
  const count = entries.value.length;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (keyOf(event) in steps && count) chosen.value = (chosen.value + steps[keyOf(event)] + count) % count;
  else if (keyOf(event) === "Enter") run(entries.value[chosen.value]);
  else return;
  event.preventDefault();
  document.getElementById(`palette-${chosen.value}`)?.scrollIntoView({ block: "nearest" });
}

function rows(entries, chosen, run) {
  const shown = [];
  let group = null;
  entries.forEach((entry, at) => {
    if (entry.group !== group) shown.push(li({ class: "palette-group", role: "presentation" }, group = entry.group));
    shown.push(row(entry, at, chosen, run));
  });
  return shown.length ? shown : li({ class: "palette-group", role: "presentation" }, t("No results."));
}

function row(entry, at, chosen, run) {
  const isChosen = () => String(chosen.value === at);
  return li(
    {
      class: "palette-item",
      role: "option",
      id: `palette-${at}`,
      "aria-selected": isChosen,
      onclick: () => run(entry),
      onpointermove: () => void (chosen.value = at),
    },
    icon(entry.icon ?? "arrow-right"),
    span(entry.text),
    entry.more && span({ class: "palette-more" }, entry.more),
    entry.key && keyHint(entry.key),
  );
}

const actionEntries = () =>
  actionsOf(current.value).map((action) => ({
    group: t("Do"),
    text: action.name,
    icon: action.icon,
    key: action.key,
    run: () => perform(action),
  }));

const commandEntries = (commands, group = t("Do")) =>
  commands.filter((one) => may(one.may)).map((one) => ({
    group,
    text: one.name,
    href: one.href,
    icon: one.icon,
    key: one.key,
    run: one.run ?? (() => void go(one.href)),
  }));

function placeEntries(places, group = t("Go to")) {
  const isOpen = ({ may: right, isShown = () => true }) => may(right) && isShown();
  const byAddress = new Map(places.filter(isOpen).toReversed().map((one) => [one.href, one])); // the first of an address
  return places.filter((one) => byAddress.get(one.href) === one).map((one) => ({
    group,
    text: one.name(),
    href: one.href,
    words: one.words,
    icon: one.icon,
    key: one.key,
    run: () => void go(one.href),
  }));
}

function fitting(text, entries, searchWords) {
  const words = folded(text).split(" ").filter(Boolean);
  return best(entries.map((one) => ({ ...one, words: one.words ?? searchWords[one.href] })), words);
}

// Those that have all the words, in their name or as other programs say: whole words before parts, names before others.
function best(entries, words) {
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry, words) })).filter(({ rank }) => rank > 0);
  return ranked.sort((one, other) => other.rank - one.rank).map(({ entry }) => entry);
}

function rank({ text, words: others = "" }, words) {
  const [name, all] = [folded(text), folded(`${text}, ${others}`)];
  const whole = (within) => words.every((word) => within.split(/[^\p{L}\p{N}&]+/u).includes(word));
  if (words.every((word) => name.includes(word))) return whole(name) ? 4 : 3;
  if (words.every((word) => all.includes(word))) return whole(all) ? 2 : 1;
  return 0;
}

const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").trim();

function followServer(typed, found, wordsOf) {
  let latest = 0;
  effect(() => {
    const text = typed.value.trim();
    const turn = (latest += 1);
    if (text.length < LEAST) return void (found.value = []);
    const timer = setTimeout(async () => {
      const [results, words] = await Promise.all([
        get(address("/workspace/search", { q: text })).catch(() => []),
        wordsOf().catch(() => ({ subtitle }) => [subtitle]),
      ]);
      if (turn !== latest) return;
      const hits = (results.items ?? results).filter(({ type }) => type in FOUND);
      batch(() => void (found.value = hits.map((hit) => resultOf(hit, words(hit)))));
      say(tn("{n} result", "{n} results", found.value.length));
    }, PAUSE);
    return () => clearTimeout(timer);
  });
}

function resultOf(hit, more) {
  const { type, id, title, number } = hit;
  const [href, picture] = FOUND[type];
  const text = number === null && HAVE_DRAFTS.includes(type) ? t.of("document", "Draft") : title;
  return { group: t("Found"), text, more, icon: picture, run: () => void go(href(id, hit)) };
}
