// The week as a grid of tasks and days; a figure in a cell is logged at once.
import { address, newKey, send } from "../../core/api.js";
import { days, dayShort, duration, longDay, weekday } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { addDays, startOfWeek, today, weekdayOf } from "../../core/parse.js";
import { go, query, setQuery } from "../../core/router.js";
import { employeeId, may, session, settings } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { computed, signal, tags } from "../../core/view.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { weekGrid } from "./grid.js";
import { editLog } from "./dialog.js";
import { taskOptions, TOUCHED } from "../names.js";
import { returned, stateOfWeek, submitting, weeksOf } from "./submitting.js";

const FRIDAY = 5;

export default () => {
  const start = computed(() => startOfWeek(query.value.get("week") || today()));
  const userId = session.peek().user.id;
  const read = (first) =>
    list(() => address("/tasks/time-logs", { userId, dateFrom: first(), dateTo: addDays(first(), 6) }));
  const logs = read(() => start.value);
  const before = read(() => addDays(start.value, -7));
  const weeks = weeksOf(() => start.value);
  const isHeld = (iso) => weeks.held().some(({ dateFrom, dateTo }) => dateFrom <= iso && iso <= dateTo);
  const added = signal([]);
  const cells = computed(() => byCell(logs.items ?? []));
  const rows = computed(() => rowsOf(logs.items ?? [], before.items ?? [], added.value));
  const week = () => Array.from({ length: 7 }, (_, at) => addDays(start.value, at));
  const sum = (fits) => (logs.items ?? []).filter(fits).reduce((total, { minutes }) => total + minutes, 0);
  const move = (count) => setQuery({ week: addDays(start.peek(), count) });
  return {
    title: () => t("Time, {days}", { days: days(start.value, addDays(start.value, 6)) }),
    actions: [
      { name: t("Previous week"), key: "[", icon: "chevron-left", isStep: true, run: () => move(-7) },
      { name: t("Next week"), key: "]", icon: "chevron-right", isStep: true, run: () => move(7) },
      {
        name: t("This week"),
        key: "t",
        isShown: () => start.value !== startOfWeek(today()),
        run: () => setQuery({ week: null }),
      },
      ...submitting(weeks, () => Promise.all(saving)),
      {
        name: t("Approve time"),
        icon: "calendar-check",
        may: "time.write",
        isShown: () => settings().timeApproval !== "off",
        run: () => go("/time/approve"),
      },
    ],
    state: () => [
      tags.span({ class: "soft" }, standing(sum(() => true), start.value)),
      weeks.shown().map(stateOfWeek),
    ],
    body: tags.div(
      { class: "stack" },
      () => returned(weeks),
      weekGrid({
        label: t("Timesheet"),
        days: () =>
          week().map((iso) => ({
            iso,
            text: weekday(iso),
            note: dayShort(iso),
            name: longDay(iso),
            isToday: iso === today(),
            isOff: weekdayOf(iso) > FRIDAY,
          })),
        rows: () => rows.value,
        cell: (row, day) => cellOf(cells.value.get(`${row.key} ${day.iso}`), isHeld(day.iso)),
        save: (row, day, minutes) => kept(save(row, day.iso, minutes, cells.peek().get(`${row.key} ${day.iso}`))),
        open: (row) => go(`/tasks/${row.key}`),
        note: (row, day) => noteOf(cells.peek().get(`${row.key} ${day.iso}`)),
        sumOfRow: (row) => duration(sum(({ taskId }) => taskId === row.key)),
        sumOfDay: (day) => duration(sum(({ date }) => date === day.iso)),
        sum: () => duration(sum(() => true)),
        foot: may("time.write_own") ? addRow(added) : null,
      }),
      daysOff(() => start.value),
    ),
  };
};

// What was worked of what is due, as far as the office says it: for this week, and those who keep attendance.
function standing(minutes, first) {
  const due = employeeId() && first === startOfWeek(today()) ? resource("/hr/me").value?.week?.expectedMinutes : null;
  return due ? t("{worked} of {due}", { worked: duration(minutes), due: duration(due) }) : duration(minutes);
}

// Holidays and one's own leave in that week.
function daysOff(first) {
  if (!may("leave.read_own")) return null;
  const found = resource(() => address("/hr/leaves/calendar", { dateFrom: first(), dateTo: addDays(first(), 6) }));
  const own = () =>
    (found.value?.absences ?? []).filter((one) => one.employeeId === employeeId() && one.status === "approved");
  return tags.p({ class: "soft small row" }, () => [
    (found.value?.holidays ?? []).map(({ date, name }) =>
      tags.span(t("{day}: {holiday}", { day: longDay(date), holiday: name }))
    ),
    own().map(({ startDate, endDate }) => tags.span(t("On leave: {days}", { days: days(startDate, endDate) }))),
  ]);
}

function byCell(logs) {
  const cells = new Map();
  for (const log of logs) {
    const key = `${log.taskId} ${log.date}`;
    cells.set(key, [...(cells.get(key) ?? []), log]);
  }
  return cells;
}

// The tasks of this week and of the one before, and those added by hand.
function rowsOf(logs, before, added) {
  const rows = new Map();
  for (const log of [...logs, ...before]) {
    rows.set(log.taskId, {
      key: log.taskId,
      title: `${log.taskKey} ${log.taskTitle}`,
      more: log.projectName ?? "",
      href: `/tasks/${log.taskId}`,
    });
  }
  for (const task of added) {
    if (!rows.has(task.id)) {
      rows.set(task.id, { key: task.id, title: `${task.key} ${task.title}`, more: "", href: `/tasks/${task.id}` });
    }
  }
  return [...rows.values()].sort((one, other) => one.title.localeCompare(other.title));
}

function cellOf(logs = [], isHeld = false) {
  const minutes = logs.reduce((sum, log) => sum + log.minutes, 0);
  return {
    minutes: logs.length ? minutes : null,
    isFixed: isHeld || !may("time.write_own") || logs.length > 1 || Boolean(logs[0]?.invoiceId || logs[0]?.startedAt),
    note: logs[0]?.note ?? null,
  };
}

const saving = new Set(); // what is sent for cells and not answered yet

function kept(work) {
  saving.add(work);
  return work.finally(() => saving.delete(work));
}

// A cell holds at most one log here: it is made, changed or deleted.
async function save(row, date, minutes, logs = []) {
  const [log] = logs;
  const cell = `${row.key} ${date}`;
  if (log) unanswered.delete(cell);
  if (log && !minutes) await send("DELETE", `/tasks/time-logs/${log.id}`, undefined, { version: log.version });
  else if (log) await send("PATCH", `/tasks/time-logs/${log.id}`, { minutes }, { version: log.version });
  else if (minutes) await add(cell, row.key, { date, minutes });
  changed(...TOUCHED);
}

const unanswered = new Map(); // what was sent for a cell and not answered: sent once more, it is no second log

async function add(cell, taskId, body) {
  const before = unanswered.get(cell);
  const key = before?.minutes === body.minutes ? before.key : newKey();
  unanswered.set(cell, { minutes: body.minutes, key });
  await send("POST", `/tasks/${taskId}/time-logs`, body, { key });
  unanswered.delete(cell);
}

const noteOf = ([log] = []) => log && editLog(log, { isNote: true });

function addRow(added) {
  const chosen = signal("");
  const choose = ({ task }) => {
    added.value = [...added.peek(), task];
    chosen.value = "";
  };
  return field(
    { label: t("Another task"), name: "task", isHidden: true },
    combobox({ value: chosen, name: "task", options: taskOptions, choose, placeholder: t("+ Task …") }),
  );
}
