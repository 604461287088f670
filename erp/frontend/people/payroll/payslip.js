// One payslip: each line with its arithmetic, and what was entered by hand.
import { address, download, send } from "../../core/api.js";
import { duration, money, number } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { changed, firstPage, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { figureCard, figures } from "../../ui/figure.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { followed, MESSAGES, outcome } from "../../ui/message.js";
import { moneyInput } from "../../ui/number.js";
import { loaded } from "../../ui/skeleton.js";
import { PAYROLL_TOUCHED, periodText, runState } from "./list.js";

const { a, div, span, table, tbody, td, tfoot, th, thead, tr } = tags;
const FIGURE = { width: "9rem" };
const PARTS = [
  { kind: "earning", title: () => t("Earnings"), sum: "gross", total: () => t("Gross pay") },
  { kind: "deduction", title: () => t("Deductions"), sum: "deductions", total: () => t("Total deductions") },
  {
    kind: "employer_contribution",
    title: () => t("Employer contributions"),
    sum: "employerContributions",
    total: () => t("Total contributions"),
  },
  {
    kind: "reimbursement",
    title: () => t("Reimbursed expenses"),
    sum: "reimbursements",
    total: () => t("Total reimbursed"),
  },
];

export default ({ params }) => {
  const payslip = resource(`/hr/payroll/payslips/${params.id}`);
  const get = () => payslip.value;
  return {
    title: () => (get() ? t("Payslip of {name}", { name: get().snapshot.name }) : ""),
    state: () => get() && runState(get()),
    back: () => back(get()),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(payslip, () => div({ class: "stack document" }, () => shown(get()))),
  };
};

const back = (now) =>
  may("payroll.read") && now
    ? { href: `/payroll/${now.runId}`, text: t("Payroll run {number}", { number: now.runNumber }) }
    : { href: "/me", text: t("Me") };

const actionsOn = (now) => [
  {
    name: t("PDF"),
    key: "d",
    main: true,
    icon: "file-text",
    run: () => download(`/hr/payroll/payslips/${now.id}/pdf`),
  },
  isApproved(now) && {
    name: t("Send by mail"),
    key: "m",
    icon: "mail",
    may: "payroll.write",
    run: async () =>
      (await import("../../ui/mail.js")).sendDialog({
        title: t("Send the payslip of {name}", { name: now.snapshot.name }),
        path: `/hr/payroll/payslips/${now.id}`,
      }),
  },
  now.status === "draft" && {
    name: t("Add a line"),
    key: "l",
    icon: "plus",
    may: "payroll.write",
    run: () => dialog({ title: t("Add a line"), body: (close) => adding(now, close) }),
  },
  now.status === "draft" && {
    name: t("Enter a manual amount"),
    key: "e",
    icon: "pencil",
    may: "payroll.write",
    run: () => dialog({ title: t("Enter a manual amount"), body: (close) => overriding(now, close) }),
  },
];

const isApproved = ({ status }) => ["approved", "paid"].includes(status);

// What came of the last message.
function mailed({ id }) {
  const messages = followed(firstPage(address(MESSAGES, { resourceId: id, limit: 1 })));
  return () => (messages.value?.length ? messages.value.map(outcome) : t("not sent yet"));
}

const shown = (now) => [
  figures(
    figureCard({
      label: t("Net pay"),
      value: money(now.net, now.currency, { withCurrency: true }),
      note: periodText(now),
    }),
    now.payable !== now.net &&
      figureCard({
        label: t.of("payroll", "Payable"),
        value: money(now.payable, now.currency, { withCurrency: true }),
      }),
    figureCard({ label: t("Gross pay"), value: money(now.gross, now.currency, { withCurrency: true }) }),
    figureCard({
      label: t("Paid days"),
      value: t("{paid} of {all}", { paid: number(now.paidDays), all: number(now.workingDays) }),
    }),
  ),
  ...PARTS.map((one) => part(now, one)),
  card(
    { title: t("About the payslip") },
    facts([
      [t("Employee number"), now.snapshot.employeeNumber],
      [t("Job title"), now.snapshot.jobTitle],
      [t("Paid leave"), days(now.paidLeaveDays)],
      [t("Unpaid leave"), days(now.unpaidLeaveDays)],
      [t("Carried in"), isZero(now.carriedIn) ? null : money(now.carriedIn, now.currency)],
      [t("Carried forward"), isZero(now.carriedForward) ? null : money(now.carriedForward, now.currency)],
      [t("Working time"), now.workedMinutes ? duration(now.workedMinutes) : null],
      [t("By mail"), isApproved(now) && may("payroll.read") && mailed(now)],
      [
        t("Employee"),
        may("employees.read") && a({ href: `/people/${now.employeeId}` }, now.snapshot.name),
      ],
    ]),
  ),
];

const isZero = (amount) => /^-?[0.]+$/.test(amount);
const days = (count) => (count === "0" ? null : t("{count} days", { count: number(count) }));

function part(now, { kind, title, sum, total }) {
  const lines = now.lines.filter((line) => line.kind === kind);
  if (!lines.length) return null;
  const toDate = new Map(now.yearToDate.components.filter((one) => one.kind === kind).map((one) => [one.code, one]));
  const figure = (amount) => td({ class: "figure" }, amount === undefined ? "" : money(amount, now.currency));
  return card(
    {},
    div(
      { class: "scrolls", tabindex: "0", role: "group", "aria-label": title() },
      table(
        { class: "plain" },
        thead(
          tr(
            th({ scope: "col" }, title()),
            th({ scope: "col", class: "figure", style: FIGURE }, t("Amount")),
            th(
              { scope: "col", class: "figure", style: FIGURE },
              sum in now.yearToDate ? t("{year} to date", { year: now.payDate.slice(0, 4) }) : "",
            ),
          ),
        ),
        tbody(
          lines.map((line) => tr(td(explained(now, line)), figure(line.amount), figure(toDate.get(line.code)?.amount))),
        ),
        tfoot(
          tr({ class: "is-total" }, th({ scope: "row" }, total()), figure(now[sum]), figure(now.yearToDate[sum])),
        ),
      ),
    ),
  );
}

const explained = (now, line) =>
  div(
    { class: "stack-tight" },
    span(line.name),
    span({ class: "soft small" }, line.explanation),
    line.id && may("payroll.write") && now.status === "draft" && button(t("Delete line"), () => removing(now, line)),
    line.overrideReason && span(
      { class: "soft small" },
      t("manual, before {amount}: {reason}", { amount: money(line.computedAmount), reason: line.overrideReason }),
    ),
  );

async function removing(now, line) {
  await send("DELETE", `/hr/payroll/payslips/${now.id}/lines/${line.id}`);
  changed(...PAYROLL_TOUCHED);
}

const isComputed = (line) => !line.id && !line.originPayslipId && !line.claimId;

// A bonus or a deduction of this payslip alone.
function adding(now, close) {
  const [componentId, amount, reason] = [signal(null), signal(""), signal("")];
  const components = resource("/hr/pay-components?limit=200");
  const run = async () => {
    const body = { componentId: componentId.value ?? "", amount: amount.value || null, reason: reason.value };
    await send("POST", `/hr/payroll/payslips/${now.id}/lines`, body);
    changed(...PAYROLL_TOUCHED);
    close();
  };
  return form(
    { run, submit: t("Add"), cancel: () => close(), label: t("Add a line") },
    field(
      { label: t("Pay component"), name: "componentId" },
      choice({
        value: componentId,
        name: "componentId",
        empty: "",
        options: () => (components.value ?? []).map(({ id, name }) => ({ value: id, text: name })),
      }),
    ),
    field(
      { label: t("Amount"), name: "amount" },
      moneyInput({ value: amount, name: "amount", currency: now.currency }),
    ),
    field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
  );
}

// A line gets an amount by hand, with its reason; without an amount it is calculated again.
function overriding(now, close) {
  const [position, amount, reason] = [signal(now.lines.find(isComputed)?.position ?? null), signal(""), signal("")];
  const run = async () => {
    const line = { position: position.value, amount: amount.value || null, reason: reason.value || null };
    await send("PATCH", `/hr/payroll/payslips/${now.id}`, { lines: [line] }, { version: now.version }).catch(atFields);
    changed(...PAYROLL_TOUCHED);
    close();
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t("Enter a manual amount") },
    field(
      { label: t.of("payroll", "Line"), name: "position" },
      choice({
        value: position,
        name: "position",
        options: now.lines.filter(isComputed).map((line) => ({
          value: line.position,
          text: `${line.name}: ${money(line.amount, now.currency)}`,
        })),
      }),
    ),
    field({
      label: t("Amount"),
      name: "amount",
      hint: t("Clear the amount to calculate the line again."),
    }, moneyInput({ value: amount, name: "amount", currency: now.currency })),
    field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
  );
}

// The form changes one line, which the API counts.
function atFields(refusal) {
  const details = refusal.details?.map((one) => ({ ...one, field: one.field?.replace(/^lines\[0\]\./, "") }));
  throw Object.assign(refusal, { details });
}
