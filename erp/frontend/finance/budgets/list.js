// Budgets: planned income and expenses of a fiscal year. A new one begins empty, as a copy, or from a table.
import { address, newKey, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { today } from "../../core/parse.js";
import { may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { asTable, fileInput } from "../../ui/file.js";
import { form } from "../../ui/form.js";
import { table } from "../../ui/table.js";

const { a, div, p } = tags;
export const BUDGETS = "/finance/budgets";

export default () => {
  const budgets = list(() => BUDGETS);
  return {
    title: t("Budgets"),
    back: { href: "/reports", text: t("Reports") },
    actions: [
      { name: t("New budget"), key: "n", main: true, icon: "plus", may: "finance.write", run: () => adding() },
      { name: t("Import"), icon: "upload", may: "finance.write", run: () => importing() },
    ],
    body: div(
      { class: "stack" },
      p({ class: "soft" }, t("Profit and loss compares a budget with the books.")),
      table({
        label: t("Budgets"),
        page: "budgets",
        list: budgets,
        key: ({ id }) => id,
        href: ({ id }) => `/budgets/${id}`,
        columns,
        actions: (budget) => (may("finance.write") ? [copyOf(budget)] : []),
        empty: empty(t("No budgets yet.")),
      }),
    ),
  };
};

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "year", text: t("Fiscal year"), place: "meta", width: "8rem", cell: ({ year }) => String(year) },
  {
    key: "compared",
    text: t("Profit and loss"),
    place: "state",
    width: "12rem",
    cell: (budget) =>
      a({ href: comparedWith(budget), "aria-label": t("Compare {name}", { name: budget.name }) }, t("Compare")),
  },
];

// Of the present year what has been until today, of any other the whole year.
/** @type {(budget: any) => string} */
export function comparedWith({ id, startDate, endDate }) {
  const isPresent = startDate <= today() && today() <= endDate;
  return address("/reports/profit-and-loss", {
    budgetId: id,
    ...(isPresent ? {} : { dateFrom: startDate, dateTo: endDate }),
  });
}

/** @type {(budget: any) => any} */
export const copyOf = (budget) => ({
  name: t("Copy"),
  icon: "copy",
  run: () =>
    dialog({
      title: t("Copy {name}", { name: budget.name }),
      body: (close) => newForm(`${BUDGETS}/${budget.id}/copy`, copyFields(budget), close),
    }),
});

const yearField = (year) => ({
  name: "year",
  label: t("Fiscal year"),
  kind: "whole",
  start: String(year),
  maxlength: 4,
});

const copyFields = ({ year, name }) => [
  yearField(year + 1),
  { name: "name", label: t("Name"), start: name },
  {
    name: "percent",
    label: t("Change in %"),
    kind: "number",
    isOptional: true,
    hint: t("For example 2.5. Each month is rounded."),
  },
];

function adding() {
  const fields = [yearField(today().slice(0, 4)), { name: "name", label: t("Name"), start: t("Plan") }];
  return dialog({ title: t("New budget"), body: (close) => newForm(BUDGETS, fields, close) });
}

function newForm(path, specs, close) {
  const fields = editable(specs, null);
  const key = newKey();
  const run = async () => {
    const budget = await send("POST", path, fields.body(), { key });
    changed(BUDGETS);
    close();
    go(`/budgets/${budget.id}`);
  };
  return form({ run, submit: t("Add"), cancel: () => close(), label: t("Budget") }, fields.controls);
}

function importing() {
  const file = signal(null);
  const fields = editable([yearField(today().slice(0, 4)), { name: "name", label: t("Name"), start: t("Plan") }], null);
  const key = newKey();
  return dialog({
    title: t("Import a budget"),
    body: (close) => {
      const run = async () => {
        const sheet = file.value && await asTable(file.value);
        const answer = await send("POST", address(`${BUDGETS}/import`, fields.body()), sheet ?? {}, {
          key,
          type: sheet?.type,
        });
        changed(BUDGETS);
        close();
        notify(tn("{n} row imported.", "{n} rows imported.", answer.rows), { kind: "good" });
      };
      return form(
        { run, submit: t("Import"), cancel: () => close(), label: t("Import a budget") },
        fields.controls,
        field(
          {
            label: t.of("noun", "File"),
            name: "csv",
            hint: t("CSV or Excel with the headings account, project, and year or 01 to 12."),
          },
          fileInput({ value: file, name: "csv", accept: ".csv,.txt,.xlsx" }),
        ),
      );
    },
  });
}
