// A step of a checklist: its assignees may finish it, whatever their role.
import { send } from "../core/api.js";
import { t } from "../core/i18n.js";
import { changed } from "../core/store.js";

// The one action that a step has, by its status.
export const stepAction = (task) =>
  task.status === "done"
    ? { name: t("Reopen"), icon: "rotate-ccw", run: () => act(task, "reopen") }
    : { name: t("Done"), icon: "check", run: () => act(task, "done") };

async function act({ id }, verb) {
  await send("POST", `/hr/checklist-tasks/${id}/${verb}`);
  changed("/tasks", "/workspace/home");
}
