// Holidays: the days on which the office is closed, entered by hand or imported from a country's calendar.
import { address, newKey, send } from "../../core/api.js";
import { day, weekday } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { parameter, query, setQuery } from "../../core/router.js";
import { settings } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { countryField } from "../../ui/address.js";
import { checkbox, choice, optionsOf } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { recordsScreen } from "../../ui/records.js";
import { tabs } from "../../ui/tabs.js";
import { allSites, siteOptions } from "../sites/choice.js";

const { div, p } = tags;
const HOLIDAYS = "/hr/holidays";

export default () => {
  const year = () => Number(query.value.get("year") ?? today().slice(0, 4));
  const sites = allSites();
  return recordsScreen({
    path: HOLIDAYS,
    changes: ["/hr"],
    parameters: () => ({ year: year(), siteId: query.value.get("site") }),
    isArchivable: false,
    title: t("Public holidays"),
    back: { href: "/leave", text: t("Leave") },
    right: "leave.write",
    addText: t("New public holiday"),
    emptyText: t("No public holidays for this year yet."),
    intro: t("Public holidays do not count as leave. If they change, future leave is recalculated."),
    deleteText: t("Leave on this day counts again."),
    nameOf: ({ name }) => name,
    columns: columns(sites),
    fields: () => fields(sites),
    told,
    actions: [{
      name: t("Import public holidays"),
      icon: "calendar-plus",
      may: "leave.write",
      run: () => dialog({ title: t("Import public holidays"), body: (close) => importing(year(), sites, close) }),
    }],
    filters: [
      years(year),
      () =>
        (sites.value ?? []).length > 1 &&
        choice({ value: parameter("site"), label: t("Site"), options: siteOptions(sites), empty: t("All sites") }),
    ],
  });
};

// From last year on; leave is asked for well ahead.
function years(year) {
  const now = Number(today().slice(0, 4));
  return tabs({
    label: t("Year"),
    items: () =>
      [...new Set([now - 1, now, now + 1, now + 2, year()])].sort().map((one) => ({
        key: one,
        text: String(one),
        href: address("/settings/holidays", { year: one, site: query.value.get("site") }),
      })),
    current: year,
  });
}

/** @type {Record<string, () => string>} */
const PARTS = { day: () => t("All day"), morning: () => t("until noon"), afternoon: () => t("from noon") };

const columns = (sites) => [
  { key: "date", text: t("Date"), place: "meta", width: "12rem", cell: ({ date }) => `${weekday(date)}, ${day(date)}` },
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "part", text: t("Free"), place: "meta", width: "9rem", cell: ({ part }) => PARTS[part]() },
  { key: "sites", text: t("Sites"), isMinor: true, cell: ({ siteIds }) => () => namesOf(sites, siteIds) },
];

const namesOf = (sites, ids) =>
  (sites.value ?? []).filter(({ id }) => ids.includes(id)).map(({ name }) => name).join(", ") || t("all");

const fields = (sites) => [
  { name: "date", label: t("Date"), kind: "day" },
  { name: "name", label: t("Name") },
  {
    name: "part",
    label: t("Free"),
    kind: "choice",
    start: "day",
    options: optionsOf(PARTS),
  },
  { name: "siteIds", start: [], parts: siteParts(sites), isShown: () => (sites.value ?? []).length > 1 },
];

// Ticked are the sites where the day is free; none means all.
const siteParts = (sites) => ({
  signals: (record) => ({ siteIds: signal(record?.siteIds ?? []) }),
  draw: ({ siteIds }) =>
    tags.fieldset(
      { class: "radios is-row", "data-name": "siteIds", tabindex: "-1" },
      tags.legend({ class: "field-label" }, t("Only at these sites")),
      () => (sites.value ?? []).map((site) => ticked(site, siteIds)),
    ),
  read: ({ siteIds }) => siteIds.value,
});

const ticked = ({ id, name }, siteIds) =>
  checkbox({
    text: name,
    name: `siteIds.${id}`,
    value: {
      get value() {
        return siteIds.value.includes(id);
      },
      set value(isTicked) {
        siteIds.value = isTicked ? [...siteIds.value, id] : siteIds.value.filter((one) => one !== id);
      },
    },
  });

// Whose leave counts differently now.
function told(answer) {
  const leaves = answer?.recountedLeaves ?? [];
  if (!leaves.length) return;
  const names = [...new Set(leaves.map(({ employeeName }) => employeeName))].join(", ");
  notify(t("Leave recalculated: {names}.", { names }), { kind: "good" });
}

function importing(usual, sites, close) {
  const values = {
    year: signal(String(usual)),
    siteId: signal(query.peek().get("site")),
    country: signal(settings().country ?? ""),
    subdivision: signal(""),
    halfDays: signal(false),
  };
  const key = newKey();
  const run = async () => {
    const body = {
      year: Number(values.year.value),
      siteId: values.siteId.value || null,
      country: values.siteId.value ? null : values.country.value || null,
      subdivision: values.subdivision.value.trim() || null,
      halfDays: values.halfDays.value,
    };
    const answer = await send("POST", `${HOLIDAYS}/import`, body, { key });
    changed("/hr");
    close();
    notify(tn("{n} public holiday imported.", "{n} public holidays imported.", answer.added.length), { kind: "good" });
    told(answer);
    answer.warnings.forEach(({ message }) => notify(message));
    setQuery({ year: values.year.value });
  };
  return form(
    { run, submit: t("Import"), cancel: () => close(), label: t("Import public holidays") },
    p(t("Days that are holidays already keep their names.")),
    div(
      { class: "fields" },
      field({ label: t("Year"), name: "year" }, textInput({ value: values.year, name: "year", inputmode: "numeric" })),
      () =>
        (sites.value ?? []).length > 1 &&
        field(
          { label: t("Site"), name: "siteId", isOptional: true },
          choice({ value: values.siteId, name: "siteId", options: siteOptions(sites), empty: t("All sites") }),
        ),
      () => !values.siteId.value && countryField(values.country),
      field(
        { label: t("Region"), name: "subdivision", isOptional: true, hint: t("Code, for example BY for Bavaria.") },
        textInput({ value: values.subdivision, name: "subdivision", maxlength: 64 }),
      ),
      checkbox({ value: values.halfDays, name: "halfDays", text: t("Afternoons of 24 and 31 December") }),
    ),
  );
}
