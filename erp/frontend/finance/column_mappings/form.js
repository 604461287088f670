// The columns of a table from another program: chosen once, and kept for all files with the same headings.
import { newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { more } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { columnChoice, sample } from "../../ui/columns.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { dateOrderField } from "../../ui/import.js";
import { textInput } from "../../ui/input.js";
import { kindOptions } from "../contacts/kinds.js";

const { div, p } = tags;
const MAPPINGS = "/finance/column-mappings";

/**
 * Ask for the columns of a file, as the server proposes them; true once they are kept.
 * @param {string} path of the import
 * @param {File} file
 * @param {Blob} sheet its table
 * @param {{ name: string, meaning: string }[]} columns our fields
 */
export async function askColumns(path, file, sheet, columns) {
  const found = await send("POST", `${path}/columns`, sheet, { type: sheet.type });
  return dialog({
    title: t("The columns of {name}", { name: file.name }),
    size: "wide",
    body: (close) => mappingForm(found, file, columns, close),
  });
}

function mappingForm(found, file, columns, close) {
  const { target, headings, mapping } = found;
  const name = signal(mapping?.name ?? file.name.replace(/\.\w+$/, ""));
  const fields = Object.fromEntries(found.fields.map((one) => [one, signal(found.columns[one] ?? null)]));
  const kind = signal(found.defaults.kind ?? "customer");
  const [decimalSign, dateOrder] = [signal(found.decimalSign), signal(found.dateOrder)];
  const ofContacts = target === "contacts";
  const key = newKey();
  const run = async () => {
    const chosen = {
      name: name.value,
      columns: Object.fromEntries(
        Object.entries(fields).map(([one, { value }]) => [one, value]).filter(([, heading]) => heading !== null),
      ),
      defaults: ofContacts ? { kind: kind.value } : {},
      decimalSign: decimalSign.value,
      dateOrder: dateOrder.value,
    };
    await (mapping
      ? send("PATCH", `${MAPPINGS}/${mapping.id}`, chosen, { version: mapping.version })
      : send("POST", MAPPINGS, { target, headings, ...chosen }, { key }));
    changed(MAPPINGS);
    close(true);
  };
  const labels = new Map([...columns, ...others()].map((one) => [one.name, one.meaning]));
  const choices = (names) =>
    div(
      { class: "fields" },
      names.map((one) =>
        columnChoice({ name: `columns.${one}`, label: labels.get(one) ?? one, value: fields[one], headings })
      ),
    );
  const [proposed, further] = [true, false].map((isThere) =>
    found.fields.filter((one) => one in found.columns === isThere)
  );
  proposed.sort((one, other) => headings.indexOf(found.columns[one]) - headings.indexOf(found.columns[other]));
  return form(
    { run, submit: t("Save and check"), cancel: () => close(), label: t("Columns") },
    p(t("Choose what each column contains. Later files with the same headings are read in the same way.")),
    field({ label: t("Name of the column mapping"), name: "name" }, textInput({ value: name, name: "name" })),
    sample(found),
    choices(proposed),
    ofContacts
      ? field(
        { label: t("Contact type where the file has none"), name: "defaults.kind" },
        choice({ value: kind, name: "defaults.kind", options: kindOptions() }),
      )
      : div(
        { class: "fields" },
        field(
          { label: t("Decimal separator"), name: "decimalSign" },
          choice({
            value: decimalSign,
            name: "decimalSign",
            options: [{ value: ",", text: t("Comma") }, { value: ".", text: t("Point") }],
          }),
        ),
        dateOrderField(dateOrder),
      ),
    further.length ? more(t("Further columns"), choices(further)) : null,
  );
}

// Fields that our own tables do not show, and shorter words.
const others = () => [
  { name: "name", meaning: t("Name") },
  { name: "kind", meaning: t("Contact type") },
  { name: "balance", meaning: t("Balance, a debit above zero") },
  { name: "currency", meaning: t("Currency") },
  { name: "foreignAmount", meaning: t("Amount in the foreign currency") },
  { name: "taxRate", meaning: t("Tax rate") },
  { name: "month", meaning: t("Month, for comparison") },
  { name: "address.line2", meaning: t("Further line") },
  { name: "address.region", meaning: t("State or region") },
  { name: "taxNumber", meaning: t("Tax number") },
  { name: "buyerReference", meaning: t("Buyer reference") },
  { name: "bankAccount.bic", meaning: t("BIC") },
  { name: "bankAccount.holder", meaning: t("Account holder") },
];
