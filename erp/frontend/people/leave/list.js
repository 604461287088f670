// Leave: requests to decide and decided, the calendar of who is out, and balances.
import { address } from "../../core/api.js";
import { day, days, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { addDays, today } from "../../core/parse.js";
import { go, query, setQuery } from "../../core/router.js";
import { employeeId, may } from "../../core/session.js";
import { list, resource } from "../../core/store.js";
import { computed, effect, signal, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { monthCalendar } from "../../ui/month.js";
import { bulkBar, table } from "../../ui/table.js";
import { tabs } from "../../ui/tabs.js";
import { waitingList } from "../../ui/waiting.js";
import { leaveForm } from "./request.js";
import { decidedTogether, heldDecisions, undoAction } from "./decision.js";
import { balances, isLimited } from "./balances.js";
import { leaveState } from "./state.js";
import { leaveTypeText } from "./words.js";

const LONGEST = 365; // days that the calendar answers at once, less one
const entering = () => (may("leave.write_reports") ? t("Enter leave") : t("Request leave"));

export default () => {
  const view = () => query.value.get("view") ?? "requests";
  const views = [["requests", t("Requests")], ["calendar", t("Calendar")], ["balances", t("Leave accounts")]];
  return {
    title: t("Leave"),
    actions: [{
      name: entering(),
      key: "n",
      main: true,
      icon: "plus",
      may: "leave.write_own",
      isShown: () => Boolean(employeeId()) || may("leave.write_reports"),
      run: () =>
        dialog({ title: entering(), body: (close) => leaveForm(close, { asksWhom: may("leave.write_reports") }) }),
    }, {
      name: t("Leave types"),
      icon: "list-tree",
      may: "leave.read_reports",
      run: () => go("/settings/leave-types"),
    }, { name: t("Public holidays"), icon: "calendar", run: () => go("/settings/holidays") }],
    body: tags.div(
      { class: "stack" },
      tabs({
        label: t("Views"),
        items: () =>
          views.map(([key, text]) => ({ key, text, href: address("/leave", { view: key === "requests" ? "" : key }) })),
        current: view,
      }),
      () => ({ requests, calendar, balances })[view()]?.() ?? requests(),
    ),
  };
};

// What can be done with a request now, as the server says.
function actionsOn({ id, can, status, employeeId: whose, employeeName: name }, decisions) {
  const act = (verb, text) => () => void decisions.act(id, text, `/hr/leaves/${id}/${verb}`);
  const isOwn = whose === employeeId();
  return [
    can.includes("approve") &&
    { name: t.of("request", "Approve"), run: act("approve", t("{name}’s leave approved.", { name })) },
    can.includes("reject") &&
    { name: t.of("request", "Reject"), run: act("reject", t("{name}’s leave rejected.", { name })) },
    can.includes("undo") && undoAction(`/hr/leaves/${id}`, name),
    can.includes("cancel") && isOwn && { name: t("Withdraw"), run: act("cancel", t("Request withdrawn.")) },
    can.includes("cancel") && !isOwn && status === "approved" &&
    { name: t("Cancel leave"), danger: true, run: act("cancel", t("{name}’s leave cancelled.", { name })) },
  ].filter(Boolean);
}

function requests() {
  const status = () => query.value.get("status") ?? "pending";
  const states = [["pending", t("Waiting")], ["approved", t.of("request", "Approved")], ["all", t("All")]];
  return tags.div(
    { class: "stack" },
    tabs({
      label: t("Statuses"),
      items: () => states.map(([key, text]) => ({ key, text })),
      current: status,
      choose: (key) => setQuery({ status: key === "pending" ? null : key }),
    }),
    () => (status() === "pending" ? waiting() : decided(status())),
  );
}

// Who waits for a decision, with all that it takes to decide beside the buttons.
function waiting() {
  const leaves = list("/hr/leaves?status=pending&sort=startDate");
  const types = resource("/hr/leave-types?limit=200");
  const decisions = heldDecisions();
  const open = computed(() => (leaves.items ?? []).filter((leave) => !decisions.isGone(leave)));
  const isThere = computed(() => Boolean(leaves.items));
  const absences = absencesIn(() => open.value);
  const selected = signal(new Set());
  const bulk = decidedTogether({
    path: "/hr/leaves/decide",
    name: "leaveId",
    decisions,
    selected,
    textOf: ({ startDate, endDate }) => days(startDate, endDate),
  });
  const typeOf = ({ leaveTypeId }) => types.value?.find(({ id }) => id === leaveTypeId);
  const item = (leave) => ({
    key: leave.id,
    text: t("{name} requests leave: {days}", { name: leave.employeeName, days: days(leave.startDate, leave.endDate) }),
    more: factsOf(leave, typeOf(leave), othersAway(leave, absences())).join(" · "),
    actions: actionsOn(leave, decisions),
    canSelect: leave.can.includes("approve"),
  });
  return tags.div(
    problem(() => leaves.problem, leaves.renew),
    () =>
      isThere.value && waitingList({
        items: () => open.value.map(item),
        empty: t("No pending requests."),
        label: t("Requests"),
        selected,
      }),
    () => bulkBar({ selected, rows: open, key: ({ id }) => id, bulk }),
  );
}

const factsOf = (leave, type, others) =>
  [
    leaveTypeText(leave.leaveTypeName),
    tn("{n} day", "{n} days", Number(leave.days)),
    isLimited(type) && t("then {days} left", { days: number(leave.balanceAfter) }),
    ...replaced(leave),
    others.length ? t("also away: {names}", { names: others.join(", ") }) : t("no one else is away"),
    leave.reason,
  ].filter(Boolean);

// The days that leave such as illness has taken the place of.
function replaced({ dayDetails }) {
  const dates = dayDetails.filter(({ replacedByLeaveId }) => replacedByLeaveId).map(({ date }) => day(date));
  return dates.length ? [t("replaced by other leave: {days}", { days: dates.join(", ") })] : [];
}

// One answer for all that wait: who is out between the first day and the last, a year at most.
function absencesIn(leaves) {
  const found = resource(() => {
    const dates = leaves().flatMap(({ startDate, endDate }) => [startDate, endDate]).sort();
    if (!dates.length) return null;
    const latest = addDays(dates[0], LONGEST);
    return address("/hr/leaves/calendar", {
      dateFrom: dates[0],
      dateTo: dates.at(-1) < latest ? dates.at(-1) : latest,
    });
  });
  return () => found.value?.absences ?? [];
}

const othersAway = (
  leave,
  absences,
) => [
  ...new Set(
    absences.filter((one) =>
      one.employeeId !== leave.employeeId && one.status === "approved" && one.startDate <= leave.endDate &&
      one.endDate >= leave.startDate
    ).map(({ name }) => name),
  ),
];

function decided(status) {
  const leaves = list(address("/hr/leaves", { status: status === "all" ? "" : status, sort: "-startDate" }));
  const decisions = heldDecisions();
  return table({
    label: t("Requests"),
    page: "leave",
    path: () => leaves.path,
    rows: () => leaves.items?.filter((leave) => !decisions.isGone(leave)) ?? [],
    isLoading: () => leaves.isLoading,
    key: ({ id }) => id,
    columns: [
      { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
      { key: "when", text: t("When"), place: "meta", cell: ({ startDate, endDate }) => days(startDate, endDate) },
      {
        key: "kind",
        text: t("Leave type"),
        place: "meta",
        cell: (row) => [leaveTypeText(row.leaveTypeName), ...replaced(row)].join(" · "),
      },
      {
        key: "days",
        text: t.of("leave", "Days"),
        isFigure: true,
        width: "5rem",
        place: "figure",
        cell: (row) => number(row.days),
      },
      { key: "decider", text: t("Decided by"), isMinor: true, cell: ({ decidedByName }) => decidedByName ?? "" },
      { key: "state", text: t("Status"), place: "state", width: "8rem", cell: leaveState },
    ],
    actions: (row) => actionsOn(row, decisions),
    empty: empty(t("No leave requests yet.")),
  });
}

function calendar() {
  const month = signal(query.peek().get("month") ?? today().slice(0, 7));
  effect(() => setQuery({ month: month.value === today().slice(0, 7) ? null : month.value }));
  const found = resource(() =>
    address("/hr/leaves/calendar", { dateFrom: `${month.value}-01`, dateTo: endOf(month.value) })
  );
  const byDay = computed(() => marksByDay(found.value));
  return monthCalendar({ month, marks: (iso) => byDay.value.get(iso) ?? [] });
}

const endOf = (month) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

function marksByDay(found) {
  const marks = new Map();
  const add = (iso, mark) => marks.set(iso, [...(marks.get(iso) ?? []), mark]);
  for (const { date, name, siteNames } of found?.holidays ?? []) {
    add(date, { text: siteNames.length ? `${name} (${siteNames.join(", ")})` : name, kind: "neutral" });
  }
  for (const one of found?.absences ?? []) {
    for (
      const day = new Date(`${one.startDate}T00:00Z`);
      day <= new Date(`${one.endDate}T00:00Z`);
      day.setUTCDate(day.getUTCDate() + 1)
    ) {
      add(day.toISOString().slice(0, 10), { text: one.name, kind: one.status === "approved" ? "good" : "info" });
    }
  }
  return marks;
}
