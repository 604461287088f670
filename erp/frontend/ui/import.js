// Importing a table of another program: it is checked as a whole, and then all of it is added or nothing.
import { address, newKey, save, send } from "../core/api.js";
import { money, number } from "../core/format.js";
import { t, tn } from "../core/i18n.js";
import { notify } from "../core/notices.js";
import { go } from "../core/router.js";
import { currency } from "../core/session.js";
import { changed } from "../core/store.js";
import { effect, signal, tags, untracked } from "../core/view.js";
import { alert } from "./alert.js";
import { button } from "./button.js";
import { card, more } from "./card.js";
import { checkbox, choice } from "./choice.js";
import { dateField } from "./date.js";
import { field } from "./field.js";
import { asTable, CSV, fileInput } from "./file.js";
import { form } from "./form.js";
import { duplicates, freshOf, isAllKnown } from "./import_duplicates.js";
import { chooseTable, importFrame } from "./imports.js";

import { table } from "./table.js";

const { a, code, div, p, table: plainTable, tbody, td, th, thead, tr } = tags;
const ROW = /^rows\[(\d+)\]\.?(.*)$/;
const EVERYTHING = ["/finance", "/hr", "/tasks", "/workspace"];

/**
 * The screen that imports one of an area's tables. Of each, `path` takes the file, with `parameters`; `columns` are its headings,
 * or `about` says how another program makes the file; `askColumns(file, sheet)` lets a person match the columns of others.
 * @param {Record<string, () => Record<string, any>>} tables
 * @param {string} name
 */
export function importScreen(tables, name) {
  if (!(name in tables)) return importFrame(null, chooseTable());
  const kind = tables[name]();
  return importFrame(name, [theTable(name, kind), theFile(kind)]);
}

/** @param {Record<string, any>} [more] */
export const column = (name, example, meaning, more = {}) => ({ name, example, meaning, ...more });
export const needed = (name, example, meaning) => column(name, example, meaning, { isNeeded: true });

/**
 * The headings that the table needs, and those that it may have.
 * @param {string} name
 * @param {any} kind
 */
function theTable(name, { about, columns }) {
  if (!columns) return card({ title: t("The table") }, p({ class: "soft" }, about));
  const [always, further] = [true, false].map((isNeeded) =>
    columns.filter((one) => Boolean(one.isNeeded) === isNeeded)
  );
  return card(
    {
      title: t("The table"),
      actions: [button(t("Save an example"), () => saveExample(name, columns), { icon: "download", isSmall: true })],
    },
    p({ class: "soft" }, t("The first row has these headings, in any order. Each further row is one record.")),
    about && p({ class: "soft" }, about),
    headings(always),
    further.length ? more(t("Columns that it may have"), headings(further)) : null,
  );
}

const headings = (columns) =>
  div(
    { class: "scrolls", tabindex: "0", role: "group", "aria-label": t("Headings") },
    plainTable(
      { class: "plain" },
      thead(tr([t("Heading"), t("Content"), t("Example")].map((text) => th({ scope: "col" }, text)))),
      tbody(
        columns.map(({ name, meaning, example }) => tr(th({ scope: "row" }, code(name)), td(meaning), td(example))),
      ),
    ),
  );

// Spreadsheets give each value a column if the separator is the one of their language.
function saveExample(table, columns) {
  const separator = number("0.5").includes(",") ? ";" : ",";
  const quoted = (text) => (/[",;]/.test(text) ? `"${text}"` : text);
  const row = (cells) => cells.map(quoted).join(separator);
  const rows = ["name", "example", "second"].map((part) => columns.map((one) => one[part] ?? ""));
  const text = [...rows.filter((cells) => cells.some(Boolean)).map(row), ""].join("\r\n");
  save(new Blob(["\ufeff", text], { type: CSV }), `${table}.csv`);
}

// The file is checked as soon as it is chosen; what is wrong is listed, and if nothing is, it can be added.
function theFile(kind) {
  const [file, day, order, found] = [signal(null), signal(""), signal(""), signal(null)];
  const [hasDuplicates, addsThem] = [signal(false), signal(false)];
  let sheet = null;
  const about = () => ({
    ...kind.parameters,
    date: kind.hasDay ? day.value : null,
    dateOrder: order.value,
    onDuplicate: addsThem.value ? "add" : null,
  });
  const ask = (isDry, key) =>
    send("POST", address(kind.path, { dryRun: isDry, ...about() }), sheet, { key, type: sheet.type });
  const check = async () => {
    found.value = null;
    sheet = file.value && await asTable(file.value);
    if (!sheet || (kind.hasDay && !day.value)) return;
    found.value = await ask(true).then((answer) => ({ answer }), (refusal) => ({ refusal }));
    if (kind.asksDuplicates && found.value.answer?.known) hasDuplicates.value = true;
  };
  effect(() => {
    const now = [file.value, day.value, order.value, addsThem.value];
    untracked(() => now && check());
  });
  effect(() => {
    if (file.value) [hasDuplicates.value, addsThem.value] = [false, false];
  });
  const key = newKey();
  const match = async () => await kind.askColumns(file.value, sheet) && check();
  const run = async () => {
    if (!found.value?.answer) return check();
    const answer = await ask(false, key);
    changed(...EVERYTHING);
    notify(told(answer), { kind: "good" });
    return go(kind.href);
  };
  return card(
    { title: t("The file") },
    form(
      { run, label: t("The file") },
      div(
        { class: "fields" },
        kind.hasDay &&
          field(
            { label: t("Last day in the other program"), name: "date" },
            dateField({ value: day, name: "date" }),
          ),
        kind.hasDateOrder && dateOrderField(order),
        field(
          { label: t.of("noun", "File"), name: "file", hint: t("CSV or Excel (.xlsx)") },
          fileInput({ value: file, name: "file", accept: ".csv,.txt,.xlsx" }),
        ),
      ),
      () =>
        hasDuplicates.value &&
        checkbox({ value: addsThem, name: "onDuplicate", text: t("Import duplicates anyway") }),
      div({ "aria-live": "polite", class: "stack" }, () => outcome(found.value, kind.askColumns && match)),
    ),
  );
}

export const dateOrderField = (value) =>
  field(
    { label: t("Dates"), name: "dateOrder" },
    choice({
      value,
      name: "dateOrder",
      empty: t("As the file shows"),
      options: [
        { value: "day_first", text: t("Day before month") },
        { value: "month_first", text: t("Month before day") },
      ],
    }),
  );

// `match` asks for the columns of a file whose headings are not ours.
function outcome(found, match) {
  if (!found) return null;
  const matching = match &&
    div(
      { class: "row" },
      button(t("Match the columns"), match, { icon: "list-checks" }),
      a({ href: "/settings/column-mappings" }, t("Column mappings")),
    );
  if (found.answer && isAllKnown(found.answer)) {
    return [
      alert({ kind: "info", text: t("Each row is here already. There is nothing to import.") }),
      matching,
      duplicates(found.answer),
    ];
  }
  if (found.answer) {
    return [
      alert({ kind: "good", text: t("No errors found. {what}", { what: willBe(found.answer) }) }),
      duplicates(found.answer),
      matching,
      div({ class: "form-foot row" }, button(t("Import"), null, { type: "submit", kind: "main" })),
    ];
  }
  const complaints = found.refusal.details ?? [];
  if (!complaints.length) return alert({ text: found.refusal.message });
  if (match && complaints.some(({ code: reason }) => reason === "wrong_headings")) {
    return [alert({ text: t("The file has other headings. Choose what each column contains.") }), matching];
  }
  const ofFile = complaints.filter(({ field: place }) => !ROW.test(place));
  if (ofFile.length) return [...ofFile.map(({ message }) => alert({ text: message })), matching];
  return [
    matching,
    alert({
      text: tn(
        "{n} row has errors. Nothing was imported. Correct the file and choose it again.",
        "{n} rows have errors. Nothing was imported. Correct the file and choose it again.",
        new Set(complaints.map(({ field: place }) => place.match(ROW)?.[1])).size,
      ),
    }),
    faults(complaints),
  ];
}

const willBe = (answer) =>
  answer.items === undefined
    ? tn("{n} row to import.", "{n} rows to import.", freshOf(answer))
    : t("{accounts} balances and {items} open documents to import, {total} in total.", figuresOf(answer));

const told = (answer) =>
  answer.items === undefined
    ? tn("{n} row imported.", "{n} rows imported.", freshOf(answer))
    : t("{accounts} balances and {items} open documents imported, {total} in total.", figuresOf(answer));

const figuresOf = ({ accounts, items, total }) => ({
  accounts,
  items,
  total: money(total, currency(), { withCurrency: true }),
});

// What is wrong by row and heading, as the spreadsheet numbers them.
function faults(complaints) {
  const rows = complaints.map(({ field: place, message }, index) => {
    const [, row, heading] = place.match(ROW);
    return { index, row, heading, message };
  });
  return table({
    label: t("Errors"),
    rows: () => rows,
    key: ({ index }) => index,
    columns: [
      { key: "row", text: t("Row"), place: "figure", width: "5rem", isFigure: true, cell: ({ row }) => row },
      { key: "heading", text: t("Heading"), place: "meta", width: "12rem", cell: ({ heading }) => heading },
      { key: "message", text: t("Errors"), place: "name", cell: ({ message }) => message },
    ],
  });
}
