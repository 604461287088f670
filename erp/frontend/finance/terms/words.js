// Payment terms in words.
import { day, money, percent } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { settings } from "../../core/session.js";
import { tags } from "../../core/view.js";
import { areDated } from "./values.js";

// In a sentence, such as “30 days, 2% within 14 days”.
export const termsWords = (terms) => [dueWords(terms), ...discountWords(terms)].filter(Boolean).join(", ");

// The same of a contact, of whom the workspace’s days count where they have none.
export const contactTermsWords = ({ paymentTerms: terms }) =>
  areDated(terms) ? termsWords(terms) : [usualWords(), ...discountWords(terms)].join(", ");

const usualWords = () => tn("{n} day, as usual here", "{n} days, as usual here", settings().paymentTermsDays);

const discountWords = (terms) =>
  (terms?.discounts ?? []).map(({ percent: off, days }) =>
    tn("{percent} within {n} day", "{percent} within {n} days", days, { percent: percent(off) })
  );

function dueWords(terms) {
  if (!areDated(terms)) return "";
  const { endOfMonth, dayOfMonth } = terms;
  const time = timeWords(terms);
  if (endOfMonth && dayOfMonth !== null) {
    return time
      ? t("{time}, then day {day} of the month after", { time, day: dayOfMonth })
      : t("day {day} of the month after", { day: dayOfMonth });
  }
  if (endOfMonth) return time ? t("{time} to the end of the month", { time }) : t("the end of the month");
  if (dayOfMonth === null) return time || t("immediately");
  return time ? t("{time}, then the next day {day}", { time, day: dayOfMonth }) : t("the next day {day}", {
    day: dayOfMonth,
  });
}

function timeWords({ days, months }) {
  const [ofMonths, ofDays] = [
    months && tn("{n} month", "{n} months", months),
    days && tn("{n} day", "{n} days", days),
  ];
  return ofMonths && ofDays ? t("{months} and {days}", { months: ofMonths, days: ofDays }) : ofMonths || ofDays || "";
}

// Of a document: when it is due, and each discount with its last day and, while it can be taken, its amount.
export function termsOfDocument({ paymentTerms: terms, cashDiscount, currency }) {
  if (!terms) return null;
  return [
    dueWords(terms) && tags.div(dueWords(terms)),
    terms.discounts.map((step) =>
      tags.div(
        t("{percent} until {day}", { percent: percent(step.percent), day: day(step.until) }),
        cashDiscount?.until === step.until && amountsOf(cashDiscount, currency),
      )
    ),
  ];
}

const amountsOf = ({ amount, amountToPay }, currency) =>
  tags.div(
    { class: "soft small" },
    t("{amount} discount, {rest} to pay", { amount: money(amount, currency), rest: money(amountToPay, currency) }),
  );
