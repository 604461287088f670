// Products to choose from in the lines of a document.
import { address, get, newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { changed } from "../../core/store.js";

// A line is free text first: products are asked for by the page, and without an answer there are none to choose.
export const productOptions = (isBill) => async (typed) =>
  (await get(address("/finance/products", { q: typed, limit: 8 }), { isByItself: true }).catch(() => [])).map((one) =>
    optionOf(one, isBill)
  );

function optionOf(product, isBill) {
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

const NAMES = { unit: "unit", unitPrice: "unitPrice", taxRateId: "taxRateId", accountId: "accountId" };
const NAMES_OF_PURCHASE = {
  unit: "unit",
  unitPrice: "purchasePrice",
  taxRateId: "purchaseTaxRateId",
  accountId: "purchaseAccountId",
};

// A new product is like the line in which it is named.
export const createProduct = ({ cells }, { isBill, currencyOf }) => async (name) => {
  const names = Object.entries(isBill ? NAMES_OF_PURCHASE : NAMES);
  const like = names.map(([key, field]) => [field, cells[key].peek()]);
  const body = { name, currency: currencyOf(), ...Object.fromEntries(like.filter(([, value]) => value)) };
  const made = await send("POST", "/finance/products", body, { key: newKey() });
  changed("/finance/products");
  return optionOf(made, isBill);
};
