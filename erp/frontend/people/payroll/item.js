// One payroll run, in its steps: what to check, what has changed against the last pay, then approving and paying.
import { address, download, send } from "../../core/api.js";
import { day, dayShort, money, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { listScreen } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { go, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { actionButton } from "../../ui/actions.js";
import { alert } from "../../ui/alert.js";
import { button } from "../../ui/button.js";
import { card, more } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { figureCard, figures } from "../../ui/figure.js";
import { form } from "../../ui/form.js";
import { later } from "../../ui/later.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { numberInput } from "../../ui/number.js";
import { loaded } from "../../ui/skeleton.js";
import { steps } from "../../ui/steps.js";
import { table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { confirmChecked } from "./templates.js";
import { changes, correcting, differencesOf } from "./changes.js";
import { PAYROLL_TOUCHED, periodText, RUNS, runState } from "./list.js";

const { a, div, li, p, strong, ul } = tags;
const GRAVE = [
  "net_below_zero",
  "carried_by_leaver",
  "period_paid_before",
  "iban_changed",
  "missing_bank_account",
  "changed_after",
];

export default ({ params }) => {
  const run = resource(`${RUNS}/${params.id}`);
  const get = () => run.value;
  return {
    title: () => (get() ? t("Payroll run {number}", { number: get().number }) : ""),
    state: () => get() && runState(get()),
    back: { href: listScreen(RUNS, "/payroll"), text: t("Payroll") },
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(run, () => div({ class: "stack" }, () => shown(get()))),
  };
};

const cash = (run, amount) => money(amount, run.currency, { withCurrency: true });

function actionsOn(now) {
  const can = (action) => now.can.includes(action);
  const sums = [
    [t("Period"), periodText(now)],
    [t("People"), String(now.headCount)],
    [t("Net"), cash(now, now.totals.net)],
  ];
  return [
    can("approve") && {
      name: t.of("books", "Approve"),
      key: "Control+Enter",
      main: true,
      icon: "check",
      ...(isForeign(now)
        ? {
          run: () =>
            dialog({ title: t("Approve {number}?", { number: now.number }), body: (close) => approving(now, close) }),
        }
        : {
          asks: {
            title: t("Approve {number}?", { number: now.number }),
            text: t("The payroll run is posted, and everyone can read their payslip."),
            figures: sums,
            verb: t.of("books", "Approve"),
          },
          run: () => act(now, "approve", {}, t("{number} approved.", { number: now.number })),
        }),
    },
    can("pay") && {
      name: t("Record payment"),
      key: "Control+Enter",
      main: true,
      icon: "banknote",
      run: () => dialog({ title: t("Pay {number}", { number: now.number }), body: (close) => paying(now, close) }),
    },
    can("recalculate") && now.proposedOverrides?.length > 0 && {
      name: t("Keep manual amounts"),
      icon: "pencil",
      may: "payroll.write",
      run: () => act(now, "recalculate", { takeOverrides: true }, t("Recalculated.")),
    },
    can("recalculate") && {
      name: t("Recalculate"),
      key: "r",
      icon: "refresh-cw",
      run: () => act(now, "recalculate", {}, t("Recalculated.")),
    },
    isApproved(now) && {
      name: t("Send payslips by mail"),
      key: "m",
      icon: "mail",
      may: "payroll.write",
      run: async () => (await import("./mailing.js")).sendPayslips(now),
    },
    isApproved(now) && may("payroll.pay") && {
      name: t("Bank file"),
      icon: "download",
      run: () => bankFile(now),
    },
    // Where an IBAN is missing, there is no other.
    isApproved(now) && may("payroll.pay") && {
      name: t("Bank transfers as CSV"),
      icon: "download",
      run: () => bankFile(now, "csv"),
    },
    can("undoPayment") && {
      name: t("Undo payment"),
      icon: "undo-2",
      run: () => dialog({ title: t("Undo payment"), body: (close) => undoing(now, close) }),
    },
    isFinal(now) && correcting(now),
    can("reverse") && {
      name: t("Reverse"),
      icon: "undo-2",
      danger: true,
      run: () =>
        dialog({ title: t("Reverse {number}?", { number: now.number }), body: (close) => reversing(now, close) }),
    },
    can("delete") && {
      name: t("Delete draft"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete {number}?", { number: now.number }),
        text: t("Another payroll run can then pay this period. The number stays unused."),
        figures: sums,
        verb: t("Delete"),
        danger: true,
      },
      run: async () => {
        await send("DELETE", `${RUNS}/${now.id}`, undefined, { version: now.version });
        await go("/payroll"); // first, or this screen would ask for it again
        changed(...PAYROLL_TOUCHED);
      },
    },
  ];
}

async function act(now, verb, body, done) {
  await send("POST", `${RUNS}/${now.id}/${verb}`, body, { version: now.version });
  changed(...PAYROLL_TOUCHED);
  notify(done, { kind: "good" });
}

// The bank executes nothing in the past: then it is to pay today.
const bankFile = (now, format = null) =>
  download(
    address(`${RUNS}/${now.id}/bank-file`, { format, executionDate: now.payDate < today() ? today() : null }),
  );

const isForeign = (now) => now.currency !== currency();

// The rate of the day is taken, unless one is typed.
const rateField = (now, value) =>
  isForeign(now) && field({
    label: t("Exchange rate"),
    name: "exchangeRate",
    isOptional: true,
    hint: t("{base} for 1 {currency}. Default: the rate of the day.", { base: currency(), currency: now.currency }),
  }, numberInput({ value, name: "exchangeRate" }));

function approving(now, close) {
  const rate = signal("");
  const run = async () => {
    const body = rate.value ? { exchangeRate: rate.value } : {};
    await act(now, "approve", body, t("{number} approved.", { number: now.number }));
    close();
  };
  return form(
    { run, submit: t.of("books", "Approve"), cancel: () => close(), label: t.of("books", "Approve") },
    p(t("The payroll run is posted, and everyone can read their payslip.")),
    facts([[t("People"), String(now.headCount)], [t("Net"), cash(now, now.totals.net)]]),
    rateField(now, rate),
  );
}

function paying(now, close) {
  const [date, accountId, rate] = [signal(now.payDate), signal(null), signal("")];
  const accounts = resource("/finance/accounts");
  const banks = () =>
    (accounts.value ?? []).filter(({ subtype, isGroup }) => !isGroup && ["bank", "cash"].includes(subtype));
  const run = async () => {
    await act(
      now,
      "pay",
      {
        date: date.value,
        ...(accountId.value && { accountId: accountId.value }),
        ...(rate.value && { exchangeRate: rate.value }),
      },
      t("{number} paid.", { number: now.number }),
    );
    close();
  };
  return form(
    { run, submit: t("Record payment"), cancel: () => close(), label: t("Record payment") },
    p(t("The payment is posted from payroll payable to the bank. Use the bank file to pay at the bank.")),
    facts([[t("People"), String(now.headCount)], [t.of("payroll", "Payable"), cash(now, now.totals.payable)]]),
    field({ label: t("Date"), name: "date" }, dateField({ value: date, name: "date" })),
    rateField(now, rate),
    may("finance.read") && field(
      { label: t("Account"), name: "accountId" },
      choice({
        value: accountId,
        name: "accountId",
        empty: t("Default bank account"),
        options: () => banks().map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` })),
      }),
    ),
  );
}

// Only regular runs pay days, whose facts can change later.
const isApproved = ({ status }) => ["approved", "paid"].includes(status);
const isFinal = (run) => run.kind === "regular" && isApproved(run);

function undoing(now, close) {
  const reason = signal("");
  const run = async () => {
    await act(now, "pay/undo", { reason: reason.value }, t("Payment undone."));
    close();
  };
  return form(
    { run, submit: t("Undo payment"), cancel: () => close(), label: t("Undo payment") },
    field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
  );
}

function reversing(now, close) {
  const [reason, returned] = [signal(""), signal("")];
  const run = async () => {
    const body = { reason: reason.value, ...(returned.value ? { moneyReturnedOn: returned.value } : {}) };
    await act(now, "reverse", body, t("{number} reversed.", { number: now.number }));
    close();
  };
  return form(
    { run, submit: t("Reverse"), cancel: () => close(), label: t("Reverse"), kind: "danger" },
    p(t("The entries are reversed, and another payroll run can pay this period. This cannot be undone.")),
    field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
    now.status === "paid" && field({
      label: t("Money returned on"),
      name: "moneyReturnedOn",
      hint: t("Without a date, correct the difference in the next payroll run."),
    }, dateField({ value: returned, name: "moneyReturnedOn" })),
  );
}

const STEPS = { draft: 1, approved: 2, paid: 3 };

const shown = (now) => [
  now.status !== "reversed" && steps({
    label: t("Steps"),
    items: [t("Calculate"), t.of("books", "Approve"), t.of("act", "Pay")],
    current: () => STEPS[now.status],
  }),
  figures(
    figureCard({ label: t("People"), value: String(now.headCount), note: periodText(now) }),
    figureCard({ label: t("Gross"), value: cash(now, now.totals.gross) }),
    figureCard({ label: t("Deductions"), value: cash(now, now.totals.deductions) }),
    figureCard({
      label: t("Net"),
      value: cash(now, now.totals.net),
      note: now.paidOn
        ? t("paid on {day}", { day: dayShort(now.paidOn) })
        : t("to pay on {day}", { day: dayShort(now.payDate) }),
    }),
    now.totals.payable !== now.totals.net &&
      figureCard({ label: t.of("payroll", "Payable"), value: cash(now, now.totals.payable) }),
    figureCard({ label: t("Employer contributions"), value: cash(now, now.totals.employerContributions) }),
  ),
  asking(now),
  warnings(now),
  proposals(now),
  isFinal(now) ? withChanges(now) : slips(now),
  isApproved(now) && later(async () => (await import("./mailing.js")).mailedPayslips, now),
  about(now),
];

function withChanges(now) {
  const differences = differencesOf(now);
  return div(
    { class: "stack" },
    parameterTabs({
      name: "tab",
      label: t("Payslips"),
      options: () => [
        ["payslips", t("Payslips")],
        ["changes", t("Changes since approval"), differences.value?.length],
      ],
    }),
    () => (query.value.get("tab") === "changes" ? changes(differences) : slips(now)),
  );
}

// The people to ask for the next step, where it is not one's own to take.
function asking({ id, status, can, approvers }) {
  const [verb, right] = { draft: ["approve", "payroll.write"], approved: ["pay", "payroll.pay"] }[status] ?? [];
  if (!verb || can.includes(verb) || !may(right) || !approvers.length) return null;
  const names = approvers.map(({ name }) => name).join(", ");
  return alert({
    kind: "info",
    role: "note",
    text: div(
      { class: "stack-tight" },
      p(
        verb === "approve"
          ? t("You cannot approve a run that pays you or that you have prepared. Ask {names}.", { names })
          : t("You cannot pay a run that pays you. Ask {names}.", { names }),
      ),
      handedOver(`${location.origin}/payroll/${id}`, t("Copy link")),
    ),
  });
}

// Each kind of warning once, with the people whom it is about.
const warnings = (now) =>
  now.warnings.map((warning) =>
    alert({
      kind: GRAVE.includes(warning.code) ? "warn" : "info",
      role: "note",
      text: more(
        { text: warning.message },
        ul(
          { class: "plain-list" },
          warning.items.map(({ employeeId, name, message, template }) =>
            li(
              employeeId && may("employees.read") ? a({ href: `/people/${employeeId}` }, name) : name && strong(name),
              name && " ",
              message,
              template && may("payroll.write") &&
                actionButton(confirmChecked(template, now.payDate), { isSmall: true }),
            )
          ),
        ),
      ),
    })
  );

// The leave left of those who leave, which one press adds to their payslips.
const proposals = (now) =>
  now.proposals.length > 0 && alert({
    kind: "info",
    role: "note",
    text: div(
      { class: "stack-tight" },
      now.proposals.map((one) =>
        p(
          t("Pay out the leave left of {name}: {amount}", {
            name: one.employeeName,
            amount: cash(now, one.amount),
          }),
          div({ class: "soft small" }, one.explanation),
        )
      ),
      now.can.includes("recalculate") && button(
        t("Take"),
        () => act(now, "recalculate", { take: true }, t("Recalculated.")),
      ),
    ),
  });

// Everybody's pay; those first whose pay differs from the last one.
function slips(now) {
  const before = new Map(now.variance.map((one) => [one.employeeId, one]));
  const isChanged = ({ employeeId }) => !/^-?[0.]+$/.test(before.get(employeeId)?.difference ?? "0");
  const rows = now.payslips.toSorted((one, other) => Number(isChanged(other)) - Number(isChanged(one)));
  const count = rows.filter(isChanged).length;
  const isCompared = now.kind === "regular";
  const amount = (value) => (value === null || value === undefined ? "–" : money(value, now.currency));
  return card(
    { title: t("Payslips") },
    isCompared && p(
      { class: "soft" },
      count
        ? tn(
          "{n} payslip differs from the last pay and is listed first.",
          "{n} payslips differ from the last pay and are listed first.",
          count,
        )
        : t("No differences to the last pay."),
    ),
    table({
      label: t("Payslips"),
      rows: () => rows,
      key: ({ id }) => id,
      href: ({ id }) => `/payslips/${id}`,
      columns: [
        { key: "name", text: t("Name"), place: "name", cell: ({ snapshot }) => snapshot.name },
        {
          key: "job",
          text: t("Job title"),
          place: "meta",
          isMinor: true,
          cell: ({ snapshot }) => snapshot.jobTitle ?? "",
        },
        {
          key: "gross",
          text: t("Gross"),
          isFigure: true,
          isMinor: true,
          width: "8rem",
          cell: (one) => amount(one.gross),
        },
        {
          key: "deductions",
          text: t("Deductions"),
          isFigure: true,
          isMinor: true,
          width: "8rem",
          cell: (one) => amount(one.deductions),
        },
        { key: "net", text: t("Net"), isFigure: true, place: "figure", width: "8rem", cell: (one) => amount(one.net) },
        isCompared && {
          key: "before",
          text: t("Before"),
          isFigure: true,
          isMinor: true,
          width: "8rem",
          cell: (one) => amount(before.get(one.employeeId)?.previousNet),
        },
        isCompared && {
          key: "change",
          text: t.of("payroll", "Change"),
          isFigure: true,
          place: "state",
          width: "8rem",
          cell: (one) => (isChanged(one) ? signed(before.get(one.employeeId).difference, now.currency) : "–"),
        },
      ].filter(Boolean),
    }),
  );
}

const signed = (amount, currency) => `${amount.startsWith("-") ? "" : "+"}${money(amount, currency)}`;

const about = (now) =>
  card(
    { title: t("About the run") },
    facts([
      [t("Pay date"), day(now.payDate)],
      [t("Prepared by"), now.preparedByNames.filter(Boolean).join(", ")],
      [t("Exchange rate"), now.exchangeRate && number(now.exchangeRate)],
      [t("Approved by"), now.approvedOn && now.approvedByName],
      [t("Posted on"), now.approvedOn && day(now.approvedOn)],
      [t("Paid"), now.paidOn && [day(now.paidOn), now.paidByName].filter(Boolean).join(" · ")],
      [t("Reversed"), now.reversedOn && [day(now.reversedOn), now.reversedByName].filter(Boolean).join(" · ")],
      [t("Reason"), now.reverseReason],
      [t("Entry"), entryLink(now.accrualEntryId, now.accrualEntryNumber)],
      [t("Entry of the payment"), entryLink(now.paymentEntryId, now.paymentEntryNumber)],
    ]),
  );

const entryLink = (id, number) => id && (may("finance.read") ? a({ href: `/journals/${id}` }, number) : number);
