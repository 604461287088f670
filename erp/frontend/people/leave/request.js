// Entering leave: two days to type, and at once what it takes, what is left, and who else is away.
import { send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { days, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { changed, resource } from "../../core/store.js";
import { effect, signal, tags } from "../../core/view.js";
import { more } from "../../ui/card.js";
import { checkbox, choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { whom } from "../employees/whom.js";
import { isLimited } from "./balances.js";
import { leaveTypeText } from "./words.js";

const { div, li, p, ul } = tags;

// Leave of `person`, else one's own; of others it can be approved as it is entered. `code` is the type chosen at first, and
// one who `asksWhom` begins with the person.
export function leaveForm(close, { person = null, code = null, asksWhom = false } = {}) {
  const toType = () => /** @type {HTMLElement | null} */ (document.querySelector("dialog [name=leaveTypeId]"))?.focus();
  const who = whom("leave.write_reports", person, { autofocus: asksWhom, next: toType });
  const approves = signal(true);
  const first = code ? today() : "";
  const values = {
    employeeId: who.id,
    startDate: signal(first),
    endDate: signal(""),
    leaveTypeId: signal(""),
    startHalf: signal(false),
    endHalf: signal(false),
    reason: signal(""),
  };
  const begun = Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one.peek()]));
  const types = resource("/hr/leave-types?limit=200");
  const kept = draft("leave", person && `${person.id} ${code ?? ""}`, {
    read: () => Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one.value])),
    write: (data) => Object.entries(values).forEach(([name, one]) => void (one.value = data[name] ?? one.peek())),
    isEmpty: ({ startDate, reason }) => startDate === first && !reason,
  });
  effect(() => {
    const chosen = types.value?.find((one) => one.code === code);
    if (chosen && !values.leaveTypeId.peek()) values.leaveTypeId.value = chosen.id;
  });
  kept.discard = () => {
    kept.clear();
    Object.entries(values).forEach(([name, one]) => void (one.value = begun[name]));
  };
  // A sick note comes on its first day.
  effect(() => {
    const chosen = types.value?.find(({ id }) => id === values.leaveTypeId.value);
    if (chosen?.interruptsLeave && !values.startDate.peek()) values.startDate.value = today();
  });
  const body = () => ({
    startDate: values.startDate.value,
    endDate: values.endDate.value || values.startDate.value,
    ...(values.leaveTypeId.value && { leaveTypeId: values.leaveTypeId.value }),
    ...(values.startHalf.value && { startHalf: true }),
    ...(values.endHalf.value && { endHalf: true }),
    ...(values.reason.value && { reason: values.reason.value }),
    ...(who.isOther() && { employeeId: who.id.value, ...(approves.value && { approve: true }) }),
  });
  const run = async () => {
    const sent = body();
    await send("POST", "/hr/leaves", sent, { key: kept.key });
    kept.clear();
    changed("/hr/", "/workspace/home");
    close();
    notify(sent.approve ? t("Saved.") : t("Request sent."), { kind: "good" });
  };
  const submit = () => (who.isOther() && approves.value ? t("Save") : t("Request"));
  return form(
    { run, submit, cancel: () => close(), label: t("Leave"), draft: kept },
    div(
      { class: "fields" },
      who.draw(),
      field(
        { label: t("Leave type"), name: "leaveTypeId" },
        choice({
          value: values.leaveTypeId,
          name: "leaveTypeId",
          empty: t("As usual"),
          options: () => (types.value ?? []).map(({ id, name }) => ({ value: id, text: leaveTypeText(name) })),
        }),
      ),
      field(
        { label: t("First day"), name: "startDate" },
        dateField({ value: values.startDate, name: "startDate", autofocus: !asksWhom }),
      ),
      field(
        { label: t("Last day"), name: "endDate" },
        dateField({ value: values.endDate, name: "endDate", from: () => values.startDate.value || undefined }),
      ),
    ),
    () => who.isOther() && checkbox({ value: approves, name: "approve", text: t("Approve at once") }),
    more(
      t("Half days and reason"),
      checkbox({ value: values.startHalf, name: "startHalf", text: t("Begins at noon on the first day") }),
      checkbox({ value: values.endHalf, name: "endHalf", text: t("Ends at noon on the last day") }),
      field(
        { label: t("Reason"), name: "reason", isOptional: true },
        textInput({ value: values.reason, name: "reason" }),
      ),
    ),
    rehearsal(body, (id) => isLimited(types.value?.find((one) => one.id === id))),
  );
}

// What the request would take, by the server.
function rehearsal(body, counts) {
  const request = () => (body().startDate ? { ...body(), dryRun: true } : null);
  const answer = previewed("/hr/leaves", request, () => void (answer.value = null));
  return div(
    { role: "status", class: "stack-tight" },
    () => answer.value && told(answer.value, counts(answer.value.leaveTypeId)),
  );
}

function told({ days: count, leaveTypeName, balanceBefore, balanceAfter, details, warnings, absences }, isCounted) {
  return [
    p(
      tn("{n} day in total.", "{n} days in total.", Number(count)),
      " ",
      isCounted && t("{kind}: {before} left now, {after} afterwards.", {
        kind: leaveTypeText(leaveTypeName),
        before: number(balanceBefore),
        after: number(balanceAfter),
      }),
    ),
    details.map(({ message }) => p({ class: "bad" }, message)),
    warnings.map(({ message }) => p({ class: "warn" }, message)),
    absences.length > 0 &&
    ul(
      { class: "plain-list small soft" },
      absences.map((one) =>
        li(t("{name} is absent {days}.", { name: one.name, days: days(one.startDate, one.endDate) }))
      ),
    ),
  ];
}
