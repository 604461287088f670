// Products to choose from in the lines of a document.
import { address, get } from "../../core/api.js";
import { money } from "../../core/format.js";

// A line is free text first: products are asked for by the page, and without an answer there are none to choose.
export const productOptions = (isBill) => async (typed) =>
  (await get(address("/finance/products", { q: typed, limit: 8 }), { isByItself: true }).catch(() => [])).map((one) =>
    optionOf(one, isBill)
  );

export function optionOf(product, isBill) {
  const [price, rate] = isBill
    ? [product.purchasePrice, product.purchaseTaxRateName]
    : [product.unitPrice, product.taxRateName];
  return {
    value: product.description ?? product.name,
    text: product.name,
    figure: price && money(price, product.currency, { withCurrency: true }),
    more: [product.number, rate].filter(Boolean).join(" · "),
    product,
  };
}
