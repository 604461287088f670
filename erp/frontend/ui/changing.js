// Changing a record that someone else may have changed since: what both have changed is asked about, field by field; what
// only the other has changed stays.
import { get, send } from "../core/api.js";
import { t } from "../core/i18n.js";
import { labelOf } from "./errors.js";
import { askWhose } from "./whose.js";

const differs = (one, other) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);

// What of a body is not as it was when the form was opened.
export const changesOf = (body, before) =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => differs(value, before[name])));

// Send a change of the form `element`, if there is any. Answers what is saved now, with `isTheirs` where that is the other's,
// or null if nothing was chosen. `told(values)` has the words for what its controls do not say, by field.
// One's own that is kept may be `joined(body, before, theirs)` with what the other has added.
/**
 * @type {(
 *   element: any,
 *   path: string,
 *   record: any,
 *   body: any,
 *   told?: (values: any) => Record<string, any>,
 *   joined?: (body: any, before: any, theirs: any) => any,
 * ) => Promise<any>}
 */
export async function change(element, path, record, body, told = (_values) => ({}), joined = (mine) => mine) {
  if (!Object.keys(body).length) return record;
  try {
    return await send("PATCH", path, body, { version: record.version });
  } catch (refusal) {
    if (refusal.status !== 412) throw refusal;
  }
  const theirs = await get(path);
  const names = Object.keys(body).filter((name) => differs(record[name], theirs[name]));
  const answer = names.length ? await asked(element, record, theirs, body, names, told) : "mine";
  if (!answer) return null;
  if (answer !== "mine") return { ...theirs, isTheirs: true };
  return change(element, path, theirs, joined(body, record, theirs), told, joined);
}

function asked(element, record, theirs, body, names, told) {
  const of = (words) => Object.fromEntries(names.map((name) => [name, words(name)]));
  return askWhose({
    before: of((name) => told(record)[name] ?? heldIn(element, record, name)),
    theirs: of((name) => told(theirs)[name] ?? heldIn(element, theirs, name)),
    mine: of((name) => told(body)[name] ?? typedIn(element, body, name)),
    names: of((name) => nameOf(element, name)),
  });
}

const controlAt = (element, name) => element.querySelector(`[name="${CSS.escape(name)}"]`);

function nameOf(element, name) {
  const whole = {
    address: t.of("postal", "Address"),
    bankAccount: t("Bank account"),
    workSchedule: t("Work schedule"),
    paymentTerms: t("Payment terms"),
    recipients: t("Recipients"),
    invoice: t("Content"),
    journal: t("Content"),
  };
  const control = controlAt(element, name);
  return whole[name] ?? (control ? labelOf(control) : name);
}

function words(value) {
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (!value || typeof value !== "object") return String(value ?? "");
  const told = Object.entries(value).filter(([name]) => !name.endsWith("Id")).map(([, one]) => words(one));
  return told.filter(Boolean).join(", ");
}

// As it is read: a choice by its text, another record by its name.
function heldIn(element, record, name) {
  const control = controlAt(element, name);
  const option = control?.matches("select") && [...control.options].find(({ value }) => value === String(record[name]));
  return option?.textContent ?? words(record[name.replace(/Id$/, "Name")] ?? record[name]);
}

function typedIn(element, body, name) {
  const control = controlAt(element, name);
  if (control?.matches("select")) return control.selectedOptions[0]?.textContent ?? "";
  return control?.matches("input:not([type=checkbox]), textarea") ? control.value : words(body[name]);
}
