// Go, do, find: one line to type in, opened by Ctrl-K from everywhere.
import { address, get } from "../core/api.js";
import { t, tn } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { say } from "../core/notices.js";
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
  invoice: [(id) => `/invoices/${id}`, "file-text"],
  quote: [(id) => `/quotes/${id}`, "file-pen"],
  bill: [(id) => `/bills/${id}`, "receipt"],
  payment: [(id) => `/payments/${id}`, "banknote"],
  contact: [(id) => `/contacts/${id}`, "contact"],
  employee: [(id) => `/people/${id}`, "user"],
  project: [(id) => `/projects/${id}`, "folder"],
  task: [(id) => `/tasks/${id}`, "square-check"],
  expense_claim: [(id) => `/expenses/${id}`, "receipt-text"],
  journal_entry: [(id) => `/journals/${id}`, "book-open"],
  asset: [(id) => `/assets/${id}`, "package"],
  reminder: [(id) => `/reminders/${id}`, "bell"],
  account: [(id) => `/reports/general-ledger?accountId=${id}`, "list-tree"],
};

let opened = null;

// `commands` are what can be done from every screen; `searchWords` loads more words by which a screen is
// found, by its address.
export function openPalette({ places, commands, searchWords }) {
  if (opened?.open) return;
  const made = scope(() => palette(places, commands, searchWords));
  const element = opened = made.value;
  element.addEventListener("close", () => {
    element.remove();
    made.drop();
  });
  document.body.append(element);
  element.showModal();
}

function palette(places, commands, searchWords) {
  const typed = signal("");
  const found = signal([]);
  const chosen = signal(0);
  const others = signal({});
  const entries = computed(() => [...fitting(typed.value, places, commands, others.value), ...found.value]);
  searchWords().then((words) => void (others.value = words), () => {}); // without them, names still find
  followServer(typed, found);
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
    "aria-label": t("Find or do"),
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    placeholder: t("Go to, do, or find …"),
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
      "aria-label": t("Find or do"),
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

function fitting(text, places, commands, searchWords) {
  const words = folded(text).split(" ").filter(Boolean);
  const actions = actionsOf(current.value).map((action) => ({
    group: t("Do"),
    text: action.name,
    icon: action.icon,
    key: action.key,
    run: () => perform(action),
  }));
  const others = commands.filter((one) => may(one.may)).map((one) => ({
    group: t("Do"),
    text: one.name,
    words: searchWords[one.href],
    icon: one.icon,
    key: one.key,
    run: one.run ?? (() => void go(one.href)),
  }));
  const isOpen = ({ may: right, isShown = () => true }) => may(right) && isShown();
  const ways = places.flat().filter(isOpen).map((one) => ({
    group: t("Go to"),
    text: one.name(),
    words: searchWords[one.href],
    icon: one.icon,
    key: one.key,
    run: () => void go(one.href),
  }));
  return [actions, others, ways].flatMap((group) => best(group, words));
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

function followServer(typed, found) {
  let latest = 0;
  effect(() => {
    const text = typed.value.trim();
    const turn = (latest += 1);
    if (text.length < LEAST) return void (found.value = []);
    const timer = setTimeout(async () => {
      const results = await get(address("/workspace/search", { q: text })).catch(() => []);
      if (turn !== latest) return;
      batch(() => void (found.value = (results.items ?? results).filter(({ type }) => type in FOUND).map(resultOf)));
      say(tn("{n} result", "{n} results", found.value.length));
    }, PAUSE);
    return () => clearTimeout(timer);
  });
}

function resultOf({ type, id, title, subtitle }) {
  const [href, picture] = FOUND[type];
  return { group: t("Found"), text: title, more: subtitle, icon: picture, run: () => void go(href(id)) };
}
