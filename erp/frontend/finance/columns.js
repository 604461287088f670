// Columns that tables of the books share.
import { money } from "../core/format.js";
import { t } from "../core/i18n.js";

// The amount of a row, in its own currency or in the currency of `whole`.
export const amountColumn = (whole = null) => ({
  key: "amount",
  text: t("Amount"),
  isFigure: true,
  place: "figure",
  width: "9rem",
  cell: ({ amount, currency }) => money(amount, whole?.currency ?? currency, { withCurrency: true }),
});
