// A new offset: open items of a contact, each with the amount that is used of it, on a date and with a note.
import { address, get, newKey, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { inverse } from "../../core/undo.js";
import { batch, computed, each, signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput, padded } from "../../ui/number.js";
import { parts, textOf, units } from "../open_items/pairs.js";
import { TOUCHED } from "../payments/touched.js";
import { OFFSETS } from "./list.js";

const { div, input, label, li, p, span, ul } = tags;

const ZERO = BigInt(0);
const isReceivable = ({ open }) => !open.startsWith("-");

// `chosen` are chosen at first, else all; `finish` is called once it is posted.
export async function newOffset(contact, chosen = null, finish = () => {}) {
  const items = await get(address("/finance/open-items", { contactId: contact.id, sort: "date", limit: 200 }));
  return dialog({
    title: t("Offset what {name} owes and is owed?", { name: contact.name }),
    size: "wide",
    body: (close) => entering(contact, items, { chosen, finish, close }),
  });
}

function entering(contact, items, { chosen, finish, close }) {
  const codes = currenciesOf(items);
  if (!codes.length) return empty(t("No open items on both sides."));
  const code = signal(chosen?.[0].currency ?? codes[0]);
  const shown = computed(() => items.filter((item) => item.currency === code.value));
  const choosing = choosingOf(shown, chosen?.map(({ id }) => id));
  const [date, note] = [signal(""), signal("")];
  const key = newKey();
  const run = async () => {
    const body = { contactId: contact.id, items: choosing.used(), date: date.value || null, note: note.value || null };
    const { id, number } = await send("POST", OFFSETS, body, { key });
    const renew = () => changed(OFFSETS, ...TOUCHED);
    finish();
    renew();
    close();
    inverse(t("Offset as {number}.", { number }), async () => {
      await send("POST", `${OFFSETS}/${id}/void`, {});
      renew();
    });
  };
  return form(
    { run, submit: t("Offset"), cancel: () => close(), label: t("Offset") },
    p({ class: "soft" }, t("One entry settles both sides, without a bank.")),
    codes.length > 1 &&
      field(
        { label: t("Currency") },
        choice({ value: code, options: codes.map((value) => ({ value, text: value })) }),
      ),
    ul(
      { class: "plain-list candidates" },
      each(() => shown.value, ({ id }) => id, (item) => row(item.peek(), choosing)),
    ),
    () => div({ role: "status" }, facts(sums(choosing, code.value))),
    div(
      { class: "fields" },
      field(
        {
          label: t("Date"),
          name: "date",
          isOptional: true,
          hint: t("Default: today, or the latest date of the items."),
        },
        dateField({ value: date, name: "date" }),
      ),
      field(
        { label: t.of("internal", "Note"), name: "note", isOptional: true },
        textInput({ value: note, name: "note" }),
      ),
    ),
  );
}

// The currencies in which there is something on both sides, the one of the books first.
function currenciesOf(items) {
  const codes = [...new Set(items.map((item) => item.currency))];
  const both = codes.filter((code) => {
    const mine = items.filter((item) => item.currency === code);
    return mine.some(isReceivable) && !mine.every(isReceivable);
  });
  return both.toSorted((one, other) => Number(other === currency()) - Number(one === currency()));
}

// Which items are chosen, by how much. What has been typed stays; the other amounts follow what is chosen.
function choosingOf(shown, first) {
  const all = new Map();
  const of = ({ id }) => {
    if (!all.has(id)) all.set(id, { isOn: signal(first?.includes(id) ?? true), amount: signal(""), isTyped: false });
    return all.get(id);
  };
  const chosen = () => shown.value.filter((item) => of(item).isOn.value);
  const fill = () =>
    batch(() => {
      const found = new Map(parts(chosen()).map(({ item, amount }) => [item.id, amount]));
      for (const item of shown.peek()) if (!of(item).isTyped) of(item).amount.value = found.get(item.id) ?? "";
    });
  fill();
  return {
    of,
    chosen,
    tick: (item, isOn) => {
      of(item).isOn.value = isOn;
      of(item).isTyped = false;
      fill();
    },
    used: () =>
      chosen().filter((item) => of(item).amount.value).map((item) => ({
        itemId: item.id,
        amount: of(item).amount.value,
      })),
  };
}

function row(item, choosing) {
  const mine = choosing.of(item);
  const { number, date, dueDate, open } = item;
  const days = [date && dayShort(date), dueDate && t("due {day}", { day: dayShort(dueDate) })].filter(Boolean);
  return li(
    { class: "candidate" },
    label(
      { class: "check" },
      input({
        type: "checkbox",
        checked: () => mine.isOn.value,
        onchange: (event) => choosing.tick(item, event.target.checked),
      }),
      span(
        { class: "suggested-words" },
        span(number),
        span({ class: "small soft" }, [isReceivable(item) ? t("Receivable") : t("Payable"), ...days].join(" · ")),
      ),
    ),
    span({ class: "figure" }, t("open {amount}", { amount: money(open.replace("-", ""), item.currency) })),
    () =>
      mine.isOn.value &&
      div(
        { class: "pays", oninput: () => void (mine.isTyped = true) },
        moneyInput({
          value: mine.amount,
          label: t("{number}: amount", { number }),
          currency: item.currency,
          autofocus: true,
        }),
      ),
  );
}

// What is open on each side of what is chosen, and what is used of it.
function sums(choosing, code) {
  const amount = (number) => money(textOf(number, padded("0", code)), code, { withCurrency: true });
  /** @type {(all: bigint[]) => bigint} */
  const sumOf = (all) => all.reduce((sum, one) => sum + one, ZERO);
  const [receivables, payables] = [true, false].map((side) => {
    const mine = choosing.chosen().filter((item) => isReceivable(item) === side);
    const typed = (item) => choosing.of(item).amount.value;
    return {
      open: sumOf(mine.map(({ open }) => units(open.replace("-", "")))),
      used: sumOf(mine.map((item) => unitsOf(typed(item), code))),
    };
  });
  const least = receivables.used < payables.used ? receivables.used : payables.used;
  const difference = receivables.used - payables.used;
  return [
    [t("Receivables"), amount(receivables.open)],
    [t("Payables"), amount(payables.open)],
    [t("Amount to offset"), amount(least)],
    difference !== ZERO && [t("Difference"), amount(difference < ZERO ? -difference : difference)],
  ].filter(Boolean);
}

const unitsOf = (typed, code) => (/^\d+(\.\d+)?$/.test(typed ?? "") ? units(padded(typed, code)) : ZERO);
