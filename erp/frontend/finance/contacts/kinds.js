// The types of contacts.
import { t } from "../../core/i18n.js";
import { optionsOf } from "../../ui/choice.js";

const KINDS = { customer: () => t("Customer"), supplier: () => t("Supplier"), both: () => t("Customer and supplier") };

export const kindOfContact = ({ kind }) => KINDS[kind]();
export const kindOptions = () => optionsOf(KINDS);
