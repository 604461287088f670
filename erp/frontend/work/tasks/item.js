// One task on a page of its own: what is to do, who does it, its time and what was said about it.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { go } from "../../core/router.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { attachments } from "../../ui/attachments.js";
import { card } from "../../ui/card.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { stepAction } from "../../ui/step.js";
import { newTask } from "./new.js";
import { comments } from "./comments.js";
import { taskForm } from "./form.js";
import { logTime } from "../time/dialog.js";
import { statusPill, TOUCHED, waitingPill } from "../names.js";
import { partOf, subtasks } from "./subtasks.js";
import { spent } from "./time.js";
import { discardAction, timer, timerAction } from "../time/timer.js";

const { div } = tags;

export default ({ params }) => {
  const task = resource(`/tasks/${params.id}`);
  const get = () => task.value;
  const running = timer();
  const fromList = listScreen("/tasks", "/tasks", null);
  return {
    title: () => (get() ? `${get().key} ${get().title}` : ""),
    state: () => get() && [statusPill(get()), waitingPill(get())],
    back: fromList ? { href: fromList, text: t("Tasks") } : { href: "/board", text: t("Board") },
    pager: pager(neighbours("/tasks", params.id), ({ id }) => `/tasks/${id}`),
    actions: () => (get() ? actionsOn(get(), running.value) : []),
    body: loaded(
      task,
      () =>
        div(
          { class: "columns columns-wide document" },
          div({ class: "stack" }, card({ title: t("Task") }, partOf(get), taskForm(get)), comments(params.id)),
          div({ class: "stack" }, spent(params.id, get), subtasks(get), files(get())),
        ),
    ),
  };
};

const files = (task) =>
  attachments({ of: { resourceType: "task", resourceId: task.id }, canAdd: task.can.includes("update") });

function actionsOn(task, running) {
  const remove = async () => {
    await send("DELETE", `/tasks/${task.id}`, undefined, { version: task.version });
    await go("/board");
    changed(...TOUCHED);
  };
  return [
    task.employeeId && stepAction(task),
    { name: t("Log time"), key: "l", icon: "clock", may: "time.write_own", run: () => logTime(task) },
    timerAction(task, running),
    discardAction(task, running),
    {
      name: t("New subtask"),
      icon: "list-tree",
      may: "tasks.write_own",
      run: () => newTask({ projectId: task.projectId, parentId: task.id }),
    },
    ...archiving(task),
    task.can.includes("delete") &&
    {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete {key}?", { key: task.key }),
        text: t("A task with time or subtasks cannot be deleted; cancel it instead."),
        verb: t("Delete"),
        danger: true,
      },
      run: remove,
    },
  ].filter(Boolean);
}

const archiving = (task) =>
  [["archive", t("Archive"), "archive"], ["unarchive", t("Unarchive"), "undo-2"]]
    .filter(([verb]) => task.can.includes(verb))
    .map(([verb, name, icon]) => ({
      name,
      icon,
      run: async () => (await import("../../ui/lists/archive.js")).archiveAll([task], "/tasks", null, verb),
    }));
