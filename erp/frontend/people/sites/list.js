// Sites: the places where people work, each with its country, time zone, currency and days off.
import { country } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { settings } from "../../core/session.js";
import { countryOptions } from "../../ui/address.js";
import { pill } from "../../ui/pill.js";
import { recordsScreen } from "../../ui/records.js";
import { weekendField, weekendOf, weekendSignals } from "../../ui/weekend.js";
import { zoneOptions } from "../../ui/zones.js";

export default () =>
  recordsScreen({
    path: "/hr/sites",
    changes: ["/hr"],
    isArchivable: false,
    title: t("Sites"),
    back: { href: "/people", text: t("People") },
    right: "employees.write",
    addText: t("New site"),
    emptyText: t("No sites yet."),
    intro: t("Public holidays, time zone, currency and days off follow the site where a person works."),
    deleteText: t("Only a site where nobody works can be deleted."),
    nameOf: ({ name }) => name,
    columns: columns(),
    fields,
  });

function columns() {
  return [
    { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
    {
      key: "country",
      text: t("Country"),
      place: "meta",
      cell: ({ country: code, subdivision }) => [code && country(code), subdivision].filter(Boolean).join(", "),
    },
    { key: "timeZone", text: t("Time zone"), isMinor: true, cell: ({ timeZone }) => timeZone.replaceAll("_", " ") },
    { key: "currency", text: t("Currency"), place: "figure", width: "6rem", cell: ({ currency }) => currency },
    {
      key: "default",
      text: t("Status"),
      place: "state",
      width: "9rem",
      cell: ({ isDefault }) => isDefault && pill(t.of("site", "default"), "neutral"),
    },
  ];
}

const fields = (site) => [
  { name: "name", label: t("Name"), autocomplete: "off" },
  ...(site?.isDefault ? [] : [{
    name: "country",
    label: t("Country"),
    kind: "choice",
    isOptional: true,
    makeOptions: ({ country }) => countryOptions(country),
  }]),
  {
    name: "subdivision",
    label: t("Region"),
    isOptional: true,
    maxlength: 64,
    hint: t("Code, for example BY for Bavaria."),
  },
  ...(site?.isDefault ? [] : ofCountry(site)),
];

// A new site has the time zone and the currency of its country, unless they are said.
const ofCountry = (site) => [
  {
    name: "timeZone",
    label: t("Time zone"),
    kind: "choice",
    isOptional: !site,
    options: zoneOptions([site?.timeZone].filter(Boolean)),
  },
  {
    name: "currency",
    label: t("Currency"),
    isOptional: !site,
    maxlength: 3,
    hint: t("Of pay, for example GBP."),
  },
  {
    name: "weekend",
    parts: {
      signals: (record) => ({ ...weekendSignals((record ?? settings()).weekend) }),
      draw: (free) => weekendField(Object.values(free)),
      read: (free) => weekendOf(Object.values(free)),
    },
  },
];
