// Locking the books: what is still open is shown first, and a reason is asked for only while there is something. An owner
// unlocks them, always with a reason.
import { address, get, newKey, Refusal, send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { addDays } from "../../core/parse.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";

const { p } = tags;

export const lock = (throughDate) =>
  asking({
    title: t("Lock through {day}?", { day: day(throughDate) }),
    submit: t("Lock"),
    throughDate,
    act: (reason) => send("POST", "/finance/periods/lock", { throughDate, reason }, { key: newKey() }),
  });

export const closeYear = ({ year, endDate }) =>
  asking({
    title: t("Close {year}?", { year }),
    submit: t("Close the year"),
    throughDate: endDate,
    act: (reason) => send("POST", `/finance/fiscal-years/${year}/close`, { reason }, { key: newKey() }),
  });

// A tax return is kept as filed and its days are locked in one call.
export const fileAndLock = (days) =>
  asking({
    title: t("File and lock through {day}?", { day: day(days.dateTo) }),
    submit: t("File and lock"),
    throughDate: days.dateTo,
    act: (lockReason) => send("POST", "/finance/tax-returns", { ...days, lock: true, lockReason }, { key: newKey() }),
  });

async function asking({ title, submit, throughDate, act }) {
  const found = await get(address("/finance/periods/check-list", { date: throughDate }));
  await dialog({ title, body: (close) => lockForm({ found, submit, throughDate, act, close }) });
}

const unsaid = () =>
  new Refusal({
    status: 422,
    message: t("Enter a reason."),
    details: [{ field: "reason", message: t("Enter a reason.") }],
  });

const lockedThrough = (date) => t("The books are locked through {day}.", { day: day(date) });

function lockForm({ found, submit, throughDate, act, close }) {
  const reason = signal("");
  const run = async () => {
    if (found.needsReason && !reason.value) throw unsaid();
    await act(reason.value || null);
    changed("/finance");
    notify(lockedThrough(throughDate), { kind: "good" });
    close();
  };
  return form(
    { run, submit, cancel: () => close(), label: submit },
    p(t("No entries through that day are possible any more. Only an owner can unlock the books.")),
    found.findings.map(({ message, count }) => alert({ kind: "warn", text: `${count} × ${message}` })),
    found.needsReason
      ? field({
        label: t("Reason"),
        name: "reason",
        hint: t("Reason to lock despite open points. It is kept in the audit log and shown with the lock."),
      }, textInput({ value: reason, name: "reason", maxlength: 200 }))
      : null,
  );
}

// `lockDate` is the last day that is locked; at first its month is unlocked.
export const unlock = (lockDate) => dialog({ title: t("Unlock books?"), body: (close) => unlockForm(lockDate, close) });

function unlockForm(lockDate, close) {
  const [throughDate, reason] = [signal(addDays(`${lockDate.slice(0, 7)}-01`, -1)), signal("")];
  const run = async () => {
    const body = { throughDate: throughDate.value || null, reason: reason.value };
    await send("POST", "/finance/periods/unlock", body, { key: newKey() });
    changed("/finance");
    notify(throughDate.value ? lockedThrough(throughDate.value) : t("The books are unlocked."), { kind: "good" });
    close();
  };
  return form(
    { run, submit: t("Unlock"), cancel: () => close(), label: t("Unlock"), kind: "danger" },
    p(t("The books are locked through {day}. Unlocked days accept entries again.", { day: day(lockDate) })),
    field(
      {
        label: t("Locked through"),
        name: "throughDate",
        isOptional: true,
        hint: t("Clear the date to unlock everything."),
      },
      dateField({ value: throughDate, name: "throughDate" }),
    ),
    field(
      { label: t("Reason"), name: "reason", hint: t("The reason is kept in the audit log and shown with the lock.") },
      textInput({ value: reason, name: "reason", maxlength: 200 }),
    ),
  );
}
