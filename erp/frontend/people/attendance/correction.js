// Asking for a correction of a day: when one came and went.
import { newKey, send } from "../../core/api.js";
import { timeZone } from "../../core/format.js";
import { formatBy, t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { breakInput } from "../../ui/number.js";
import { whom } from "../employees/whom.js";

// Of `person`, else of oneself; of others it is approved as it is entered.
export function correctionForm(close, { person = null, day = today() } = {}) {
  const who = whom("attendance.write_reports", person);
  const values = {
    date: signal(day),
    from: signal(""),
    until: signal(""),
    breakMinutes: signal(null),
    reason: signal(""),
  };
  const key = newKey();
  const run = async () => {
    const { date, from, until, breakMinutes, reason } = Object.fromEntries(
      Object.entries(values).map(([name, one]) => [name, one.value]),
    );
    const punches = from ? [{ in: instantOf(date, from), out: until ? instantOf(date, until) : null }] : undefined;
    const isOther = who.isOther();
    const asked = await send("POST", "/hr/attendance-corrections", {
      date,
      reason,
      ...(punches && { punches }),
      ...(breakMinutes !== null && breakMinutes !== "" && { breakMinutes }),
      ...(isOther && { employeeId: who.id.value }),
    }, { key });
    if (isOther) await send("POST", `/hr/attendance-corrections/${asked.id}/approve`, {});
    changed("/hr/", "/workspace/home");
    close();
    notify(isOther ? t("Saved.") : t("Request sent."), { kind: "good" });
  };
  const clock = (label, name) =>
    field(
      { label, name: name === "from" ? "punches[0].in" : "punches[0].out", hint: t("For example 8:00") },
      textInput({
        value: values[name],
        name: name === "from" ? "punches[0].in" : "punches[0].out",
        inputmode: "numeric",
      }),
    );
  return form(
    { run, submit: person ? t("Save") : t("Request"), cancel: () => close(), label: t("Correction") },
    tags.div(
      { class: "fields" },
      field({ label: t("Day"), name: "date" }, dateField({ value: values.date, name: "date" })),
      clock(t("Clocked in at"), "from"),
      clock(t("Clocked out at"), "until"),
      field(
        { label: t("Break"), name: "breakMinutes", isOptional: true, hint: t("For example 30 or 0:30") },
        breakInput({ value: values.breakMinutes, name: "breakMinutes" }),
      ),
      who.draw(),
    ),
    field({ label: t("Reason"), name: "reason", isWide: true }, textInput({ value: values.reason, name: "reason" })),
  );
}

// A time of a day in the workspace's zone as an instant; text that is no time goes to the server, which says so.
export function instantOf(day, text) {
  const [, hours, minutes = "00"] = text.trim().match(/^(\d{1,2})(?::?(\d{2}))?$/) ?? [];
  if (hours === undefined) return text;
  const asUtc = new Date(`${day}T${hours.padStart(2, "0")}:${minutes}:00Z`);
  if (Number.isNaN(asUtc.getTime())) return text;
  return new Date(asUtc.getTime() - offset(asUtc)).toISOString();
}

// How far the zone's clock is ahead of UTC at that moment, in ms.
function offset(moment) {
  const parts = formatBy(Intl.DateTimeFormat, {
    timeZone: timeZone(),
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }, "en-US").formatToParts(moment);
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - moment.getTime();
}
