// What is to do: the fields of a task. They follow the server until something is typed, and keep that.
import { get as read, send } from "../../core/api.js";
import { day, duration } from "../../core/format.js";
import { draft } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { batch, effect, signal, tags, untracked } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textArea, textInput } from "../../ui/input.js";
import { durationInput } from "../../ui/number.js";
import { askWhose } from "../../ui/whose.js";
import { billingField, nameOfBilling } from "../time/billable.js";
import { dueField, projectField } from "./fields.js";
import { nameOfPriority, people, peopleOptions, priorityOptions, statusOptions, TOUCHED } from "../names.js";
import { waitedFor, waitingField } from "./dependencies.js";

const NAMES = ["title", "description", "status", "priority", "projectId", "dueDate"];

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const fieldsOf = (task) => ({
  ...Object.fromEntries(NAMES.map((name) => [name, task[name] ?? ""])),
  estimateMinutes: task.estimateMinutes ?? null,
  isBillable: task.isBillable,
  dependsOn: task.dependsOn,
  assignee: task.assigneeUserIds[0] ?? "",
});

// Made again after it was thrown away. `get` answers the task as the server has it.
export function taskForm(get) {
  const round = signal(0);
  const names = people();
  const mayChange = get().can.includes("update");
  return () => (round.value,
    untracked(() => (mayChange ? fields(get, names, () => void (round.value += 1)) : () => about(get()))));
}

// As it is compared with what someone else has changed.
const told = (fields) => ({ ...fields, isBillable: nameOfBilling(fields.isBillable) });

const about = (task) =>
  facts([
    [t("Who"), task.assigneeNames.filter(Boolean).join(", ")],
    [t("Priority"), nameOfPriority(task.priority)],
    [t("Project"), task.projectName],
    [t("Due date"), task.dueDate && day(task.dueDate)],
    [t("Estimated time"), task.estimateMinutes && duration(task.estimateMinutes)],
    [t("Time entries"), task.isBillable !== null && nameOfBilling(task.isBillable)],
    [t("Depends on"), task.dependsOn.length > 0 && waitedFor(task)],
    [t("Description"), task.description],
  ]);

function fields(get, names, begin) {
  const state = { base: get(), values: {} };
  for (const [name, value] of Object.entries(fieldsOf(state.base))) state.values[name] = signal(value);
  const typed = () => Object.fromEntries(Object.entries(state.values).map(([name, one]) => [name, one.value]));
  const changes = () => Object.entries(typed()).filter(([name, value]) => !isSame(value, fieldsOf(state.base)[name]));
  const load = (data) =>
    batch(() => Object.entries(state.values).forEach(([name, one]) => name in data && (one.value = data[name])));
  const kept = draft("task", state.base.id, { read: typed, write: load, isEmpty: () => !changes().length });
  kept.discard = () => (kept.clear(), begin());
  effect(() => {
    const task = get();
    untracked(() => changes().length || ((state.base = task), load(fieldsOf(task))));
  });
  const run = async () => {
    const sent = Object.fromEntries(changes());
    const body = bodyOf(sent, state.base);
    if (!Object.keys(body).length) return;
    try {
      state.base = await send("PATCH", `/tasks/${state.base.id}`, body, { version: state.base.version });
    } catch (refusal) {
      if (refusal.status !== 412) throw refusal;
      return void (await settle(state, Object.fromEntries(changes()), { load, run }));
    }
    const saved = fieldsOf(state.base); // what is typed next is a change of this
    load(Object.fromEntries(Object.keys(sent).map((name) => [name, saved[name]])));
    kept.clear({ goesOn: true });
    changed(...TOUCHED);
    notify(t("{key} saved.", { key: state.base.key }), { kind: "good" });
  };
  return shown(state.values, names, { run, kept, get });
}

/** @param {Record<string, any>} changes */
function bodyOf({ assignee, ...changes }, { assigneeUserIds }) {
  const body = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value === "" ? null : value]));
  return assignee === undefined ? body : {
    ...body,
    assigneeUserIds: [assignee, ...assigneeUserIds.slice(1).filter((id) => id !== assignee)].filter(Boolean),
  };
}

// Someone else has changed the task in the meantime: the one who saves says whose version remains. What was not typed here stays theirs.
async function settle(state, mine, { load, run }) {
  const theirs = await read(`/tasks/${state.base.id}`);
  const names = {
    title: t("Title"),
    description: t("Description"),
    status: t("Status"),
    priority: t("Priority"),
    dueDate: t("Due date"),
    estimateMinutes: t("Estimated time"),
    isBillable: t("Time entries"),
  };
  const whose = await askWhose({
    before: told(fieldsOf(state.base)),
    theirs: told(fieldsOf(theirs)),
    mine: told({ ...fieldsOf(state.base), ...mine }),
    names,
  });
  if (!whose) return;
  state.base = theirs;
  load({ ...fieldsOf(theirs), ...(whose === "mine" && mine) });
  if (whose === "mine") await run();
}

const shown = (values, names, { run, kept, get }) =>
  form(
    { run, submit: t("Save"), label: t("Task"), draft: kept },
    field({ label: t("Title"), name: "title", isWide: true }, textInput({ value: values.title, name: "title" })),
    tags.div(
      { class: "fields" },
      field(
        { label: t("Status"), name: "status" },
        choice({ value: values.status, name: "status", options: statusOptions() }),
      ),
      field(
        { label: t("Priority"), name: "priority" },
        choice({ value: values.priority, name: "priority", options: priorityOptions() }),
      ),
      field(
        { label: t("Who"), name: "assigneeUserIds", isOptional: true },
        choice({
          value: values.assignee,
          name: "assigneeUserIds",
          options: () => peopleOptions(names),
          empty: t("No one yet"),
        }),
      ),
      projectField(values.projectId),
      dueField(values.dueDate),
      field(
        { label: t("Estimated time"), name: "estimateMinutes", isOptional: true },
        durationInput({ value: values.estimateMinutes, name: "estimateMinutes" }),
      ),
      billingField(values.isBillable),
    ),
    waitingField(values.dependsOn, get),
    field(
      { label: t("Description"), name: "description", isOptional: true, isWide: true },
      textArea({ value: values.description, name: "description", rows: 4 }),
    ),
  );
