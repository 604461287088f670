// One journal entry: its lines, what it belongs to, its files, and how it is reversed.
import { address, send } from "../../core/api.js";
import { day, moment, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { go } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { attachments } from "../../ui/attachments.js";
import { card } from "../../ui/card.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { history } from "../../ui/history.js";
import { textInput } from "../../ui/input.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { accountName } from "../../ui/accounts.js";
import { entryState, kindOf, sourceOf } from "./words.js";
import { TOUCHED } from "../payments/touched.js";

const { a, div, p, span, table, tbody, td, tfoot, th, thead, tr } = tags;

export default ({ params }) => {
  const entry = resource(`/finance/journals/${params.id}`);
  const get = () => entry.value;
  return {
    title: () => (get() ? t("Entry {number}", { number: get().number }) : ""),
    state: () => get() && entryState(get()),
    back: { href: listScreen("/finance/journals", "/journals"), text: t("Journal") },
    leadsOn: true,
    pager: pager(neighbours("/finance/journals", params.id), ({ id }) => `/journals/${id}`),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(
      entry,
      () => div({ class: "columns columns-wide document" }, card({}, () => lines(get())), side(get, params.id)),
    ),
  };
};

const actionsOn = (now) => [
  {
    name: t("Duplicate"),
    icon: "copy",
    may: "finance.write",
    run: () => go(address("/journals/new", { like: now.id })),
  },
  now.kind === "manual" &&
  {
    name: t("Make recurring"),
    icon: "repeat",
    may: "finance.write",
    run: async () => (await import("../recurring/dialog.js")).repeatEntry(now),
  },
  history(now),
  now.can.includes("reverse") &&
  { name: t("Reverse"), icon: "undo-2", danger: true, run: () => reversing(now) },
];

const reversing = (now) =>
  dialog({ title: t("Reverse {number}?", { number: now.number }), body: (close) => reversal(now, close) });

function reversal(now, close) {
  const [date, reason] = [signal(now.date > today() ? now.date : today()), signal("")];
  const run = async () => {
    const body = { date: date.value, reason: reason.value || null };
    const made = await send("POST", `/finance/journals/${now.id}/reverse`, body, { version: now.version });
    changed("/finance/journals", ...TOUCHED);
    close();
    notify(t("Reversed by {number}.", { number: made.number }), { kind: "good" });
  };
  return form(
    { run, submit: t("Reverse"), cancel: () => close(), label: t("Reverse"), kind: "danger" },
    p(t("The same lines are posted with debit and credit exchanged. Both entries stay in the books.")),
    facts([[t("Text"), now.description], [t("Amount"), money(now.total, currency(), { withCurrency: true })]]),
    field({ label: t("Date"), name: "date" }, dateField({ value: date, name: "date" })),
    field({ label: t("Reason"), name: "reason", isOptional: true }, textInput({ value: reason, name: "reason" })),
  );
}

function lines({ lines: rows, total, number }) {
  const figure = (amount) => td({ class: "figure" }, amount ? money(amount, currency()) : "");
  return div(
    { class: "scrolls", tabindex: "0", role: "group", "aria-label": t("Entry {number}", { number }) },
    table(
      { class: "plain" },
      thead(
        tr(
          th({ scope: "col" }, t("Account")),
          th({ scope: "col" }, t("Text")),
          th({ scope: "col", class: "figure" }, t.of("side", "Debit")),
          th({ scope: "col", class: "figure" }, t.of("side", "Credit")),
        ),
      ),
      tbody(rows.map((row) => tr(td(ledgerOf(row)), td(wordsOf(row)), figure(row.debit), figure(row.credit)))),
      tfoot(tr({ class: "is-total" }, th({ scope: "row", colspan: 2 }, t("Total")), figure(total), figure(total))),
    ),
  );
}

const ledgerOf = (row) =>
  a(
    { href: address("/reports/general-ledger", { accountId: row.accountId }) },
    accountName({ code: row.accountCode, name: row.accountName }),
  );

// The text of a line, whom and which project it is about, and its amount in another currency.
const wordsOf = (row) =>
  div(
    { class: "stack-tight" },
    row.description && span(row.description),
    row.contactId && a({ href: `/contacts/${row.contactId}` }, row.contactName),
    row.projectId && a({ href: `/projects/${row.projectId}` }, row.projectName),
    row.foreignAmount && span({ class: "soft" }, money(row.foreignAmount, row.currency, { withCurrency: true })),
  );

const side = (get, id) =>
  div(
    { class: "stack" },
    card({ title: t("About the entry") }, () => about(get())),
    attachments({ of: { resourceType: "journal_entry", resourceId: id }, canAdd: may("finance.write") }),
  );

function about(now) {
  const [source, kind] = [sourceOf(now), kindOf(now)];
  const entryLink = (id, number) => id && a({ href: `/journals/${id}` }, number);
  return facts([
    [t("Date"), day(now.date)],
    [t("Text"), now.description],
    [t("Reference"), now.reference],
    [t("Entry type"), source ? a({ href: source }, kind) : kind],
    [t("Reverses"), entryLink(now.reversesId, now.reversesNumber)],
    [t("Reversed by"), entryLink(now.reversedById, now.reversedByNumber)],
    [t("Posted by"), now.createdByName],
    [t("Posted"), moment(now.createdAt)],
  ]);
}
