// A new task: a title and Enter; the dialog stays open for the next one.
import { newKey, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { query } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { dueField, projectField } from "./fields.js";
import { TOUCHED } from "../names.js";

const { div, p } = tags;

// The action of a screen of tasks; a task that is added there belongs to the project it is filtered by.
export const newTaskAction = () => ({
  name: t("New task"),
  key: "n",
  main: true,
  icon: "plus",
  may: "tasks.write_own",
  run: () => newTask({ projectId: query.peek().get("project") }),
});

export function newTask({ projectId = "", parentId = null } = {}) {
  const values = { title: signal(""), projectId: signal(projectId ?? ""), dueDate: signal("") };
  const added = signal([]);
  return dialog({
    title: parentId ? t("New subtask") : t("New task"),
    body: (close) => {
      const title = textInput({ value: values.title, name: "title" });
      const run = async () => {
        const body = {
          title: values.title.value,
          ...(values.projectId.value && { projectId: values.projectId.value }),
          ...(values.dueDate.value && { dueDate: values.dueDate.value }),
          ...(parentId && { parentId }),
        };
        const task = await send("POST", "/tasks", body, { key: newKey() });
        changed(...TOUCHED);
        added.value = [task, ...added.peek()];
        values.title.value = "";
        title.focus();
      };
      return form(
        { run, submit: t("Add"), cancel: () => close(), label: t("Task") },
        field({ label: t("Title"), name: "title", isWide: true }, title),
        div(
          { class: "fields" },
          !parentId &&
            projectField(values.projectId),
          dueField(values.dueDate),
        ),
        p(
          { role: "status", class: "soft" },
          () => (added.value.length
            ? t("{added}, the last is {key}.", {
              added: tn("{n} task added", "{n} tasks added", added.value.length),
              key: added.value[0].key,
            })
            : ""),
        ),
      );
    },
  });
}
