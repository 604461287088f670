// What a document comes to as it is typed: its amounts by tax rate, and the total.
import { money, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { isZero } from "./states.js";

const { dd, div, dl, dt, p } = tags;

export function totalsOf(preview, currencyOf) {
  const row = (
    text,
    amount,
    kind = "",
  ) => [dt({ class: kind }, text), dd({ class: `figure ${kind}` }, money(amount, currencyOf()))];
  return div({ class: "totals" }, () => {
    const totals = preview.value;
    if (!totals) return p({ class: "soft" }, t("The totals appear here as you type."));
    return dl(
      row(t("Subtotal"), totals.subtotal),
      !isZero(totals.discountTotal) && row(t("Discount"), `-${totals.discountTotal}`),
      !isZero(totals.chargeTotal) && row(t("Surcharges"), totals.chargeTotal),
      totals.taxBreakdown.filter(({ amount }) => !isZero(amount)).map(({ rate, amount }) =>
        row(t("Tax {percent}", { percent: percent(rate) }), amount)
      ),
      row(t("Total in {currency}", { currency: totals.currency }), totals.total, "strong"),
      totals.depositTotal && !isZero(totals.depositTotal) && [
        row(t("Deposits received"), `-${totals.depositTotal}`),
        row(t("Amount due"), totals.amountDue, "strong"),
      ],
    );
  });
}
