// The list of invoices or bills, by state; a payment is booked under its row.
import { address, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, parametersOf, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { notify } from "../../core/notices.js";
import { signal, tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { dayChips, filterChips, several } from "../../ui/filters.js";
import { searchField } from "../../ui/input.js";
import { link } from "../../ui/button.js";
import { extra } from "../../ui/listed.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { contactChip } from "../contacts/choice.js";
import { isDiscarded } from "./drafts.js";
import { payNow } from "../payments/form.js";
import { TOUCHED } from "../payments/touched.js";
import { isOpen, isZero, opensAt, partyOf, statePill } from "./states.js";
import { addedUp } from "./sums.js";

const STATES = {
  draft: { status: "draft" },
  open: { status: "issued,partially_paid" },
  overdue: { isOverdue: "true" },
  paid: { status: "paid,credited,written_off" },
};
const FILTERS = [
  "customerId",
  "supplierId",
  "dateFrom",
  "dateTo",
  "q",
  "currency",
  "projectId",
  "reminderLevel",
  "isBlocked",
  "hasFile",
];

// `side` is "sales" or "purchases".
export function documentsScreen({ side, title, path, kinds, newText, emptyText, more = [] }) {
  const party = side === "sales" ? "customerId" : "supplierId";
  const filters = () => parametersOf(FILTERS);
  const parameters = () => ({ kind: kinds(), ...filters(), ...STATES[query.value.get("state")] });
  const documents = list(() =>
    address("/finance/invoices", { ...parameters(), sort: query.value.get("sort"), total: true })
  );
  const counts = resource(() => address("/finance/invoices", { groupBy: "status", kind: kinds(), ...filters() }));
  const selected = signal(new Set());
  return {
    title,
    actions: [
      { name: newText, key: "n", main: true, icon: "plus", may: "finance.write", run: () => go(`${path}/new`) },
      ...more,
    ],
    body: tags.div(
      { class: "stack" },
      stateTabs(counts),
      tags.div(
        { class: "spread" },
        searching(),
        filterChips([several(partyChip(party)), ...dayChips(), ...(side === "sales" ? reminderChips() : [fileChip()])]),
      ),
      table({
        label: title,
        page: side === "sales" ? "invoices" : "bills",
        list: documents,
        isHidden: isDiscarded,
        key: ({ id }) => id,
        href: opensAt,
        columns: columns(side, documents),
        sort: sortOfAddress(),
        selected,
        sumOf: (rows) => sumsOf(rows).map((sum) => ` · ${sum}`).join(""),
        bulk: [
          printing,
          paying(selected),
          issuing(side, selected),
          ...(side === "sales" ? [sending(selected)] : []),
          discarding(selected),
        ],
        actions: () => [],
        editor: may("finance.write")
          ? { key: "p", name: t("Payment"), shows: isOpen, make: (row, close) => payNow(row, close) }
          : undefined,
        counted: (n, places) => tn("{n} document", "{n} documents", n, places),
        empty: empty(emptyText, may("finance.write") && link(newText, `${path}/new`, { kind: "main" })),
      }),
    ),
  };
}

function stateTabs(counts) {
  const count = (...names) => {
    const rows = counts.value ?? [];
    return rows.length
      ? rows.filter(({ status }) => names.includes(status)).reduce((sum, one) => sum + one.count, 0)
      : undefined;
  };
  const overdue = () => counts.value?.reduce((sum, one) => sum + one.overdueCount, 0) || undefined;
  return parameterTabs({
    name: "state",
    label: t("Statuses"),
    options: () => [
      ["", t("All")],
      ["draft", t("Drafts"), count("draft")],
      ["open", t.of("state", "Open"), count("issued", "partially_paid")],
      ["overdue", t("Overdue"), overdue()],
      ["paid", t("Settled")],
    ],
  });
}

const partyChip = (party) =>
  party === "customerId"
    ? contactChip(party, t("Customer"), "customer")
    : contactChip(party, t("Supplier"), "supplier");

const reminderChips = () => [
  {
    key: "reminderLevel",
    text: t("Reminder level"),
    options: [1, 2, 3, 4, 5].map((n) => ({ value: n, text: `${n}` })),
  },
  {
    key: "isBlocked",
    text: t("Reminders"),
    options: [{ value: "true", text: t("blocked") }, { value: "false", text: t("not blocked") }],
  },
];

const fileChip = () => ({
  key: "hasFile",
  text: t.of("noun", "File"),
  options: [{ value: "true", text: t("with a file") }, { value: "false", text: t("without a file") }],
});

const searching = () => searchField({ value: parameter("q"), label: t("Search these documents") });

// As many ids as a request takes, one request after the other.
const inHundreds = async (rows, act) =>
  (await import("../../ui/lists/all.js")).inPartsOf(rows.map(({ id }) => id), 100, act);

// An invoice is issued, a bill is posted.
const issueWords = (side) =>
  side === "sales"
    ? {
      name: t("Issue drafts"),
      verb: t("Issue"),
      asked: (n) => tn("Issue {n} draft?", "Issue {n} drafts?", n),
      done: (n) => tn("{n} document issued.", "{n} documents issued.", n),
    }
    : {
      name: t("Post drafts"),
      verb: t("Post"),
      asked: (n) => tn("Post {n} draft?", "Post {n} drafts?", n),
      done: (n) => tn("{n} document posted.", "{n} documents posted.", n),
    };

// The drafts among the chosen rows are issued together, or none of them (of a hundred).
function issuing(side, selected) {
  const { name, verb, asked, done } = issueWords(side);
  return {
    name,
    may: "finance.write",
    fits: (rows) => draftsOf(rows).length > 0,
    asks: (rows) => ({
      title: asked(draftsOf(rows).length),
      text: t(
        "The documents get their numbers and are posted. Then you can correct or void them, but not change them.",
      ),
      figures: draftsOf(rows).map((row) => [partyOf(row).name, money(row.total, row.currency, { withCurrency: true })]),
      verb,
    }),
    run: async (rows) => {
      const issued = await inHundreds(
        draftsOf(rows),
        async (invoiceIds) => (await send("POST", "/finance/invoices/issue", { invoiceIds })).invoices,
      );
      selected.value = new Set();
      changed(...TOUCHED);
      notify(done(issued.length), { kind: "good" });
    },
  };
}

// The issued documents among the chosen rows go out together, each in a message of its own, or none of them.
const sending = (selected) => ({
  name: t("Send"),
  key: "m",
  may: "finance.write",
  fits: (rows) => sendable(rows).length > 0,
  asks: (rows) => ({
    title: tn("Send {n} document?", "Send {n} documents?", sendable(rows).length),
    text: t("Each goes to its customer with our text and the PDF."),
    figures: sendable(rows).map((row) => [partyOf(row).name, row.number]),
    verb: t("Send"),
  }),
  run: async (rows) => {
    const messages = await inHundreds(
      sendable(rows),
      async (invoiceIds) => (await send("POST", "/finance/invoices/send", { invoiceIds })).messages,
    );
    selected.value = new Set();
    changed(...TOUCHED, "/workspace/messages");
    notify(tn("{n} message queued.", "{n} messages queued.", messages.length), { kind: "good" });
  },
});

const printing = {
  name: t("PDF"),
  key: "f",
  icon: "printer",
  fits: (rows) => rows.some(({ status }) => status !== "draft"),
  run: async (rows) => (await import("./several.js")).papersOf(rows),
};

const payable = (rows) => rows.filter((row) => isOpen(row) && !isZero(row.amountDue));

const paying = (selected) => ({
  name: t("Record payments"),
  key: "r",
  icon: "banknote",
  may: "finance.write",
  fits: (rows) => payable(rows).length > 0,
  run: async (rows) => (await import("./several.js")).payAll(payable(rows), selected),
});

const discarding = (selected) => ({
  name: t("Delete drafts"),
  icon: "trash-2",
  danger: true,
  may: "finance.write",
  fits: (rows) => draftsOf(rows).length > 0,
  run: async (rows) => (await import("./several.js")).discardAll(draftsOf(rows), selected),
});

// The total of the chosen rows in each currency, added up in its smallest units.
function sumsOf(rows) {
  const groups = Map.groupBy(rows, (row) => row.currency);
  return [...groups].map(([code, ones]) =>
    money(addedUp(ones.map(({ total }) => total)), code, { withCurrency: groups.size > 1 })
  );
}

const sendable = (rows) => rows.filter(({ can }) => can.includes("send"));

const draftsOf = (rows) => rows.filter(({ can }) => can.includes("issue"));

// The server's sums, a line for each currency; not where they would mix invoices and credit notes.
function sumOf(documents, name) {
  const rows = (documents.page?.sums ?? []).filter((one) => !isZero(one[name]));
  const isMixed = new Set(rows.map(({ currency }) => currency)).size < rows.length;
  return isMixed ? null : rows.map((one) => tags.div(money(one[name], one.currency, { withCurrency: true })));
}

const columns = (side, documents) => [
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "10rem",
    cell: (row) => row.number ?? t("draft"),
    sort: "number",
  },
  {
    key: "party",
    text: side === "sales" ? t("Customer") : t("Supplier"),
    place: "name",
    cell: (row) => partyOf(row).name ?? "",
    sort: side === "sales" ? "customerName" : "supplierName",
  },
  {
    key: "date",
    text: t("Date"),
    place: "meta",
    width: "7rem",
    cell: (row) => dayShort(row.issueDate),
    sort: "issueDate",
  },
  {
    key: "due",
    text: t.of("column", "Due date"),
    width: "7rem",
    cell: (row) => dayShort(row.dueDate),
    sort: "dueDate",
    isMinor: true,
  },
  extra("net", t("Net"), (row) => money(row.netTotal, row.currency), { isFigure: true }),
  extra("tax", t("Tax"), (row) => money(row.taxTotal, row.currency), { isFigure: true }),
  {
    key: "total",
    text: t("Total"),
    isFigure: true,
    width: "8rem",
    place: "figure",
    cell: (row) => money(row.total, row.currency),
    sort: "total",
    sum: () => query.value.get("state") && sumOf(documents, "total"),
  },
  {
    key: "open",
    text: t.of("amount", "Open"),
    isFigure: true,
    width: "8rem",
    cell: (row) => money(isOpen(row) ? row.amountDue : "0", row.currency, { dash: true }),
    sum: () => ["open", "overdue"].includes(query.value.get("state")) && sumOf(documents, "amountDue"),
  },
  { key: "state", text: t("Status"), place: "state", width: "10rem", cell: statePill },
  extra("currency", t("Currency"), (row) => row.currency),
  extra("project", t("Project"), (row) => row.projectName ?? ""),
  extra("reference", t("Reference"), (row) => row.reference ?? ""),
  extra("paid", t("Paid"), (row) => money(row.amountPaid, row.currency, { dash: true }), { isFigure: true }),
  ...(side === "sales"
    ? [
      extra("reminder", t("Reminder level"), (row) => row.reminderLevel || ""),
      extra("sent", t("Sent on"), (row) => row.sentAt && dayShort(row.sentAt.slice(0, 10))),
    ]
    : [extra("supplierNumber", t("Supplier’s invoice no."), (row) => row.supplierNumber ?? "")]),
];
