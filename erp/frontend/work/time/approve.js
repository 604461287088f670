// Weeks of time to decide on: people by weeks. A cell opens with what can be done; `a` approves, `r` returns.
import { address, send } from "../../core/api.js";
import { dayShort, duration } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { bind } from "../../core/keys.js";
import { notify, tried } from "../../core/notices.js";
import { addDays, startOfWeek, today } from "../../core/parse.js";
import { query, setQuery } from "../../core/router.js";
import { changed, list } from "../../core/store.js";
import { inverse } from "../../core/undo.js";
import { computed, signal, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { actionButton } from "../../ui/actions.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { weekGrid } from "./grid.js";
import { kindOfState, nameOfState, spanOfWeek, textOfWeek, WEEKS_TOUCHED } from "./submitting.js";

const SHOWN = 5; // weeks

export default () => {
  const last = computed(() => query.value.get("week") || startOfWeek(today()));
  const found = list(() =>
    address("/tasks/time-weeks", {
      dateFrom: addDays(last.value, -7 * (SHOWN - 1)),
      dateTo: addDays(last.value, 6),
      sort: "date",
      limit: 200,
    })
  );
  const weeks = computed(() => new Map((found.items ?? []).map((week) => [`${week.userId} ${week.dateFrom}`, week])));
  const missing = () => (found.items ?? []).filter(({ can }) => can.includes("remind"));
  const move = (count) => setQuery({ week: addDays(last.peek(), count) });
  bind({
    a: { text: t.of("request", "Approve"), run: () => onFocused(weeks, "approve", approve) },
    r: { text: t("Return"), run: () => onFocused(weeks, "return", giveBack) },
  });
  return {
    title: t("Approve time"),
    actions: () => [
      { name: t("Earlier weeks"), key: "[", icon: "chevron-left", isStep: true, run: () => move(-7) },
      { name: t("Later weeks"), key: "]", icon: "chevron-right", isStep: true, run: () => move(7) },
      missing().length && {
        name: tn("Remind {n} missing", "Remind {n} missing", missing().length),
        icon: "bell",
        run: () => remind(missing()),
      },
    ],
    body: tags.div(
      { class: "stack" },
      problem(() => found.problem, found.renew),
      () => found.items && (found.items.length ? grid(found, weeks) : empty(t("No weeks of time."))),
    ),
  };
};

function grid(found, weeks) {
  const items = () => found.items ?? [];
  const sum = (fits) => duration(items().filter(fits).reduce((total, { loggedMinutes }) => total + loggedMinutes, 0));
  return weekGrid({
    label: t("Weeks of time"),
    titleText: t("Person"),
    days: () => columnsOf(items()),
    rows: () => rowsOf(items()),
    cell: (row, day) => cellOf(weeks.value.get(`${row.key} ${day.iso}`)),
    open: (row, day) => openWeek(weeks.peek().get(`${row.key} ${day.iso}`)),
    sumOfRow: (row) => sum(({ userId }) => userId === row.key),
    sumOfDay: (day) => sum(({ dateFrom }) => dateFrom === day.iso),
    sum: () => sum(() => true),
  });
}

const columnsOf = (items) =>
  [...new Map(items.map((week) => [week.dateFrom, week])).values()].map((week) => ({
    iso: week.dateFrom,
    text: dayShort(week.dateFrom),
    name: spanOfWeek(week),
  }));

const rowsOf = (items) =>
  [...new Map(items.map(({ userId, userName }) => [userId, { key: userId, title: userName ?? userId }])).values()]
    .sort((one, other) => one.title.localeCompare(other.title));

const cellOf = (week) =>
  week
    ? { isFixed: true, text: textOfWeek(week), kind: kindOfState(week), note: week.note }
    : { isFixed: true, text: "–", kind: "neutral" };

function onFocused(weeks, verb, act) {
  const cell = /** @type {any} */ (document.activeElement?.closest("[data-day]"));
  const person = cell?.closest("[data-week-row]").dataset.weekRow;
  const week = weeks.peek().get(`${person} ${cell?.dataset.day}`);
  return week?.can.includes(verb) ? void tried(() => act(week)) : false;
}

const post = async (week, verb, more = {}) => {
  await send("POST", `/tasks/time-weeks/${week.dateFrom}/${verb}`, { userId: week.userId, ...more });
  changed(...WEEKS_TOUCHED);
};

async function approve(week) {
  await post(week, "approve");
  const text = t("{name}’s time approved: {days}", { name: week.userName, days: spanOfWeek(week) });
  inverse(text, () => post(week, "reopen", { reason: t("Approval undone.") }));
}

async function remind(weeks) {
  for (const week of weeks) await post(week, "remind");
  notify(tn("{n} reminder sent.", "{n} reminders sent.", weeks.length), { kind: "good" });
}

const giveBack = (week) => reasoned(week, "return", t("Return"), t("Return {name}’s time", { name: week.userName }));
const reopen = (week) => reasoned(week, "reopen", t("Reopen"), t("Reopen {name}’s time", { name: week.userName }));

function reasoned(week, verb, name, title) {
  const reason = signal("");
  return dialog({
    title,
    body: (close) =>
      form(
        {
          run: async () => {
            await post(week, verb, { reason: reason.value });
            close();
          },
          submit: name,
          cancel: () => close(),
          label: title,
        },
        field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
      ),
  });
}

const ACTS = [
  { verb: "approve", name: () => t.of("request", "Approve"), run: approve, main: true },
  { verb: "return", name: () => t("Return"), run: giveBack },
  { verb: "reopen", name: () => t("Reopen"), run: reopen },
  { verb: "remind", name: () => t("Remind"), run: (week) => remind([week]) },
];

function openWeek(week) {
  if (!week) return undefined;
  return dialog({
    title: `${week.userName} · ${spanOfWeek(week)}`,
    body: (close) =>
      tags.div(
        { class: "stack" },
        facts([
          [t("Status"), nameOfState(week)],
          [t("Logged"), duration(week.loggedMinutes)],
          [t("Scheduled"), duration(week.expectedMinutes)],
          [t("Billable"), duration(week.billableMinutes)],
          [t("Decided by"), week.decidedByName],
          [t.of("internal", "Note"), week.note],
        ]),
        tags.div(
          { class: "row" },
          ACTS.filter(({ verb }) => week.can.includes(verb)).map(({ name, main = false, run }) =>
            actionButton({
              name: name(),
              main,
              run: () => {
                close();
                return run(week);
              },
            })
          ),
        ),
      ),
  });
}
