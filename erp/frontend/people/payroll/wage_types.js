// Wage types: the numbers under which an external payroll provider takes the figures of this office.
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { optionsOf } from "../../ui/choice.js";
import { recordsScreen } from "../../ui/records.js";

/** @type {Record<string, () => string>} */
const SOURCES = {
  worked_hours: () => t("Hours worked"),
  overtime_hours: () => t("Overtime"),
  leave_days: () => t("Paid leave"),
  sick_days: () => t("Sick leave"),
  unpaid_days: () => t("Unpaid leave"),
  holiday_days: () => t("Public holidays"),
  base_pay: () => t("Base pay"),
  component: () => t("Pay component"),
};

/** @type {Record<string, () => string>} */
export const UNITS = { hours: () => t("Hours"), days: () => t.of("unit", "Days"), amount: () => t("Amount") };

export default () => {
  const components = resource("/hr/pay-components?limit=200");
  return recordsScreen({
    path: "/hr/wage-types",
    changes: ["/hr/payroll/wage-exports"],
    isArchivable: false,
    title: t("Wage types"),
    back: { href: "/payroll/wages", text: t("Wage data") },
    right: "payroll.write",
    addText: t("New wage type"),
    emptyText: t("No wage types yet."),
    intro: t("The payroll provider’s number for each figure."),
    deleteText: t("Exported rows stay."),
    nameOf: ({ wageType }) => String(wageType),
    columns,
    fields: (wageType) => [...(wageType ? [] : figure(components)), ...numbers],
  });
};

export const figureText = ({ source, componentName }) => componentName ?? SOURCES[source]();

const columns = [
  { key: "figure", text: t("Figure"), place: "name", cell: figureText },
  { key: "unit", text: t("Unit"), place: "meta", width: "8rem", cell: ({ unit }) => UNITS[unit]() },
  {
    key: "number",
    text: t("Wage type"),
    place: "figure",
    isFigure: true,
    width: "8rem",
    cell: ({ wageType }) => String(wageType),
  },
];

const figure = (components) => [
  { name: "source", label: t("Figure"), kind: "choice", start: "worked_hours", options: optionsOf(SOURCES) },
  {
    name: "componentId",
    label: t("Pay component"),
    kind: "choice",
    isOptional: true,
    options: () => (components.value ?? []).map(({ id, name }) => ({ value: id, text: name })),
    isShown: ({ source }) => source.value === "component",
  },
  { name: "unit", label: t("Unit"), kind: "choice", start: "hours", options: optionsOf(UNITS) },
];

const numbers = [
  { name: "wageType", label: t("Wage type"), kind: "whole", hint: t("A number from 1 to 9999.") },
  {
    name: "processingKey",
    label: t("Processing key"),
    kind: "whole",
    isOptional: true,
    hint: t("For LODAS, as the payroll provider says."),
  },
];
