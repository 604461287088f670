// Leave: requests to decide and decided, the calendar of who is out, and balances.
import { address, send } from "../core/api.js";
import { days, number } from "../core/format.js";
import { t, tn } from "../core/i18n.js";
import { today } from "../core/parse.js";
import { query, setQuery } from "../core/router.js";
import { employeeId, may } from "../core/session.js";
import { changed, list, resource } from "../core/store.js";
import { heldBack } from "../core/undo.js";
import { computed, effect, signal, tags } from "../core/view.js";
import { dialog } from "../ui/dialog.js";
import { empty } from "../ui/empty.js";
import { monthCalendar } from "../ui/month.js";
import { pill } from "../ui/pill.js";
import { table } from "../ui/table.js";
import { tabs } from "../ui/tabs.js";
import { leaveForm } from "./asking.js";

const STATES = {
  pending: [() => t("waiting"), "info"],
  approved: [() => t("approved"), "good"],
  rejected: [() => t("rejected"), "bad"],
  cancelled: [() => t("withdrawn"), "neutral"],
};

export default () => {
  const view = () => query.value.get("view") ?? "requests";
  const views = [["requests", t("Requests")], ["calendar", t("Calendar")], ["balances", t("Balances")]];
  return {
    title: t("Leave"),
    actions: [{ name: t("Ask for leave"), key: "n", main: true, icon: "plus", may: "leave.write_own", isShown: () => Boolean(employeeId()), run: () => dialog({ title: t("Ask for leave"), body: (close) => leaveForm(close) }) }],
    body: tags.div(
      { class: "stack" },
      tabs({ label: t("Views"), items: () => views.map(([key, text]) => ({ key, text, href: address("/leave", { view: key === "requests" ? "" : key }) })), current: view }),
      () => ({ requests, calendar, balances })[view()]?.() ?? requests(),
    ),
  };
};

export const leaveState = ({ status }) => pill(STATES[status][0](), STATES[status][1]);

// Decided at once on the screen, and sent a little later, so that it can be taken back.
export function decide(leave, verb, away = () => {}) {
  const text = verb === "approve" ? t("Leave of {name} is approved.", { name: leave.employeeName }) : t("Leave of {name} is rejected.", { name: leave.employeeName });
  away(leave.id, true);
  return heldBack(
    text,
    async (options) => {
      await send("POST", `/hr/leaves/${leave.id}/${verb}`, {}, options);
      changed("/hr/", "/workspace/home");
    },
    () => away(leave.id, false),
  );
}

function requests() {
  const status = () => query.value.get("status") ?? "pending";
  const leaves = list(() => address("/hr/leaves", { status: status() === "all" ? "" : status(), sort: "-startDate" }));
  const decided = signal(new Set());
  const away = (id, isDecided) => {
    const next = new Set(decided.peek());
    isDecided ? next.add(id) : next.delete(id);
    decided.value = next;
  };
  const rows = () => leaves.items?.filter(({ id, status: state }) => state !== "pending" || !decided.value.has(id));
  const mayDecide = (row) => may("leave.decide_reports") && row.status === "pending" && (row.can ?? ["approve"]).includes("approve");
  const states = [["pending", t("Waiting")], ["approved", t("Approved")], ["all", t("All")]];
  return tags.div(
    { class: "stack" },
    tabs({ label: t("States"), items: () => states.map(([key, text]) => ({ key, text })), current: status, choose: (key) => setQuery({ status: key }) }),
    table({
      label: t("Requests"),
      rows: () => rows() ?? [],
      isLoading: () => leaves.isLoading,
      key: ({ id }) => id,
      open: (row) => mayDecide(row) && decide(row, "approve", away),
      columns: [
        { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
        { key: "when", text: t("When"), place: "meta", cell: ({ startDate, endDate }) => days(startDate, endDate) },
        { key: "kind", text: t("Kind"), place: "meta", cell: ({ leaveTypeName }) => leaveTypeName },
        { key: "days", text: t("Days"), isFigure: true, width: "5rem", place: "figure", cell: (row) => number(row.days) },
        { key: "left", text: t("Left after"), isFigure: true, width: "7rem", isMinor: true, cell: ({ balanceAfter }) => (balanceAfter === null ? "" : number(balanceAfter)) },
        { key: "away", text: t("Also away"), isMinor: true, cell: (row) => (row.status === "pending" ? othersAway(row) : "") },
        { key: "state", text: t("State"), place: "state", width: "8rem", cell: leaveState },
      ],
      actions: (row) => (mayDecide(row) ? [{ name: t("Approve"), key: "a", run: () => decide(row, "approve", away) }, { name: t("Reject"), run: () => decide(row, "reject", away) }] : []),
      empty: empty(status() === "pending" ? t("Nobody waits for a decision.") : t("Nobody asked for leave.")),
    }),
  );
}

// Who else is out in those days.
function othersAway(leave) {
  const calendar = resource(address("/hr/leaves/calendar", { dateFrom: leave.startDate, dateTo: leave.endDate }));
  return tags.span(() => [...new Set((calendar.value?.absences ?? []).filter((one) => one.employeeId !== leave.employeeId && one.status === "approved").map(({ name }) => name))].join(", "));
}

function calendar() {
  const month = signal(query.peek().get("month") ?? today().slice(0, 7));
  effect(() => setQuery({ month: month.value === today().slice(0, 7) ? null : month.value }));
  const found = resource(() => address("/hr/leaves/calendar", { dateFrom: `${month.value}-01`, dateTo: endOf(month.value) }));
  const byDay = computed(() => marksByDay(found.value));
  return monthCalendar({ month, marks: (iso) => byDay.value.get(iso) ?? [] });
}

const endOf = (month) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

function marksByDay(found) {
  const marks = new Map();
  const add = (iso, mark) => marks.set(iso, [...(marks.get(iso) ?? []), mark]);
  for (const { date, name } of found?.holidays ?? []) add(date, { text: name, kind: "neutral" });
  for (const one of found?.absences ?? []) {
    for (const day = new Date(`${one.startDate}T00:00Z`); day <= new Date(`${one.endDate}T00:00Z`); day.setUTCDate(day.getUTCDate() + 1)) {
      add(day.toISOString().slice(0, 10), { text: one.name, kind: one.status === "approved" ? "good" : "info" });
    }
  }
  return marks;
}

function balances() {
  const found = resource("/hr/leave-balances");
  const figure = (name) => (row) => (row[name] === "0" ? "–" : number(row[name]));
  return table({
    label: t("Balances"),
    rows: () => (found.value ?? []).filter((row) => row.allocated !== "0" || row.balance !== "0" || row.taken !== "0"),
    key: (row) => `${row.employeeId} ${row.leaveTypeId}`,
    open: () => {},
    columns: [
      { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
      { key: "kind", text: t("Kind"), place: "meta", cell: ({ name, leaveTypeName }) => leaveTypeName ?? name },
      { key: "allocated", text: t("Granted"), isFigure: true, cell: figure("allocated") },
      { key: "taken", text: t("Taken"), isFigure: true, cell: figure("taken") },
      { key: "pending", text: t("Asked for"), isFigure: true, isMinor: true, cell: figure("pending") },
      { key: "left", text: t("Left"), isFigure: true, place: "figure", cell: ({ available }) => tn("{n} day", "{n} days", Number(available)) },
    ],
    empty: empty(t("No leave is granted yet.")),
  });
}
