// Working time and pay: where the clock is, which days are free, and how times and parts of a month are counted.
import { t } from "../../core/i18n.js";
import { signal, tags } from "../../core/view.js";
import { checkbox, choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { timeBillingFields, timeBillingOf, timeBillingSignals } from "../../ui/time_billing.js";
import { weekendField, weekendOf, weekendSignals } from "../../ui/weekend.js";
import { settingsForm } from "./form.js";
import { zoneOptions } from "../../ui/zones.js";

const { div } = tags;

const MODES = () => [
  { value: "nearest", text: t("to the nearest") },
  { value: "up", text: t("up") },
  { value: "down", text: t("down") },
];

const BASES = () => [
  { value: "working_days", text: t("by the working days of the month") },
  { value: "calendar_days", text: t("by the days of the month") },
  { value: "fixed_30", text: t("by thirtieths") },
];

const PAYOUTS = () => [
  { value: "year_days", text: t("by the working days of a year") },
  { value: "last_13_weeks", text: t("by the pay of the last 13 weeks") },
];

export function workingTime(get, path) {
  const workspace = get();
  const zone = signal(workspace.timeZone);
  const free = weekendSignals(workspace.weekend);
  const step = signal(String(workspace.punchRounding?.step ?? ""));
  const mode = signal(workspace.punchRounding?.mode ?? "nearest");
  const grace = signal(String(workspace.latenessGraceMinutes));
  const basis = signal(workspace.prorationBasis);
  const payout = signal(workspace.leavePayout);
  const company = signal(workspace.nacha?.companyId ?? "");
  const routing = signal(workspace.nacha?.originatingRouting ?? "");
  return settingsForm(
    t("Working time and pay"),
    get,
    path,
    () => ({
      timeZone: zone.value,
      weekend: weekendOf(free),
      punchRounding: step.value.trim() ? { step: Number(step.value), mode: mode.value } : null,
      latenessGraceMinutes: Number(grace.value),
      prorationBasis: basis.value,
      leavePayout: payout.value,
      nacha: company.value.trim() || routing.value.trim()
        ? { companyId: company.value.trim(), originatingRouting: routing.value.trim() }
        : null,
    }),
    field(
      { label: t("Time zone"), name: "timeZone" },
      choice({ value: zone, name: "timeZone", options: zoneOptions([zone.peek()]) }),
    ),
    weekendField(free),
    div(
      { class: "fields" },
      field(
        {
          label: t("Rounding of punches"),
          name: "punchRounding.step",
          isOptional: true,
          hint: t("Minutes, for example 5."),
        },
        textInput({ value: step, name: "punchRounding.step", inputmode: "numeric" }),
      ),
      field(
        { label: t("Rounded"), name: "punchRounding.mode" },
        choice({ value: mode, name: "punchRounding.mode", options: MODES() }),
      ),
      field(
        {
          label: t("Minutes of grace"),
          name: "latenessGraceMinutes",
          hint: t("Minutes after begin or before end that are not shown as lateness."),
        },
        textInput({ value: grace, name: "latenessGraceMinutes", inputmode: "numeric" }),
      ),
    ),
    field(
      { label: t("Pay for part of a month"), name: "prorationBasis" },
      choice({ value: basis, name: "prorationBasis", options: BASES() }),
    ),
    field(
      { label: t("Value of a day of leave paid out"), name: "leavePayout" },
      choice({ value: payout, name: "leavePayout", options: PAYOUTS() }),
    ),
    div(
      { class: "fields" },
      field(
        {
          label: t("Company ID for NACHA"),
          name: "nacha.companyId",
          isOptional: true,
          hint: t("For bank files in US dollars."),
        },
        textInput({ value: company, name: "nacha.companyId", maxlength: 10 }),
      ),
      field(
        { label: t("Routing number"), name: "nacha.originatingRouting", isOptional: true },
        textInput({ value: routing, name: "nacha.originatingRouting" }),
      ),
    ),
  );
}

const APPROVALS = () => [
  { value: "off", text: t("not submitted") },
  { value: "week", text: t("submitted by the week") },
  { value: "week_in_month", text: t("submitted by the week, parted at the end of a month") },
];

export function submittedTime(get, path) {
  const workspace = get();
  const approval = signal(workspace.timeApproval);
  const isApprovedOnly = signal(workspace.billApprovedTimeOnly);
  const closesAfter = signal(String(workspace.timeLock?.closesAfterDays ?? ""));
  const byBooks = signal(workspace.timeLock?.byBooks ?? false);
  const isMarginSeen = signal(workspace.managersSeeMargin);
  const lock = () => ({ closesAfterDays: Number(closesAfter.value.trim()) || null, byBooks: byBooks.value });
  const title = t("Approval of time");
  return settingsForm(
    title,
    get,
    path,
    () => ({
      timeApproval: approval.value,
      billApprovedTimeOnly: isApprovedOnly.value,
      timeLock: closesAfter.value.trim() || byBooks.value ? lock() : null,
      managersSeeMargin: isMarginSeen.value,
    }),
    field(
      { label: t("Weeks of time"), name: "timeApproval" },
      choice({ value: approval, name: "timeApproval", options: APPROVALS() }),
    ),
    checkbox({ value: isApprovedOnly, name: "billApprovedTimeOnly", text: t("Invoice approved time only") }),
    field(
      {
        label: t("Time closes after"),
        name: "timeLock.closesAfterDays",
        isOptional: true,
        hint: t("Days, for example 7. Older time can no longer be changed."),
      },
      textInput({ value: closesAfter, name: "timeLock.closesAfterDays", inputmode: "numeric" }),
    ),
    checkbox({ value: byBooks, name: "timeLock.byBooks", text: t("Time closes with the books") }),
    checkbox({
      value: isMarginSeen,
      name: "managersSeeMargin",
      text: t("Managers see the margin of projects on which three people worked"),
    }),
  );
}

export function billedTime(get, path) {
  const signals = timeBillingSignals(get().timeBilling);
  return settingsForm(
    t("Invoicing of time"),
    get,
    path,
    () => ({ timeBilling: timeBillingOf(signals) }),
    div({ class: "fields" }, timeBillingFields(signals, t("Usual"))),
  );
}
