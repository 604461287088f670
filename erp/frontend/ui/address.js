// The fields of an address, which requests name `address.…`.
import { country } from "../core/format.js";
import { language, t } from "../core/i18n.js";
import { settings } from "../core/session.js";
import { resource } from "../core/store.js";
import { signal } from "../core/view.js";
import { choice } from "./choice.js";
import { field } from "./field.js";
import { textInput } from "./input.js";

const PARTS = ["line1", "line2", "postalCode", "city", "region"];
const NAMES = [...PARTS, "country"];

// What is typed, by name. A new address is in the country of the workspace.
function addressSignals(address) {
  const values = Object.fromEntries(PARTS.map((name) => [name, signal(address?.[name] ?? "")]));
  return { ...values, country: signal(address ? address.country : settings().country) };
}

// What is sent: an empty field clears its part; a country alone is no address.
function addressOf(values) {
  const parts = Object.fromEntries(NAMES.map((name) => [name, values[name].value || null]));
  return PARTS.some((name) => parts[name]) ? parts : { ...parts, country: null };
}

function addressFields(values) {
  const part = (label, name) =>
    field(
      { label, name: `address.${name}`, isOptional: true },
      textInput({ value: values[name], name: `address.${name}` }),
    );
  return [
    part(t("Street"), "line1"),
    part(t("Further line"), "line2"),
    part(t("Postal code"), "postalCode"),
    part(t("City"), "city"),
    part(t("State or region"), "region"),
    countryField(values.country, "address.country"),
  ];
}

// An address as one field of a record, and its text.
export const addressField = () => ({
  name: "address",
  label: t.of("postal", "Address"),
  parts: { signals: (record) => addressSignals(record?.address), draw: addressFields, read: addressOf },
  told: ({ address }) => addressText(address),
  columns: [
    { name: "address.line1", label: t("Street"), example: "Hafenstraße 12" },
    { name: "address.postalCode", label: t("Postal code"), example: "20457" },
    { name: "address.city", label: t("City"), example: "Hamburg" },
    { name: "address.country", label: t("Country"), example: "DE" },
  ],
});

const addressText = (place) =>
  place &&
  [place.line1, place.line2, [place.postalCode, place.city].filter(Boolean).join(" "), place.region, place.country]
    .filter(Boolean).join(", ");

export const countryField = (value, name = "country") =>
  field(
    { label: t("Country"), name, isOptional: true },
    choice({ value, name, options: countryOptions(value), empty: "–" }),
  );

// The countries to choose from, with one that may be chosen already.
export function countryOptions(value = null) {
  const known = resource("/workspace/countries");
  return () => {
    const codes = new Set((known.value ?? []).map(({ code }) => code));
    if (value?.value) codes.add(value.value);
    const options = [...codes].map((code) => ({ value: code, text: country(code) }));
    return options.sort((one, other) => one.text.localeCompare(other.text, language()));
  };
}
