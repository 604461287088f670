// A product that is created from the line in which it is named.
import { newKey, send } from "../../core/api.js";
import { changed } from "../../core/store.js";
import { optionOf } from "./choice.js";

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
