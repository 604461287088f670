// The fields of the editor: the head of the document, the grid of its lines, and what they come to.
import { money, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";
import { more } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { later } from "../../ui/later.js";
import { lineGrid } from "../../ui/lines.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { projectBox } from "../../ui/projects.js";
import { contactOptions, createContact, nameOfContact } from "../contacts/choice.js";
import { orElse, partyOfKind, typedLast } from "./body.js";
import { rateOptions } from "../tax_rates/choice.js";
import { DATED } from "../terms/values.js";
import { usualWords, warnings } from "./rates.js";
import { isPurchase, isZero } from "./states.js";

const { dd, div, dl, dt, p } = tags;

export function shownFields({ kind, fields, lines, preview, found }) {
  const isBill = isPurchase({ kind });
  const party = partyOfKind(kind);
  const currencyOf = () => preview.value?.currency ?? currency();
  const issueDate = orElse(fields.issueDate, computed(() => preview.value?.issueDate));
  const dueDate = typedLast(
    orElse(fields.dueDate, computed(() => preview.value?.dueDate ?? found?.dueDate)),
    () => fields.dueDate.peek(),
    () => Object.entries(DATED).forEach(([name, blank]) => void (fields[name].value = blank)),
  );
  const grid = lineGrid({
    label: t("Lines"),
    name: "lines",
    lines,
    columns: lineColumns({ preview, currencyOf, isBill, contactId: fields.contactId }),
    detail: (line) => lineDetail(line, kind),
    addText: t.of("document", "Line"),
    least: 1,
  });
  return [
    div(
      { class: "fields" },
      field(
        { label: isBill ? t("Supplier") : t("Customer"), name: `${party}Id` },
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
          { label: t("Supplier’s invoice no."), name: "supplierNumber" },
          textInput({ value: fields.supplierNumber, name: "supplierNumber" }),
        ),
      field({ label: t("Date"), name: "issueDate" }, dateField({ value: issueDate, name: "issueDate" })),
      field(
        { label: t("Due date"), name: "dueDate" },
        dateField({ value: dueDate, name: "dueDate", from: () => preview.value?.issueDate }),
      ),
      field(
        { label: isBill ? t("Reference") : t("Customer reference"), name: "reference", isOptional: true },
        textInput({ value: fields.reference, name: "reference" }),
      ),
    ),
    grid,
    warnings(lines, preview),
    kind === "final_invoice" &&
    later(async () => (await import("./deposits.js")).depositFields, fields, found),
    totalsOf(preview, currencyOf),
    isBill && more(
      { text: t("Printed tax differs"), isOpen: Object.keys(fields.printedTax.peek()).length > 0 },
      later(async () => (await import("./printed_tax.js")).printedFields, fields.printedTax, preview, currencyOf),
    ),
    more(
      t("Payment terms, discount, notes, project, currency"),
      later(async () => (await import("./further.js")).furtherFields, fields, kind, currencyOf),
    ),
  ];
}

function lineColumns({ preview, currencyOf, isBill, contactId }) {
  const options = rateOptions(({ side }) => side === "both" || side === (isBill ? "purchase" : "sale"));
  const empty = usualWords(contactId);
  const net = (line) => () => money(preview.value?.lines[line.sentAt()]?.net ?? null, currencyOf());
  return [
    {
      key: "description",
      text: t("Description"),
      control: ({ value, name, label }) => textInput({ value, name, label }),
    },
    {
      key: "quantity",
      text: t("Quantity"),
      isFigure: true,
      width: "6rem",
      control: ({ value, name, label }) => numberInput({ value, name, label }),
    },
    {
      key: "unitPrice",
      text: t("Price"),
      isFigure: true,
      width: "8rem",
      control: ({ value, name, label }) => moneyInput({ value, name, label, currency: currencyOf }),
    },
    {
      key: "taxRateId",
      text: t("Tax"),
      width: "11rem",
      control: ({ value, name, label }) => choice({ value, name, label, options, empty }),
    },
    { key: "net", text: t("Net"), isFigure: true, width: "8rem", show: net },
  ];
}

function lineDetail(line, kind) {
  const isBill = isPurchase({ kind });
  const accounts = resource("/finance/accounts");
  const fits = ({ type, isGroup }) => !isGroup && (isBill ? ["expense", "asset"].includes(type) : type === "income");
  const options = () =>
    (accounts.value ?? []).filter(fits).map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` }));
  const { accountId, projectId, unit, dimensions } = line.cells;
  const name = (one) => `lines[${line.index()}].${one}`;
  return div(
    { class: "fields" },
    field(
      { label: t("Account"), name: name("accountId"), isOptional: true },
      choice({ value: accountId, name: name("accountId"), options, empty: t("Default") }),
    ),
    field({ label: t("Project"), name: name("projectId"), isOptional: true }, projectBox(projectId, name("projectId"))),
    field({ label: t("Unit"), name: name("unit"), isOptional: true }, textInput({ value: unit, name: name("unit") })),
    later(async () => (await import("../dimensions/choice.js")).dimensionFields, dimensions, name("dimensions")),
    kind === "purchase_invoice" &&
      later(async () => (await import("./asset.js")).assetFields, line.cells, name("asset")),
  );
}

function totalsOf(preview, currencyOf) {
  const row = (
    text,
    amount,
    kind = "",
  ) => [dt({ class: kind }, text), dd({ class: `figure ${kind}` }, money(amount, currencyOf()))];
  return div({ class: "totals" }, () => {
    const totals = preview.value;
    if (!totals) return p({ class: "soft" }, t("The totals appear here as you type."));
    return dl(
      row(t("Subtotal"), totals.subtotal),
      !isZero(totals.discountTotal) && row(t("Discount"), `-${totals.discountTotal}`),
      !isZero(totals.chargeTotal) && row(t("Surcharges"), totals.chargeTotal),
      totals.taxBreakdown.filter(({ amount }) => !isZero(amount)).map(({ rate, amount }) =>
        row(t("Tax {percent}", { percent: percent(rate) }), amount)
      ),
      row(t("Total in {currency}", { currency: totals.currency }), totals.total, "strong"),
      !isZero(totals.depositTotal) && [
        row(t("Deposits received"), `-${totals.depositTotal}`),
        row(t("Amount due"), totals.amountDue, "strong"),
      ],
    );
  });
}
