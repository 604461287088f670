// The lines of a document or a quote on its page, with the totals below them.
import { money, number, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { isZero } from "./states.js";

const { dd, div, dl, dt, table, tbody, td, th, thead, tr } = tags;

export const quantityOf = (line) => [number(line.quantity), line.unit].filter(Boolean).join(" ");
const priceOf = (line, { currency }) => money(line.unitPrice, currency);

// On a phone it stands under the description, for the columns that are hidden there.
export const timesOf = (line, document) =>
  t("{quantity} × {price}", { quantity: quantityOf(line), price: priceOf(line, document) });

// `described(line)` answers the cell of its description, `kindOf(line)` the class of its row, and `sums(row)` what
// stands below the total.
export function linesTable(document, { described, rateOf, kindOf = (_line) => null, sums }) {
  const figure = (text, more = "") => td({ class: `figure ${more}` }, text);
  const row = (line) =>
    tr(
      { class: kindOf(line) },
      td(described(line)),
      figure(quantityOf(line), "only-wide"),
      figure(priceOf(line, document), "only-wide"),
      figure(rateOf(line), "only-wide"),
      figure(money(line.net, document.currency)),
    );
  const head = (text) => th({ scope: "col", class: "figure only-wide" }, text);
  return div(
    { class: "stack" },
    div(
      { class: "scrolls", tabindex: "0", role: "group", "aria-label": t("Lines") },
      table(
        { class: "plain" },
        thead(
          tr(
            th({ scope: "col" }, t("Description")),
            head(t("Quantity")),
            head(t("Price")),
            head(t("Tax")),
            th({ scope: "col", class: "figure" }, t("Net")),
          ),
        ),
        tbody(document.lines.map(row)),
      ),
    ),
    totals(document, sums),
  );
}

function totals(document, sums) {
  const row = (
    name,
    amount,
    kind = "",
  ) => [dt({ class: kind }, name), dd({ class: `figure ${kind}` }, money(amount, document.currency))];
  return div(
    { class: "totals" },
    dl(
      row(t("Subtotal"), document.subtotal),
      !isZero(document.discountTotal) && row(t("Discounts"), `-${document.discountTotal}`),
      !isZero(document.chargeTotal) && row(t("Surcharges"), document.chargeTotal),
      document.taxBreakdown.filter(({ amount }) => !isZero(amount)).map(({ rate, base, amount }) =>
        row(t("Tax of {percent} on {base}", { percent: percent(rate), base: money(base, document.currency) }), amount)
      ),
      !isZero(document.roundingAmount) && row(t("Rounding"), document.roundingAmount),
      row(t("Total in {currency}", { currency: document.currency }), document.total, "strong"),
      sums(row),
    ),
  );
}
