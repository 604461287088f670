// The items of a letter, made or proposed.
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { isZero } from "../documents/states.js";
import { amountOf } from "./words.js";

const { a, div, table, tbody, td, th, thead, tr } = tags;

// On a phone due date, level and charges stand under the number.
export function itemsTable(letter) {
  const charges = chargesOf(letter);
  const figure = (text, more = "") => td({ class: `figure ${more}` }, text);
  const head = (text, more = "figure only-wide") => th({ scope: "col", class: more }, text);
  const level = ({ lastLevel, level }) => (lastLevel === level ? String(level) : `${lastLevel} → ${level}`);
  const short = (item) =>
    [dayShort(item.dueDate), tn("{n} day overdue", "{n} days overdue", item.daysOverdue)].join(" · ");
  const row = (item) =>
    tr(
      td(
        item.invoiceId ? a({ href: `/invoices/${item.invoiceId}` }, item.number) : item.number,
        div({ class: "only-phone soft small" }, short(item)),
      ),
      td({ class: "only-wide nowrap" }, dayShort(item.dueDate)),
      figure(String(item.daysOverdue), "only-wide"),
      figure(level(item), "only-wide"),
      charges.map(([name]) => figure(money(item[name], letter.currency, { dash: true }), "only-wide")),
      figure(money(item.open, letter.currency)),
    );
  return div(
    {
      class: "scrolls",
      tabindex: "0",
      role: "group",
      "aria-label": t("Items of {name}", { name: letter.contactName }),
    },
    table(
      { class: "plain" },
      thead(
        tr(
          head(t.of("document", "Number"), ""),
          head(t.of("column", "Due date"), "only-wide"),
          head(t("Days overdue")),
          head(t("Level")),
          charges.map(([, text]) => head(text)),
          head(t.of("amount", "Open"), "figure"),
        ),
      ),
      tbody(letter.items.map(row)),
    ),
  );
}

const chargesOf = (letter) =>
  [["interest", t("Default interest")], ["lumpSum", t("Lump sum")]].filter(([name]) => !isZero(letter[name]));

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
