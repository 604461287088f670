// One expense: a receipt, a journey with one's own vehicle, or days away. A receipt on a phone is a photo and an amount.
import { day } from "../../core/format.js";
import { formatBy, t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { addDays, today } from "../../core/parse.js";
import { may, settings } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, signal, tags } from "../../core/view.js";
import { countryOptions } from "../../ui/address.js";
import { more } from "../../ui/card.js";
import { checkbox, choice, optionsOf } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { fileInput } from "../../ui/file.js";
import { form } from "../../ui/form.js";
import { projectBox } from "../../ui/projects.js";
import { instantOf } from "../attendance/correction.js";
import { attach, CLAIMS, linesOf, saveLines } from "./claims.js";
import { addExpense } from "./outbox.js";
import { categoryText, kindText, VEHICLES } from "./words.js";

const TITLES = {
  receipt: () => t("Add a receipt"),
  mileage: () => t("Add mileage"),
  per_diem: () => t("Add a per diem"),
};
const MOST_DAYS = 31;
const MEALS = {
  breakfast: () => t("Breakfast"),
  lunch: () => t("Lunch"),
  dinner: () => t("Dinner"),
};

// Of `claim`, else of a draft that one chooses; `at` is the line to change.
export const askLine = (kind, { claim = null, at = null } = {}) =>
  dialog({
    title: at === null ? TITLES[kind]() : kindText({ kind }),
    body: (close) => lineForm(kind, claim, at, close),
  });

function lineForm(kind, claim, at, close) {
  const line = at === null ? null : claim.lines[at];
  const [file, projectId, isBillable] = [
    signal(null),
    signal(line?.projectId ?? ""),
    signal(line?.isBillable ?? false),
  ];
  const into = claim ? null : draftChoice();
  const parts = PARTS[kind](line);
  const run = async () => {
    const kept = line ? linesOf(claim)[at] : {};
    const body = { ...kept, kind, ...parts.body(), projectId: projectId.value || null, isBillable: isBillable.value };
    const sent = Object.fromEntries(
      Object.entries(body).filter(([name, value]) => value !== null || name === "taxRateId"),
    );
    const photo = file.value && await (await import("../../ui/photo.js")).shrunk(file.value);
    if (claim) await inClaim(claim, at, sent, photo);
    const isSent = Boolean(claim) || await addExpense(into.chosen(), sent, photo);
    close();
    if (isSent) notify(t("Saved."), { kind: "good" });
    else notify(t("The server does not answer. This browser keeps the expense and sends it later."));
  };
  return form(
    {
      run: () => run().catch((refusal) => atFields(refusal, parts.nameOf)),
      submit: t("Save"),
      cancel: () => close(),
      label: kindText({ kind }),
    },
    kind === "receipt" && field(
      { label: t("Photo or file"), name: "attachmentIds", isOptional: Boolean(line) },
      fileInput({ value: file, name: "attachmentIds", accept: "image/jpeg,image/png,.pdf" }),
    ),
    parts.controls,
    into?.draw(),
    more(
      t("More"),
      parts.further,
      may("projects.read") && [
        field({ label: t("Project"), name: "projectId", isOptional: true }, projectBox(projectId, "projectId")),
        checkbox({ value: isBillable, name: "isBillable", text: t("Bill to the customer") }),
      ],
    ),
  );
}

async function inClaim(claim, at, body, file) {
  const lines = linesOf(claim);
  lines.splice(at ?? lines.length, at === null ? 0 : 1, body);
  const saved = await saveLines(claim, lines);
  if (file) await attach(saved, at ?? saved.lines.length - 1, file);
}

// What is refused of a line is told at the fields of this form.
function atFields(refusal, nameOf = (name) => name) {
  const nameIn = (name) => nameOf(name?.replace(/^lines\[\d+\]\./, ""));
  const details = refusal.details?.map((one) => ({ ...one, field: nameIn(one.field) }));
  throw Object.assign(refusal, { details });
}

// The draft that a new expense joins, the newest unless another is chosen (`undefined`, until the drafts are read);
// without one it makes a claim of the month.
function draftChoice() {
  const chosen = signal(undefined);
  const drafts = resource(`${CLAIMS}?isOwn=true&status=draft&limit=200`);
  const value = {
    get value() {
      const [newest] = drafts.value ?? [undefined];
      return chosen.value === undefined && drafts.value ? newest?.id ?? null : chosen.value;
    },
    set value(id) {
      chosen.value = id;
    },
  };
  const draw = () => () =>
    drafts.value?.length
      ? field(
        { label: t("Expense claim"), name: "claimId" },
        choice({
          value,
          name: "claimId",
          empty: t("New claim"),
          options: () => drafts.value.map(({ id, title }) => ({ value: id, text: title })),
        }),
      )
      : null;
  return { chosen: () => value.value, draw };
}

const PARTS = {
  receipt: (line) => ofFields(receiptFields(line), furtherFields(line)),
  mileage: (line) => ofFields(mileageFields(line)),
  per_diem: (line) => perDiem(line),
};

// What is seldom needed is out of the way on a phone: `further` opens below.
function ofFields(specs, further = []) {
  const [fields, more] = [editable(specs, null), editable(further, null)];
  const none = Object.fromEntries([...specs, ...further].map(({ name }) => [name, null]));
  return {
    body: () => ({ ...none, ...fields.body(), ...more.body() }),
    controls: fields.controls,
    further: further.length ? more.controls : [],
  };
}

function receiptFields(line) {
  const categories = resource("/hr/expense-categories?limit=200");
  const usual = (line?.categoryCode && line.categoryId) ?? "travel";
  return [
    { name: "amount", label: t("Amount"), kind: "money", start: line?.amount },
    { name: "date", label: t("Date"), kind: "day", start: line?.date ?? today() },
    {
      name: "categoryId",
      label: t("Category"),
      kind: "choice",
      start: usual,
      options: () =>
        (categories.value ?? []).filter(({ code }) => code !== "mileage" && code !== "per_diem")
          .map((one) => ({ value: usual === one.id ? one.id : one.code, text: categoryText(one) })),
    },
    { name: "description", label: t("Description"), isOptional: true, maxlength: 200, start: line?.description },
  ];
}

function furtherFields(line) {
  const rates = may("finance.read") ? resource("/finance/tax-rates?limit=200") : null;
  return [
    {
      name: "paidBy",
      label: t("Paid by"),
      kind: "choice",
      start: line?.paidBy ?? "employee",
      options: [{ value: "employee", text: t("myself") }, { value: "company_card", text: t("company card") }],
    },
    { name: "currency", label: t("Currency"), isOptional: true, maxlength: 3, start: line?.currency },
    may("finance.read") && {
      name: "taxRateId",
      label: t("Tax"),
      kind: "choice",
      isOptional: true,
      start: line?.taxRateId,
      options: () =>
        (rates?.value ?? []).filter(({ side }) => side !== "sale").map(({ id, name }) => ({ value: id, text: name })),
    },
  ].filter(Boolean);
}

const mileageFields = (line) => [
  {
    name: "distance",
    label: t("Distance"),
    kind: "number",
    start: line?.trip.distance,
    hint: t("Kilometres; in the UK and the US miles."),
  },
  {
    name: "vehicle",
    label: t("Vehicle"),
    kind: "choice",
    start: line?.trip.vehicle ?? "car",
    options: optionsOf(VEHICLES),
  },
  { name: "from", label: t.of("place", "From"), isOptional: true, start: line?.trip.from },
  { name: "to", label: t.of("place", "To"), isOptional: true, start: line?.trip.to },
  { name: "date", label: t("Date"), kind: "day", start: line?.date ?? today() },
  { name: "description", label: t("Reason"), isOptional: true, maxlength: 200, start: line?.description },
];

const clockOf = (iso) =>
  formatBy(Intl.DateTimeFormat, { dateStyle: "short", timeStyle: "short" }, "sv-SE").format(new Date(iso));

// Days away: from when to when, and the meals that others have paid, by day.
function perDiem(line) {
  const trip = line?.trip ?? {};
  const places = placeOptions([trip, ...trip.stays ?? []]);
  const [startDay, startTime] = trip.startAt ? clockOf(trip.startAt).split(" ") : [today(), "8:00"];
  const [endDay, endTime] = trip.endAt ? clockOf(trip.endAt).split(" ") : [today(), "18:00"];
  const fields = editable([
    { name: "startDay", label: t("First day"), kind: "day", start: startDay },
    { name: "startAt", label: t("Left at"), start: startTime },
    { name: "endDay", label: t("Last day"), kind: "day", start: endDay },
    { name: "endAt", label: t("Back at"), start: endTime },
    {
      name: "place",
      label: t("Country or city"),
      kind: "choice",
      start: placeKey({ country: settings().country, ...trip }),
      isOptional: !settings().country,
      options: places,
    },
    { name: "description", label: t("Reason"), isOptional: true, maxlength: 200, start: line?.description },
    { name: "overnight", label: t("With a night in lodging"), kind: "check", start: trip.overnight ?? true },
  ], null);
  const given = signal(
    new Set(
      (trip.meals ?? []).flatMap((one) =>
        Object.keys(MEALS).filter((meal) => one[meal]).map((meal) => `${one.date} ${meal}`)
      ),
    ),
  );
  const nights = signal(new Map((trip.stays ?? []).map((stay) => [stay.date, placeKey(stay)])));
  const values = fields.signals;
  const dates = () => daysBetween(values.startDay.value, values.endDay.value);
  const nightDates = () => dates().slice(0, -1);
  const stays = () =>
    nightDates().filter((date) => nights.value.get(date)).map((date) => ({ date, ...placeOf(nights.value.get(date)) }));
  const body = () => ({
    startAt: instantOf(values.startDay.value, values.startAt.value),
    endAt: instantOf(values.endDay.value, values.endAt.value),
    ...placeOf(values.place.value),
    stays: stays(),
    description: values.description.value || null,
    overnight: values.overnight.value,
    meals: mealsOf(dates(), given.value),
    date: null,
  });
  return {
    body,
    // The server knows the place by its country, and a night by its number.
    nameOf: (name) =>
      name?.replace(/^(country|region)$/, "place").replace(/^stays\[(\d+)\].*/, (_, at) => stays()[at]?.date),
    further: [],
    controls: [
      fields.controls,
      more(t("Nights elsewhere"), () => nightChoices(nightDates(), nights, places)),
      more(t("Meals that were paid by others"), () => mealBoxes(dates(), given)),
    ],
  };
}

// A place is a country, or one of its cities with a per diem of its own: `ES`, `ES Madrid`.
const placeKey = ({ country, region }) => [country, region].filter(Boolean).join(" ");

const placeOf = (key) => ({ country: key?.slice(0, 2) || null, region: key?.slice(3) || null });

// The places to choose from; `chosen` are there although they may not be listed any more.
function placeOptions(chosen) {
  const [countries, listed] = [countryOptions(), resource("/hr/expense-rates/places")];
  const options = computed(() => {
    const cities = new Map((listed.value ?? []).map(({ country, regions }) => [country, new Set(regions)]));
    for (const { country, region } of chosen) {
      if (region) cities.set(country, new Set([...cities.get(country) ?? [], region]));
    }
    return countries().flatMap((one) => [
      one,
      ...[...cities.get(one.value) ?? []].map((city) => ({
        value: placeKey({ country: one.value, region: city }),
        text: `${one.text}, ${city}`,
      })),
    ]);
  });
  return () => options.value;
}

const nightChoices = (dates, nights, options) =>
  dates.map((date) =>
    field(
      { label: day(date), name: date, isOptional: true },
      choice({ value: inMap(nights, date), name: date, options, empty: "–" }),
    )
  );

// What a map holds for a key, as a choice reads and writes it.
const inMap = (held, key) => ({
  get value() {
    return held.value.get(key) ?? "";
  },
  set value(text) {
    held.value = new Map(held.peek()).set(key, text);
  },
  peek: () => held.peek().get(key) ?? "",
});

function daysBetween(first, last) {
  const all = [];
  for (let one = first; one && last && one <= last && all.length < MOST_DAYS; one = addDays(one, 1)) all.push(one);
  return all;
}

function mealsOf(dates, given) {
  const meals = (date) => Object.fromEntries(Object.keys(MEALS).map((meal) => [meal, given.has(`${date} ${meal}`)]));
  return dates.map((date) => ({ date, ...meals(date) })).filter(({ date: _, ...own }) =>
    Object.values(own).some(Boolean)
  );
}

const mealBoxes = (dates, given) =>
  dates.map((date) =>
    tags.fieldset(
      { class: "row" },
      tags.legend(day(date)),
      Object.entries(MEALS).map(([meal, text]) =>
        checkbox({ value: inSet(given, `${date} ${meal}`), name: `${date} ${meal}`, text: text() })
      ),
    )
  );

// Whether a set has a value, as a checkbox reads and writes it.
const inSet = (held, key) => ({
  get value() {
    return held.value.has(key);
  },
  set value(isThere) {
    const others = [...held.peek()].filter((one) => one !== key);
    held.value = new Set(isThere ? [...others, key] : others);
  },
  peek: () => held.peek().has(key),
});
