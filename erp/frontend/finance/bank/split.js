// A bank line that is split: parts with their own account and tax, which add up to it.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { each, signal, tags } from "../../core/view.js";
import { postable } from "../../ui/accounts.js";
import { button, iconButton } from "../../ui/button.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput } from "../../ui/number.js";
import { rateOptions } from "../tax_rates/choice.js";
import { foot, sumsOf } from "./draft.js";

const { div, p, span } = tags;
const MOST = 20;
const typed = new Map(); // the parts that were sent, by line: a refused split is there again
let count = 0;

const part = () => ({
  key: count += 1,
  ...Object.fromEntries(["accountId", "amount", "taxRateId", "description"].map((name) => [name, signal("")])),
});

export function splitPanel(line, close, matches) {
  const isRefused = matches.refused.peek().has(line.id);
  const parts = signal((isRefused && typed.get(line.id)) || [part(), part()]);
  const given = (names, one) =>
    Object.fromEntries(names.map((name) => [name, one[name].value]).filter(([, value]) => value));
  const filled = () => parts.value.filter(({ amount }) => amount.value);
  const sums = sumsOf(line, () => ({ parts: filled().map((one) => given(["amount", "taxRateId"], one)) }));
  const run = () => {
    if (!sums.peek()?.isComplete) return;
    const missing = filled().find(({ accountId }) => !accountId.value);
    if (missing) {
      return void document.getElementsByName(`${missing.key}.accountId`)[0]?.focus();
    }
    typed.set(line.id, parts.peek());
    const body = { parts: filled().map((one) => given(["accountId", "amount", "taxRateId", "description"], one)) };
    close();
    matches.match(line, body);
  };
  const accounts = postable(({ id }) => id !== line.accountId);
  const rates = rateOptions(({ category }) => category === "S");
  const remove = (one) => void (parts.value = parts.peek().filter((other) => other !== one));
  const about = { line, accounts, rates, sums, filled, remove, place: (one) => parts.value.indexOf(one) };
  return form(
    { run, label: t("Split") },
    p({ class: "strong" }, `${money(line.amount, line.currency, { withCurrency: true })} ${line.party ?? ""}`),
    each(() => parts.value, ({ key }) => key, (get) => drawn(get.peek(), about)),
    () =>
      parts.value.length < MOST &&
      button(t("Add part"), () => void (parts.value = [...parts.peek(), part()]), { icon: "plus", isSmall: true }),
    foot(line, sums, close),
  );
}

function drawn(one, { line, accounts, rates, sums, filled, remove, place }) {
  const name = (of) => `${one.key}.${of}`;
  const sum = () => sums.value?.parts?.[filled().indexOf(one)];
  return div(
    { class: "fields split-part", role: "group", "aria-label": () => t("Part {n}", { n: place(one) + 1 }) },
    field(
      { label: t("Account"), name: name("accountId") },
      combobox({ value: one.accountId, options: accounts.options, shown: accounts.name, autofocus: place(one) === 0 }),
    ),
    field(
      { label: t("Amount"), name: name("amount") },
      moneyInput({ value: one.amount, currency: line.currency }),
    ),
    field(
      { label: t("Tax in the amount"), name: name("taxRateId"), isOptional: true },
      choice({ value: one.taxRateId, options: rates, empty: t("none") }),
    ),
    field(
      { label: t("Description"), name: name("description"), isOptional: true },
      textInput({ value: one.description }),
    ),
    div(
      { class: "row" },
      span({ class: "small soft figure" }, () => {
        const { net, tax } = sum() ?? {};
        return net ? t("{net} and {tax} tax", { net: money(net, line.currency), tax: money(tax, line.currency) }) : "";
      }),
      iconButton("x", t("Remove part"), () => remove(one), { isSmall: true }),
    ),
  );
}
