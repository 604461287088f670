// The editor of quotes: like the one of invoices, with an option in each line, and texts before and after them.
import { send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { time } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { changed, resource } from "../../core/store.js";
import { batch, computed, here, signal, tags, untracked } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { form } from "../../ui/form.js";
import { atShownLines, lineList } from "../../ui/lines.js";
import { pager } from "../../ui/pager.js";
import { skeleton } from "../../ui/skeleton.js";
import { fieldsOf } from "../documents/body.js";
import { ownTerms, termsOf } from "../terms/values.js";
import { blankLine, bodyOf, lineOf, previewOf, valuesOf } from "./body.js";
import { shownFields } from "./fields.js";
import { nameOf, opensAt, QUOTES, TOUCHED } from "./words.js";

const { div, span } = tags;

export default ({ params, query }) => {
  const { id } = params;
  const before = id ? resource(`${QUOTES}/${id}`) : null;
  const party = resource(() => (before?.value ? `/finance/contacts/${before.value.customerId}` : null));
  const ready = computed(() => !before || (before.value !== undefined && Boolean(party.value || party.problem)));
  let editor = null;
  const contactId = query.peek().get("customerId");
  const made = () => {
    if (!ready.value) return [problem(() => before.problem, () => before.renew()), skeleton({ rows: 6 })];
    editor ??= untracked(() => editing(before?.value ?? null, party.value, contactId)); // later answers make no other
    return editor.body;
  };
  return {
    title: id ? () => (before.value?.number ? nameOf(before.value) : t("Edit quote")) : t("New quote"),
    state: () => (ready.value ? editor?.state() : null),
    back: { href: listScreen(QUOTES, "/quotes"), text: t("Quotes") },
    pager: id && pager(neighbours(QUOTES, id), opensAt),
    actions: [
      { name: t("Save draft"), key: "Control+s", isShown: () => ready.value, run: () => editor.body.save() },
      {
        name: t("Issue"),
        key: "Control+Enter",
        main: true,
        isShown: () => ready.value,
        run: () => editor.body.send(),
      },
      id && {
        name: t("Delete draft"),
        danger: true,
        isShown: () => before.value?.can.includes("delete"),
        run: async () => (await import("./drafts.js")).discard(before.value),
      },
    ],
    body: div({ class: "document with-paper" }, made),
  };
};

async function follow(lines) {
  const living = here();
  const keep = (await import("./following.js")).followLines;
  living(() => keep(lines));
}

// The fields of a quote as signals, its draft in the browser, and what the server says of it.
function editing(found, contact, contactId) {
  const record = signal(found);
  const fields = fieldsOf(valuesOf(found, found ? { terms: ownTerms(found, contact) } : { contactId }));
  const terms = signal(termsOf(fields)); // as the server has them
  const lines = lineList({ blank: blankLine, rows: found?.lines.map(lineOf) ?? [blankLine()] });
  follow(lines);
  const fill = ({ lines: rows, ...values }) =>
    batch(() => {
      for (const [name, one] of Object.entries(fields)) one.value = name in values ? values[name] : one.value;
      lines.load(rows.length ? rows : [blankLine()]);
    });
  const kept = draft("quote", found?.id ?? null, {
    read: () => ({
      ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value])),
      lines: lines.values(),
    }),
    write: fill,
  });
  const body = () => bodyOf(fields, lines, record.value, terms.value);
  const preview = previewOf(() => bodyOf(fields, lines, record.value, null), record);
  const state = { record, terms, fields, lines, kept, fill, body, preview };
  const element = form(
    { run: () => working(state, issued), label: t("Quote"), draft: kept },
    ...shownFields({ fields, lines, preview, found }),
  );
  element.save = () => element.sendWith(() => working(state, saveDraft));
  const shown =
    () => (kept.savedAt.value
      ? span({ class: "soft small" }, t("not saved, on this device since {time}", { time: time(kept.savedAt.value) }))
      : null);
  return { body: element, state: shown };
}

async function working(state, work) {
  try {
    await work(state);
  } catch (refusal) {
    const again = () => working(state, work);
    if (refusal.status === 412) return (await import("./others.js")).afterOthers(state, again);
    if (refusal.status === 404 && state.record.peek()) return (await import("./others.js")).afterDeletion(state, again);
    refusal.details = refusal.details?.map((one) => ({
      ...one,
      field: one.field?.replace(/\.alternativeTo$/, ".option"),
    }));
    return atShownLines(state.lines)(refusal);
  }
}

async function saveDraft(state) {
  const saved = await stored(state);
  state.kept.clear({ goesOn: Boolean(state.record.peek()) });
  notify(t("Draft saved."), { kind: "good" });
  if (state.record.peek()) state.record.value = saved;
  else await go(`/quotes/${saved.id}/edit`, { replace: true });
  changed(...TOUCHED);
}

async function stored({ record, terms, fields, body, kept }) {
  const now = record.peek();
  if (!now) return send("POST", QUOTES, body(), { key: kept.key });
  const sent = termsOf(fields);
  const saved = await send("PATCH", `${QUOTES}/${now.id}`, body(), { version: now.version });
  terms.value = sent;
  return saved;
}

const issued = async (state) => (await import("./issue.js")).issue(state, await stored(state));
