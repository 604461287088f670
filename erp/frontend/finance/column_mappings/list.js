// Column mappings: how files of other programs are read, by their headings.
import { t } from "../../core/i18n.js";
import { recordsScreen } from "../../ui/records.js";

export default () =>
  recordsScreen({
    path: "/finance/column-mappings",
    isArchivable: false,
    title: t("Column mappings"),
    back: { href: "/import", text: t("Import data") },
    right: "contacts.write",
    emptyText: t("No column mappings yet. They are made when you import a file with other headings."),
    deleteText: t("The next file with these headings asks for its columns again. What has been imported stays."),
    nameOf: ({ name }) => name,
    columns,
    fields: () => [{ name: "name", label: t("Name") }],
  });

const TARGETS = { contacts: () => t("Contacts"), opening_balances: () => t("Opening balances") };

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "target", text: t("Data"), place: "meta", width: "12rem", cell: ({ target }) => TARGETS[target]() },
  { key: "headings", text: t("Headings"), isMinor: true, cell: ({ headings }) => headings.filter(Boolean).join(", ") },
];
