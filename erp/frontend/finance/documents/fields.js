// The fields of the editor: the head of the document, the grid of its lines, and what they come to.
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency, settings } from "../../core/session.js";
import { computed, tags } from "../../core/view.js";
import { more } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { later } from "../../ui/later.js";
import { contactOptions, createContact, nameOfContact } from "../contacts/choice.js";
import { orElse, partyOfKind, typedLast } from "./body.js";
import { DATED } from "../terms/values.js";
import { documentLines } from "./lines.js";
import { warnings } from "./rates.js";
import { INVOICE_KINDS, isPurchase, kindOf, namesOf } from "./states.js";
import { totalsOf } from "./totals.js";

const { div } = tags;

export function shownFields({ fields, lines, preview, found }) {
  const kind = fields.kind.peek();
  const isBill = isPurchase({ kind });
  const party = partyOfKind(kind);
  const names = namesOf({ kind });
  const currencyOf = () => preview.value?.currency ?? currency();
  const issueDate = orElse(fields.issueDate, computed(() => preview.value?.issueDate));
  const dueDate = typedLast(
    orElse(fields.dueDate, computed(() => preview.value?.dueDate ?? found?.dueDate)),
    () => fields.dueDate.peek(),
    () => Object.entries(DATED).forEach(([name, blank]) => void (fields[name].value = blank)),
  );
  const isGross = () => found?.pricesIncludeTax ?? settings().pricesIncludeTax;
  const grid = documentLines({ isBill, fields, lines, preview, currencyOf, isGross });
  return [
    div(
      { class: "fields" },
      field(
        { label: names.contactId, name: `${party}Id` },
        combobox({
          value: fields.contactId,
          name: `${party}Id`,
          options: contactOptions(party),
          shown: (id) => id && nameOfContact(id),
          create: createContact(party),
          next: () => grid.focusFirst(),
          autofocus: !found,
        }),
      ),
      isBill &&
        field(
          { label: names.supplierNumber, name: "supplierNumber" },
          textInput({ value: fields.supplierNumber, name: "supplierNumber" }),
        ),
      field({ label: names.issueDate, name: "issueDate" }, dateField({ value: issueDate, name: "issueDate" })),
      field(
        { label: names.dueDate, name: "dueDate", hint: () => discountsOf(preview.value) },
        dateField({ value: dueDate, name: "dueDate", from: () => preview.value?.issueDate }),
      ),
      field(
        { label: names.reference, name: "reference", isOptional: true },
        textInput({ value: fields.reference, name: "reference" }),
      ),
      kind === "purchase_invoice" &&
        later(async () => (await import("./paid.js")).paidField, fields.paidFromAccountId, currencyOf),
      INVOICE_KINDS.includes(kind) && field(
        { label: names.kind, name: "kind" },
        choice({
          value: fields.kind,
          name: "kind",
          options: INVOICE_KINDS.map((one) => ({ value: one, text: kindOf({ kind: one }) })),
        }),
      ),
    ),
    !kind.endsWith("credit_note") && more(
      t.of("document", "Terms"),
      later(async () => (await import("./terms.js")).fieldsOfTerms, fields, kind),
    ),
    grid,
    warnings(lines, preview),
    () =>
      fields.kind.value === "final_invoice" &&
      later(async () => (await import("./deposits.js")).depositFields, fields, found),
    totalsOf(preview, currencyOf),
    isBill && more(
      { text: t("Tax on the paper"), isOpen: Object.keys(fields.printedTax.peek()).length > 0 },
      later(async () => (await import("./printed_tax.js")).printedFields, fields.printedTax, preview, currencyOf),
    ),
    more(
      t("Discount, notes, project, currency"),
      later(async () => (await import("./further.js")).furtherFields, fields, kind, currencyOf),
    ),
  ];
}

// Until when paying early takes how much off, and what is left to pay.
const discountsOf = (totals) =>
  (totals?.cashDiscounts ?? []).map(({ until, amount, amountToPay }) =>
    t("{day} less {discount} = {rest}", {
      day: dayShort(until),
      discount: money(amount, totals.currency),
      rest: money(amountToPay, totals.currency),
    })
  ).join("; ");
