// The types of contacts.
import { t } from "../../core/i18n.js";

const KINDS = { customer: () => t("Customer"), supplier: () => t("Supplier"), both: () => t("Customer and supplier") };

export const kindOfContact = ({ kind }) => KINDS[kind]();
export const kindOptions = () => Object.entries(KINDS).map(([value, text]) => ({ value, text: text() }));
