// Tax rates to choose from.
import { percent } from "../../core/format.js";
import { resource } from "../../core/store.js";

// The default first, then those that charge tax, then the others.
const rank = ({ isDefault, rate }) => isDefault ? 0 : rate === "0" ? 2 : 1;
const inOrder = (one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name);

// A name that says the percentage, such as "Umsatzsteuer 19 %", is shown alone.
function named({ name, rate }) {
  const [said] = name.match(/[\d.,]+(?=\s?%)/) ?? [];
  return said?.replace(",", ".") === rate ? name : `${name} (${percent(rate)})`;
}

// Those in use that fit, by name and percentage, once they are known.
export function rateOptions(fits = () => true) {
  const rates = resource("/finance/tax-rates?limit=200");
  return () =>
    (rates.value ?? []).filter(fits).toSorted(inOrder)
      .map((one) => ({ value: one.id, text: named(one) }));
}
