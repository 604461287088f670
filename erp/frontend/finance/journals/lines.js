// The lines of a journal entry: accounts, debits and credits, of an entry by hand and of one that is repeated.
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { tags } from "../../core/view.js";
import { postable } from "../../ui/accounts.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { lineGrid, orBlank } from "../../ui/lines.js";
import { moneyInput } from "../../ui/number.js";
import { projectBox } from "../../ui/projects.js";
import { contactOptions, nameOfContact } from "../contacts/choice.js";
import { dimensionFields } from "../dimensions/choice.js";

const { div } = tags;
const OPEN_ITEMS = ["receivable", "payable"];
const CELLS = ["accountId", "description", "debit", "credit", "contactId", "projectId", "currency", "foreignAmount"];

export const blank = () => ({ ...Object.fromEntries(CELLS.map((name) => [name, ""])), dimensions: "" });
export const blankLines = () => [blank(), blank()];

export const lineOf = (line) => ({
  ...Object.fromEntries(CELLS.map((name) => [name, line[name] ?? ""])),
  dimensions: orBlank(line.dimensions),
});

const isGiven = ([, value]) => value !== "" && value !== null && value !== undefined;

// What of a line, or of the head, is filled in.
export const givenOf = (values) => Object.fromEntries(Object.entries(values).filter(isGiven));

export function entryGrid(lines) {
  const accounts = postable();
  return lineGrid({
    label: t.of("journal", "Lines"),
    name: "lines",
    lines,
    columns: columnsOf(accounts),
    detail: (line) => lineDetail(line, accounts),
    addText: t.of("journal", "Line"),
    least: 2,
  });
}

const columnsOf = (accounts) => [
  {
    key: "accountId",
    text: t("Account"),
    width: "minmax(12rem, 2fr)",
    control: ({ value, name, label, line }) =>
      combobox({
        value,
        name,
        label,
        options: accounts.options,
        shown: accounts.name,
        choose: (option) => void (line.isOpen.value ||= needsContact(accounts.find(option?.value))),
      }),
  },
  {
    key: "description",
    text: t("Text"),
    control: ({ value, name, label }) => textInput({ value, name, label }),
  },
  ...[["debit", t.of("side", "Debit")], ["credit", t.of("side", "Credit")]].map(([key, text]) => ({
    key,
    text,
    isFigure: true,
    width: "9rem",
    control: ({ value, name, label }) => moneyInput({ value, name, label, currency }),
  })),
];

const needsContact = (account) => OPEN_ITEMS.includes(account?.subtype);

function lineDetail(line, accounts) {
  const { contactId, projectId, dimensions, currency: code, foreignAmount } = line.cells;
  const name = (one) => `lines[${line.index()}].${one}`;
  const isNeeded = needsContact(accounts.find(line.cells.accountId.peek()));
  return div(
    { class: "fields" },
    field(
      { label: t("Contact"), name: name("contactId"), isOptional: !isNeeded },
      combobox({
        value: contactId,
        name: name("contactId"),
        isOptional: true,
        options: contactOptions(null),
        shown: (id) => id && nameOfContact(id),
      }),
    ),
    field({ label: t("Project"), name: name("projectId"), isOptional: true }, projectBox(projectId, name("projectId"))),
    dimensionFields(dimensions, name("dimensions")),
    field({
      label: t("Currency"),
      name: name("currency"),
      isOptional: true,
      hint: t("If the amount was agreed in another currency."),
    }, textInput({ value: code, name: name("currency"), maxlength: 3 })),
    field(
      { label: t("Amount in that currency"), name: name("foreignAmount"), isOptional: true },
      moneyInput({
        value: foreignAmount,
        name: name("foreignAmount"),
        currency: () => code.value.length === 3 ? code.value.toUpperCase() : currency(),
      }),
    ),
  );
}
