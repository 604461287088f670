// One contact: what they owe, their documents, and the statement of account.
import { address, send } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { today } from "../../core/parse.js";
import { go, query, setQuery } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { alert, problem } from "../../ui/alert.js";
import { button, link } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { factsOf } from "../../ui/fields.js";
import { figureCard, figures } from "../../ui/figure.js";
import { filterChips, periodChips } from "../../ui/filters.js";
import { history } from "../../ui/history.js";
import { later } from "../../ui/later.js";
import { pager } from "../../ui/pager.js";
import { personalData } from "../../ui/personal_data.js";
import { pill } from "../../ui/pill.js";
import { loaded, skeleton } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { tabs } from "../../ui/tabs.js";
import { contactFields } from "./fields.js";
import { screenOf } from "../journals/words.js";
import { copyReminder } from "./reminding.js";
import { blockAction } from "../reminders/blocking.js";
import { isOpen, isZero, pathOf, statePill } from "../documents/states.js";

const { a, div, tbody, td, th, thead, tr } = tags;

export default ({ params }) => {
  const contact = resource(`/finance/contacts/${params.id}`);
  const get = () => contact.value;
  const view = () => query.value.get("view") ?? (may("finance.read") ? "statement" : "about");
  return {
    title: () => get()?.name ?? "",
    state: () => get() && stateOf(get()),
    back: { href: listScreen("/finance/contacts", "/contacts"), text: t("Contacts") },
    leadsOn: true,
    pager: pager(
      neighbours("/finance/contacts", params.id),
      ({ id }) => address(`/contacts/${id}`, { view: query.value.get("view") }),
    ),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(contact, () =>
      div(
        { class: "stack" },
        () => twins(get()),
        may("finance.read") && (() => !get().mergedIntoId && standing(get())),
        tabs({ label: t("Views"), items: () => views(), current: view, choose: (key) => setQuery({ view: key }) }),
        () => shown(view(), get, params.id),
      )),
  };
};

function stateOf({ archivedAt, reminderBlock, reminderLevel }) {
  if (archivedAt) return pill(t("archived"), "neutral");
  if (reminderBlock) return pill(t("no reminders"), "warn");
  return reminderLevel ? pill(t("reminder level {n}", { n: reminderLevel }), "bad") : null;
}

const views = () =>
  [
    may("finance.read") && { key: "statement", text: t("Account statement") },
    may("finance.read") && { key: "documents", text: t("Documents") },
    { key: "about", text: t("Details") },
  ].filter(Boolean);

const shown = (view, get, id) =>
  ({ statement: () => statement(id), documents: () => documents(id, get), about: () => details(get) })[view]?.() ??
    details(get);

function actionsOn(contact) {
  const isArchived = Boolean(contact.archivedAt);
  const archive = async () => {
    await send("POST", `/finance/contacts/${contact.id}/${isArchived ? "unarchive" : "archive"}`, {}, {
      version: contact.version,
    });
    changed("/finance/contacts");
  };
  if (contact.mergedIntoId) {
    return [
      {
        name: t("Undo the merge"),
        main: true,
        icon: "undo-2",
        may: "finance.write",
        run: async () => (await import("./merge.js")).unmergeContact(contact),
      },
      history(contact),
    ];
  }
  return [
    contact.kind !== "supplier" &&
    {
      name: t("New invoice"),
      main: true,
      icon: "plus",
      may: "finance.write",
      run: () => go(`/invoices/new?customerId=${contact.id}`),
    },
    contact.kind === "supplier" &&
    {
      name: t("New bill"),
      main: true,
      icon: "plus",
      may: "finance.write",
      run: () => go(`/bills/new?customerId=${contact.id}`),
    },
    !isZero(contact.overdue) && contact.kind !== "supplier" && copyReminder(contact),
    contact.kind !== "employee" &&
    { name: t("Send statement"), key: "m", icon: "mail", may: "finance.write", run: () => sendStatement(contact) },
    contact.kind === "both" &&
    {
      name: t("Offset"),
      icon: "scale",
      may: "finance.write",
      run: async () => (await import("../offsets/new.js")).newOffset(contact),
    },
    contact.kind !== "supplier" && may("finance.read") &&
    blockAction(`/finance/contacts/${contact.id}`, contact, contact.name),
    {
      name: t("Edit"),
      key: "e",
      icon: "pencil",
      may: "contacts.write",
      run: async () => {
        const shown = (await import("./form.js")).contactForm;
        dialog({
          title: t("Edit contact"),
          size: "wide",
          body: (close) => shown(contact, () => close(), () => close()),
        });
      },
    },
    {
      name: isArchived ? t("Unarchive") : t("Archive"),
      icon: "archive",
      may: "contacts.write",
      run: archive,
    },
    contact.kind !== "employee" && {
      name: t("Delete"),
      icon: "trash-2",
      may: "contacts.write",
      danger: true,
      asks: {
        title: t("Delete {name}?", { name: contact.name }),
        text: t("Only a contact without documents, payments and entries can be deleted."),
        verb: t("Delete"),
        danger: true,
      },
      run: async () => {
        await send("DELETE", `/finance/contacts/${contact.id}`, undefined, { version: contact.version });
        await go("/contacts"); // first, or this screen would ask for it again
        changed("/finance/contacts");
      },
    },
    contact.kind !== "employee" && {
      name: t("Merge…"),
      icon: "merge",
      may: "finance.write",
      run: async () => (await import("./merge.js")).mergeContact(contact),
    },
    ...personalData("contact", contact, "workspace.write"),
    history(contact),
  ];
}

// Where a duplicate went, or which contacts may be the same.
const twins = (contact) =>
  contact.mergedIntoId
    ? alert({
      kind: "info",
      text: [t("Merged into another contact, which its amounts count for."), " "],
      actions: [link(t("Open that contact"), `/contacts/${contact.headId}`, { isSmall: true })],
    })
    : contact.alike.map((one) =>
      alert({
        kind: "info",
        text: one.because === "vat_id"
          ? t("{name} has the same VAT number.", { name: one.name })
          : t("{name} has the same e-mail address.", { name: one.name }),
        actions: may("finance.write")
          ? [
            button(
              t("Merge…"),
              async () => (await import("./merge.js")).mergeContact(contact, one.contactId),
              { isSmall: true },
            ),
          ]
          : [],
      })
    );

function standing(contact) {
  const documentsOf = contact.kind === "supplier"
    ? `/bills?supplierId=${contact.id}`
    : `/invoices?customerId=${contact.id}`;
  const figure = (label, amount, more) =>
    figureCard({ label, value: () => money(amount, currency(), { withCurrency: true }), ...more });
  return figures(
    figure(t.of("money", "Balance"), contact.balance, { href: `${documentsOf}&state=open` }),
    figure(t("Overdue"), contact.overdue, {
      href: `${documentsOf}&state=overdue`,
      kind: isZero(contact.overdue) ? undefined : "bad",
    }),
    figure(t("Open credit"), contact.unallocatedCredit, {
      href: `/payments?contactId=${contact.id}&isUnallocated=true`,
    }),
  );
}

// Of the days that are shown, else of this year.
async function sendStatement({ id, name }) {
  const now = query.peek();
  const [dateFrom, dateTo] = [now.get("dateFrom") ?? `${today().slice(0, 4)}-01-01`, now.get("dateTo") ?? today()];
  await (await import("../../ui/mail.js")).sendDialog({
    title: t("Send the account statement of {name}", { name }),
    path: `/finance/contacts/${id}/statement`,
    more: { dateFrom, dateTo },
  });
}

function statement(id) {
  const found = resource(() =>
    address(`/finance/contacts/${id}/statement`, {
      dateFrom: query.value.get("dateFrom"),
      dateTo: query.value.get("dateTo"),
    })
  );
  return div(
    { class: "stack" },
    filterChips(periodChips()),
    problem(() => found.problem, () => found.renew()),
    () => (found.value ? blocks(found.value) : skeleton({ rows: 4 })),
  );
}

function blocks({ blocks: all }) {
  if (!all.length) return empty(t("No entries yet."));
  return all.map((block) => card({ title: t("In {currency}", { currency: block.currency }) }, ledger(block)));
}

// On a phone one column of amounts stands for debit and credit, with the balance below.
function ledger(block) {
  const shown = (text, dash = true) => money(text, block.currency, { dash });
  const figure = (text, more = "") => td({ class: `figure ${more}` }, text);
  const total = (name, amount) =>
    tr(
      { class: "is-total" },
      td({ class: "only-wide" }),
      th({ scope: "row" }, name),
      [1, 2, 3, 4].map(() => td({ class: "only-wide" })),
      figure(shown(amount, false)),
    );
  const line = (row) =>
    tr(
      td({ class: "only-wide nowrap" }, dayShort(row.date)),
      td(
        a({ href: screenOf(row.document) ?? `/journals/${row.entryId}` }, row.number),
        div({ class: "only-phone soft small" }, dayShort(row.date)),
      ),
      td({ class: "only-wide" }, row.description),
      td({ class: "only-wide nowrap" }, row.dueDate ? dayShort(row.dueDate) : ""),
      figure(shown(row.debit), "only-wide"),
      figure(shown(row.credit), "only-wide"),
      figure(
        [
          isZero(row.credit) ? shown(row.debit) : `−${shown(row.credit)}`,
          div({ class: "soft small" }, shown(row.balance, false)),
        ],
        "only-phone",
      ),
      figure(shown(row.balance, false), "only-wide"),
    );
  const head = (text, more = "") => th({ scope: "col", class: more }, text);
  return div(
    { class: "scrolls", tabindex: "0", role: "group", "aria-label": t("Account statement") },
    tags.table(
      { class: "plain" },
      thead(
        tr(
          head(t("Date"), "only-wide"),
          head(t.of("document", "Number")),
          head(t("Description"), "only-wide"),
          head(t.of("column", "Due date"), "only-wide"),
          head(t.of("side", "Debit"), "figure only-wide"),
          head(t.of("side", "Credit"), "figure only-wide"),
          head([t("Amount"), div({ class: "small" }, t.of("money", "Balance"))], "figure only-phone"),
          head(t.of("money", "Balance"), "figure only-wide"),
        ),
      ),
      tbody(
        !isZero(block.opening) && total(t("Opening balance"), block.opening),
        block.lines.map(line),
        total(t("Closing balance"), block.closing),
      ),
    ),
  );
}

function documents(id, get) {
  const party = get().kind === "supplier" ? "supplierId" : "customerId";
  const found = list(() => address("/finance/invoices", { [party]: id }));
  return table({
    label: t("Documents"),
    list: found,
    key: (row) => row.id,
    href: pathOf,
    columns: [
      { key: "number", text: t.of("document", "Number"), place: "name", cell: (row) => row.number ?? t("draft") },
      { key: "date", text: t("Date"), place: "meta", width: "8rem", cell: (row) => dayShort(row.issueDate) },
      {
        key: "total",
        text: t("Total"),
        isFigure: true,
        width: "9rem",
        place: "figure",
        cell: (row) => money(row.total, row.currency),
      },
      {
        key: "open",
        text: t.of("amount", "Open"),
        isFigure: true,
        width: "9rem",
        cell: (row) => money(isOpen(row) ? row.amountDue : "0", row.currency, { dash: true }),
      },
      { key: "state", text: t("Status"), place: "state", width: "10rem", cell: statePill },
    ],
    empty: empty(t("No documents yet.")),
  });
}

const details = (get) =>
  div(
    { class: "columns" },
    about(get),
    later(async () => (await import("../../ui/attachments.js")).attachments, { // not in the first view
      of: { resourceType: "contact", resourceId: get().id },
      canAdd: may("contacts.write"),
    }),
  );

const about = (get) => card({}, () => factsOf(contactFields(), get()));
