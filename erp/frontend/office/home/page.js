// What waits for the user, their day, and the figures by right, in one answer of the server and in the order that they like.
import { send } from "../../core/api.js";
import { days, dayShort, duration, longDay, money, month } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { startOfWeek, today } from "../../core/parse.js";
import { documentPath } from "../../core/record_paths.js";
import { go } from "../../core/router.js";
import { session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { heldBackFrom } from "../../core/undo.js";
import { computed, each, signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { later } from "../../ui/later.js";
import { proposedOf } from "../../ui/punches.js";
import { loaded } from "../../ui/skeleton.js";
import { waitingList } from "../../ui/waiting.js";
import { arranged, block } from "./blocks.js";

const { div, span } = tags;
const items = (part) => part?.items ?? [];

export default () => {
  const home = resource("/workspace/home");
  const done = signal(new Set()); // decided here, and sent in a moment
  const entries = computed(() =>
    (home.value ? entriesOf(home.value, done) : []).filter(({ key }) => !done.value.has(key))
  );
  const shown = computed(() => arranged(home.value, entries.value.length > 0));
  const hasSteps = computed(() => Boolean(home.value?.firstSteps && !home.value.firstSteps.isHidden));
  return {
    title: t("Home"),
    state: () => span({ class: "soft" }, longDay(today())),
    actions: [
      { name: t("New invoice"), icon: "plus", may: "finance.write", run: () => go("/invoices/new") },
      {
        name: t("Arrange"),
        icon: "list-checks",
        run: async () => (await import("./arrange.js")).arrange(shown.peek()),
      },
    ],
    body: loaded(
      home,
      (get) =>
        div(
          { class: "home document" },
          () => hasSteps.value && later(firstSteps, () => get().firstSteps),
          each(() => shown.value.filter(({ isHidden }) => !isHidden), ({ key }) => key, (one) => {
            const { key } = one.peek();
            return key === "waiting" ? waiting(entries) : block(key, get);
          }),
        ),
    ),
  };
};

const firstSteps = async () => (await import("./first_steps.js")).firstSteps;

const waiting = (entries) =>
  card(
    { title: t("Waiting for you"), class: "is-wide" },
    waitingList({ items: () => entries.value, empty: t("No open points."), label: t("Waiting for you") }),
  );

const entriesOf = (home, done) => [
  ...items(home.leaves).map((leave) => leaveEntry(leave, done)),
  ...items(home.corrections).map((one) => correctionEntry(one, done)),
  ...items(home.claimsToDecide).map((claim) =>
    claimEntry(claim, t("Decide on the expense claim of {name}", { name: claim.employeeName }))
  ),
  ...items(home.billsToApprove).map((bill) => ({
    key: bill.id,
    text: t("Approve the bill of {name}", { name: bill.supplierName ?? bill.contactName }),
    more: money(bill.total ?? bill.amountDue, bill.currency, { withCurrency: true }),
    href: `/bills/${bill.id}`,
  })),
  ...items(home.billsDue).map((bill) => ({
    key: bill.id,
    text: t("Pay the bill of {name}", { name: bill.supplierName ?? bill.contactName }),
    more: [dayShort(bill.dueDate), money(bill.amountDue, bill.currency, { withCurrency: true })].join(" · "),
    href: `/bills/${bill.id}`,
  })),
  ...(home.remindersToMake ? [remindersEntry(home.remindersToMake)] : []),
  ...(home.depreciationDue ? [depreciationEntry(home.depreciationDue)] : []),
  ...items(home.linesWithoutAsset).map((line) => ({
    key: line.lineId,
    text: t("Add the asset {name}", { name: line.name }),
    more: money(line.cost, line.currency, { withCurrency: true }),
    href: "/assets",
  })),
  ...items(home.messagesInTrouble).map(({ id, status, resource }) => ({
    key: id,
    text: status === "unsure"
      ? t("Find out whether a message has gone out")
      : t("Look at a message that could not be sent"),
    more: resource.number ?? "",
    href: `/messages?state=${status}`,
  })),
  ...items(home.claimsToPost).map((claim) =>
    claimEntry(claim, t("Post the expense claim of {name}", { name: claim.employeeName }))
  ),
  ...items(home.payrollRuns).map((run) => ({
    key: run.id,
    text: run.action === "approve"
      ? t("Approve the payroll of {month}", { month: month(run.periodStart) })
      : t("Pay the payroll of {month}", { month: month(run.periodStart) }),
    more: tn("{n} person, net {net}", "{n} people, net {net}", run.headCount, {
      net: money(run.net, run.currency, { withCurrency: true }),
    }),
    href: `/payroll/${run.id}`,
  })),
  ...(home.payDifferences ? [differencesEntry(home.payDifferences)] : []),
  ...items(home.timeToApprove).map((week) => ({
    key: `${week.userId} ${week.dateFrom}`,
    text: t("Approve the time of {name}: {days}", { name: week.userName, days: days(week.dateFrom, week.dateTo) }),
    more: duration(week.loggedMinutes),
    href: "/time/approve",
  })),
  ...items(home.timeMissing).map(missingEntry),
  ...items(home.documentsExpiring).map((one) => ({
    key: one.id,
    text: t("Renew {title} of {name}", { title: one.title, name: one.employeeName }),
    more: t("until {day}", { day: longDay(one.validUntil) }),
    href: `/people/${one.employeeId}`,
  })),
  ...items(home.employmentsEnding).map((one) => ({
    key: `${one.kind}-${one.employeeId}`,
    text: one.kind === "contract"
      ? t("The contract of {name} ends", { name: one.employeeName })
      : t("The probation of {name} ends", { name: one.employeeName }),
    more: longDay(one.date),
    href: `/people/${one.employeeId}`,
  })),
  ...items(home.leaversWithAccess).map((one) => ({
    key: one.memberId,
    text: t("End the access of {name}", { name: one.employeeName }),
    more: t("Employed until {day}, and can still sign in", { day: longDay(one.lastDay) }),
    href: "/settings/members",
  })),
  ...items(home.retentionDue).map((one) => ({
    key: `retention-${one.id}`,
    text: t("Erase data of {name}", { name: one.name }),
    more: t("The time for which it is kept is over."),
    href: one.kind === "contact" ? `/contacts/${one.id}` : `/people/${one.id}`,
  })),
  ...items(home.unbilledTime).map((one) => ({
    key: one.projectId,
    text: t("Invoice {project}", { project: one.projectName }),
    more: t("{duration} not invoiced · {amount}", {
      duration: duration(one.minutes),
      amount: money(one.amount, one.currency, { withCurrency: true }),
    }),
    href: `/projects/${one.projectId}`,
  })),
  ...items(home.quotesToFollow).map((one) => ({
    key: `quote-${one.id}`,
    text: one.why === "expires"
      ? t("Quote {number} for {name} expires", { number: one.number, name: one.customerName })
      : one.why === "accepted"
      ? t("{name} accepted quote {number} by link", { number: one.number, name: one.acceptedBy ?? one.customerName })
      : t("Invoice quote {number} for {name}", { number: one.number, name: one.customerName }),
    more: [longDay(one.day), money(one.total, one.currency, { withCurrency: true })].join(" · "),
    href: `/quotes/${one.id}`,
  })),
  ...items(home.drafts).map((one) => ({
    key: one.id,
    text: t("Finish the draft for {name}", { name: one.contactName ?? t("no one yet") }),
    more: money(one.total, one.currency, { withCurrency: true }),
    href: `${documentPath(one)}/edit`,
  })),
];

const claimEntry = (claim, text) => ({
  key: claim.id,
  text,
  more: [claim.title, money(claim.total, claim.currency, { withCurrency: true })].join(" · "),
  href: `/expenses/${claim.id}`,
});

const differencesEntry = ({ count, net, currency }) => ({
  key: "differences",
  text: tn("{n} pay difference", "{n} pay differences", count),
  more: money(net, currency, { withCurrency: true }),
  href: "/payroll/differences",
});

function missingEntry({ userId, userName: name, dateFrom, dateTo, loggedMinutes, expectedMinutes }) {
  const isOwn = userId === session.peek().user.id;
  const spanned = days(dateFrom, dateTo);
  return {
    key: `${userId} ${dateFrom}`,
    text: isOwn ? t("Submit your time: {days}", { days: spanned }) : t("{name}’s time is missing: {days}", {
      name,
      days: spanned,
    }),
    more: t("{worked} of {due}", { worked: duration(loggedMinutes), due: duration(expectedMinutes) }),
    href: isOwn ? `/time?week=${startOfWeek(dateFrom)}` : "/time/approve",
  };
}

const remindersEntry = ({ letterCount }) => ({
  key: "reminders",
  text: tn("Make {n} reminder", "Make {n} reminders", letterCount),
  href: "/reminders",
});

const depreciationEntry = (due) => ({
  key: "depreciation",
  text: t("Post the depreciation through {month}", { month: month(due.month) }),
  more: money(due.amount, due.currency, { withCurrency: true }),
  href: "/depreciation-runs",
});

const decision = (key, done, text, path) =>
  heldBackFrom(done, key, text, async (options) => {
    await send("POST", path, {}, options);
    changed("/hr/", "/workspace/home");
  });

const deciding = (key, done, path, approved, rejected) => [
  { name: t.of("request", "Approve"), main: true, run: () => decision(key, done, approved, `${path}/approve`) },
  { name: t.of("request", "Reject"), run: () => decision(key, done, rejected, `${path}/reject`) },
];

function leaveEntry(leave, done) {
  const away = leave.alsoAway?.map((one) => one.name ?? one.employeeName ?? one) ?? [];
  return {
    key: leave.id,
    text: t("{name} requests leave: {days}", { name: leave.employeeName, days: days(leave.startDate, leave.endDate) }),
    more: [
      tn("{n} day", "{n} days", Number(leave.days)),
      away.length ? t("also away: {names}", { names: away.join(", ") }) : t("no one else is away"),
      leave.reason,
    ].filter(Boolean).join(" · "),
    actions: deciding(
      leave.id,
      done,
      `/hr/leaves/${leave.id}`,
      t("{name}’s leave approved.", { name: leave.employeeName }),
      t("{name}’s leave rejected.", { name: leave.employeeName }),
    ),
  };
}

const correctionEntry = (one, done) => ({
  key: one.id,
  text: t("{name} requests a correction: {day}", { name: one.employeeName, day: longDay(one.date) }),
  more: proposedOf(one),
  actions: deciding(
    one.id,
    done,
    `/hr/attendance-corrections/${one.id}`,
    t("{name}’s correction approved.", { name: one.employeeName }),
    t("{name}’s correction rejected.", { name: one.employeeName }),
  ),
});
