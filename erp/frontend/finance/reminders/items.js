// The items of a letter, made or proposed.
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { table } from "../../ui/table.js";
import { isZero } from "../documents/states.js";
import { amountOf } from "./words.js";

export const itemsTable = (letter) =>
  table({
    label: t("Items of {name}", { name: letter.contactName }),
    rows: () => letter.items,
    key: ({ itemId }) => itemId,
    href: ({ invoiceId }) => invoiceId && `/invoices/${invoiceId}`,
    columns: [
      { key: "number", text: t.of("document", "Number"), place: "name", cell: ({ number }) => number },
      {
        key: "due",
        text: t.of("column", "Due date"),
        place: "meta",
        width: "8rem",
        cell: ({ dueDate }) => dayShort(dueDate),
      },
      {
        key: "days",
        text: t("Days overdue"),
        isFigure: true,
        isMinor: true,
        width: "7rem",
        cell: ({ daysOverdue }) => String(daysOverdue),
      },
      {
        key: "level",
        text: t("Level"),
        isMinor: true,
        width: "7rem",
        cell: ({ lastLevel, level }) => (lastLevel === level ? String(level) : `${lastLevel} → ${level}`),
      },
      ...charges(letter),
      {
        key: "open",
        text: t.of("amount", "Open"),
        isFigure: true,
        place: "figure",
        width: "9rem",
        cell: ({ open }) => amountOf(open, letter),
      },
    ],
  });

const charges = (letter) =>
  [["interest", t("Default interest")], ["lumpSum", t("Lump sum")]]
    .filter(([name]) => !isZero(letter[name]))
    .map(([name, text]) => ({
      key: name,
      text,
      isFigure: true,
      isMinor: true,
      width: "8rem",
      cell: (item) => money(item[name], letter.currency, { dash: true }),
    }));

// What a letter asks for, part by part.
export const sumsOf = (letter) => {
  const row = (label, name, sign = "") => !isZero(letter[name]) && [label, `${sign}${amountOf(letter[name], letter)}`];
  return [
    row(t("Less payments and credit notes"), "credit", "−"),
    [t.of("amount", "Open"), amountOf(letter.open, letter)],
    row(t("Reminder fee"), "fee"),
    row(t("Default interest"), "interest"),
    row(t("Lump sum for late payment"), "lumpSum"),
    row(t("Less charges invoiced or waived"), "charged", "−"),
    [t("Total"), amountOf(letter.total, letter)],
  ].filter(Boolean);
};
