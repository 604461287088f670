// Products to choose from in the lines of a document.
import { address, get, newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { changed } from "../../core/store.js";

// A line is free text first: products are asked for by the page, and without an answer there are none to choose.
export const productOptions = async (typed) =>
  (await get(address("/finance/products", { q: typed, limit: 8 }), { isByItself: true }).catch(() => [])).map(optionOf);

const optionOf = (product) => ({
  value: product.description ?? product.name,
  text: product.name,
  figure: product.unitPrice && money(product.unitPrice, product.currency, { withCurrency: true }),
  more: [product.number, product.taxRateName].filter(Boolean).join(" · "),
  product,
});

// A new product is like the line in which it is named.
export const createProduct = ({ cells }, currencyOf) => async (name) => {
  const like = ["unit", "unitPrice", "taxRateId", "accountId"].map((key) => [key, cells[key].peek()]);
  const body = { name, currency: currencyOf(), ...Object.fromEntries(like.filter(([, value]) => value)) };
  const made = await send("POST", "/finance/products", body, { key: newKey() });
  changed("/finance/products");
  return optionOf(made);
};
