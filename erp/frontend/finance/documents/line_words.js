// Details of a line in words.
import { days, money, percent } from "../../core/format.js";

export const discountText = ({ percent: off, amount }, currency) =>
  off ? percent(off) : money(amount, currency, { withCurrency: true });

export function serviceText({ serviceDate, servicePeriod }) {
  const { from, to } = servicePeriod.value || { from: serviceDate.value, to: serviceDate.value };
  return from && days(from, to);
}
