// Attendance: who is in now, the days of a month, and corrections to decide.
import { address } from "../../core/api.js";
import { duration, longDay, time } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { query } from "../../core/router.js";
import { list, resource } from "../../core/store.js";
import { computed, signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { later } from "../../ui/later.js";
import { pill } from "../../ui/pill.js";
import { proposedOf, punchesOf } from "../../ui/punches.js";
import { bulkBar, table } from "../../ui/table.js";
import { tabs } from "../../ui/tabs.js";
import { waitingList } from "../../ui/waiting.js";
import { lateness } from "./columns.js";
import { correctionForm } from "./correction.js";
import { decidedTogether, heldDecisions, undoAction } from "../leave/decision.js";

/** @type {[string, () => string][]} */
const VIEWS = [["now", () => t("Now")], ["day", () => t.of("view", "Days")], ["month", () => t("Month")], [
  "corrections",
  () => t("Corrections"),
]];
/** @type {Record<string, [() => string, string]>} */
const PRESENT = {
  in: [() => t("in"), "good"],
  on_break: [() => t("on a break"), "warn"],
  finished: [() => t("finished"), "neutral"],
  on_leave: [() => t("on leave"), "info"],
  off: [() => t("off today"), "neutral"],
  away: [() => t("not in"), "warn"],
};

export default () => {
  const view = () => query.value.get("view") ?? "now";
  const items = () =>
    VIEWS.map(([key, text]) => ({
      key,
      text: text(),
      href: address("/attendance", { view: key === "now" ? "" : key }),
    }));
  return {
    title: t("Attendance"),
    actions: [{
      name: t("Correct a day"),
      key: "n",
      icon: "clock-alert",
      may: "attendance.write_own",
      run: () => dialog({ title: t("Correct a day"), body: (close) => correctionForm(close) }),
    }, {
      name: t("Kiosks"),
      icon: "smartphone",
      may: "attendance.write",
      href: "/attendance/kiosks",
    }],
    body: tags.div(
      { class: "stack" },
      tabs({ label: t("Views"), items, current: view }),
      () => ({ now, day: theDay, month, corrections })[view()]?.() ?? now(),
    ),
  };
};

const theDay = () => later(async () => (await import("./day.js")).daysView);

function now() {
  const found = resource("/hr/attendance/present");
  return table({
    label: t("Present now"),
    rows: () => found.value ?? [],
    key: ({ employeeId }) => employeeId,
    columns: [
      { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
      { key: "department", text: t("Department"), place: "meta", cell: ({ department }) => department ?? "" },
      { key: "since", text: t("Clocked in at"), cell: ({ since }) => (since ? time(since) : "") },
      {
        key: "worked",
        text: t("Today"),
        isFigure: true,
        place: "figure",
        cell: ({ workedMinutes }) => duration(workedMinutes),
      },
      {
        key: "due",
        text: t("Scheduled"),
        isFigure: true,
        isMinor: true,
        cell: ({ expectedMinutes }) => duration(expectedMinutes),
      },
      {
        key: "state",
        text: t("Status"),
        place: "state",
        cell: ({ presence }) => pill(PRESENT[presence][0](), PRESENT[presence][1]),
      },
    ],
    empty: empty(t("No attendance.")),
  });
}

function month() {
  const chosen = signal(query.peek().get("month") ?? today().slice(0, 7));
  const found = resource(
    () => (/^\d{4}-\d{2}$/.test(chosen.value) ? address("/hr/attendance/summary", { month: chosen.value }) : null),
  );
  const figure = (name) => (row) => duration(row[name] ?? 0);
  return tags.div(
    { class: "stack" },
    tags.div(
      { class: "fields" },
      field(
        { label: t("Month"), name: "month", hint: t("For example 2026-11") },
        textInput({ value: chosen, name: "month" }),
      ),
    ),
    table({
      label: t("Totals of the month"),
      page: "attendance",
      path: () => found.path,
      rows: () => found.value?.rows ?? found.value ?? [],
      key: ({ employeeId }) => employeeId,
      columns: [
        { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
        { key: "worked", text: t("Worked"), isFigure: true, place: "figure", cell: figure("workedMinutes") },
        { key: "due", text: t("Scheduled"), isFigure: true, cell: figure("expectedMinutes") },
        { key: "over", text: t("Overtime"), isFigure: true, cell: figure("overtimeMinutes") },
        ...lateness(),
      ],
      empty: empty(t("No attendance.")),
    }),
  );
}

const CORRECTIONS = {
  pending: [() => t("waiting"), "info"],
  approved: [() => t.of("request", "approved"), "good"],
  rejected: [() => t("rejected"), "bad"],
  cancelled: [() => t("withdrawn"), "neutral"],
};

function actionsOn({ id, can, employeeName: name }, decisions) {
  const act = (verb, text) => () => void decisions.act(id, text, `/hr/attendance-corrections/${id}/${verb}`);
  return [
    can.includes("approve") &&
    { name: t.of("request", "Approve"), run: act("approve", t("{name}’s correction approved.", { name })) },
    can.includes("reject") &&
    { name: t.of("request", "Reject"), run: act("reject", t("{name}’s correction rejected.", { name })) },
    can.includes("undo") && undoAction(`/hr/attendance-corrections/${id}`, name),
    can.includes("cancel") && { name: t("Withdraw"), run: act("cancel", t("Request withdrawn.")) },
  ].filter(Boolean);
}

function corrections() {
  const found = list("/hr/attendance-corrections");
  const decisions = heldDecisions();
  const shown = computed(() => (found.items ?? []).filter((one) => !decisions.isGone(one)));
  const isPending = ({ status }) => status === "pending";
  const pending = computed(() => shown.value.filter(isPending));
  const selected = signal(new Set());
  const bulk = decidedTogether({
    path: "/hr/attendance-corrections/decide",
    name: "id",
    decisions,
    selected,
    textOf: ({ date }) => longDay(date),
  });
  const item = (one) => ({
    key: one.id,
    text: t("{name} requests a correction: {day}", { name: one.employeeName, day: longDay(one.date) }),
    more: proposedOf(one),
    actions: actionsOn(one, decisions),
    canSelect: one.can.includes("approve"),
  });
  const decided = table({
    label: t("Corrections"),
    rows: () => shown.value.filter((one) => !isPending(one)),
    isLoading: () => found.isLoading,
    key: ({ id }) => id,
    columns: [
      { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
      { key: "date", text: t("Day"), place: "meta", cell: ({ date }) => longDay(date) },
      { key: "times", text: t("Punches"), place: "figure", cell: ({ proposed }) => punchesOf(proposed) },
      { key: "reason", text: t("Reason"), isMinor: true, cell: ({ reason }) => reason ?? "" },
      {
        key: "state",
        text: t("Status"),
        place: "state",
        cell: ({ status }) => pill(CORRECTIONS[status][0](), CORRECTIONS[status][1]),
      },
    ],
    actions: (row) => actionsOn(row, decisions),
    empty: empty(t("No correction requests yet.")),
  });
  return tags.div(
    { class: "stack" },
    waitingList({ items: () => pending.value.map(item), label: t("Waiting"), selected }),
    () => bulkBar({ selected, rows: pending, key: ({ id }) => id, bulk }),
    () => (shown.value.length && shown.value.every(isPending) ? null : decided),
  );
}
