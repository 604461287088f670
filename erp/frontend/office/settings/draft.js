// What has been changed on all pages of the settings and is not saved: kept in the browser, sent as one request.
import { get as read, send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, heading } from "../../core/router.js";
import { readSession } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { batch, computed, effect, onDrop, signal, tags, untracked } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { fieldErrors } from "../../ui/errors.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { sectionsOf } from "./pages.js";

const MERGED = ["numberFormats", "defaultAccounts", "reminders"]; // by the server, key by key
export const PAPER = "/workspace/paper";
export const RETENTION = "/workspace/retention";
const LOOK = ["layout", "accentColor", "topMm", "hasOfficeHead"];
const WHOLE = ["address", "punchRounding", "timeLock", "nacha"];
const BANK = ["iban", "bic"]; // never stored in the browser
let untold = {}; // the bank account while another page is shown, by workspace
let refused = null; // what is to be shown at a field of the page that opens

const { div, span } = tags;

// What has an address of its own, under the version of the settings or none, as one with them.
export const together = (workspace, paper, kept) => ({
  ...workspace,
  ...pick(paper, [...LOOK, "letterhead"]),
  ...kept?.years,
  least: kept?.least,
});

export function settingsDraft(get, path, page) {
  const sections = untracked(() => sectionsOf(get(), page));
  const specs = Object.entries(sections).flatMap(([key, all]) =>
    all.flatMap(({ fields }) => fields.map((spec) => ({ ...spec, page: key })))
  );
  let base = flat(get()); // as it was when the first change was made
  const fields = editable(specs, base);
  const put = (values) => {
    const fresh = Object.entries(editable(specs, { ...flat(untracked(get)), ...values }).signals);
    batch(() => fresh.forEach(([name, one]) => void (fields.signals[name].value = one.peek())));
  };
  const texts = signal({}); // what makes no sense as it is typed, by field
  let clean = () => {};
  const kept = draft("settings", base.id, {
    read: () => {
      const values = without(fields.body(), BANK);
      return { version: base.version, before: pick(base, Object.keys(values)), values, texts: texts.value };
    },
    write: ({ version, before, values, texts: typed }) => {
      texts.value = typed ?? {};
      base = { ...base, ...before, version };
      put(values);
    },
    isEmpty: ({ values, texts: typed }) => !Object.keys({ ...values, ...typed }).length,
  });
  const told = untold[base.id] ?? {};
  if (Object.keys(told).length) put({ ...untracked(() => fields.body()), ...told });
  onDrop(() => void (untold = { [base.id]: pick(untracked(() => fields.body()), BANK) }));
  effect(() => {
    const now = flat(get());
    untracked(() => fields.take(now));
    if (!Object.keys(untracked(() => fields.body())).length) base = now;
  });

  const over = async (saved, body) => {
    base = saved;
    fields.take(base, body);
    kept.clear({ goesOn: true });
    await changed(path, PAPER, RETENTION, "/finance/accounts", "/workspace/next-numbers");
    await readSession();
    notify(t("Saved."), { kind: "good" });
  };
  // A request for each address; what is refused leaves saved what went before.
  const save = async () => {
    const body = fields.body();
    const kinds = Object.keys(base.least ?? {});
    const others = [[PAPER, pick(body, LOOK)], [RETENTION, pick(body, kinds)]];
    const own = without(body, [...LOOK, ...kinds]);
    const sent = [[path, own], ...others].filter(([, one]) => Object.keys(one).length);
    const done = {};
    let now = base;
    for (const [at, one] of sent) {
      const said = at === path ? nested(one, fields.all(), base) : one;
      const answer = await send("PATCH", at, said, at === RETENTION ? {} : { version: now.version })
        .catch((refusal) => {
          if (now !== base) partly(now, done);
          if (refusal.status !== 412) throw refusal;
        });
      if (!answer) return merge(fields.body());
      Object.assign(done, one);
      now = { ...now, ...(at === path ? flat(answer) : at === PAPER ? answer : answer.years) };
    }
    if (sent.length) await over(now, body);
  };
  const partly = (now, done) => {
    base = now;
    fields.take(now, done);
    changed(path, PAPER, RETENTION);
    notify(t("The changes on the other pages are saved."), { kind: "good" });
  };
  // Someone else has changed them since: what both have changed is asked about, what only they have changed stays.
  const merge = async (body) => {
    const theirs = flat(
      together(...await Promise.all([path, PAPER, ...(base.least ? [RETENTION] : [])].map((at) => read(at)))),
    );
    const asked = (await import("./asking.js")).asked;
    const { answer, names } = await asked(specs, { base, theirs, mine: body });
    if (!answer) return;
    fields.take(theirs);
    base = theirs;
    if (answer === "mine") return save();
    await changed(path);
    put(without(fields.body(), names));
  };
  // What is refused, or makes no sense, opens the page of its field.
  const run = async () => {
    const elsewhere = Object.keys(texts.peek()).map((name) => pageOf(specs, name)).find((one) => one !== page);
    if (elsewhere) return void go(`/settings/${elsewhere}`);
    try {
      await save();
    } catch (refusal) {
      const pages = (refusal.details ?? []).map(({ field }) => pageOf(specs, field)).filter(Boolean);
      if (!pages.length || pages.includes(page)) throw refusal;
      refused = refusal;
      go(`/settings/${pages[0]}`);
    }
  };
  const count = computed(() => new Set([...Object.keys(fields.body()), ...Object.keys(texts.value)]).size);
  const discard = () => {
    clean();
    texts.value = {};
    base = flat(untracked(get));
    put({});
    kept.clear({ goesOn: true });
  };
  const follow = async (element) => void (clean = (await import("./half_typed.js")).follow(element, texts));
  const ended = (event) => event.currentTarget.isConnected && count.peek() === 0 && heading().focus();
  const bar = () =>
    div(
      { class: "settings-bar row", hidden: () => !count.value },
      span({ role: "status" }, () => (count.value ? tn("{n} change", "{n} changes", count.value) : "")),
      button(t("Discard"), (event) => {
        discard();
        ended(event);
      }),
      button(t("Save"), null, { type: "submit", kind: "main", key: "Control+s" }),
    );
  return {
    sections,
    signals: fields.signals,
    controlsOf: fields.controlsOf,
    form: (label, ...content) => {
      const element = form({ run, label }, ...content, bar());
      element.classList.add("settings-page");
      follow(element);
      if (refused) {
        const refusal = refused;
        refused = null;
        requestAnimationFrame(() => fieldErrors(element, refusal));
      }
      return element;
    },
  };
}

const pick = (values, names) => Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
const without = (values, names) => Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

const pageOf = (specs, field) =>
  specs.find(({ name }) => field === name || field?.startsWith(`${name}.`) || field?.startsWith(`${name}[`))?.page;

// Fields of objects by their paths, as requests and refusals name them: `address.city`.
function flat(workspace) {
  const parts = (name, value) =>
    value?.constructor === Object
      ? Object.entries(value).flatMap(([key, one]) => parts(`${name}.${key}`, one))
      : [[name, value]];
  const inside = [...MERGED, ...WHOLE].flatMap((name) => parts(name, workspace[name] ?? {}));
  return { ...workspace, "punchRounding.mode": "nearest", ...Object.fromEntries(inside) };
}

// The body of a request with these changes: an object that is replaced as a whole is made of all its fields.
function nested(body, all, base) {
  const sent = {};
  for (const [name, value] of Object.entries(body)) {
    const [root, key, inner] = name.split(".");
    if (!key) sent[name] = value;
    else if (WHOLE.includes(root)) sent[root] = wholeOf(root, all);
    else sent[root] = { ...sent[root], [key]: inner ? lumpSum(value, base) : value };
  }
  return sent;
}

const lumpSum = (amount, base) =>
  amount && { currency: base["reminders.lumpSum.currency"] ?? base.baseCurrency, amount };

// A country alone is no address, and a way of rounding alone no rounding.
function wholeOf(root, all) {
  const of = Object.entries(all).filter(([name]) => name.startsWith(`${root}.`));
  const parts = Object.fromEntries(of.map(([name, value]) => [name.slice(root.length + 1), value]));
  const said = Object.keys(without(parts, ["country", "mode"])).filter((name) => parts[name] !== false);
  return said.length ? parts : null;
}
