// The fields of the editor that few documents need.
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { checkbox } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { textArea, textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { projectBox } from "../../ui/projects.js";
import { isPurchase } from "./states.js";

const { div } = tags;

const usual = () => t("Default: the customer’s text, or the workspace’s.");

export function furtherFields(fields, kind, currencyOf) {
  const isBill = isPurchase({ kind });
  return div(
    { class: "fields" },
    field(
      { label: t("Discount in %"), name: "discount.percent", isOptional: true },
      numberInput({ value: fields.discountPercent, name: "discount.percent" }),
    ),
    field({
      label: t("Currency"),
      name: "currency",
      isOptional: true,
      hint: isBill ? t("Default: the supplier’s.") : t("Default: the customer’s."),
    }, textInput({ value: fields.currency, name: "currency", maxlength: 3 })),
    kind !== "quote" && field({
      label: t("Exchange rate"),
      name: "exchangeRate",
      isOptional: true,
      hint: t("Default: latest exchange rate."),
    }, numberInput({ value: fields.exchangeRate, name: "exchangeRate" })),
    field(
      { label: t("Service date"), name: "serviceDate", isOptional: true },
      dateField({ value: fields.serviceDate, name: "serviceDate" }),
    ),
    field({ label: t("Project"), name: "projectId", isOptional: true }, projectBox(fields.projectId, "projectId")),
    kind === "purchase_invoice" && field({
      label: t("Already paid"),
      name: "prepaidAmount",
      isOptional: true,
      hint: t("The part that the supplier says has been paid, such as deposits."),
    }, moneyInput({ value: fields.prepaidAmount, name: "prepaidAmount", currency: currencyOf })),
    field(
      { label: t("Document text"), name: "note", isOptional: true, isWide: true },
      textArea({ value: fields.note, name: "note", rows: 3 }),
    ),
    !isBill && [
      field(
        { label: t("Text above the lines"), name: "intro", isOptional: true, isWide: true, hint: usual() },
        textArea({ value: fields.intro, name: "intro", rows: 2 }),
      ),
      field(
        { label: t("Text below the totals"), name: "closing", isOptional: true, isWide: true, hint: usual() },
        textArea({ value: fields.closing, name: "closing", rows: 2 }),
      ),
    ],
    ["sales_invoice", "final_invoice"].includes(kind) &&
      checkbox({ value: fields.timeSheet, name: "timeSheet", text: t("With a time sheet of the invoiced time") }),
  );
}
