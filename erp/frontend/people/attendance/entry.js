// A day of a person: its status, times, break and note, entered, changed or deleted; and the same for several people.
import { newKey, send } from "../../core/api.js";
import { longDay } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { previewed } from "../../core/preview.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { change, changesOf } from "../../ui/changing.js";
import { checkbox, choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { mark } from "../../ui/errors.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { breakInput } from "../../ui/number.js";
import { isAtWork, parted, punchesOn, STATUSES, statusOptions, timesOf } from "./times.js";

const { div, li, p, ul } = tags;

const saved = (close, text = t("Saved.")) => {
  changed("/hr/", "/workspace/home");
  close();
  notify(text, { kind: "good" });
};

function valuesOf(row) {
  const values = {
    status: signal(row?.status ?? "present"),
    times: signal(timesOf(row?.punches ?? [])),
    breakMinutes: signal(row?.breakMinutes || null),
    note: signal(row?.note ?? ""),
  };
  const isOn = () => isAtWork(values.status.value);
  return {
    ...values,
    isOn,
    // What is sent of a day; `punches` tells its times.
    body: (punches) => ({
      status: values.status.value,
      punches: isOn() ? punches(values.times.value) : [],
      breakMinutes: (isOn() && values.breakMinutes.value) || 0,
      note: values.note.value.trim() || null,
    }),
    controls: (autofocus) => [
      field(
        { label: t("Status"), name: "status" },
        choice({ value: values.status, name: "status", options: statusOptions() }),
      ),
      () =>
        isOn() && [
          field(
            {
              label: t.of("attendance", "Times"),
              name: "punches",
              isOptional: true,
              hint: t("For example 8:00–12:00, 12:30–17:00"),
            },
            textInput({ value: values.times, name: "punches", autofocus }),
          ),
          field(
            { label: t("Break"), name: "breakMinutes", isOptional: true, hint: t("For example 30 or 0:30") },
            breakInput({ value: values.breakMinutes, name: "breakMinutes" }),
          ),
        ],
      field(
        { label: t.of("internal", "Note"), name: "note", isOptional: true },
        textInput({ value: values.note, name: "note" }),
      ),
    ],
  };
}

// Whether the times are such; what is none is marked.
function areRead(element, values) {
  if (!values.isOn() || parted(values.times.peek())) return true;
  const input = element.querySelector("[name=punches]");
  mark(input, t("Not times. For example 8:00–12:00, 12:30–17:00."));
  input.focus();
  return false;
}

// The times are one text, so that what is wrong with one of them is said there.
const atTimes = (refusal) => {
  const details = refusal.details?.map((one) => ({ ...one, field: one.field.replace(/^punches.*/, "punches") }));
  throw Object.assign(refusal, { details });
};

// `remove(row)` takes a recorded day away.
export function dayForm(row, remove, close) {
  const values = valuesOf(row);
  const key = newKey();
  const body = () => values.body((text) => (text === timesOf(row.punches) ? row.punches : punchesOn(row.date, text)));
  const run = async (element) => {
    if (!areRead(element, values)) return;
    const path = "/hr/attendance";
    const sent = row.id
      ? await change(element, `${path}/${row.id}`, row, changesOf(body(), row)).catch(atTimes)
      : await send("POST", path, { employeeId: row.employeeId, date: row.date, ...body() }, { key }).catch(atTimes);
    if (sent) saved(close);
  };
  const extra = row.id
    ? button(t("Delete"), () => {
      close();
      remove(row);
    }, { kind: "danger" })
    : null;
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: longDay(row.date), extra },
    p({ class: "soft" }, longDay(row.date)),
    div({ class: "fields" }, values.controls(true)),
  );
}

// The same day or days of several people, all of them or none.
export function batchForm(people, day, done, close) {
  const values = valuesOf(null);
  const [from, until, skips] = [signal(day), signal(day), signal(true)];
  const key = newKey();
  const path = "/hr/attendance/batch";
  const body = () => ({
    employeeIds: people.map(({ employeeId }) => employeeId),
    dateFrom: from.value,
    dateTo: until.value || from.value,
    skipRecorded: skips.value,
    ...values.body((text) => parted(text).map((one) => ({ in: one.from, out: one.until }))),
  });
  const run = async (element) => {
    if (!areRead(element, values)) return;
    const { days } = await send("POST", path, body(), { key }).catch(atTimes);
    done();
    saved(close, tn("{n} day recorded.", "{n} days recorded.", days.length));
  };
  const refused = signal(null);
  const canAsk = () => from.value && (!values.isOn() || parted(values.times.value)?.every(({ until: end }) => end));
  const answer = previewed(path, () => {
    const asked = canAsk() ? { ...body(), dryRun: true } : null;
    refused.value = null;
    return asked;
  }, (refusal) => {
    answer.value = null;
    refused.value = refusal;
  });
  return form(
    { run, submit: t("Record"), cancel: () => close(), label: t("Enter attendance") },
    tags.fieldset(
      { class: "radios", "data-name": "employeeIds", tabindex: "-1" },
      tags.legend({ class: "field-label" }, tn("{n} person", "{n} people", people.length)),
      p(people.map(({ employeeName }) => employeeName).join(", ")),
    ),
    div(
      { class: "fields" },
      field({ label: t("First day"), name: "dateFrom" }, dateField({ value: from, name: "dateFrom" })),
      field(
        { label: t("Last day"), name: "dateTo" },
        dateField({ value: until, name: "dateTo", from: () => from.value }),
      ),
      values.controls(true),
    ),
    checkbox({ value: skips, name: "skipRecorded", text: t("Leave out days that are recorded already") }),
    div(
      { role: "status", class: "stack-tight" },
      () => refused.value ? whyNot(refused.value) : answer.value && told(answer.value),
    ),
  );
}

const whyNot = ({ message, details }) =>
  ul({ class: "plain-list bad" }, (details?.length ? details : [{ message }]).map((one) => li(one.message)));

function told({ days }) {
  const byName = Map.groupBy(days, ({ employeeName }) => employeeName);
  return [
    p(tn("{n} day in total.", "{n} days in total.", days.length)),
    ul(
      { class: "plain-list small soft" },
      [...byName].map(([name, all]) =>
        li(`${name}: ${STATUSES[all[0].status]()}, ${tn("{n} day", "{n} days", all.length)}`)
      ),
    ),
  ];
}
