// The blocks of Home and their order: by the right, which the answer of the server follows, at first by the role, and then as
// the user arranges them. Each figure leads to the list of which it is the sum.
import { address } from "../../core/api.js";
import { dayOfMonth, dayShort, duration, longDay, money, monthName, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { addDays, startOfWeek, today } from "../../core/parse.js";
import { kept, may, session } from "../../core/session.js";
import { computed, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { barChart, lineChart } from "../../ui/chart.js";
import { figureCard, figures } from "../../ui/figure.js";
import { stepAction } from "../../ui/step.js";
import { waitingList } from "../../ui/waiting.js";

const { a, div, p } = tags;

// By key: its title, the parts of the answer that are not of the same name, and what it makes of them.
const BLOCKS = {
  waiting: { title: () => t("Waiting for you"), parts: ["today"] },
  clock: { title: () => t("Attendance"), isThere: ({ clock }) => clock?.keepsAttendance, make: clock },
  today: { title: () => t("Today"), parts: ["tasks", "tasksAhead"], make: day },
  deadlines: { title: () => t("Deadlines"), make: deadlines },
  cash: { title: () => t("Bank and cash"), make: cash },
  due: { title: () => t("Due amounts"), make: due },
  result: { title: () => t("Result"), make: result },
  hours: { title: () => (may("time.read") ? t("Hours") : t("Week")), make: hours },
  away: { title: () => t("Away"), make: away },
};
const partsOf = (key) => BLOCKS[key].parts ?? [key];
const isThere = (key, home) => (BLOCKS[key].isThere ?? ((all) => all[partsOf(key)[0]]))(home);

/** @type {Record<string, string[]>} */
const BY_ROLE = {
  accountant: ["waiting", "deadlines", "cash", "due", "result"],
  hr: ["waiting", "away", "deadlines"],
  manager: ["waiting", "hours", "away", "today"],
  member: ["clock", "today", "hours"],
  viewer: ["cash", "due", "result"],
};

export const titleOf = (key) => BLOCKS[key].title();

// The blocks that someone may see, in their order. Without a word of theirs, one is hidden that their role does not need;
// open points never are.
export function arranged(home, hasEntries) {
  if (!home) return [];
  const usual = BY_ROLE[session.value?.workspace.role] ?? Object.keys(BLOCKS);
  const own = kept("home");
  const chosen = Array.isArray(own) ? own : []; // nothing yet
  const isHidden = (key) => !usual.includes(key) && !(key === "waiting" && hasEntries);
  const keys = [...new Set([...chosen.map(({ key }) => key), ...usual, ...Object.keys(BLOCKS)])];
  return keys.filter((key) => BLOCKS[key] && isThere(key, home)).map((key) => ({
    key,
    isHidden: chosen.find((one) => one.key === key)?.isHidden ?? isHidden(key),
  }));
}

export const block = (key, get) => {
  const parts = partsOf(key).map((name) => computed(() => get()[name]));
  return card({ title: titleOf(key) }, () => parts[0].value && BLOCKS[key].make(...parts.map(({ value }) => value)));
};

const figure = (label, value, href, more = {}) => figureCard({ label, value, href, ...more });
const days = (from, last) => ({ dateFrom: from, dateTo: last });

// A chart of nothing but zeros says nothing.
const hasAny = (all, names) => all.some((one) => names.some((name) => Number(one[name])));

function clock({ since, today: day, week }) {
  const worked = (part) =>
    t("{worked} of {due}", { worked: duration(part.workedMinutes), due: duration(part.expectedMinutes) });
  return figures(
    figure(since ? t("Clocked in") : t("Not clocked in"), worked(day), "/me"),
    figure(t("This week"), worked(week), "/me"),
  );
}

function day(tasks, tasksAhead) {
  const rows = tasks.items.map((task) => ({
    key: task.id,
    text: `${task.key} ${task.title}`,
    more: task.isOverdue
      ? t("was due {day}", { day: dayShort(task.dueDate) })
      : t("due {day}", { day: dayShort(task.dueDate) }),
    href: `/tasks/${task.id}`,
    actions: task.isPrivate ? [stepAction(task)] : [],
  }));
  const href = address("/tasks", { view: "mine", dueFrom: addDays(today(), 1), dueTo: addDays(today(), 7) });
  return [
    waitingList({ items: () => rows, empty: t("No tasks due."), label: t("Tasks due") }),
    tasksAhead.total > 0 && p(a(
      { href },
      tn("Next 7 days: {n} task, the first {day}", "Next 7 days: {n} tasks, the first {day}", tasksAhead.total, {
        day: longDay(tasksAhead.firstDate),
      }),
    )),
  ];
}

function deadlines(all) {
  return waitingList({
    items: () =>
      all.map(({ kind, title, date, daysLeft, ageDays, href }) => ({
        key: `${kind} ${title}`,
        text: title,
        more: kind === "backup" ? ageOf(ageDays) : [longDay(date), left(daysLeft)].join(" · "),
        href,
      })),
    empty: t("No deadlines."),
    label: t("Deadlines"),
  });
}

const left = (n) =>
  n < 0 ? tn("{n} day late", "{n} days late", -n) : n ? tn("in {n} day", "in {n} days", n) : t("today");

const ageOf = (n) => n === null ? t("none yet") : tn("{n} day old", "{n} days old", n);

function cash({ currency, bank, accounts, weeks, lowest, overdue }) {
  const amount = (text) => money(text, currency);
  const ahead = (last) => address("/reports/cash-forecast", { dateTo: last });
  return [
    figures(
      figure(t("Balance today"), amount(bank), ahead(today())),
      figure(
        lowest.date === today() ? t("Lowest today") : t("Lowest on {day}", { day: dayShort(lowest.date) }),
        amount(lowest.balance),
        ahead(lowest.date),
        { note: Number(overdue) ? t("{amount} overdue, taken as paid today", { amount: amount(overdue) }) : null },
      ),
      accounts.length > 1 &&
        accounts.map(({ accountId, name, balance }) =>
          figure(name, amount(balance), address("/reports/general-ledger", { accountId }))
        ),
    ),
    hasAny(weeks, ["balance"]) && lineChart({
      label: t("Cash in 13 weeks"),
      series: [t.of("money", "Balance")],
      points: weeks.map(({ date, balance }) => ({
        text: dayOfMonth(date),
        values: [balance],
        shown: [money(balance)],
        href: ahead(date),
      })),
    }),
  ];
}

function due({ currency, in: incoming, out }) {
  const sides = [
    ["receivable", incoming, t("Receivables overdue"), t("Receivables, 7 days"), t("Receivables, 30 days")],
    ["payable", out, t("Payables overdue"), t("Payables, 7 days"), t("Payables, 30 days")],
  ];
  return figures(sides.map(([side, { overdue, overdueCount, week, month }, late, inWeek, inMonth]) => {
    const open = (filter) => address("/open-items", { side, ...filter });
    const until = (last) => open({ dueFrom: today(), due: addDays(today(), last) });
    const amount = (text) => money(text, currency);
    return [
      figure(late, amount(overdue), open({ isOverdue: "true" }), {
        note: overdueCount ? tn("{n} item", "{n} items", overdueCount) : null,
        kind: overdueCount ? "bad" : null,
      }),
      figure(inWeek, amount(week), until(6)),
      figure(inMonth, amount(month), until(29)),
    ];
  }));
}

const profitAndLoss = (more) => address("/reports/profit-and-loss", more);

function result({ from, to, currency, amount, before, changePercent, months }) {
  const was = money(before, currency);
  const change = changePercent && `${changePercent.startsWith("-") ? "" : "+"}${number(changePercent)} %`;
  const note = change
    ? t("{year}: {amount}, {change}", { year: Number(to.slice(0, 4)) - 1, amount: was, change })
    : Number(before) && t("was {amount}", { amount: was });
  return [
    figures(figure(
      t("{from} to {to}", { from: monthName(from), to: monthName(to) }),
      money(amount, currency),
      profitAndLoss({ ...days(from, to), compare: "previous_year" }),
      { note: note || null, kind: change && (change.startsWith("+") ? "good" : "warn") },
    )),
    monthChart(months),
  ];
}

function monthChart(months) {
  const hasMarks = hasAny(months, ["incomeBefore"]);
  const drawn = ["income", "expense", ...(hasMarks ? ["incomeBefore"] : [])];
  const monthEnd = (month) => addDays(`${nextMonth(month)}-01`, -1);
  return hasAny(months, drawn) && barChart({
    label: t("Income and expenses by month"),
    series: [t("Income"), t("Expenses"), ...(hasMarks ? [t("Income a year earlier")] : [])],
    hasMarks,
    points: months.map(({ month, ...sums }) => ({
      text: monthName(month),
      values: drawn.map((name) => sums[name]),
      shown: drawn.map((name) => money(sums[name])),
      href: profitAndLoss(days(`${month}-01`, monthEnd(month))),
    })),
  });
}

const nextMonth = (month) => addDays(`${month}-01`, 31).slice(0, 7);

function hours({ isOwn, weekMinutes, expectedMinutes, unbilledMinutes, unbilledAmount, billedMonth, currency }) {
  const monday = startOfWeek(today());
  const month = today().slice(0, 7);
  const logged = (filter) => address("/time/entries", { userId: isOwn ? "me" : null, ...filter });
  const week = t("{worked} of {due}", { worked: duration(weekMinutes), due: duration(expectedMinutes) });
  return figures(
    figure(t("This week"), week, logged(days(monday, addDays(monday, 6)))),
    figure(
      t("Not invoiced"),
      duration(unbilledMinutes),
      logged({ isBillable: "true", isInvoiced: "false", dateTo: today() }),
      {
        note: unbilledAmount && money(unbilledAmount, currency, { withCurrency: true }),
      },
    ),
    figure(
      t("Invoiced this month"),
      duration(billedMonth),
      logged({ isInvoiced: "true", ...days(`${month}-01`, addDays(`${nextMonth(month)}-01`, -1)) }),
    ),
  );
}

function away({ today: now, nextWeek }) {
  const names = (people) =>
    people.map(({ name, until }) => t("{name} until {day}", { name, day: dayShort(until) })).join(", ") || t("No one");
  return div(
    p(t("Today: {people}", { people: names(now) })),
    p(t("Next week: {people}", { people: names(nextWeek) })),
    p(a({ href: "/leave?view=calendar" }, t("Calendar"))),
  );
}
