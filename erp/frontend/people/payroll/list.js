// Payroll runs: the pay of everybody for a period, from the draft to the bank.
import { address, newKey, send } from "../../core/api.js";
import { days, dayShort, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { go, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { sortOfAddress, table } from "../../ui/table.js";

export const RUNS = "/hr/payroll/runs";
export const PAYROLL_TOUCHED = ["/hr/payroll", "/hr/me", "/workspace/home", "/finance"];

/** @type {Record<string, [() => string, string]>} */
const STATES = {
  draft: [() => t("draft"), "neutral"],
  approved: [() => t.of("books", "approved"), "info"],
  paid: [() => t("paid"), "good"],
  reversed: [() => t("reversed"), "neutral"],
};

export function runState({ status }) {
  const [text, kind] = STATES[status];
  return pill(text(), kind);
}

export const periodText = ({ periodStart, periodEnd }) => days(periodStart, periodEnd);

export default () => {
  const runs = list(() => address(RUNS, { sort: query.value.get("sort") ?? "-periodStart" }));
  const begin = () =>
    dialog({ title: t("New payroll run"), body: (close) => beginning(runs.items?.[0] ?? null, close) });
  return {
    title: t("Payroll"),
    actions: [
      {
        name: t("New payroll run"),
        key: "n",
        main: true,
        icon: "plus",
        may: "payroll.write",
        run: begin,
      },
      { name: t("Pay differences"), icon: "scale", run: () => go("/payroll/differences") },
      {
        name: t("Pay components"),
        icon: "list-tree",
        run: () => go("/settings/pay-components"),
      },
      {
        name: t("Wage data"),
        icon: "download",
        run: () => go("/payroll/wages"),
      },
    ],
    body: tags.div(
      { class: "stack" },
      table({
        label: t("Payroll runs"),
        page: "payroll",
        list: runs,
        key: ({ id }) => id,
        href: ({ id }) => `/payroll/${id}`,
        columns,
        sort: sortOfAddress("-periodStart"),
        counted: (n, places) => tn("{n} payroll run", "{n} payroll runs", n, places),
        empty: empty(
          t("No payroll runs yet."),
          may("payroll.write") && button(t("New payroll run"), begin, { kind: "main" }),
        ),
      }),
    ),
  };
};

const columns = [
  { key: "number", text: t.of("document", "Number"), place: "meta", width: "9rem", cell: ({ number }) => number },
  { key: "period", text: t("Period"), place: "name", cell: periodText, sort: "periodStart" },
  {
    key: "pay",
    text: t("Pay date"),
    isMinor: true,
    width: "7rem",
    cell: ({ payDate }) => dayShort(payDate),
    sort: "payDate",
  },
  {
    key: "people",
    text: t("People"),
    isFigure: true,
    isMinor: true,
    width: "6rem",
    cell: ({ headCount }) => headCount,
  },
  {
    key: "gross",
    text: t("Gross"),
    isFigure: true,
    isMinor: true,
    width: "9rem",
    cell: ({ totals, currency }) => money(totals.gross, currency),
  },
  {
    key: "net",
    text: t("Net"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: ({ totals, currency }) => money(totals.net, currency, { withCurrency: true }),
  },
  { key: "state", text: t("Status"), place: "state", width: "8rem", cell: runState },
];

const iso = (year, month, dayOfMonth) => new Date(Date.UTC(year, month, dayOfMonth)).toISOString().slice(0, 10);

// The month after the last run, or else this one.
function nextMonth(last) {
  const from = last
    ? new Date(Date.parse(`${last.periodEnd}T00:00:00Z`) + 86_400_000)
    : new Date(`${today()}T00:00:00Z`);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  return [iso(year, month, 1), iso(year, month + 1, 0)];
}

function beginning(last, close) {
  const [periodStart, periodEnd] = nextMonth(last).map((one) => signal(one));
  const payDate = signal("");
  const code = signal(currency());
  const key = newKey();
  const run = async () => {
    const body = {
      periodStart: periodStart.value,
      periodEnd: periodEnd.value,
      currency: code.value.trim().toUpperCase() || null,
    };
    const made = await send("POST", "/hr/payroll/run", payDate.value ? { ...body, payDate: payDate.value } : body, {
      key,
    });
    close();
    await go(`/payroll/${made.id}`);
    changed(...PAYROLL_TOUCHED);
  };
  return form(
    { run, submit: t("Calculate"), cancel: () => close(), label: t("New payroll run") },
    field({ label: t("First day"), name: "periodStart" }, dateField({ value: periodStart, name: "periodStart" })),
    field({ label: t("Last day"), name: "periodEnd" }, dateField({ value: periodEnd, name: "periodEnd" })),
    field({
      label: t("Pay date"),
      name: "payDate",
      isOptional: true,
      hint: t("Default: last day of the period."),
    }, dateField({ value: payDate, name: "payDate" })),
    field({
      label: t("Currency"),
      name: "currency",
      hint: t("A payroll run pays one currency."),
    }, textInput({ value: code, name: "currency", maxlength: 3 })),
  );
}
