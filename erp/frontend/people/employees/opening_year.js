// The opening year of payroll: the pay of a calendar year that a person got before this program, through a day.
import { get, getAll, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { later } from "../../ui/later.js";

const BASE = "base";
const { div, p } = tags;

export function openingYear(employee, close) {
  const now = Number(today().slice(0, 4));
  const year = signal(now);
  return div(
    { class: "stack" },
    p({ class: "soft" }, t("The next payslips of the year count it in their year to date. Nothing is posted.")),
    field(
      { label: t("Year"), name: "year" },
      choice({ value: year, name: "year", options: [now, now - 1].map((one) => ({ value: one, text: String(one) })) }),
    ),
    () => later(() => formOf(employee, year.value, close)),
  );
}

async function formOf(employee, year, close) {
  const path = `/hr/employees/${employee.id}/year-to-date/${year}`;
  const [components, before] = await Promise.all([getAll("/hr/pay-components?limit=200"), found(path)]);
  const fields = editable(fieldsOf(components, before), null);
  const run = async () => {
    const { throughDate = null, taxable = null, ...amounts } = fields.body();
    const names = Object.keys(amounts);
    const lines = names.map((name) => ({ ...idOf(name), amount: amounts[name] }));
    await send("PUT", path, { throughDate, taxable, lines }, { version: before?.version }).catch(named(names));
    changed("/hr/");
    notify(t("Saved."), { kind: "good" });
    close();
  };
  return () => form({ run, submit: t("Save"), cancel: () => close(), label: t("Opening year") }, fields.controls);
}

const idOf = (name) => (name === BASE ? { code: BASE } : { componentId: name });

const found = (path) =>
  get(path, { isByItself: true }).catch((refusal) => {
    if (refusal.status !== 404) throw refusal;
    return null;
  });

// A line is told by its component, which may be archived since.
function fieldsOf(components, before) {
  const lines = before?.lines ?? [];
  const amountOf = (name) => lines.find(({ componentId }) => (componentId ?? BASE) === name)?.amount;
  const all = new Map([[BASE, t("Base pay")]]);
  for (const { id, name } of components) all.set(id, name);
  for (const { componentId, name } of lines) if (componentId) all.set(componentId, name);
  const amount = (name, label, start) => ({ name, label, kind: "money", currency: currency(), start: start ?? "" });
  return [
    { name: "throughDate", label: t("Paid through"), kind: "day", start: before?.throughDate },
    { ...amount("taxable", t("Taxable pay"), before?.taxable), hint: t("The base of tax brackets.") },
    ...[...all].map(([name, label]) => ({ ...amount(name, label, amountOf(name)), isOptional: true })),
  ];
}

// The API counts the lines, the form names their components.
const named = (names) => (refusal) => {
  const details = refusal.details?.map((one) => ({
    ...one,
    field: one.field?.replace(/^lines\[(\d+)\].*/, (_, at) => names[Number(at)]),
  }));
  throw Object.assign(refusal, { details });
};
