// One field of several tasks, changed at once, with a way back.
import { send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { heldBackFrom, inverse } from "../../core/undo.js";
import { signal } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { people, TOUCHED } from "../names.js";
import { tagsControl } from "../tags.js";
import { taskFields } from "./fields.js";

const CHANGES = "/tasks/batch/change";
const MOST = 200; // tasks in a request
const ENDED = ["done", "cancelled"];

export function changeAll(rows, name, selected) {
  const { controls, valueFor } = name === "tags" ? tagging() : oneField(rows, name);
  return dialog({
    title: tn("Change {n} task", "Change {n} tasks", rows.length),
    body: (close) => {
      const run = async () => {
        await changeTo(rows, name, valueFor, selected);
        close();
      };
      return form({ run, submit: t("Save"), cancel: () => close(), label: t("Task") }, controls);
    },
  });
}

// The control of the form of a task; it starts with the value that all of them have.
function oneField(rows, name) {
  const spec = taskFields(() => rows[0], people()).find((one) => one.name === name);
  const isShared = rows.every((row) => JSON.stringify(row[name]) === JSON.stringify(rows[0][name]));
  const first = Array.isArray(spec.options) ? spec.options[0].value : null; // projects are searched
  const blank = { assigneeUserIds: [], status: first, priority: first };
  const fields = editable([spec], isShared ? rows[0] : blank);
  const [value] = Object.values(fields.signals);
  const read = name === "assigneeUserIds" ? () => [value.value].filter(Boolean) : () => value.value || null;
  return { controls: fields.controls, valueFor: read };
}

function tagging() {
  const [added, removed] = [signal([]), signal([])];
  return {
    controls: [
      field({ label: t("Tags to add"), isOptional: true }, tagsControl(added, "tags")),
      field({ label: t("Tags to remove"), isOptional: true }, tagsControl(removed, "removed")),
    ],
    valueFor: ({ tags }) => [...new Set([...tags, ...added.value])].filter((tag) => !removed.value.includes(tag)),
  };
}

async function changeTo(rows, name, valueFor, selected) {
  const { done, reasons } = await sent(rows.map((row) => ({ taskId: row.id, [name]: valueFor(row) })));
  changed(...TOUCHED);
  selected.value = new Set(reasons.keys());
  if (!done.length) return void notify(reason(reasons), { kind: "bad" });
  const before = new Map(rows.map((row) => [row.id, row]));
  inverse(
    reasons.size
      ? t("{n} changed, {others} not ({reason})", {
        n: done.length,
        others: reasons.size,
        reason: reason(reasons).replace(/\.$/, ""),
      })
      : tn("{n} task changed.", "{n} tasks changed.", done.length),
    () => takeBack(done.map((now) => ({ now, before: before.get(now.id) })), name),
  );
}

const reason = (reasons) => [...new Set(reasons.values())].join(" ");

// The server changes all or none. Those that it refuses are left out, and the others are sent once more.
async function sent(changes) {
  const [done, reasons] = [[], new Map()];
  for (let at = 0; at < changes.length; at += MOST) {
    let tasks = changes.slice(at, at + MOST);
    while (tasks.length) {
      const answer = await send("POST", CHANGES, { tasks }).catch((refusal) => refused(refusal, tasks, reasons));
      if (answer) done.push(...answer.tasks);
      tasks = answer ? [] : tasks.filter(({ taskId }) => !reasons.has(taskId));
    }
  }
  return { done, reasons };
}

function refused(refusal, tasks, reasons) {
  const rows = (refusal.details ?? []).map(({ field, message }) => [/^tasks\[(\d+)\]/.exec(field)?.[1], message]);
  if (!rows.length || rows.some(([at]) => at === undefined)) throw refusal;
  for (const [at, message] of rows) reasons.set(tasks[at].taskId, message);
  return null;
}

// Each goes back to its place in its column. A task that has ended can only be reopened first. The successor that it got as a recurring task goes, unless someone has
// changed it.
async function takeBack(pairs, name) {
  const steps = ({ now, before }) =>
    name === "status" && ENDED.includes(now.status) && before.status !== "todo"
      ? ["todo", before.status]
      : [before[name]];
  const { reasons } = await sent(
    pairs.flatMap((pair) =>
      steps(pair).map((value) => ({ taskId: pair.now.id, [name]: value, position: pair.before.position }))
    ),
  );
  const successors = pairs.filter(({ now, before }) => now.successorId && !before.successorId);
  for (const { now } of successors) {
    await send("DELETE", `/tasks/${now.successorId}`, undefined, { version: 1 }).catch((refusal) => {
      if (refusal.status !== 412) throw refusal;
    });
  }
  changed(...TOUCHED);
  if (reasons.size) notify(reason(reasons), { kind: "bad" });
}

// Deleted after a while, so that it can be taken back.
export function removeAll(rows, selected, gone) {
  const ids = rows.map(({ id }) => id);
  selected.value = new Set();
  heldBackFrom(gone, ids, tn("{n} task deleted.", "{n} tasks deleted.", rows.length), async (options) => {
    const answers = await Promise.allSettled(
      rows.map(({ id, version }) => send("DELETE", `/tasks/${id}`, undefined, { ...options, version })),
    );
    changed(...TOUCHED);
    const reasons = new Map(
      answers.flatMap((one, at) => one.status === "rejected" ? [[ids[at], one.reason.message]] : []),
    );
    if (!reasons.size) return;
    gone.value = new Set([...gone.peek()].filter((id) => !reasons.has(id)));
    const told = { n: rows.length - reasons.size, others: reasons.size, reason: reason(reasons).replace(/\.$/, "") };
    notify(t("{n} deleted, {others} not ({reason})", told), { kind: "bad" });
  });
}
