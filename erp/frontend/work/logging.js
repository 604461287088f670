// Logging time on a task: a duration and Enter.
import { newKey, send } from "../core/api.js";
import { duration } from "../core/format.js";
import { t } from "../core/i18n.js";
import { today } from "../core/parse.js";
import { inverse } from "../core/undo.js";
import { changed } from "../core/store.js";
import { signal, tags } from "../core/view.js";
import { dateField } from "../ui/date.js";
import { dialog } from "../ui/dialog.js";
import { field } from "../ui/field.js";
import { form } from "../ui/form.js";
import { textInput } from "../ui/input.js";
import { durationInput } from "../ui/number.js";
import { TOUCHED } from "./names.js";

export function logTime(task) {
  const [minutes, date, note] = [signal(null), signal(today()), signal("")];
  const key = newKey();
  return dialog({
    title: t("Log time on {key}", { key: task.key }),
    body: (close) => {
      const run = async () => {
        const log = await send("POST", `/tasks/${task.id}/time-logs`, {
          minutes: minutes.value,
          date: date.value,
          ...(note.value && { note: note.value }),
        }, { key });
        changed(...TOUCHED);
        close();
        inverse(t("{duration} logged on {key}.", { duration: duration(log.minutes), key: task.key }), async () => {
          await send("DELETE", `/tasks/time-logs/${log.id}`);
          changed(...TOUCHED);
        });
      };
      return form(
        { run, submit: t("Log"), cancel: () => close(), label: t("Time") },
        tags.div(
          { class: "fields" },
          field(
            { label: t("Duration"), name: "minutes", hint: t("Such as 1, 1:30 or 90m") },
            durationInput({ value: minutes, name: "minutes" }),
          ),
          field({ label: t("Day"), name: "date" }, dateField({ value: date, name: "date" })),
        ),
        field(
          { label: t("Note"), name: "note", isOptional: true, isWide: true },
          textInput({ value: note, name: "note" }),
        ),
      );
    },
  });
}
