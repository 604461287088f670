// Customers and suppliers to choose from.
import { address, get, newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { isZero } from "../documents/states.js";

export const contactOptions = (side) => async (typed) => {
  const found = await get(address("/finance/contacts", { q: typed, kind: side, isArchived: "false", limit: 20 }));
  return found.map(optionOf);
};

function optionOf(contact) {
  const overdue = !isZero(contact.overdue) && t("{amount} overdue", { amount: money(contact.overdue, currency()) });
  return {
    value: contact.id,
    text: contact.name,
    more: [contact.address?.city, overdue].filter(Boolean).join(" · "),
    contact,
  };
}

export const nameOfContact = async (id) => (await get(`/finance/contacts/${id}`)).name;

export const contactChip = (key = "contactId", text = t("Contact"), side = null) => ({
  key,
  text,
  load: contactOptions(side),
  shown: nameOfContact,
});

export const createContact = (side) => async (name) => {
  const made = await send("POST", "/finance/contacts", { name, kind: side }, { key: newKey() });
  changed("/finance/contacts");
  return optionOf(made);
};
