// The fields of the editor that few documents need.
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { checkbox } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { textArea, textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { projectBox } from "../../ui/projects.js";
import { isPurchase, namesOf } from "./states.js";

const { div } = tags;

export const furtherNames = () => ({
  discountPercent: t("Discount in %"),
  currency: t("Currency"),
  exchangeRate: t("Exchange rate"),
  serviceDate: t("Service date"),
  prepaidAmount: t("Already paid"),
  note: t("Document text"),
  intro: t("Text above the lines"),
  closing: t("Text below the totals"),
});

const usual = () => t("Default: the customer’s text, or the workspace’s.");

export function furtherFields(fields, kind, currencyOf) {
  const isBill = isPurchase({ kind });
  const names = { ...namesOf({ kind }), ...furtherNames() };
  return div(
    { class: "fields" },
    field(
      { label: names.discountPercent, name: "discount.percent", isOptional: true },
      numberInput({ value: fields.discountPercent, name: "discount.percent" }),
    ),
    field({
      label: names.currency,
      name: "currency",
      isOptional: true,
      hint: isBill ? t("Default: the supplier’s.") : t("Default: the customer’s."),
    }, textInput({ value: fields.currency, name: "currency", maxlength: 3 })),
    kind !== "quote" && field({
      label: names.exchangeRate,
      name: "exchangeRate",
      isOptional: true,
      hint: t("Default: latest exchange rate."),
    }, numberInput({ value: fields.exchangeRate, name: "exchangeRate" })),
    field(
      { label: names.serviceDate, name: "serviceDate", isOptional: true },
      dateField({ value: fields.serviceDate, name: "serviceDate" }),
    ),
    field({ label: names.projectId, name: "projectId", isOptional: true }, projectBox(fields.projectId, "projectId")),
    kind === "purchase_invoice" && field({
      label: names.prepaidAmount,
      name: "prepaidAmount",
      isOptional: true,
      hint: t("The part that the supplier says has been paid, such as deposits."),
    }, moneyInput({ value: fields.prepaidAmount, name: "prepaidAmount", currency: currencyOf })),
    field(
      { label: names.note, name: "note", isOptional: true, isWide: true },
      textArea({ value: fields.note, name: "note", rows: 3 }),
    ),
    !isBill && [
      field(
        { label: names.intro, name: "intro", isOptional: true, isWide: true, hint: usual() },
        textArea({ value: fields.intro, name: "intro", rows: 2 }),
      ),
      field(
        { label: names.closing, name: "closing", isOptional: true, isWide: true, hint: usual() },
        textArea({ value: fields.closing, name: "closing", rows: 2 }),
      ),
    ],
    ["sales_invoice", "final_invoice"].includes(kind) &&
      checkbox({ value: fields.timeSheet, name: "timeSheet", text: t("With a time sheet of the invoiced time") }),
  );
}
