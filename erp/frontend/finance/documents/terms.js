// The payment terms of a document. Left empty, the contact's terms apply.
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { typedLast } from "./body.js";
import { DATED } from "../terms/values.js";
import { isPurchase } from "./states.js";
import { termsFields, usualIfEmpty } from "../terms/fields.js";
import { contactTermsWords } from "../terms/words.js";

export function fieldsOfTerms(fields, kind) {
  const contact = resource(() => (fields.contactId.value ? `/finance/contacts/${fields.contactId.value}` : null));
  const forget = () => void (fields.dueDate.value = "");
  const dated = Object.keys(DATED).map((name) => [name, typedLast(fields[name], () => fields[name].peek(), forget)]);
  const ofContact = () =>
    contact.value
      ? t("Default: as agreed with {name}: {terms}.", {
        name: contact.value.name,
        terms: contactTermsWords(contact.value),
      })
      : isPurchase({ kind })
      ? t("Default: the supplier’s.")
      : t("Default: the customer’s.");
  const ifEmpty = () => {
    if (fields.dueDate.value) return t("The due date counts.");
    return fields.firstPercent.value || fields.firstDays.value ? usualIfEmpty() : ofContact();
  };
  return termsFields({ ...fields, ...Object.fromEntries(dated) }, ifEmpty);
}
