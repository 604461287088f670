// A new task: a title and Enter; the dialog stays open for the next one.
import { newKey, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { query } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { taskFields } from "./fields.js";
import { TOUCHED } from "../names.js";

const { p } = tags;

// The action of a screen of tasks; a task that is added there belongs to the project it is filtered by.
export const newTaskAction = () => ({
  name: t("New task"),
  key: "n",
  main: true,
  icon: "plus",
  may: "tasks.write_own",
  run: () => newTask({ projectId: query.peek().get("project") }),
});

const SHORT = ["title", "projectId", "dueDate"];

export function newTask({ projectId = "", parentId = null } = {}) {
  const given = parentId ? { projectId, parentId } : {}; // a subtask is in the project of its task
  const specs = taskFields().filter(({ name }) => SHORT.includes(name) && !(name in given));
  const fields = editable(specs, null);
  if (!parentId) fields.signals.projectId.value = projectId ?? "";
  const added = signal([]);
  const run = async (element) => {
    const task = await send("POST", "/tasks", { ...fields.body(), ...given }, { key: newKey() });
    changed(...TOUCHED);
    added.value = [task, ...added.peek()];
    fields.signals.title.value = "";
    element.querySelector("[name=title]").focus();
  };
  return dialog({
    title: parentId ? t("New subtask") : t("New task"),
    body: (close) =>
      form(
        { run, submit: t("Add"), cancel: () => close(), label: t("Task") },
        fields.controls,
        p(
          { role: "status", class: "soft" },
          () => (added.value.length
            ? t("{added}, the last is {key}.", {
              added: tn("{n} task added", "{n} tasks added", added.value.length),
              key: added.value[0].key,
            })
            : ""),
        ),
      ),
  });
}
