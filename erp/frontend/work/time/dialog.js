// Logging time on a task: a duration and Enter. And changing what was logged.
import { newKey, send } from "../../core/api.js";
import { duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { inverse } from "../../core/undo.js";
import { changed } from "../../core/store.js";
import { change } from "../../ui/changing.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { TOUCHED } from "../names.js";
import { timeFields } from "./fields.js";

export function logTime(task) {
  const key = newKey();
  return dialog({
    title: t("Log time on {key}", { key: task.key }),
    body: (close) => {
      const fields = editable(timeFields(null, { task }), null);
      const run = async () => {
        const log = await send("POST", `/tasks/${task.id}/time-logs`, fields.body(), { key });
        changed(...TOUCHED);
        close();
        inverse(t("{duration} logged on {key}.", { duration: duration(log.minutes), key: task.key }), async () => {
          await send("DELETE", `/tasks/time-logs/${log.id}`);
          changed(...TOUCHED);
        });
      };
      return form({ run, submit: t("Log time"), cancel: () => close(), label: t("Time") }, fields.controls);
    },
  });
}

export const editLog = (log, about = {}) =>
  dialog({
    title: t("Time on {key}", { key: log.taskKey }),
    body: (close) => {
      const fields = editable(timeFields(log, about), log);
      const run = async (element) => {
        const saved = await change(element, `/tasks/time-logs/${log.id}`, log, fields.body(), fields.told);
        if (!saved) return;
        changed(...TOUCHED);
        close();
      };
      return form({ run, submit: t("Save"), cancel: () => close(), label: t("Time") }, fields.controls);
    },
  });
