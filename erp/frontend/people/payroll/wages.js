// Wage data for an external payroll provider: each figure is exported once, and later exports have what has changed.
import { address, download, newKey, send } from "../../core/api.js";
import { moment, month, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { addMonths, today } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { go, parametersOf } from "../../core/router.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { figureText, UNITS } from "./wage_types.js";

const { div, p } = tags;
const EXPORTS = "/hr/payroll/wage-exports";
const MONTHS = 24; // offered, the latest first

/** @type {Record<string, string>} */
const FORMATS = { lodas: "LODAS", lohn_und_gehalt: "Lohn und Gehalt", csv: "CSV" };

export default () => {
  const exports = list(() => address(EXPORTS, parametersOf(["sort"])));
  return {
    title: t("Wage data"),
    back: { href: "/payroll", text: t("Payroll") },
    actions: [
      {
        name: t("Export wage data"),
        key: "n",
        main: true,
        icon: "plus",
        may: "payroll.write",
        run: () => dialog({ title: t("Export wage data"), size: "wide", body: making }),
      },
      { name: t("Wage types"), icon: "list-tree", run: () => go("/settings/wage-types") },
    ],
    body: div(
      { class: "stack" },
      p({ class: "soft" }, t("Each figure is exported once. Later exports correct earlier months.")),
      table({
        label: t("Wage data"),
        page: "/wages",
        list: exports,
        key: ({ id }) => id,
        columns,
        sort: sortOfAddress("-number"),
        actions: ({ id }) => [{
          name: t("Download"),
          icon: "download",
          key: "d",
          run: () => download(`${EXPORTS}/${id}/file`),
        }],
        empty: empty(t("No wage data exported yet.")),
      }),
    ),
  };
};

const columns = [
  { key: "month", text: t("Month"), place: "name", cell: (one) => month(one.month) },
  { key: "number", text: t.of("document", "Number"), width: "7rem", cell: (one) => one.number, sort: "number" },
  { key: "format", text: t("Format"), place: "state", width: "10rem", cell: ({ format }) => FORMATS[format] },
  { key: "rows", text: t("Rows"), place: "figure", isFigure: true, width: "6rem", cell: ({ rowCount }) => rowCount },
  {
    key: "made",
    text: t("Created"),
    place: "meta",
    cell: ({ createdAt, createdByName }) => [moment(createdAt), createdByName].filter(Boolean).join(" · "),
  },
];

// The month before this one is offered first; what the file will hold is shown before it is made.
function making(close) {
  const before = addMonths(`${today().slice(0, 7)}-01`, -1);
  const values = { month: signal(before.slice(0, 7)), format: signal("lodas") };
  const refusal = signal(null);
  const key = newKey();
  const body = () => ({ month: values.month.value, format: values.format.value });
  const preview = previewed(EXPORTS, () => {
    refusal.value = null;
    return { ...body(), dryRun: true };
  }, (refused) => {
    preview.value = null;
    refusal.value = refused.message;
  });
  const run = async () => {
    const made = await send("POST", EXPORTS, body(), { key });
    changed(EXPORTS);
    close();
    await download(`${EXPORTS}/${made.id}/file`);
  };
  return form(
    { run, submit: t("Create and download"), cancel: () => close(), label: t("Export wage data") },
    div(
      { class: "fields" },
      field({ label: t("Month"), name: "month" }, choice({ value: values.month, name: "month", options: months() })),
      field(
        { label: t("Format"), name: "format" },
        choice({
          value: values.format,
          name: "format",
          options: Object.entries(FORMATS).map(([value, text]) => ({ value, text })),
        }),
      ),
    ),
    () => refusal.value && p({ role: "status" }, refusal.value),
    () => preview.value && shown(preview.value),
  );
}

const months = () =>
  Array.from({ length: MONTHS }, (_, back) => addMonths(`${today().slice(0, 7)}-01`, -back).slice(0, 7))
    .map((value) => ({ value, text: month(value) }));

const shown = ({ rows, warnings }) =>
  div(
    { class: "stack" },
    warnings.map((warning) => p({ role: "status" }, warning.source ? `${figureText(warning)}: ` : "", warning.message)),
    table({
      label: t("Rows"),
      rows: () => rows,
      key: (row) => `${row.month} ${row.personnelNumber} ${row.wageType} ${row.source}`,
      columns: rowColumns,
      counted: (n, places) => tn("{n} row", "{n} rows", n, places),
      empty: empty(t("Nothing has changed since the last export.")),
    }),
  );

const rowColumns = [
  { key: "name", text: t("Employee"), place: "name", cell: ({ employeeName }) => employeeName },
  { key: "number", text: t("Payroll number"), isMinor: true, cell: ({ personnelNumber }) => String(personnelNumber) },
  { key: "month", text: t("Month"), place: "meta", cell: (row) => month(row.month, "short") },
  { key: "type", text: t("Wage type"), place: "state", cell: ({ wageType }) => String(wageType) },
  {
    key: "quantity",
    text: t("Value"),
    place: "figure",
    isFigure: true,
    cell: ({ quantity, unit }) => `${number(quantity)} ${UNITS[unit]()}`,
  },
];
