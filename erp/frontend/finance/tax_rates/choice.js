// Tax rates to choose from.
import { percent } from "../../core/format.js";
import { resource } from "../../core/store.js";

// The default first, then those that charge tax, then the others.
const rank = ({ isDefault, rate }) => isDefault ? 0 : rate === "0" ? 2 : 1;
const inOrder = (one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name);

// A name with the percentage, unless it ends in it, such as "Umsatzsteuer 19 %".
export function rateName({ name, rate }) {
  const [, said] = name.match(/([\d.,]+)\s?%$/) ?? [];
  return said?.replace(",", ".") === rate ? name : `${name}\u2009${percent(rate)}`;
}

// No two read alike: those that would, are counted.
function distinct(options) {
  const seen = new Map();
  return options.map((option) => {
    const n = (seen.get(option.text) ?? 0) + 1;
    seen.set(option.text, n);
    return n > 1 ? { ...option, text: `${option.text} (${n})` } : option;
  });
}

// Those in use that fit, by name and percentage, once they are known.
export function rateOptions(fits = () => true) {
  const rates = resource("/finance/tax-rates?limit=200");
  return () =>
    distinct(
      (rates.value ?? []).filter(fits).toSorted(inOrder).map((one) => ({ value: one.id, text: rateName(one) })),
    );
}
