// The tax of a bill as its paper says it, where that differs by cents from what the lines come to. By tax rate: the amount.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { each, tags } from "../../core/view.js";
import { field } from "../../ui/field.js";
import { moneyInput } from "../../ui/number.js";
import { pill } from "../../ui/pill.js";
import { isZero } from "./states.js";

const OFF = "off_the_paper";

// A field for each rate that the bill has; it is marked where the tax is off by more than rounding explains.
export function printedFields(printed, preview, currencyOf) {
  const rates = () => (preview.value?.taxBreakdown ?? []).filter((row) => row.taxRateId && !isZero(row.amount));
  return tags.div(
    { class: "fields" },
    each(rates, ({ taxRateId }) => taxRateId, (get) => {
      const { taxRateId, taxRateName } = get.peek();
      const name = () => `printedTax[${Object.keys(printed.value).indexOf(taxRateId)}].amount`;
      const ownAmount = () => money(get.value.ownAmount ?? get.value.amount, currencyOf());
      const off = () => preview.value?.warnings.find((one) => one.code === OFF && one.field === name())?.message;
      const hint = () => [
        t("Sum of the lines: {amount}.", { amount: ownAmount() }),
        off() && tags.span({ class: "row" }, pill(t("Check"), "warn"), off()),
      ];
      return field(
        { label: taxRateName, isOptional: true, hint },
        moneyInput({ value: amountOf(printed, taxRateId), name, currency: currencyOf }),
      );
    }),
  );
}

const amountOf = (printed, taxRateId) => ({
  get value() {
    return printed.value[taxRateId] ?? "";
  },
  set value(amount) {
    const { [taxRateId]: _, ...others } = printed.peek();
    printed.value = amount ? { ...others, [taxRateId]: amount } : others;
  },
  peek: () => printed.peek()[taxRateId] ?? "",
});
