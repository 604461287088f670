// Tax rates to choose from.
import { percent } from "../../core/format.js";
import { resource } from "../../core/store.js";

// Those in use that fit, by name and percentage, once they are known.
export function rateOptions(fits = () => true) {
  const rates = resource("/finance/tax-rates?limit=200");
  return () =>
    (rates.value ?? []).filter(fits).map((one) => ({ value: one.id, text: `${one.name} (${percent(one.rate)})` }));
}
