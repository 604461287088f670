// The bank account of a contact, in three fields.
import { t } from "../core/i18n.js";
import { signal } from "../core/view.js";
import { field } from "./field.js";
import { textInput } from "./input.js";

const BANK = { iban: () => t("IBAN"), bic: () => "BIC", holder: () => t("Account holder") };

// The bank account to which payment runs pay; the contact itself holds it where no holder is named.
export const bankAccountField = () => ({
  name: "bankAccount",
  label: t("Bank account"),
  right: "finance.read",
  words: (account) => account && Object.values(filled(account)).join(" · "),
  columns: [{ name: "bankAccount.iban", label: BANK.iban(), example: "DE89370400440532013000" }],
  parts: {
    signals: (contact) => mapped((part) => signal(contact?.bankAccount?.[part] ?? "")),
    draw: (values) =>
      Object.entries(BANK).map(([part, label]) => {
        const name = `bankAccount.${part}`;
        const control = textInput({ value: values[part], name, autocomplete: "off" });
        return field({ label: label(), name, isOptional: true }, control);
      }),
    read: (values) => {
      const account = filled(mapped((part) => values[part].value.trim()));
      return Object.keys(account).length ? account : null;
    },
  },
});

const mapped = (of) => Object.fromEntries(Object.keys(BANK).map((part) => [part, of(part)]));
const filled = (account) => Object.fromEntries(Object.entries(account).filter(([, value]) => value));
