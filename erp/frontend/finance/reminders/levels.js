// The levels of reminders: when each is reached, and what its letters ask for.
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { recordsScreen } from "../../ui/records.js";
import { levelName, LEVELS, RUNS } from "./words.js";

export default () =>
  recordsScreen({
    path: LEVELS,
    isArchivable: false,
    title: t("Reminder levels"),
    back: { href: "/settings", text: t("Settings") },
    right: "finance.write",
    addText: t("New reminder level"),
    emptyText: t("No levels: no reminders are proposed."),
    intro: t("A customer gets one letter with all overdue items, once one of them has reached its next level."),
    deleteText: t("Letters keep what they say."),
    nameOf: ({ name }) => levelName(name),
    changes: [RUNS],
    columns,
    fields,
    actions: [{ name: t("Base rates"), icon: "percent", may: "finance.read", run: () => go("/settings/base-rates") }],
  });

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ position, name }) => `${position} · ${levelName(name)}` },
  {
    key: "after",
    text: t("Reached"),
    place: "meta",
    width: "16rem",
    cell: ({ position, daysAfter }) =>
      position === 1
        ? tn("{n} day after the due date", "{n} days after the due date", daysAfter)
        : tn("{n} day after the letter before", "{n} days after the letter before", daysAfter),
  },
  {
    key: "pay",
    text: t("Time to pay"),
    isMinor: true,
    width: "8rem",
    cell: ({ payWithinDays }) => tn("{n} day", "{n} days", payWithinDays),
  },
  {
    key: "charges",
    text: t("Charges"),
    isMinor: true,
    width: "16rem",
    cell: ({ chargesInterest, chargesLumpSum }) =>
      [chargesInterest && t("default interest"), chargesLumpSum && t("lump sum")].filter(Boolean).join(", "),
  },
  {
    key: "fee",
    text: t("Fee"),
    isFigure: true,
    place: "figure",
    width: "8rem",
    cell: ({ fee }) => money(fee, currency(), { dash: true }),
  },
];

const fields = () => [
  { name: "name", label: t("Name"), isWide: true, words: levelName },
  {
    name: "daysAfter",
    label: t("Reached after days"),
    kind: "whole",
    hint: t("The first level after the due date, others after the letter before."),
  },
  { name: "payWithinDays", label: t("Days to pay"), kind: "whole", start: "7" },
  { name: "fee", label: t("Fee"), kind: "money", start: "0", ifEmpty: "0" },
  { name: "chargesInterest", label: t("Letters ask for default interest"), kind: "check" },
  { name: "chargesLumpSum", label: t("Letters ask businesses for the lump sum"), kind: "check" },
];
