// Leave types: what they grant, and their rules.
import { number } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { optionsOf } from "../../ui/choice.js";
import { recordsScreen } from "../../ui/records.js";
import { leaveTypeText } from "./words.js";

/** @type {Record<string, () => string>} */
const ACCRUALS = {
  yearly: () => t("on 1 January"),
  monthly: () => t("a twelfth each month"),
  none: () => t("no automatic posting"),
};

export default () =>
  recordsScreen({
    path: "/hr/leave-types",
    changes: ["/hr"],
    title: t("Leave types"),
    back: { href: "/leave", text: t("Leave") },
    right: "leave.write",
    addText: t("New leave type"),
    emptyText: t("No leave types yet. Create one so that people can request leave."),
    intro: t("Entitlement already granted stays. A new entitlement applies from the next month or year."),
    deleteText: t("Only leave types that were never used can be deleted. Others can be archived."),
    nameOf: ({ name }) => leaveTypeText(name),
    size: "wide",
    columns,
    fields,
  });

const daysIn = (text) => (text === null ? "–" : number(text));

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => leaveTypeText(name) },
  {
    key: "paid",
    text: t("Paid"),
    place: "meta",
    width: "7rem",
    cell: ({ isPaid }) => (isPaid ? t("paid") : t("unpaid")),
  },
  { key: "accrual", text: t("Entitlement"), isMinor: true, cell: ({ accrual }) => ACCRUALS[accrual]() },
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
    label: t("Entitlement"),
    kind: "choice",
    start: "yearly",
    options: optionsOf(ACCRUALS),
  },
  {
    name: "allowanceDays",
    label: t("Days a year"),
    kind: "number",
    isShown: ({ accrual }) => accrual.value !== "none",
  },
  {
    name: "allowanceBasis",
    label: t("Part-time entitlement"),
    kind: "choice",
    start: "own_week",
    options: [{ value: "own_week", text: t("Pro rata") }, { value: "calendar", text: t("Full") }],
    isShown: ({ accrual }) => accrual.value !== "none",
  },
  { name: "carryForwardMaxDays", label: t("Days carried over (max.)"), kind: "number", isOptional: true },
  {
    name: "carryForwardExpiresAfterMonths",
    label: t("Expire after (months)"),
    kind: "whole",
    isOptional: true,
  },
  { name: "maxConsecutiveDays", label: t("Consecutive days (max.)"), kind: "number", isOptional: true },
  { name: "minNoticeDays", label: t("Notice period (days)"), kind: "whole", isOptional: true },
  { name: "isPaid", label: t("Paid"), kind: "check", start: true },
  {
    name: "allowNegative",
    label: t("Account may fall below zero"),
    kind: "check",
    hint: t("For example for sick leave."),
  },
  {
    name: "interruptsLeave",
    label: t("Interrupts other leave"),
    kind: "check",
    hint: t("For example sick leave: the days of illness return to the account."),
  },
];
