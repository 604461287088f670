// The proof of a report, checked: whether the log is whole, whether the figures are the same, and what was posted since.
import { send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { query } from "../../core/router.js";
import { signal, tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textArea } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";

const { a, div, p } = tags;

export default () => {
  const proof = signal(written(query.peek().get("proof")));
  const verdict = signal(null);
  const run = async () => {
    verdict.value = null;
    verdict.value = await send("POST", "/finance/reports/verify", bodyOf(proof.value));
  };
  return {
    title: t("Verify a report"),
    back: { href: "/reports", text: t("Reports") },
    body: div(
      { class: "stack" },
      p(
        { class: "soft" },
        t("A report made earlier is made again from its proof and compared. Excel files have it on the sheet “Proof”."),
      ),
      form(
        { run, submit: t("Verify"), label: t("Verify a report") },
        field(
          { label: t("Proof"), name: "proof", isWide: true, hint: t("Copy both columns of the sheet, or the JSON.") },
          textArea({ value: proof, name: "proof", rows: 10 }),
        ),
      ),
      () => verdict.value && told(verdict.value),
    ),
  };
};

const written = (text) => (text ? JSON.stringify(JSON.parse(text), null, 2) : "");

// The proof as JSON, or as the rows of the sheet: a name, a tab, and a value.
function bodyOf(text) {
  const { report, parameters = {}, seq, chainHead, contentHash } = ofJson(text) ??
    ofRows(text.trim().split("\n").map((row) => row.trim().split(/\t+/)));
  return { report, parameters, seq: Number(seq), chainHead, contentHash };
}

function ofJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function ofRows(rows) {
  const parameters = rows.filter(([name]) => name.startsWith("parameters."));
  return {
    ...Object.fromEntries(rows),
    parameters: Object.fromEntries(parameters.map(([name, value]) => [name.slice("parameters.".length), value])),
  };
}

const told = ({ isChainIntact, reason, isSame, changes }) =>
  div(
    { class: "stack", role: "status" },
    facts([
      [t("Figures"), isSame ? pill(t("the same"), "good") : pill(t("changed since"), "warn")],
      [t("Audit log"), isChainIntact ? pill(t("intact"), "good") : pill(reason, "bad")],
    ]),
    table({
      label: t("Entries since then"),
      rows: () => changes,
      key: ({ entryId }) => entryId,
      columns,
      empty: empty(t("Nothing has been posted to it since.")),
    }),
  );

const columns = [
  {
    key: "number",
    text: t("Entry"),
    place: "name",
    cell: ({ entryId, number }) => a({ href: `/journals/${entryId}` }, number),
  },
  { key: "date", text: t("Date"), place: "meta", cell: ({ date }) => day(date) },
];
