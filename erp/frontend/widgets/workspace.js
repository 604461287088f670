// The form for a new workspace; it proposes what is usual in the country.
import { get, post } from "../api.js";
import { field, form, select } from "./form.js";

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const named = (type) => {
  const names = new Intl.DisplayNames(["en"], { type });
  return (code) => names.of(code) ?? code;
};
const byText = ([, one], [, other]) => one.localeCompare(other);

export async function workspaceForm(done) {
  const countries = await get("/workspace/countries");
  const byCode = new Map(countries.map((one) => [one.code, one]));
  const home = guess(countries);
  const name = field("name", "Company", { autocomplete: "organization", required: true, autofocus: true });
  const country = select("country", "Country", pairs([...byCode.keys()], named("region")), { autocomplete: "country" });
  const currency = select("baseCurrency", "Currency", currencies(countries), {
    hint: "The currency of the books. It cannot be changed after the first posting.",
  });
  const zone = select("timeZone", "Time zone", zones(countries).map((zone) => [zone, zone.replaceAll("_", " ")]));
  const propose = () => {
    const { code, currency: money, timeZone } = byCode.get(country.input.value);
    currency.input.value = money;
    zone.input.value = code === home ? HERE : (timeZone ?? HERE);
  };
  country.input.value = home;
  country.input.addEventListener("input", propose);
  propose();
  return form([name, country, currency, zone], "Create workspace", async (values) => {
    const made = await post("/workspace", values);
    await post("/auth/select-workspace", { workspaceId: made.id });
    await done(made);
  });
}

// The country of this browser: that of its time zone, or else of its language.
function guess(countries) {
  const ofLanguage = new Intl.Locale(navigator.language).maximize().region;
  const ofClock = countries.filter(({ timeZone }) => timeZone === HERE).map(({ code }) => code);
  const known = countries.some(({ code }) => code === ofLanguage);
  if (ofClock.length && !ofClock.includes(ofLanguage)) return ofClock[0];
  return known ? ofLanguage : countries[0].code;
}

const pairs = (codes, nameOf) => codes.map((code) => [code, nameOf(code)]).sort(byText);

function currencies(countries) {
  const nameOf = named("currency");
  return pairs([...new Set(countries.map(({ currency }) => currency))], (code) => `${nameOf(code)} (${code})`);
}

function zones(countries) {
  const known = Intl.supportedValuesOf?.("timeZone") ?? [];
  return [...new Set([HERE, ...known, ...countries.map(({ timeZone }) => timeZone ?? HERE)])].sort();
}
