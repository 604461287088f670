// An entry by hand: a grid of accounts, debits and credits, which the server adds up at each pause of typing.
import { send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { money, time } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { todayAtFirst } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { currency } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { batch, computed, each, signal, tags, untracked } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { card } from "../../ui/card.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { atShownLines, lineList } from "../../ui/lines.js";
import { skeleton } from "../../ui/skeleton.js";
import { TOUCHED } from "../payments/touched.js";
import { isZero } from "../documents/states.js";
import { blank, blankLines, entryGrid, givenOf, lineOf } from "./lines.js";

const { a, dd, div, dl, dt, li, p, span, ul } = tags;

export default ({ query }) => {
  const like = query.peek().get("like");
  const before = like ? resource(`/finance/journals/${like}`) : null;
  const ready = computed(() => !before || before.value !== undefined);
  let editor = null;
  const made = () => {
    if (!ready.value) return [problem(() => before.problem, () => before.renew()), skeleton({ rows: 6 })];
    editor ??= untracked(() => editing(before?.value ?? null));
    return editor.body;
  };
  return {
    title: t("New entry"),
    state: () => (ready.value ? editor?.state() : null),
    back: { href: "/journals", text: t("Journal") },
    actions: [
      {
        name: t("Fill in the difference"),
        key: "Control+b",
        isShown: () => ready.value && Boolean(editor?.isOff()),
        run: () => editor.fillIn(),
      },
      {
        name: t("Post"),
        key: "Control+Enter",
        main: true,
        isShown: () => ready.value,
        run: () => editor.body.form.send(),
      },
    ],
    body: div({ class: "document" }, made),
  };
};

// The fields of an entry as signals, what was kept of it, and what the server says of it.
function editing(like) {
  const fields = {
    date: todayAtFirst(),
    description: signal(like?.description ?? ""),
    reference: signal(""),
  };
  const lines = lineList({ blank, rows: like?.lines.map(lineOf) ?? blankLines() });
  const posted = signal([]);
  const kept = draft("journal", like ? `like ${like.id}` : null, {
    read: () => ({ ...valuesOf(fields), lines: lines.values() }),
    write: ({ lines: rows, ...values }) =>
      batch(() => {
        for (const [name, one] of Object.entries(fields)) one.value = values[name] ?? one.value;
        lines.load(rows.length ? rows : blankLines());
      }),
  });
  const body = () => bodyOf(fields, lines);
  const state = { fields, lines, posted, kept, body, preview: previewed("/finance/journals/preview", body) };
  const element = shown(state);
  const saved =
    () => (kept.savedAt.value
      ? span({ class: "soft small" }, t("not saved, on this device since {time}", { time: time(kept.savedAt.value) }))
      : null);
  return { body: element, state: saved, isOff: () => isOff(state), fillIn: () => fillIn(state) };
}

const valuesOf = (fields) => Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value]));
const bodyOf = (fields, lines) => ({
  ...givenOf(valuesOf(fields)),
  lines: lines.values().map(givenOf),
});

function shown(state) {
  const { fields, lines, kept, preview } = state;
  const grid = entryGrid(lines);
  const first = textInput({ value: fields.description, name: "description", autofocus: true });
  const element = form(
    { run: () => post(state, first), label: t("Journal entry"), draft: kept },
    div(
      { class: "fields" },
      field({ label: t("Date"), name: "date" }, dateField({ value: fields.date, name: "date" })),
      field({ label: t("Text"), name: "description" }, first),
      field(
        { label: t("Reference"), name: "reference", isOptional: true },
        textInput({ value: fields.reference, name: "reference" }),
      ),
    ),
    grid,
    sums(preview),
  );
  return Object.assign(div({ class: "stack" }, card({}, element), justPosted(state.posted)), { form: element });
}

function sums(preview) {
  const row = (text, amount, kind = "") => [
    dt({ class: kind }, text),
    dd({ class: `figure ${kind}` }, money(amount, currency())),
  ];
  return div({ class: "totals" }, () => {
    const now = preview.value;
    if (!now) return p({ class: "soft" }, t("The totals appear here as you type."));
    return dl(
      row(t.of("side", "Debit"), now.debit),
      row(t.of("side", "Credit"), now.credit),
      row(t("Difference"), now.difference, isZero(now.difference) ? "" : "strong"),
    );
  });
}

const isOff = ({ preview }) => Boolean(preview.value) && !isZero(preview.value.difference);

// The last line without an amount gets what is missing on its side; without such a line there is a new one.
function fillIn({ lines, preview }) {
  const { difference } = preview.peek();
  const isFree = ({ cells }) => !cells.debit.peek() && !cells.credit.peek();
  const line = lines.rows.peek().findLast((one) => isFree(one) && !one.isBlank.peek()) ??
    lines.rows.peek().find(isFree) ?? lines.add();
  const cell = difference.startsWith("-") ? line.cells.debit : line.cells.credit;
  cell.value = difference.replace("-", "");
}

async function post(state, first) {
  const { fields, lines, posted, kept, body } = state;
  const made = await send("POST", "/finance/journals", body(), { key: kept.key }).catch(atShownLines(lines));
  batch(() => {
    posted.value = [made, ...posted.peek()];
    for (const one of [fields.description, fields.reference]) one.value = "";
    lines.load(blankLines());
  });
  kept.clear({ goesOn: true });
  changed("/finance/journals", ...TOUCHED);
  notify(t("{number} posted.", { number: made.number }), { kind: "good" });
  first.focus();
}

function justPosted(posted) {
  const line = (one) =>
    li(
      { class: "spread" },
      a({ href: `/journals/${one.value.id}` }, one.value.number),
      span(one.value.description),
      span({ class: "figure" }, money(one.value.total, currency())),
    );
  return () =>
    posted.value.length
      ? card(
        { title: t("Posted just now") },
        ul({ class: "plain-list" }, each(() => posted.value, ({ id }) => id, line)),
      )
      : null;
}
