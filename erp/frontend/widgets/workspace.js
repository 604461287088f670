// The form that makes a workspace: what is usual in the country is proposed.
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
  const usual = new Map(countries.map((each) => [each.code, each]));
  const home = guess(countries);
  const name = field("name", "Company", { autocomplete: "organization", required: true, autofocus: true });
  const country = select("country", "Country", pairs([...usual.keys()], named("region")), { autocomplete: "country" });
  const currency = select("baseCurrency", "Currency", currencies(countries), {
    hint: "Of the books; it stays as it is once something is posted.",
  });
  const zone = select("timeZone", "Time zone", zones(countries).map((each) => [each, each.replaceAll("_", " ")]));
  const propose = () => {
    const { code, currency: money, timeZone } = usual.get(country.input.value);
    currency.input.value = money;
    zone.input.value = code === home ? HERE : (timeZone ?? HERE);
  };
  country.input.value = home;
  country.input.addEventListener("input", propose);
  propose();
  return form([name, country, currency, zone], "Make the workspace", async (values) => {
    const made = await post("/workspace", values);
    await post("/auth/select-workspace", { workspaceId: made.id });
    await done(made);
  });
}

// Where this browser is: the country that lives by its clock, else the one of its language.
function guess(countries) {
  const ofLanguage = new Intl.Locale(navigator.language).maximize().region;
  const ofClock = countries.filter((each) => each.timeZone === HERE).map((each) => each.code);
  const known = countries.some((each) => each.code === ofLanguage);
  if (ofClock.length && !ofClock.includes(ofLanguage)) return ofClock[0];
  return known ? ofLanguage : countries[0].code;
}

const pairs = (codes, nameOf) => codes.map((code) => [code, nameOf(code)]).sort(byText);

function currencies(countries) {
  const nameOf = named("currency");
  return pairs([...new Set(countries.map((each) => each.currency))], (code) => `${nameOf(code)} (${code})`);
}

function zones(countries) {
  const known = Intl.supportedValuesOf?.("timeZone") ?? [];
  return [...new Set([HERE, ...known, ...countries.map((each) => each.timeZone ?? HERE)])].sort();
}
