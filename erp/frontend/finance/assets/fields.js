// The fields of a fixed asset: its form, the facts of its page, and the columns of tables that are imported.
import { day, money, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { tags } from "../../core/view.js";
import { accountName, postable } from "../../ui/accounts.js";
import { optionsOf } from "../../ui/choice.js";
import { ASSETS, METHODS } from "./words.js";

const { a } = tags;
const amount = (value) => value && money(value, currency(), { withCurrency: true });
const isZero = (value) => /^-?[0.]+$/.test(value ?? "0");
const hasLife = ({ method }) => ["linear", "declining"].includes(method.value);

export function fieldsOf(asset) {
  const accounts = postable(({ subtype }) => subtype === "fixed_asset");
  return [
    { name: "name", label: t("Name"), isFact: false, start: asset?.name, example: "Press" },
    {
      name: "accountId",
      label: t("Account"),
      kind: "search",
      options: accounts.options,
      shown: (id) => id && accounts.name(id),
      told: (one) => accountName({ code: one.accountCode, name: one.accountName }),
      example: "1500",
      meaning: t("Code of an account for fixed assets"),
    },
    {
      name: "cost",
      label: t("Cost"),
      kind: "money",
      hint: t("Net, with tax that is not deducted."),
      isFact: false,
      example: "6000.00",
    },
    { name: "acquiredOn", label: t("Bought on"), kind: "day", example: "2023-12-01" },
    { name: "inUseOn", label: t("In use from"), kind: "day", isOptional: true, example: "2023-12-01" },
    {
      name: "method",
      label: t("Method"),
      kind: "choice",
      start: "linear",
      options: optionsOf(METHODS),
      example: "linear",
      meaning: t("linear, declining, immediate, pool or none"),
      isNeeded: false,
    },
    {
      name: "lifeMonths",
      label: t("Useful life in months"),
      kind: "whole",
      isOptional: true,
      isShown: hasLife,
      example: "60",
      told: ({ lifeMonths }) => lifeMonths && tn("{n} month", "{n} months", lifeMonths),
    },
    {
      name: "decliningPercent",
      label: t("Per cent of the book value a year"),
      kind: "number",
      isOptional: true,
      isShown: ({ method }) => method.value === "declining",
      example: "",
      told: ({ decliningPercent }) => decliningPercent && `${number(decliningPercent)} %`,
    },
    {
      name: "residualValue",
      label: t("Residual value"),
      kind: "money",
      isOptional: true,
      ifEmpty: asset ? "0" : null,
      example: "",
      told: ({ residualValue }) => (isZero(residualValue) ? null : amount(residualValue)),
    },
    {
      name: "openingAccumulated",
      label: t("Depreciation before"),
      kind: "money",
      isOptional: true,
      ifEmpty: asset ? "0" : null,
      hint: t("Of an old asset: what another program posted."),
      example: "2500.00",
      told: ({ openingAccumulated }) => (isZero(openingAccumulated) ? null : amount(openingAccumulated)),
    },
    {
      name: "openingDate",
      label: t("Day of the opening balances"),
      kind: "day",
      isOptional: true,
      example: "2025-12-31",
    },
    { name: "serialNumber", label: t("Serial number"), isOptional: true, maxlength: 200, example: "" },
    { name: "location", label: t("Location"), isOptional: true, maxlength: 200, example: "" },
    { name: "note", label: t.of("internal", "Note"), kind: "area", isOptional: true, maxlength: 4000, example: "" },
    {
      label: t("Bill"),
      told: (one) => one.invoiceId && a({ href: `/bills/${one.invoiceId}` }, one.invoiceNumber),
    },
    { label: t("Project"), told: (one) => one.projectId && a({ href: `/projects/${one.projectId}` }, one.projectName) },
    { label: t("User"), told: ({ employeeName }) => employeeName },
  ];
}

// What `editing` of the small records needs to add or edit one.
export const aboutAssets = (more = {}) => ({
  path: ASSETS,
  changes: ["/workspace/home", "/finance/reports"],
  addText: t("New asset"),
  nameOf: ({ name }) => name,
  size: "wide",
  fields: fieldsOf,
  ...more,
});

export const disposedFacts = (asset, kinds) =>
  asset.disposedOn
    ? [
      [t("Disposed of on"), day(asset.disposedOn)],
      [t("Kind of disposal"), kinds[asset.disposalKind]()],
      [t("Reason"), asset.disposalReason],
      [
        t("Invoice"),
        asset.saleInvoiceId && a({ href: `/invoices/${asset.saleInvoiceId}` }, asset.saleInvoiceNumber),
      ],
      [t("Net proceeds"), amount(asset.proceeds)],
      [t("Gain or loss"), amount(asset.gain)],
    ]
    : [];
