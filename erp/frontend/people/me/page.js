// Everybody's own page: the clock, leave, payslips, and asking for a correction.
import { days, longDay, money, month, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { query, setQuery } from "../../core/router.js";
import { may } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { button, link } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { later } from "../../ui/later.js";
import { loaded } from "../../ui/skeleton.js";
import { clock } from "./clock.js";
import { correctionForm } from "../attendance/correction.js";
import { heldDecisions } from "../leave/decision.js";
import { isGranted } from "../leave/balances.js";
import { leaveForm } from "../leave/request.js";
import { leaveState } from "../leave/state.js";
import { leaveTypeText } from "../leave/words.js";

const { a, div, li, p, span, strong, ul } = tags;

export default () => {
  const me = resource("/hr/me");
  const ask = () => dialog({ title: t("Request leave"), body: (close) => leaveForm(close) });
  const correct = (day) => dialog({ title: t("Correct a day"), body: (close) => correctionForm(close, { day }) });
  const begin = () => {
    if (query.peek().get("ask") !== "leave") return;
    setQuery({ ask: null });
    queueMicrotask(ask);
  };
  const isEmployed = () => Boolean(me.value?.employee);
  return {
    title: () => (me.value?.employee ? me.value.employee.name : t("Me")),
    state: () => span({ class: "soft" }, longDay(today())),
    actions: [
      { name: t("Request leave"), key: "l", icon: "tree-palm", may: "leave.write_own", isShown: isEmployed, run: ask },
      {
        name: t("Correct a day"),
        icon: "clock-alert",
        may: "attendance.write_own",
        isShown: isEmployed,
        run: () => correct(),
      },
      {
        name: t("Set PIN"),
        icon: "key-round",
        may: "attendance.write_own",
        isShown: () => isEmployed() && me.value.employee.keepsAttendance,
        run: async () => (await import("../kiosk/set_pin.js")).setPin(me.value.employee),
      },
    ],
    body: loaded(me, (get) => {
      begin();
      return () => (get().employee ? page(get, ask, correct) : empty(
        t("You have no employee record. Ask HR to link one to your user."),
        may("employees.write") && link(t("Create your own"), "/people/new?own", { kind: "main" }),
      ));
    }),
  };
};

const lines = async () => (await import("../expenses/line.js")).askLine;
const receipt = async () => (await lines())("receipt");

function page(get, ask, correct) {
  const decisions = heldDecisions();
  lines().catch(() => {}); // ahead of its use: a receipt can be added without a network
  return div(
    { class: "columns document" },
    div(
      { class: "stack" },
      get().employee.keepsAttendance && card({}, clock(get, correct)),
      card(
        { title: t("Leave"), actions: may("leave.write_own") ? [button(t("Request"), ask, { icon: "plus" })] : [] },
        balances(get()),
        () => requests(get(), decisions),
      ),
    ),
    div(
      { class: "stack" },
      later(async () => (await import("../expenses/outbox.js")).waitingExpenses),
      card({
        title: t.of("claims", "Expenses"),
        actions: [button(t("Add a receipt"), receipt, { icon: "receipt", key: "e" })],
      }, p(a({ href: "/expenses" }, t("My receipts")))),
      card({ title: t("Payslips") }, payslips(get())),
      later(async () => (await import("../documents/of_person.js")).documentsOf, get().employee.id, false),
      may("attendance.write_own") &&
        p(button(t("Something wrong? Correct a day"), () => correct(), { kind: "plain", icon: "clock-alert" })),
    ),
  );
}

function balances({ leaveBalances }) {
  const shown = leaveBalances.filter(isGranted);
  if (!shown.length) return p({ class: "soft" }, t("No leave accounts yet."));
  return ul(
    { class: "plain-list" },
    shown.map((one) =>
      li(
        { class: "spread" },
        span(leaveTypeText(one.name)),
        span(
          { class: "figure" },
          strong(t("{days} left", { days: tn("{n} day", "{n} days", Number(one.available)) })),
          one.allocated !== "0" && span({ class: "soft" }, ` ${t("of {days}", { days: number(one.allocated) })}`),
        ),
      )
    ),
  );
}

// What was asked for: what waits, then the leave that is to come, and what was rejected lately, with the reason.
function requests({ pendingLeaves, decidedLeaves }, decisions) {
  const cancel = ({ id }) => decisions.act(id, t("Request withdrawn."), `/hr/leaves/${id}/cancel`);
  const waiting = pendingLeaves.filter((leave) => !decisions.isGone(leave));
  const withdraw = (leave) => button(t("Withdraw"), () => cancel(leave), { isSmall: true });
  const shown = [
    ...waiting.map((leave) => [leave, span({ class: "row" }, leaveState({ status: "pending" }), withdraw(leave))]),
    ...decidedLeaves.map((leave) => [leave, leaveState(leave)]),
  ];
  if (!shown.length) return null;
  return ul(
    { class: "plain-list" },
    shown.map(([leave, beside]) =>
      li(
        { class: "spread" },
        div(
          span(`${days(leave.startDate, leave.endDate)} · ${leaveTypeText(leave.leaveTypeName)}`),
          leave.decisionNote && div({ class: "soft small" }, leave.decisionNote),
        ),
        beside,
      )
    ),
  );
}

function payslips({ payslips: all }) {
  if (!all.length) return empty(t("No payslips yet."));
  return ul(
    { class: "plain-list" },
    all.map((one) =>
      li(
        { class: "spread" },
        a({ href: `/payslips/${one.id}` }, month(one.periodStart)),
        span({ class: "figure" }, money(one.net)),
        a({
          href: `/api/v1/hr/payroll/payslips/${one.id}/pdf`,
          target: "_blank",
          rel: "noopener",
          "aria-label": t("Payslip of {month} as PDF", { month: month(one.periodStart) }),
        }, t("PDF")),
      )
    ),
  );
}
