// The form of a new workspace; it proposes what is usual in the country.
import { get, send } from "../../core/api.js";
import { formatBy, t } from "../../core/i18n.js";
import { select, session } from "../../core/session.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { skeleton } from "../../ui/skeleton.js";
import { zoneOptions } from "../../ui/zones.js";

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

// `done` gets the workspace, which is selected by then.
export function companyForm(done) {
  const shown = signal(skeleton({ rows: 4 }));
  Promise.all([get("/workspace/countries"), get("/workspace/chart-templates")]).then(([countries, charts]) =>
    void (shown.value = formOf(countries, charts, done))
  );
  return tags.div({ class: "stack" }, () => shown.value, () => sampleOffer(done));
}

// A person has one sample at most.
function sampleOffer(done) {
  if (session.value?.workspaces.some(({ isSample }) => isSample)) return null;
  const isMaking = signal(false);
  return tags.div(
    { class: "stack" },
    tags.p(
      { class: "soft small" },
      t("A made-up company with a year of business, to look around in. Making it takes about 20 seconds."),
    ),
    button(t("Try with sample data first"), () => makeSample(done, isMaking)),
    tags.p({ role: "status" }, () => isMaking.value && t("Creating the sample data …")),
  );
}

async function makeSample(done, isMaking) {
  isMaking.value = true;
  try {
    const made = await send("POST", "/workspace", { name: t("Sample data"), isSample: true });
    await select(made.id);
    await done(made);
  } finally {
    isMaking.value = false;
  }
}

function formOf(countries, charts, done) {
  const byCode = new Map(countries.map((one) => [one.code, one]));
  const home = guess(countries);
  const values = {
    name: signal(""),
    country: signal(home),
    baseCurrency: signal(""),
    timeZone: signal(""),
    chartTemplate: signal("standard"),
  };
  const propose = (code) => {
    values.baseCurrency.value = byCode.get(code).currency;
    values.chartTemplate.value = charts.find((chart) => chart.countries.includes(code))?.code ?? "standard";
    values.timeZone.value = code === home ? HERE : (byCode.get(code).timeZone ?? HERE);
  };
  propose(home);
  const country = choice({
    value: values.country,
    name: "country",
    options: pairs([...byCode.keys()], named("region")),
  });
  country.addEventListener("change", () => propose(values.country.value));
  const run = async () => {
    const made = await send(
      "POST",
      "/workspace",
      Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one.value])),
    );
    await select(made.id);
    await done(made);
  };
  return form(
    { run, submit: t("Create workspace"), label: t("New workspace") },
    field(
      { label: t("Company"), name: "name" },
      textInput({ value: values.name, name: "name", autocomplete: "organization" }),
    ),
    field({ label: t("Country"), name: "country" }, country),
    field({
      label: t("Currency"),
      name: "baseCurrency",
      hint: t("Your books are kept in this currency. It cannot be changed after the first posting."),
    }, choice({ value: values.baseCurrency, name: "baseCurrency", options: currencies(countries) })),
    field(
      { label: t("Time zone"), name: "timeZone" },
      choice({
        value: values.timeZone,
        name: "timeZone",
        options: zoneOptions([HERE, ...countries.map(({ timeZone }) => timeZone ?? HERE)]),
      }),
    ),
    field({
      label: t("Chart of accounts"),
      name: "chartTemplate",
      hint: t("The chart includes names and tax rates of its country. You can add and rename accounts at any time."),
    }, choice({ value: values.chartTemplate, name: "chartTemplate", options: templates(charts) })),
  );
}

// The country of this browser, by its time zone or else its language.
function guess(countries) {
  const ofLanguage = formatBy(Intl.Locale, {}, navigator.language).maximize().region;
  const ofClock = countries.filter(({ timeZone }) => timeZone === HERE).map(({ code }) => code);
  const isKnown = countries.some(({ code }) => code === ofLanguage);
  if (ofClock.length && !ofClock.includes(ofLanguage)) return ofClock[0];
  return isKnown ? ofLanguage : countries[0].code;
}

function named(type) {
  const names = formatBy(Intl.DisplayNames, { type });
  return (code) => names.of(code) ?? code;
}

const pairs = (codes, nameOf) =>
  codes.map((value) => ({ value, text: nameOf(value) })).sort((one, other) => one.text.localeCompare(other.text));

function currencies(countries) {
  const nameOf = named("currency");
  return pairs([...new Set(countries.map(({ currency }) => currency))], (code) => `${nameOf(code)} (${code})`);
}

function templates(charts) {
  const nameOf = named("region");
  return charts.map(({ code, name, countries }) => ({
    value: code,
    text: countries.length ? `${nameOf(countries[0])}: ${name}` : t("Generic, for any country"),
  }));
}
