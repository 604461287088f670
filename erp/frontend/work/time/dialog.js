// Logging time on a task: a duration and Enter. And changing what was logged.
import { newKey, send } from "../../core/api.js";
import { duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { todayAtFirst } from "../../core/parse.js";
import { inverse } from "../../core/undo.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { change, changesOf } from "../../ui/changing.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { durationInput } from "../../ui/number.js";
import { billableBox, usuallyBillable } from "./billable.js";
import { TOUCHED } from "../names.js";

export function logTime(task) {
  const [minutes, date, note] = [signal(null), todayAtFirst(), signal("")];
  const key = newKey();
  return dialog({
    title: t("Log time on {key}", { key: task.key }),
    body: (close) => {
      const isBillable = following(usuallyBillable(task));
      const run = async () => {
        const log = await send("POST", `/tasks/${task.id}/time-logs`, {
          minutes: minutes.value,
          date: date.value,
          ...(note.value && { note: note.value }),
          ...(isBillable.isChanged() && { isBillable: isBillable.value }),
        }, { key });
        changed(...TOUCHED);
        close();
        inverse(t("{duration} logged on {key}.", { duration: duration(log.minutes), key: task.key }), async () => {
          await send("DELETE", `/tasks/time-logs/${log.id}`);
          changed(...TOUCHED);
        });
      };
      return form(
        { run, submit: t("Log time"), cancel: () => close(), label: t("Time") },
        whenFields({ minutes, date }),
        noteField(note),
        billableBox(isBillable),
      );
    },
  });
}

// A value that is the usual one until it is chosen.
function following(usual) {
  const chosen = signal(null);
  return {
    get value() {
      return chosen.value ?? usual();
    },
    set value(value) {
      chosen.value = value;
    },
    isChanged: () => chosen.peek() !== null && chosen.peek() !== usual(),
  };
}

// Time from a start to an end keeps both.
export function editLog(log, { isNote = false } = {}) {
  const values = {
    minutes: signal(log.minutes),
    date: signal(log.date),
    note: signal(log.note ?? ""),
    isBillable: signal(log.isBillable),
  };
  const typed = () => ({
    ...Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one.value])),
    note: values.note.value || null,
  });
  return dialog({
    title: t("Time on {key}", { key: log.taskKey }),
    body: (close) => {
      const run = async (element) => {
        if (!(await change(element, `/tasks/time-logs/${log.id}`, log, changesOf(typed(), log)))) return;
        changed(...TOUCHED);
        close();
      };
      return form(
        { run, submit: t("Save"), cancel: () => close(), label: t("Time") },
        !log.startedAt && whenFields(values),
        noteField(values.note, isNote),
        billableBox(values.isBillable),
      );
    },
  });
}

const whenFields = ({ minutes, date }) =>
  tags.div(
    { class: "fields" },
    field(
      { label: t("Duration"), name: "minutes", hint: t("For example 1, 1:30 or 90m") },
      durationInput({ value: minutes, name: "minutes" }),
    ),
    field({ label: t("Day"), name: "date" }, dateField({ value: date, name: "date" })),
  );

const noteField = (note, autofocus = false) =>
  field(
    { label: t.of("internal", "Note"), name: "note", isOptional: true, isWide: true },
    textInput({ value: note, name: "note", autofocus }),
  );
