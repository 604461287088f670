// The attendance of a day: a row a person, which opens to enter it, and several that are entered at once.
import { address, send } from "../../core/api.js";
import { day as dayText, duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { parameter, query } from "../../core/router.js";
import { employeeId as ownId, may } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { heldBackFrom } from "../../core/undo.js";
import { computed, effect, signal, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { pill } from "../../ui/pill.js";
import { punchesOf } from "../../ui/punches.js";
import { table } from "../../ui/table.js";
import { lateness } from "./columns.js";
import { isAtWork, STATUSES } from "./times.js";

const canWrite = ({ employeeId }) =>
  may("attendance.write") || (may("attendance.write_reports") && employeeId !== ownId());

export function daysView() {
  const day = () => query.value.get("date") || today();
  const within = (more) => address("/hr/attendance", { dateFrom: day(), dateTo: day(), limit: 200, ...more });
  const [records, missing] = [list(() => within({})), list(() => within({ isMissing: true }))];
  for (const one of [records, missing]) effect(() => void (one.hasMore && !one.isLoading && one.more()));
  const people = resource(() => address("/hr/attendance/summary", { date: day() }));
  const away = resource(() => address("/hr/leaves/calendar", { dateFrom: day(), dateTo: day() }));
  const [gone, selected] = [signal(new Set()), signal(new Set())];
  const rows = computed(() =>
    people.value && records.items &&
    rowsOf(day(), people.value, records.items.filter(({ id }) => !gone.value.has(id)), missing.items ?? [], away.value)
  );
  const chosen = parameter("date");
  return tags.div(
    { class: "stack" },
    tags.div({ class: "fields" }, field({ label: t("Day"), name: "date" }, dateField({ value: chosen, name: "date" }))),
    problem(() => people.problem ?? records.problem, () => [people, records].forEach((one) => one.renew())),
    table({
      label: t("Attendance of the day"),
      rows: () => rows.value,
      key: ({ employeeId }) => employeeId,
      open: may("attendance.write_own") && ((row) => opened(row, gone)),
      ...(may("attendance.write_reports") && { selected, bulk: [entering(day, selected)] }),
      columns: columns(),
      empty: empty(() => t("No attendance on {day}.", { day: dayText(day()) })),
    }),
  );
}

function rowsOf(date, people, records, missing, away) {
  const byPerson = (all) => new Map(all.map((one) => [one.employeeId, one]));
  const [recorded, lacking] = [byPerson(records), byPerson(missing)];
  const absent = byPerson((away?.absences ?? []).filter(({ status }) => status === "approved"));
  return people.map(({ employeeId, employeeName }) => {
    const state = lacking.has(employeeId) ? "missing" : absent.has(employeeId) ? "on_leave" : null;
    const blank = { id: null, employeeId, employeeName, date, status: null, punches: [], note: null };
    return { ...(recorded.get(employeeId) ?? blank), state };
  });
}

const figure = (name) => (row) => (row.id ? duration(row[name]) : "");

const columns = () => [
  { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
  { key: "state", text: t("Status"), place: "state", width: "9rem", cell: stateOf },
  { key: "times", text: t("Punches"), place: "meta", cell: punchesOf },
  { key: "break", text: t("Break"), isFigure: true, isMinor: true, cell: figure("breakMinutes") },
  { key: "worked", text: t("Worked"), isFigure: true, place: "figure", cell: figure("workedMinutes") },
  { key: "overtime", text: t("Overtime"), isFigure: true, cell: figure("overtimeMinutes") },
  ...lateness(),
  { key: "note", text: t.of("internal", "Note"), isMinor: true, cell: ({ note }) => note ?? "" },
];

function stateOf({ status, state }) {
  if (status) return pill(STATUSES[status](), isAtWork(status) ? "good" : status === "absent" ? "warn" : "info");
  if (state === "missing") return pill(t.of("attendance", "Missing"), "warn");
  return state ? pill(STATUSES[state](), "info") : "";
}

// One's own day is corrected by asking, where one may not write it.
async function opened(row, gone) {
  const title = row.employeeName;
  if (!canWrite(row)) {
    const correctionForm = (await import("./correction.js")).correctionForm;
    return dialog({ title: t("Correct a day"), body: (close) => correctionForm(close, { day: row.date }) });
  }
  const dayForm = (await import("./entry.js")).dayForm;
  return dialog({ title, body: (close) => dayForm(row, (one) => removing(one, gone), close) });
}

const removing = ({ id, version, employeeName: name }, gone) =>
  void heldBackFrom(gone, id, t("{name}’s day deleted.", { name }), async (options) => {
    await send("DELETE", `/hr/attendance/${id}`, undefined, { version, ...options });
    changed("/hr/", "/workspace/home");
  });

const entering = (day, selected) => ({
  name: t("Enter attendance"),
  icon: "clock",
  key: "b",
  fits: (rows) => rows.some(canWrite),
  run: async (rows) => {
    const batchForm = (await import("./entry.js")).batchForm;
    const done = () => void (selected.value = new Set());
    await dialog({
      title: t("Enter attendance"),
      size: "wide",
      body: (close) => batchForm(rows.filter(canWrite), day(), done, close),
    });
  },
});
