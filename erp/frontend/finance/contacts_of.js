// Customers and suppliers to choose from.
import { address, get, send } from "../core/api.js";
import { t } from "../core/i18n.js";
import { changed } from "../core/store.js";

export const contactOptions = (side) => async (typed) => {
  const found = await get(address("/finance/contacts", { q: typed, kind: side, isArchived: "false", limit: 20 }));
  return found.map(optionOf);
};

const optionOf = (contact) => ({ value: contact.id, text: contact.name, more: [contact.address?.city, contact.number].filter(Boolean).join(" · "), contact });

export const nameOfContact = async (id) => (await get(`/finance/contacts/${id}`)).name;

export const createContact = (side) => async (name) => {
  const made = await send("POST", "/finance/contacts", { name, kind: side });
  changed("/finance/contacts");
  return optionOf(made);
};

export const contactLabel = (side) => (side === "customer" ? t("Customer") : t("Supplier"));
