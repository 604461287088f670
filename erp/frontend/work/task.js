// One task: what is to do, who does it, its time and what was said about it.
import { newKey, send } from "../core/api.js";
import { ago, dayShort, duration } from "../core/format.js";
import { t } from "../core/i18n.js";
import { go } from "../core/router.js";
import { may } from "../core/session.js";
import { changed, list, resource } from "../core/store.js";
import { each, signal, tags } from "../core/view.js";
import { heldBack } from "../core/undo.js";
import { button } from "../ui/button.js";
import { card } from "../ui/card.js";
import { choice } from "../ui/choice.js";
import { combobox } from "../ui/combobox.js";
import { dateField } from "../ui/date.js";
import { empty } from "../ui/empty.js";
import { field } from "../ui/field.js";
import { form } from "../ui/form.js";
import { textArea, textInput } from "../ui/input.js";
import { durationInput } from "../ui/number.js";
import { loaded } from "../ui/skeleton.js";
import { newTask } from "./adding.js";
import { TOUCHED, people, nameOfProject, peopleOptions, priorityOptions, projectOptions, statusOptions, statusPill } from "./names.js";
import { logTime } from "./logging.js";
import { timer, timerAction } from "./timer.js";

const { div, li, p, span, strong, ul } = tags;

export default ({ params }) => {
  const task = resource(`/tasks/${params.id}`);
  const get = () => task.value;
  const names = people();
  const running = timer();
  return {
    title: () => (get() ? `${get().key} ${get().title}` : ""),
    state: () => get() && statusPill(get()),
    back: { href: "/board", text: t("Board") },
    actions: () => (get() ? actionsOn(get(), running.value) : []),
    body: loaded(task, () => div({ class: "columns columns-wide document" }, div({ class: "stack" }, card({ title: t("Task") }, () => editing(get(), names)), comments(params.id)), div({ class: "stack" }, time(params.id, get)))),
  };
};

function actionsOn(task, running) {
  const remove = async () => {
    await send("DELETE", `/tasks/${task.id}`, undefined, { version: task.version });
    changed(...TOUCHED);
    await go("/board");
  };
  return [
    { name: t("Log time"), key: "l", icon: "clock", may: "time.write_own", run: () => logTime(task) },
    timerAction(task, running),
    { name: t("New subtask"), icon: "list-tree", may: "tasks.write_own", run: () => newTask({ projectId: task.projectId, parentId: task.id }) },
    { name: t("Delete"), icon: "trash-2", danger: true, may: "tasks.write_own", asks: { title: t("Delete {key}?", { key: task.key }), text: t("A task with time or subtasks cannot be deleted; cancel it instead."), verb: t("Delete"), danger: true }, run: remove },
  ];
}

function editing(task, names) {
  const values = Object.fromEntries(["title", "description", "status", "priority", "projectId", "dueDate"].map((name) => [name, signal(task[name] ?? "")]));
  const estimate = signal(task.estimateMinutes);
  const assignee = signal(task.assigneeUserIds[0] ?? "");
  const run = async () => {
    const body = Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one.value === "" ? null : one.value]).filter(([name, value]) => value !== (task[name] ?? null)));
    if (estimate.value !== task.estimateMinutes) body.estimateMinutes = estimate.value;
    if (assignee.value !== (task.assigneeUserIds[0] ?? "")) body.assigneeUserIds = [assignee.value, ...task.assigneeUserIds.slice(1)].filter(Boolean);
    if (Object.keys(body).length) await send("PATCH", `/tasks/${task.id}`, body, { version: task.version });
    changed(...TOUCHED);
  };
  const isReadOnly = !may("tasks.write_own");
  return form(
    { run, submit: isReadOnly ? undefined : t("Save"), label: t("Task") },
    field({ label: t("Title"), name: "title", isWide: true }, textInput({ value: values.title, name: "title", isReadOnly })),
    div(
      { class: "fields" },
      field({ label: t("State"), name: "status" }, choice({ value: values.status, name: "status", options: statusOptions() })),
      field({ label: t("Priority"), name: "priority" }, choice({ value: values.priority, name: "priority", options: priorityOptions() })),
      field({ label: t("Who"), name: "assigneeUserIds", isOptional: true }, choice({ value: assignee, name: "assigneeUserIds", options: () => peopleOptions(names), empty: t("Nobody yet") })),
      field({ label: t("Project"), name: "projectId", isOptional: true }, combobox({ value: values.projectId, name: "projectId", options: projectOptions, shown: nameOfProject, isOptional: true })),
      field({ label: t("Due"), name: "dueDate", isOptional: true }, dateField({ value: values.dueDate, name: "dueDate" })),
      field({ label: t("Estimate"), name: "estimateMinutes", isOptional: true }, durationInput({ value: estimate, name: "estimateMinutes" })),
    ),
    field({ label: t("Description"), name: "description", isOptional: true, isWide: true }, textArea({ value: values.description, name: "description", rows: 4 })),
  );
}

function time(id, get) {
  const logs = list(`/tasks/${id}/time-logs`);
  const gone = signal(new Set());
  const remove = (log) => {
    gone.value = new Set([...gone.peek(), log.id]);
    heldBack(
      t("{duration} is deleted.", { duration: duration(log.minutes) }),
      async (options) => {
        await send("DELETE", `/tasks/time-logs/${log.id}`, undefined, options);
        changed(...TOUCHED);
      },
      () => void (gone.value = new Set([...gone.peek()].filter((one) => one !== log.id))),
    );
  };
  const shown = () => (logs.items ?? []).filter((log) => !gone.value.has(log.id));
  const row = (log) => li({ class: "spread" }, div(span(`${dayShort(log.value.date)} · ${log.value.userName}`), log.value.note && div({ class: "soft small" }, log.value.note)), span({ class: "figure" }, duration(log.value.minutes)), !log.value.invoiceId && may("time.write_own") && button(t("Delete"), () => remove(log.peek()), { isSmall: true, kind: "plain" }));
  return card(
    { title: t("Time"), actions: may("time.write_own") ? [button(t("Log time"), () => logTime(get()), { icon: "plus" })] : [] },
    p(() => (get().estimateMinutes ? t("{logged} of {estimate}", { logged: duration(get().loggedMinutes), estimate: duration(get().estimateMinutes) }) : duration(get().loggedMinutes))),
    () => logs.items && !shown().length && empty(t("No time yet.")),
    ul({ class: "plain-list" }, each(shown, (log) => log.id, row)),
  );
}

function comments(id) {
  const found = list(`/tasks/${id}/comments`);
  const text = signal("");
  const state = { key: newKey() };
  const run = async () => {
    await send("POST", `/tasks/${id}/comments`, { text: text.value }, { key: state.key });
    state.key = newKey();
    text.value = "";
    changed(`/tasks/${id}/comments`);
  };
  const row = (one) => li({ class: "stack-tight" }, div({ class: "row" }, strong(one.value.author?.name ?? t("Somebody")), span({ class: "soft small" }, ago(one.value.createdAt))), p(one.value.text));
  return card(
    { title: t("Comments") },
    ul({ class: "plain-list" }, each(() => found.items ?? [], (one) => one.id, row)),
    form({ run, submit: t("Comment"), label: t("Comment") }, field({ label: t("Comment"), name: "text", isHidden: true }, textArea({ value: text, name: "text", rows: 2 }))),
  );
}

