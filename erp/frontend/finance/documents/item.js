// One invoice, bill or credit note: what it says, what of it is open, what was paid, and what it posted.
import { address, send } from "../../core/api.js";
import { day, days, dayShort, duration, moment, money, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { neighbours } from "../../core/neighbours.js";
import { standAtHome } from "../../core/record_paths.js";
import { go } from "../../core/router.js";
import { may, settings } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { accountOfLine } from "../../ui/accounts.js";
import { attachments } from "../../ui/attachments.js";
import { card, more } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { meter } from "../../ui/figure.js";
import { history } from "../../ui/history.js";
import { later } from "../../ui/later.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { blockAction } from "../reminders/blocking.js";
import { discard } from "./drafts.js";
import { screenOf } from "../journals/words.js";
import { rateName } from "../tax_rates/choice.js";
import { entry } from "../journals/entry.js";
import { filesOf, sendingOf } from "./files.js";
import { askOfDraft, tellIssued } from "./issue.js";
import { TOUCHED } from "../payments/touched.js";
import { termsOfDocument } from "../terms/words.js";
import { isOpen, isPurchase, listOf, nameOf, namesOf, opensAt, partyOf, pathOf, statePill } from "./states.js";
import { linesTable, timesOf } from "./table.js";

const REPEATED = ["sales_invoice", "purchase_invoice"];
const DEMANDED = ["issued", "partially_paid", "paid"];
const { a, div, p, span } = tags;

export default ({ params, path }) => {
  const document = resource(`/finance/invoices/${params.id}`);
  standAtHome(path, document);
  const isPaper = signal(location.pathname.startsWith("/bills"));
  const get = () => document.value;
  const can = (action) => get()?.can.includes(action) && may("finance.write");
  const purchase = () => get() && isPurchase(get());
  return {
    title: () => (get() ? nameOf(get()) : ""),
    state: () => get() && statePill(get()),
    back: listOf(location.pathname.startsWith("/bills")),
    leadsOn: true,
    pager: pager(neighbours("/finance/invoices", params.id), opensAt),
    actions: () =>
      get()
        ? [...actionsOn(get(), can), {
          name: t("Paper"),
          key: "v",
          icon: "eye",
          run: () => void (isPaper.value = !isPaper.value),
        }]
        : [],
    body: loaded(document, () =>
      div(
        { class: "document with-paper" },
        () => isPaper.value && later(async () => (await import("./papers.js")).paperOf, get()),
        div({ class: "columns columns-wide" }, paper(get, purchase), side(get, purchase)),
      )),
  };
};

function actionsOn(now, can) {
  const path = `/finance/invoices/${now.id}`;
  const act = async (verb, body) => {
    const answer = await send("POST", `${path}/${verb}`, body ?? {}, {
      version: verb === "duplicate" ? undefined : now.version,
    });
    changed(...TOUCHED);
    return answer;
  };
  const figures = [[t("Contact"), partyOf(now).name], [
    t("Total"),
    money(now.total, now.currency, { withCurrency: true }),
  ]];
  const asks = (title, text, verb, danger = true) => ({ title, text, verb, figures, danger });
  return [
    can("pay") &&
    {
      name: t("Record payment"),
      key: "p",
      main: true,
      icon: "banknote",
      run: async () => (await import("../payments/form.js")).payInDialog(now),
    },
    can("issue") &&
    {
      name: isPurchase(now) ? t("Post") : t("Issue"),
      key: "Control+Enter",
      main: true,
      asks: () => askOfDraft(now, partyOf(now).name),
      run: async () => tellIssued(await act("issue")),
    },
    now.kind === "deposit_invoice" && DEMANDED.includes(now.status) && !now.finalInvoiceId &&
    {
      name: t("Final invoice"),
      icon: "file-plus",
      may: "finance.write",
      run: () => go(address("/invoices/new", { kind: "final_invoice", customerId: now.customerId, depositId: now.id })),
    },
    can("approve") &&
    {
      name: t.of("books", "Approve"),
      main: true,
      asks: asks(
        t("Approve {name}?", { name: nameOf(now) }),
        t("The bill is posted and can be paid."),
        t.of("books", "Approve"),
        false,
      ),
      run: () => act("approve"),
    },
    can("update") && now.status === "draft" &&
    { name: t("Edit"), key: "e", icon: "pencil", run: () => go(`${pathOf(now)}/edit`) },
    ...sendingOf(now, act),
    ...filesOf(now),
    !isPurchase(now) && now.status !== "draft" && settings().shareLinks &&
    {
      name: t("Share…"),
      icon: "link",
      may: "finance.read",
      run: async () => (await import("./share.js")).shareDocument(path, now.number),
    },
    can("credit") && {
      name: isPurchase(now) ? t("Record supplier credit note") : t("Create credit note"),
      icon: "undo-2",
      run: async () => (await import("./crediting.js")).credit(now, act),
    },
    can("duplicate") &&
    { name: t("Duplicate"), icon: "copy", run: async () => go(`${pathOf(await act("duplicate"))}/edit`) },
    history(now),
    now.status !== "draft" && REPEATED.includes(now.kind) &&
    {
      name: t("Make recurring"),
      icon: "repeat",
      may: "finance.write",
      run: async () => (await import("../recurring/dialog.js")).repeatInvoice(now), // a third of this screen, and seldom asked for
    },
    now.status !== "draft" && !isPurchase(now) && blockAction(path, now, now.number),
    can("write_off") && { name: t("Write off"), icon: "eraser", danger: true, run: () => writeOff(now) },
    can("undo_write_off") && { name: t("Reverse write-off"), run: () => act("write-off/undo") },
    can("void") &&
    {
      name: t("Void"),
      icon: "ban",
      danger: true,
      asks: asks(
        t("Void {name}?", { name: nameOf(now) }),
        t("The entry is reversed. The number stays in use."),
        t("Void"),
      ),
      run: () => act("void"),
    },
    can("delete") &&
    {
      name: t("Delete draft"),
      icon: "trash-2",
      danger: true,
      run: () => discard(now),
    },
  ];
}

async function writeOff(document) {
  const fields = (await import("../open_items/write_off.js")).writeOff;
  const { id, amountDue: open, currency } = document;
  dialog({
    title: t("Write off {name}?", { name: nameOf(document) }),
    body: (close) => fields(`/finance/invoices/${id}`, { open, currency }, close),
  });
}

function paper(get, purchase) {
  const names = () => namesOf(get());
  return card(
    {},
    div({ class: "spread is-top" }, () => partyLines(get()), () =>
      facts([
        [names().issueDate, day(get().issueDate)],
        [names().dueDate, get().dueDate && day(get().dueDate)],
        [names().paymentTerms, !get().kind.endsWith("credit_note") && termsOfDocument(get())],
        [
          t("Service"),
          get().serviceDate
            ? day(get().serviceDate)
            : get().servicePeriod && days(get().servicePeriod.from, get().servicePeriod.to),
        ],
        [t("Customer number"), !purchase() && get().customer?.debtorNumber],
        [
          purchase() ? names().supplierNumber : names().reference,
          purchase() ? get().supplierNumber : get().reference,
        ],
        [
          t("Corrects"),
          get().creditedInvoiceId &&
          a({ href: pathOf({ ...get(), id: get().creditedInvoiceId }) }, get().creditedInvoiceNumber),
        ],
        [
          t("Final invoice"),
          get().finalInvoiceId && a({ href: `/invoices/${get().finalInvoiceId}` }, get().finalInvoiceNumber),
        ],
        [names().projectId, get().projectId && a({ href: `/projects/${get().projectId}` }, get().projectName)],
      ])),
    () => get().intro && p({ class: "soft" }, get().intro),
    () => lines(get()),
    () => get().closing && p({ class: "soft" }, get().closing),
    () => get().note && p({ class: "soft" }, get().note),
  );
}

function partyLines(document) {
  const party = document.customer ?? document.supplier ?? {};
  const { line1, line2, postalCode, city, country } = party.address ?? {};
  const lines = [
    line1,
    line2,
    [postalCode, city].filter(Boolean).join(" "),
    country && country !== settings().country ? country : null,
  ];
  const name = party.id
    ? a({ href: `/contacts/${party.id}`, class: "strong" }, party.name)
    : span({ class: "strong" }, party.name);
  return div(
    name,
    lines.filter(Boolean).map((line) => div({ class: "soft" }, line)),
    party.vatId && div({ class: "soft" }, party.vatId),
  );
}

const lines = (document) =>
  linesTable(document, {
    described: (line) => [
      line.description,
      line.loggedMinutes !== null && line.loggedMinutes !== line.billedMinutes &&
      div({ class: "soft small" }, t("{time} logged", { time: duration(line.loggedMinutes) })),
      div(
        { class: "only-phone soft small" },
        [timesOf(line, document), rateOf(document, line)].filter(Boolean).join(" · "),
      ),
      isPurchase(document) && div({ class: "soft small" }, t("Posted to {account}", { account: accountOfLine(line) })),
      line.madeAssets.length > 0 && div({ class: "small" }, assetLinks(line)),
    ],
    rateOf: (line) => rateOf(document, line),
    sums: (row) =>
      document.deposits.map(({ invoiceId, number, gross }) =>
        row([t("Deposit received"), " ", a({ href: `/invoices/${invoiceId}` }, number)], `-${gross}`)
      ),
  });

const assetLinks = ({ madeAssets }) =>
  madeAssets.map(({ id, number: its }, at) => [at > 0 && ", ", a({ href: `/assets/${id}` }, its)]);

const rateOf = (document, line) => {
  const rate = document.taxBreakdown.find(({ taxRateId }) => taxRateId === line.taxRateId)?.rate;
  return rate && line.taxRateName ? rateName({ name: line.taxRateName, rate }) : line.taxRateName ?? "";
};

function side(get, purchase) {
  return div(
    { class: "stack" },
    () =>
      isOpen(get()) &&
      card(
        { title: t("Amount due") },
        p({ class: "key-figure" }, money(get().amountDue, get().currency, { withCurrency: true })),
        meter({
          label: t("Paid"),
          part: get().amountPaid,
          whole: get().total,
          text: t("{paid} of {total} paid.", {
            paid: money(get().amountPaid, get().currency, { withCurrency: true }),
            total: money(get().total, get().currency, { withCurrency: true }),
          }),
        }),
        get().prepaidHint && p({ class: "soft" }, get().prepaidHint),
        reminded(get()),
      ),
    card({ title: t("Payments") }, () => payments(get())),
    attachments({ of: { resourceType: "invoice", resourceId: get().id }, canAdd: may("finance.write") }),
    card({ title: t("Books") }, () =>
      facts([
        [purchase() ? t("Posted") : t("Issued"), get().issuedAt && moment(get().issuedAt)],
        [t.of("document", "Sent"), get().sentAt && sentWords(get())],
        [
          t("Approved"),
          get().approvedAt &&
          t("{moment} by {name}", { moment: moment(get().approvedAt), name: get().approvedByName ?? "" }),
        ],
        [t("Exchange rate"), get().exchangeRate && number(get().exchangeRate)],
        [t("Tax date"), day(get().taxDate)],
        [t("Voided on"), get().voidedAt && moment(get().voidedAt)],
        [
          purchase() ? t("Supplier credit notes") : t("Credit notes"),
          get().creditNoteIds.length > 0 &&
          get().creditNoteIds.map((id, at) => a({ href: pathOf({ ...get(), id }) }, get().creditNoteNumbers[at])),
        ],
        [t("Created by"), get().createdByName],
      ]), () => entry(get().journalEntryId, get().journalEntryNumber)),
    () =>
      get().deductions.length > 0 &&
      more(
        tn("{n} deduction", "{n} deductions", get().deductions.length),
        get().deductions.map((one) => p(`${dayShort(one.date)} ${money(one.amount, get().currency)}`)),
      ),
  );
}

const reminded = ({ reminderLevel, lastReminderOn, reminderBlock, isReminderCharge }) =>
  facts([
    [t("Reminder level"), reminderLevel > 0 && `${reminderLevel} · ${day(lastReminderOn)}`],
    [
      t("No reminders"),
      reminderBlock &&
      [reminderBlock.reason, reminderBlock.until && t("until {day}", { day: day(reminderBlock.until) })]
        .filter(Boolean).join(" · "),
    ],
    [t("Charges"), isReminderCharge && t("of a reminder")],
  ]);
const sentWords = ({ sentAt, sentVia }) =>
  [moment(sentAt), { post: t("by post"), link: t("by link"), other: t("otherwise") }[sentVia] ?? t("by e-mail")].join(
    ", ",
  );

function payments(document) {
  if (!document.allocations.length) return p({ class: "soft" }, t("Not paid yet."));
  return tags.ul(
    { class: "plain-list" },
    document.allocations.map((row) =>
      tags.li(
        { class: "spread" },
        settledBy(document, row),
        span({ class: "figure" }, money(row.amount, document.currency)),
      )
    ),
  );
}

// What a part of the document was settled by.
function settledBy(document, { kind, id, number: itsNumber, date }) {
  const path = {
    invoice: pathOf({ ...document, id }),
    credit_note: pathOf({ ...document, id }),
    deposit_closing: `/journals/${id}`,
  }[kind] ?? screenOf({ type: kind, id });
  return span(
    { class: "row" },
    span({ class: "soft" }, dayShort(date)),
    path ? a({ href: path }, itsNumber) : span(itsNumber ?? t("credit")),
  );
}
