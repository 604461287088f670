// Find and match: the open items and entries that a bank line may be, chosen under it. The server fills in what each takes.
import { address } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { computed, each, effect, signal, tags } from "../../core/view.js";
import { postable } from "../../ui/accounts.js";
import { more } from "../../ui/card.js";
import { checkbox, choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { searchField } from "../../ui/input.js";
import { moneyInput } from "../../ui/number.js";
import { contactOptions, nameOfContact } from "../contacts/choice.js";
import { isZero } from "../documents/states.js";
import { rateOptions } from "../tax_rates/choice.js";
import { foot, sumsOf } from "./draft.js";

const { div, input, label, li, p, span, ul } = tags;
const keyOf = ({ itemId, entryId }) => itemId ?? entryId;

export function findPanel(line, close, matches) {
  const choosing = chosen();
  const q = signal(line.party ?? "");
  const [fee, feeTax, rest, contact, account, restTax] = ["", "", "", "", "", ""].map((start) => signal(start));
  const place = () => ({ contact: contact.value, account: account.value })[rest.value] || "";
  const path = `/finance/bank/lines/${line.id}/candidates`;
  const found = resource(() => address(path, { q: q.value }));
  effect(() => found.value?.length === 0 && q.peek() === line.party && void (q.value = "")); // named otherwise in the books
  const body = () => ({
    ...choosing.draft(),
    ...(fee.value && { feeAmount: fee.value }),
    ...(place() && { [rest.value === "contact" ? "keepsRest" : "postsRest"]: true }),
  });
  const sums = sumsOf(line, body, choosing.take);
  const run = () => {
    if (!sums.peek()?.isComplete) return;
    /** @type {any} */
    const confirmed = choosing.confirmed(sums.peek());
    if (fee.peek()) {
      Object.assign(confirmed, { feeAmount: fee.peek() }, feeTax.peek() && { feeTaxRateId: feeTax.peek() });
    }
    Object.assign(confirmed, restBody(sums.peek().left));
    close();
    matches.match(line, confirmed);
  };
  const restBody = (left) => {
    if (isZero(left) || !place()) return {};
    if (rest.peek() === "contact") return { contactId: place() };
    return { restAccountId: place(), ...(restTax.peek() && { restTaxRateId: restTax.peek() }) };
  };
  const search = searchField({ value: q, label: t("Name, or several numbers"), key: null });
  (search.matches("input") ? search : search.querySelector("input")).setAttribute("data-autofocus", "");
  return form(
    { run, label: t("Find and match") },
    div(
      { class: "spread" },
      p({ class: "strong" }, `${money(line.amount, line.currency, { withCurrency: true })} ${line.party ?? ""}`),
      search,
    ),
    () => found.value?.length === 0 && empty(t("No open item fits. Post the transaction to an account instead.")),
    ul(
      { class: "plain-list candidates" },
      each(() => choosing.rows(found.value ?? []), keyOf, (get) => row(get.peek(), line, choosing)),
    ),
    more(
      t("Bank fee and rest"),
      div(
        { class: "fields" },
        field(
          { label: t("Bank fee"), name: "feeAmount", isOptional: true },
          moneyInput({ value: fee, name: "feeAmount", currency: line.currency }),
        ),
        field(
          { label: t("Tax in the fee"), name: "feeTaxRateId", isOptional: true },
          choice({ value: feeTax, options: rateOptions(({ category }) => category === "S"), empty: t("none") }),
        ),
        field(
          { label: t.of("of an amount", "Rest"), name: "rest" },
          choice({ value: rest, options: places, empty: t("nothing") }),
        ),
        () => restFields({ rest, contact, account, restTax }, line),
      ),
    ),
    foot(line, sums, close),
  );
}

const places = () => [
  { value: "contact", text: t("payment on account") },
  { value: "account", text: t("to an account") },
];

// Where the rest of the transaction goes.
function restFields({ rest, contact, account, restTax }, line) {
  if (rest.value === "contact") {
    return field(
      { label: t("Rest as payment on account of"), name: "contactId" },
      combobox({ value: contact, options: contactOptions(null), shown: nameOfContact }),
    );
  }
  if (rest.value !== "account") return null;
  const accounts = postable(({ id }) => id !== line.accountId);
  return [
    field(
      { label: t("Account of the rest"), name: "restAccountId" },
      combobox({ value: account, options: accounts.options, shown: accounts.name }),
    ),
    field(
      { label: t("Tax in the rest"), name: "restTaxRateId", isOptional: true },
      choice({ value: restTax, options: rateOptions(({ category }) => category === "S"), empty: t("none") }),
    ),
  ];
}

// The candidates that are ticked, in their order; what one takes is the server's, until it is typed.
function chosen() {
  const ticked = signal(new Map());
  const all = () => [...ticked.value.values()];
  const tick = (candidate, isOn) => {
    const next = new Map(ticked.peek());
    const fresh = {
      candidate,
      pays: signal(""),
      isTyped: signal(false),
      takesDiscount: signal(true),
      settles: signal(false),
      rest: signal("0"),
    };
    isOn ? next.set(keyOf(candidate), fresh) : next.delete(keyOf(candidate));
    ticked.value = next;
  };
  const draftOf = ({ candidate, pays, isTyped, takesDiscount }) => ({
    ...(candidate.itemId
      ? { itemId: candidate.itemId, discountTaken: takesDiscount.value }
      : { entryId: candidate.entryId }),
    ...(isTyped.value && pays.value && { amount: pays.value }),
  });
  const among = (name) => all().filter(({ candidate }) => candidate[name]);
  return {
    of: (candidate) => ticked.value.get(keyOf(candidate)),
    tick,
    // Those found, and those ticked before that another search does not find.
    rows: (found) => {
      const known = new Set(found.map(keyOf));
      return [...all().map(({ candidate }) => candidate).filter((one) => !known.has(keyOf(one))), ...found];
    },
    draft: () => ({ items: among("itemId").map(draftOf), entries: among("entryId").map(draftOf) }),
    take: ({ items, entries }) => {
      for (const { id, amount, rest } of [...items, ...entries]) {
        const one = ticked.peek().get(id);
        if (one) one.rest.value = rest;
        if (one && !one.isTyped.peek()) one.pays.value = amount;
      }
    },
    confirmed: ({ items, entries }) => ({
      ...(items.length && {
        items: items.filter(({ amount }) => !isZero(amount)).map(({ id, amount, discount }) => ({
          itemId: id,
          amount,
          ...(!isZero(discount) && { discountTaken: true }),
          ...(ticked.peek().get(id).settles.peek() && { settleDifference: true }),
        })),
      }),
      ...(entries.length && {
        entries: entries.filter(({ amount }) => !isZero(amount)).map(({ id, amount }) => ({ entryId: id, amount })),
      }),
    }),
  };
}

function row(candidate, line, choosing) {
  const mine = computed(() => choosing.of(candidate));
  const { number, contactName, description, date, dueDate, open, discount, discountUntil, reason, isSure } = candidate;
  const amount = (text) => money(text, line.currency);
  return li(
    { class: "candidate" },
    label(
      { class: "check" },
      input({
        type: "checkbox",
        checked: () => Boolean(mine.value),
        onchange: (event) => choosing.tick(candidate, event.target.checked),
      }),
      span(
        { class: "suggested-words" },
        span(`${isSure ? "● " : reason ? "○ " : ""}${number} ${contactName ?? description ?? ""}`),
        span(
          { class: "small soft" },
          [reason, date && dayShort(date), dueDate && t("due {day}", { day: dayShort(dueDate) })].filter(Boolean).join(
            " · ",
          ),
        ),
      ),
    ),
    span({ class: "figure" }, t("open {amount}", { amount: amount(open) })),
    () => mine.value && pays(mine.value, line),
    () =>
      mine.value && candidate.itemId && !isZero(mine.value.rest.value) &&
      checkbox({
        value: mine.value.settles,
        text: t("Write off the rest of {amount}", { amount: amount(mine.value.rest.value) }),
      }),
    () =>
      mine.value && discountUntil && checkbox({
        value: mine.value.takesDiscount,
        text: t("{amount} cash discount until {day}", { amount: amount(discount), day: dayShort(discountUntil) }),
      }),
  );
}

const pays = ({ candidate, pays: value, isTyped }, line) =>
  div(
    { class: "pays", oninput: () => void (isTyped.value = true) },
    moneyInput({ value, label: t("{number} pays", { number: candidate.number }), currency: line.currency }),
  );
