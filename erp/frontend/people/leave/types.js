// Leave types: what they grant, and their rules.
import { number } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { recordsScreen } from "../../ui/records.js";

/** @type {Record<string, () => string>} */
const ACCRUALS = {
  yearly: () => t("on 1 January"),
  monthly: () => t("a twelfth each month"),
  none: () => t("nothing by itself"),
};

export default () =>
  recordsScreen({
    path: "/hr/leave-types",
    changes: ["/hr"],
    title: t("Leave types"),
    back: { href: "/leave", text: t("Leave") },
    right: "leave.write",
    addText: t("Add a leave type"),
    emptyText: t("No leave type yet. Without one, no one can ask for leave."),
    intro: t("What has been granted stays. A new allowance counts from the next month or year on."),
    deleteText: t("Only a leave type that was never used can be deleted. Others can be archived."),
    nameOf: ({ name }) => name,
    size: "wide",
    columns,
    fields,
  });

const daysIn = (text) => (text === null ? "–" : number(text));

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  {
    key: "paid",
    text: t("Pay"),
    place: "meta",
    width: "7rem",
    cell: ({ isPaid }) => (isPaid ? t("paid") : t("unpaid")),
  },
  { key: "accrual", text: t("Granted"), isMinor: true, cell: ({ accrual }) => ACCRUALS[accrual]() },
  {
    key: "carried",
    text: t("Carried over"),
    isFigure: true,
    isMinor: true,
    width: "9rem",
    cell: ({ carryForwardMaxDays }) => daysIn(carryForwardMaxDays),
  },
  {
    key: "days",
    text: t("Days a year"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: ({ accrual, allowanceDays }) => (accrual === "none" ? "–" : daysIn(allowanceDays)),
  },
];

const fields = () => [
  { name: "name", label: t("Name") },
  {
    name: "accrual",
    label: t("Granted"),
    kind: "choice",
    start: "yearly",
    options: Object.entries(ACCRUALS).map(([value, text]) => ({ value, text: text() })),
  },
  {
    name: "allowanceDays",
    label: t("Days a year"),
    kind: "number",
    isShown: ({ accrual }) => accrual.value !== "none",
  },
  {
    name: "allowanceBasis",
    label: t("Those who work part of the week"),
    kind: "choice",
    start: "own_week",
    options: [{ value: "own_week", text: t("get their share") }, { value: "calendar", text: t("get all of it") }],
    isShown: ({ accrual }) => accrual.value !== "none",
  },
  { name: "carryForwardMaxDays", label: t("Days carried over, at most"), kind: "number", isOptional: true },
  {
    name: "carryForwardExpiresAfterMonths",
    label: t("They expire after so many months"),
    kind: "whole",
    isOptional: true,
  },
  { name: "maxConsecutiveDays", label: t("Days in a row, at most"), kind: "number", isOptional: true },
  { name: "minNoticeDays", label: t("Days from the request to the leave"), kind: "whole", isOptional: true },
  { name: "isPaid", label: t("Paid"), kind: "check", start: true },
  {
    name: "allowNegative",
    label: t("The balance may fall below zero"),
    kind: "check",
    hint: t("As for sick leave: no one is refused being ill."),
  },
];
