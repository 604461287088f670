// The office's own rates of mileage and per diems, which win over the official ones from their day on.
import { country, day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { settings } from "../../core/session.js";
import { countryOptions } from "../../ui/address.js";
import { optionsOf } from "../../ui/choice.js";
import { recordsScreen } from "../../ui/records.js";
import { VEHICLES } from "./words.js";

/** @type {Record<string, () => string>} */
const KINDS = { per_diem: () => t("Per diem"), mileage: () => t("Mileage") };

export default () =>
  recordsScreen({
    path: "/hr/expense-rates",
    isArchivable: false,
    title: t("Expense rates"),
    back: { href: "/expenses", text: t("Expense claims") },
    right: "expenses.post",
    addText: t("New expense rate"),
    emptyText: t("No rates of your own. The official ones count."),
    intro: t(
      "A rate of your own counts from its day on, in place of the official one. To change one, delete it and add another.",
    ),
    deleteText: t("Expenses that are entered keep their amounts."),
    isEditable: false,
    nameOf: nameText,
    columns,
    fields,
  });

function nameText(rate) {
  const name = rate.vehicle ? `${KINDS.mileage()}: ${VEHICLES[rate.vehicle]()}` : KINDS[rate.kind]();
  return `${name}, ${[country(rate.country), rate.region].filter(Boolean).join(", ")}`;
}

const columns = [
  { key: "name", text: t("Expense rate"), place: "name", cell: nameText },
  { key: "validFrom", text: t("Valid from"), place: "meta", width: "10rem", cell: ({ validFrom }) => day(validFrom) },
  {
    key: "partial",
    text: t("Partial day"),
    isMinor: true,
    isFigure: true,
    width: "8rem",
    cell: ({ partial, currency }) => partial ? money(partial, currency) : "",
  },
  {
    key: "amount",
    text: t("Amount"),
    place: "figure",
    isFigure: true,
    width: "8rem",
    cell: ({ full, rate, currency }) => money(full ?? rate, currency, full ? {} : { withCurrency: true }),
  },
];

function fields() {
  const ofKind = (wanted) => ({ kind }) => kind.value === wanted;
  const amount = (name, label) => ({
    name,
    label,
    kind: "money",
    currency: settings().baseCurrency,
    isShown: ofKind("per_diem"),
  });
  return [
    { name: "kind", label: t.of("expenses", "Kind"), kind: "choice", start: "per_diem", options: optionsOf(KINDS) },
    { name: "country", label: t("Country"), kind: "choice", start: settings().country, options: countryOptions() },
    { name: "validFrom", label: t("Valid from"), kind: "day", start: today() },
    {
      name: "region",
      label: t("City or region"),
      isOptional: true,
      maxlength: 200,
      isShown: ofKind("per_diem"),
    },
    amount("full", t("Full day")),
    amount("partial", t("Partial day")),
    {
      name: "vehicle",
      label: t("Vehicle"),
      kind: "choice",
      isOptional: true,
      options: optionsOf(VEHICLES),
      isShown: ofKind("mileage"),
    },
    {
      name: "rate",
      label: t("Amount"),
      kind: "number",
      hint: t("Per kilometre; in the UK and the US per mile."),
      isShown: ofKind("mileage"),
    },
    { name: "currency", label: t("Currency"), isOptional: true, maxlength: 3, hint: settings().baseCurrency },
  ];
}
