// The fields of an address, which requests name `address.…`.
import { t } from "../core/i18n.js";
import { signal } from "../core/view.js";
import { field } from "./field.js";
import { textInput } from "./input.js";

const NAMES = ["line1", "line2", "postalCode", "city", "country"];

// What is typed, by name; what is sent, where an empty field clears its part.
export const addressSignals = (address) =>
  Object.fromEntries(NAMES.map((name) => [name, signal(address?.[name] ?? "")]));
export const addressOf = (values) => Object.fromEntries(NAMES.map((name) => [name, values[name].value || null]));

export const addressLine = (address) => NAMES.map((name) => address?.[name]).filter(Boolean).join(", ");

export function addressFields(values) {
  const part = (label, name, { hint = null, maxlength = null } = {}) =>
    field(
      { label, name: `address.${name}`, hint, isOptional: true },
      textInput({ value: values[name], name: `address.${name}`, maxlength }),
    );
  return [
    part(t("Street"), "line1"),
    part(t("Further line"), "line2"),
    part(t("Postal code"), "postalCode"),
    part(t("City"), "city"),
    part(t("Country"), "country", { hint: t("Two letters, such as DE."), maxlength: 2 }),
  ];
}
