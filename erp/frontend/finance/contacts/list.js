// Customers and suppliers.
import { address } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { importing } from "../../ui/actions.js";
import { button } from "../../ui/button.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { extra } from "../../ui/listed.js";
import { searchField } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { kindOfContact } from "./kinds.js";
import { contactForm } from "./form.js";
import { copyReminder } from "./reminding.js";
import { isZero } from "../documents/states.js";

export default () => {
  const contacts = list(() =>
    address("/finance/contacts", {
      kind: query.value.get("kind"),
      q: query.value.get("q"),
      isArchived: query.value.get("isArchived") ?? "false",
      sort: query.value.get("sort") ?? "name",
      total: true,
    })
  );
  const selected = signal(new Set());
  const add = {
    name: t("New contact"),
    key: "n",
    main: true,
    icon: "plus",
    may: "contacts.write",
    run: () => addContact(),
  };
  return {
    title: t("Contacts"),
    actions: [add, importing("books/contacts", "contacts.write")],
    body: tags.div(
      { class: "stack" },
      parameterTabs({
        name: "kind",
        label: t("Contact type"),
        options: [["", t("All")], ["customer", t("Customers")], ["supplier", t("Suppliers")]],
      }),
      searchField({ value: parameter("q"), label: t("Search contacts") }),
      table({
        label: t("Contacts"),
        page: "contacts",
        list: contacts,
        key: ({ id }) => id,
        selected,
        bulk: archiving(selected),
        href: ({ id }) => `/contacts/${id}`,
        columns,
        actions: (contact) => [!isZero(contact.overdue) && contact.kind !== "supplier" && copyReminder(contact)],
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} contact", "{n} contacts", n, places),
        empty: empty(
          t("No contacts yet."),
          may("contacts.write") && button(t("New contact"), () => addContact(), { kind: "main" }),
        ),
      }),
    ),
  };
};

const archiving = (selected) => {
  const act = (name, icon, verb, isArchived) => ({
    name,
    icon,
    may: "contacts.write",
    fits: (rows) => rows.some(({ archivedAt }) => Boolean(archivedAt) === isArchived),
    run: async (rows) => {
      const some = rows.filter(({ archivedAt }) => Boolean(archivedAt) === isArchived);
      await (await import("../../ui/lists/archive.js")).archiveAll(some, "/finance/contacts", selected, verb);
    },
  });
  return [act(t("Archive"), "archive", "archive", false), act(t("Unarchive"), "undo-2", "unarchive", true)];
};

const numberOfContact = ({ kind, debtorNumber, creditorNumber }) =>
  (kind === "supplier" ? creditorNumber : debtorNumber) ?? "";

const named = ({ name, alike }) => alike.length ? [name, " ", pill(t("Perhaps twice"), "info")] : name;

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: named, sort: "name" },
  { key: "number", text: t.of("contact", "Number"), isMinor: true, width: "6rem", cell: numberOfContact },
  { key: "kind", text: t("Contact type"), place: "meta", width: "12rem", cell: kindOfContact },
  { key: "city", text: t("City"), isMinor: true, cell: ({ address: place }) => place?.city ?? "" },
  { key: "email", text: t("E-mail"), isMinor: true, cell: ({ email }) => email ?? "" },
  {
    key: "overdue",
    text: t("Overdue"),
    isFigure: true,
    width: "9rem",
    place: "state",
    cell: ({ overdue }) => (isZero(overdue) ? "" : tags.span({ class: "bad" }, money(overdue, currency()))),
  },
  {
    key: "balance",
    text: t.of("money", "Balance"),
    isFigure: true,
    width: "9rem",
    place: "figure",
    cell: ({ balance }) => money(balance, currency(), { dash: true }),
  },
  extra("phone", t("Phone"), ({ phone }) => phone ?? ""),
  extra("vatId", t("VAT number"), ({ vatId }) => vatId ?? ""),
  extra("credit", t("Open credit"), ({ unallocatedCredit }) => money(unallocatedCredit, currency(), { dash: true }), {
    isFigure: true,
  }),
  extra("reminder", t("Reminder level"), ({ reminderLevel }) => reminderLevel || ""),
];

const addContact = () =>
  dialog({
    title: t("New contact"),
    size: "wide",
    body: (close) => contactForm(null, (made) => (close(), go(`/contacts/${made.id}`)), () => close()),
  });
