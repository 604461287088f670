// Tax rates: percentages with their category, and the accounts that tax and lines go to.
import { percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { settings } from "../../core/session.js";
import { optionsOf } from "../../ui/choice.js";
import { pill } from "../../ui/pill.js";
import { recordsScreen } from "../../ui/records.js";
import { postable } from "../../ui/accounts.js";

/** @type {Record<string, () => string>} */
const CATEGORIES = {
  S: () => t("Standard"),
  Z: () => t("Zero rate"),
  E: () => t("Exempt"),
  AE: () => t("Reverse charge"),
  K: () => t("Supply within the EU"),
  G: () => t.of("tax", "Export"),
  O: () => t("Outside the scope of VAT"),
};

/** @type {Record<string, () => string>} */
const SIDES = {
  both: () => t("Sales and purchases"),
  sale: () => t("Sales only"),
  purchase: () => t("Purchases only"),
};

// The kinds that no category says.
/** @type {Record<string, () => string>} */
const TAGS = {
  exempt_with_deduction: () => t("Exempt with deduction of input tax"),
  small_business: () => t("Exempt as a small business"),
  eu_services: () => t("Services within the EU"),
  third_country_services: () => t("Services from outside the EU"),
  reverse_charge: () => t("Other reverse charge"),
  import_tax: () => t("Import tax"),
  oss: () => t("One-stop shop (OSS)"),
  none: () => t("In no return"),
};

const ACCOUNTS = {
  outputTaxAccountId: () => t("Output VAT"),
  inputTaxAccountId: () => t("Input VAT"),
  incomeAccountId: () => t("Income"),
  expenseAccountId: () => t("Expenses"),
};

export default () =>
  recordsScreen({
    path: "/finance/tax-rates",
    page: "tax_rates",
    title: t("Tax rates"),
    back: { href: "/accounts", text: t("Accounts") },
    right: "finance.write",
    addText: t("New tax rate"),
    emptyText: t("No tax rates yet."),
    intro: t(
      "The percentage of a tax rate in use cannot change. Create a new tax rate and archive the old one.",
    ),
    search: t("Search tax rates"),
    deleteText: t("Only tax rates that are not in use can be deleted. Others can be archived."),
    nameOf: ({ name }) => name,
    size: "wide",
    columns,
    fields,
  });

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  {
    key: "category",
    text: t("Tax category"),
    place: "meta",
    width: "14rem",
    cell: ({ category }) => CATEGORIES[category](),
  },
  { key: "account", text: t("Output VAT"), isMinor: true, cell: (one) => one.outputTaxAccountCode ?? "" },
  { key: "input", text: t("Input VAT"), isMinor: true, cell: (one) => one.inputTaxAccountCode ?? "" },
  {
    key: "state",
    text: t("Status"),
    place: "state",
    width: "8rem",
    cell: ({ isDefault }) => (isDefault ? pill(t("as usual"), "info") : null),
  },
  {
    key: "rate",
    text: t("Tax rate"),
    isFigure: true,
    place: "figure",
    width: "6rem",
    cell: ({ rate }) => percent(rate),
  },
];

function fields() {
  const accounts = postable();
  return [
    { name: "name", label: t("Name") },
    { name: "rate", label: t("Percentage"), kind: "number", unit: "%" },
    {
      name: "category",
      label: t("Tax category"),
      kind: "choice",
      start: "S",
      options: optionsOf(CATEGORIES),
    },
    {
      name: "taxTag",
      label: t("Kind in tax returns"),
      kind: "choice",
      isOptional: true,
      empty: t("By tax category"),
      options: optionsOf(TAGS),
    },
    {
      name: "side",
      label: t("For"),
      kind: "choice",
      isOptional: true,
      empty: t("By tax category"),
      options: optionsOf(SIDES),
    },
    {
      name: "country",
      label: t("Country of the tax"),
      isOptional: true,
      maxlength: 2,
    },
    {
      name: "netTaxRate",
      label: t("Net tax rate"),
      kind: "number",
      unit: "%",
      isOptional: true,
      isShown: ({ category }) => settings().country === "CH" && category.value === "S",
    },
    {
      name: "exemptionReason",
      label: t("Reason on the invoice"),
      isOptional: true,
      hint: t("Reason for no tax, for example the section of the law."),
      isShown: ({ category }) => !["S", "Z"].includes(category.value),
    },
    ...Object.entries(ACCOUNTS).map(([name, label]) => ({
      name,
      label: label(),
      kind: "search",
      isOptional: true,
      hint: t("Default: workspace setting."),
      options: accounts.options,
      shown: accounts.name,
    })),
    { name: "isDefault", label: t("Default tax rate of lines"), kind: "check" },
  ];
}
