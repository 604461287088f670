// Reminders: the letters that are proposed today, and those that were made.
import { address, newKey, send } from "../../core/api.js";
import { day, dayShort } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, parameter, parametersOf, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { signal, tags, untracked } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { card } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { dayChips, filterChips } from "../../ui/filters.js";
import { searchField } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { skeleton } from "../../ui/skeleton.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { isZero } from "../documents/states.js";
import { unfolded } from "./choosing.js";
import { amountOf, levelName, REMINDED, REMINDERS, reminderState, RUNS, WHY } from "./words.js";

const MOST_SENT = 100; // letters in one request
const { a, div, li, span, ul } = tags;
const keyOf = ({ contactId, currency }) => `${contactId} ${currency}`;
const tab = () => query.value.get("tab") ?? "propose";

export default () => {
  const proposal = resource(() => `${RUNS}/proposal`);
  const out = signal(new Set());
  const choices = signal(new Map()); // of letters whose level or items differ from the proposal
  const now = (letter) => {
    const choice = choices.value.get(keyOf(letter));
    return choice ? { ...letter, ...choice.letter, body: choice.body } : letter;
  };
  const chosen = () => (proposal.value?.letters ?? []).filter((letter) => !out.value.has(keyOf(letter))).map(now);
  return {
    title: t("Reminders"),
    actions: () => [
      tab() === "propose" && chosen().length > 0 && making(chosen()),
      tab() === "propose" && chosen().length > 0 && sending(chosen()),
      { name: t("Reminder levels"), icon: "list-tree", href: "/settings/reminder-levels" },
      { name: t("Base rates"), icon: "percent", href: "/settings/base-rates" },
    ],
    body: div(
      { class: "stack" },
      parameterTabs({
        name: "tab",
        label: t("Views"),
        options: () => [
          ["propose", t("Proposed"), proposal.value?.letters.length],
          ["letters", t("Letters")],
          ["charges", t("Charges open")],
        ],
      }),
      () => (tab() === "propose" ? proposed(proposal, { out, choices, now }) : made(tab())),
    ),
  };
};

const making = (letters) => ({
  name: tn("Make {n} letter", "Make {n} letters", letters.length),
  key: "Control+Enter",
  main: true,
  icon: "file-plus",
  may: "finance.write",
  asks: () => ({
    title: tn("Make {n} letter?", "Make {n} letters?", letters.length),
    text: t("Each letter gets a number. Nothing is posted and nothing is sent; a letter can be undone."),
    figures: sums(letters),
    verb: tn("Make {n} letter", "Make {n} letters", letters.length),
  }),
  run: async () => {
    const written = await makeAll(letters);
    notify(tn("{n} letter made.", "{n} letters made.", written.length), { kind: "good" });
  },
});

const sending = (letters) => ({
  name: tn("Make and send {n} letter", "Make and send {n} letters", letters.length),
  key: "m",
  icon: "mail",
  may: "finance.write",
  asks: () => ({
    title: tn("Make and send {n} letter?", "Make and send {n} letters?", letters.length),
    text: t("Each letter gets a number, and goes to its customer with our text and the PDF."),
    figures: sums(letters),
    verb: tn("Make and send {n} letter", "Make and send {n} letters", letters.length),
  }),
  run: async () => {
    const written = await makeAll(letters);
    let isPrepared = false;
    try {
      for (let from = 0; from < written.length; from += MOST_SENT) {
        const reminderIds = written.slice(from, from + MOST_SENT).map(({ id }) => id);
        const { messages } = await send("POST", `${REMINDERS}/send`, { reminderIds }, { key: newKey() });
        isPrepared = messages[0].via === "eml";
      }
    } catch (refusal) {
      const problems = refusal.details.map(({ message }) => message).join(" ") || refusal.message;
      notify(t("The letters are made. Not all of them are sent: {problems}", { problems }), { kind: "bad" });
      return;
    } finally {
      changed(...REMINDED, "/workspace/messages");
    }
    notify(
      isPrepared
        ? tn(
          "{n} letter made. Its message is prepared in Messages.",
          "{n} letters made. Their messages are prepared in Messages.",
          written.length,
        )
        : tn("{n} letter made and queued.", "{n} letters made and queued.", written.length),
      { kind: "good" },
    );
  },
});

async function makeAll(letters) {
  const body = { letters: letters.map(({ contactId, currency, body }) => body ?? { contactId, currency }) };
  const { letters: written } = await send("POST", RUNS, body, { key: newKey() });
  await go("/reminders?tab=letters");
  changed(...REMINDED);
  return written;
}

// For each currency what is open, what is charged for it, and the total, counted in the smallest unit.
function sums(letters) {
  const codes = [...new Set(letters.map(({ currency }) => currency))];
  return codes.flatMap((currency) => {
    const mine = letters.filter((letter) => letter.currency === currency);
    const sum = (...names) => total(mine.flatMap((letter) => names.map((name) => letter[name])));
    const charges = total([sum("fee", "interest", "lumpSum"), ...mine.map(({ charged }) => `-${charged}`)]);
    return [
      [t.of("amount", "Open"), amountOf(sum("open"), { currency })],
      !isZero(charges) && [t("Charges"), amountOf(charges, { currency })],
      [t("Total"), amountOf(sum("total"), { currency })],
    ].filter(Boolean);
  });
}

function total(amounts) {
  const digits = amounts[0].split(".")[1]?.length ?? 0;
  const minor = amounts.map((text) => BigInt(text.replace("--", "").replace(".", ""))).reduce(
    (sum, one) => sum + one,
    0n,
  );
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, "0");
  const whole = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
  return minor < 0n ? `-${whole}` : whole;
}

const proposed = (proposal, state) =>
  div(
    { class: "stack" },
    problem(() => proposal.problem, () => proposal.renew()),
    () => (proposal.value ? shown(proposal.value, state) : !proposal.problem && skeleton({ rows: 6 })),
  );

const shown = ({ letters, skipped }, state) => [
  letters.length ? lettersTable(letters, state) : empty(t("No reminders to make today.")),
  skipped.length ? card({ title: t("Left out") }, leftOut(skipped)) : null,
];

function lettersTable(letters, { out, choices, now }) {
  const choose = (letter, chosen) => {
    const next = new Map(choices.peek());
    chosen ? next.set(keyOf(letter), chosen) : next.delete(keyOf(letter));
    choices.value = next;
  };
  const unfold = (letter, close) => {
    const proposed = letters.find((one) => keyOf(one) === keyOf(letter));
    return unfolded(proposed, untracked(() => now(proposed)), (chosen) => choose(proposed, chosen), close);
  };
  const isOut = (letter) => out.value.has(keyOf(letter));
  const take = (letter) => {
    const next = new Set(out.peek());
    isOut(letter) ? next.delete(keyOf(letter)) : next.add(keyOf(letter));
    out.value = next;
  };
  const element = table({
    label: t("Proposed letters"),
    rows: () => letters.map(now),
    key: keyOf,
    open: (letter) => element.edit(keyOf(letter)),
    columns: columnsOf(isOut),
    actions: (letter) =>
      may("finance.write")
        ? [{ name: isOut(letter) ? t("Take in again") : t("Take out"), key: "x", run: () => take(letter) }]
        : [],
    editor: { key: "o", name: t("Show items"), shows: () => true, make: unfold },
    counted: (n, places) => tn("{n} letter", "{n} letters", n, places),
  });
  return element;
}

const columnsOf = (isOut) => [
  {
    key: "customer",
    text: t("Customer"),
    place: "name",
    cell: (letter) => span({ class: () => (isOut(letter) ? "soft" : "") }, letter.contactName),
  },
  {
    key: "level",
    text: t("Level"),
    place: "meta",
    width: "12rem",
    cell: (letter) => `${letter.level} · ${levelName(letter.levelName)}`,
  },
  {
    key: "items",
    text: t("Items"),
    isMinor: true,
    width: "6rem",
    isFigure: true,
    cell: ({ items }) => String(items.length),
  },
  {
    key: "overdue",
    text: t("Days overdue"),
    isMinor: true,
    isFigure: true,
    width: "8rem",
    cell: ({ items }) => String(Math.max(...items.map(({ daysOverdue }) => daysOverdue))),
  },
  {
    key: "open",
    text: t.of("amount", "Open"),
    isFigure: true,
    isMinor: true,
    width: "9rem",
    cell: (letter) => amountOf(letter.open, letter),
  },
  {
    key: "state",
    text: t("Status"),
    place: "state",
    width: "7rem",
    cell: (letter) => () =>
      isOut(letter) ? pill(t("taken out"), "neutral") : letter.body && pill(t.of("letter", "changed"), "info"),
  },
  {
    key: "total",
    text: t("Total"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: (letter) => amountOf(letter.total, letter),
  },
];

// A list, since the keys of tables belong to the letters.
const leftOut = (skipped) =>
  ul(
    { class: "plain-list" },
    skipped.map((one) =>
      li(
        { class: "spread" },
        span(a({ href: `/contacts/${one.contactId}` }, one.contactName), one.number && ` · ${one.number}`),
        span(
          { class: "soft" },
          [WHY[one.why](), one.until && t("until {day}", { day: day(one.until) })].filter(Boolean).join(" · "),
        ),
      )
    ),
  );

function made(view) {
  const letters = list(() =>
    address(REMINDERS, {
      chargesStatus: view === "charges" ? "open" : null,
      q: query.value.get("q"),
      ...parametersOf(["dateFrom", "dateTo"]),
      sort: query.value.get("sort"),
    })
  );
  return div(
    { class: "stack" },
    div(
      { class: "spread" },
      searchField({ value: parameter("q"), label: t("Search reminders") }),
      filterChips(dayChips()),
    ),
    table({
      label: t("Letters"),
      page: "reminders",
      list: letters,
      key: ({ id }) => id,
      href: ({ id }) => `/reminders/${id}`,
      columns: letterColumns,
      sort: sortOfAddress(),
      counted: (n, places) => tn("{n} letter", "{n} letters", n, places),
      empty: empty(view === "charges" ? t("No charges are open.") : t("No letters yet.")),
    }),
  );
}

const letterColumns = [
  { key: "customer", text: t("Customer"), place: "name", cell: ({ contactName }) => contactName },
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "11rem",
    cell: ({ number }) => number,
    sort: "number",
  },
  { key: "date", text: t("Date"), place: "meta", width: "7rem", cell: ({ date }) => dayShort(date), sort: "date" },
  {
    key: "level",
    text: t("Level"),
    isMinor: true,
    width: "12rem",
    cell: (letter) => `${letter.level} · ${levelName(letter.levelName)}`,
  },
  { key: "state", text: t("Status"), place: "state", width: "10rem", cell: reminderState },
  {
    key: "total",
    text: t("Total"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: (letter) => amountOf(letter.total, letter),
  },
];
