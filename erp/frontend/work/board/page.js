// The board: tasks by state; cards move by mouse, finger and Shift-arrows.
import { address, send } from "../../core/api.js";
import { dayShort, duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { tried } from "../../core/notices.js";
import { go, query } from "../../core/router.js";
import { inverse } from "../../core/undo.js";
import { may, session } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { batch, computed, effect, signal, tags } from "../../core/view.js";
import { avatar } from "../../ui/avatar.js";
import { board } from "../../ui/board.js";
import { filterChips } from "../../ui/filters.js";
import { icon } from "../../ui/icon.js";
import { bindBulk } from "../../ui/row_keys.js";
import { bulkBar } from "../../ui/table.js";
import { choosing } from "../tasks/bulk.js";
import { newTaskAction } from "../tasks/new.js";
import { withPanel } from "../tasks/panel.js";
import {
  isUrgent,
  nameOfStatus,
  people,
  peopleOptions,
  projectChip,
  STATUSES,
  TOUCHED,
  waitingPill,
} from "../names.js";
import { timer } from "../time/timer.js";

const { a, div, span, strong } = tags;

export default () => {
  const tasks = list(() =>
    address("/tasks", {
      projectId: query.value.get("project"),
      assigneeUserId: query.value.get("mine") ? session.value.user.id : query.value.get("person"),
      tag: query.value.get("tag"),
      status: STATUSES.join(","),
    })
  );
  const moved = signal(new Map()); // what the screen shows before the server has answered
  const names = people();
  const running = timer();
  const { selected, gone, bulk } = choosing();
  const there = () => (tasks.items ?? []).filter(({ id }) => !gone.value.has(id));
  const columns = computed(() => byColumn(there(), moved.value));
  const rows = computed(there);
  const chosen = { rows, selected, bulk, key: ({ id }) => id };
  if (selected) effect(() => bindBulk(chosen, () => true));
  return {
    title: t("Board"),
    actions: [
      newTaskAction(),
      { name: t("As a list"), icon: "list", run: () => go("/tasks") },
    ],
    body: withPanel(
      {
        get items() {
          return [...columns.value.values()].flat();
        },
      },
      filterChips(chips(names)),
      () => selected && bulkBar(chosen),
      board({
        selected,
        label: t("Tasks"),
        columns: () => STATUSES.map((key) => ({ key, text: nameOfStatus(key), count: columns.value.get(key).length })),
        cards: (key) => columns.value.get(key),
        key: ({ id }) => id,
        name: ({ key, title }) => `${key} ${title}`,
        card: (get) => card(get, running),
        href: ({ id }) => `/tasks/${id}`,
        move: may("tasks.write_own")
          ? (task, status, at) => tried(() => move(task, status, at, columns, moved))
          : undefined,
      }),
    ),
  };
};

const chips = (names) => [
  projectChip(),
  {
    key: "mine",
    text: t("Mine"),
    options: [{ value: "1", text: t("Only mine") }],
    shown: () => t("Only mine"),
  },
  {
    key: "person",
    text: t("Person"),
    options: () => peopleOptions(names),
    shown: (id) => names.value.get(id) ?? "",
  },
];

function byColumn(tasks, moved) {
  const columns = new Map(STATUSES.map((status) => [status, []]));
  for (const task of tasks.toSorted((one, other) => one.position - other.position)) {
    columns.get(moved.get(task.id)?.status ?? task.status)?.push(task);
  }
  for (const [id, { status, at }] of moved) {
    const column = columns.get(status);
    const from = column.findIndex((task) => task.id === id);
    if (from >= 0) column.splice(at, 0, ...column.splice(from, 1));
  }
  return columns;
}

// Shown at once; the server's answer, or its refusal, then decides.
async function move(task, status, at, columns, moved) {
  const show = (map) => void (moved.value = map);
  const [from, others] = [
    columns.peek().get(task.status),
    columns.peek().get(status).filter(({ id }) => id !== task.id),
  ];
  let answer = null;
  show(new Map(moved.peek()).set(task.id, { status, at }));
  try {
    answer = await reorder(task, status, neighbourAt(task, others, at));
  } finally {
    const left = new Map(moved.peek());
    left.delete(task.id);
    batch(() => show(left));
  }
  if (status !== task.status) {
    inverse(
      t("{key} moved to “{column}”.", { key: task.key, column: nameOfStatus(status) }),
      () => moveBack(task, neighbourAt(task, from, from.findIndex(({ id }) => id === task.id), 1), answer),
    );
  }
}

// The neighbour to name for a place in a column, `length` cards of which are the task itself: a project has its own order.
function neighbourAt(task, column, at, length = 0) {
  const isOfProject = ({ projectId }) => projectId === task.projectId;
  const before = column.slice(at + length).find(isOfProject);
  const after = column.slice(0, at).findLast(isOfProject);
  return before ? { beforeId: before.id } : after ? { afterId: after.id } : {};
}

async function reorder(task, status, place) {
  const answer = await send("POST", "/tasks/reorder", { taskId: task.id, status, ...place });
  changed(...TOUCHED);
  return answer;
}

// Undo a move, whose answer is `moved`. A task that is done can only be reopened first; the successor that it got as a
// recurring task goes, unless someone has changed it.
async function moveBack(task, place, moved) {
  const isGone = ({ status }) => status === 422; // the neighbour has moved as well
  if (moved.status === "done" && task.status !== "todo") await reorder(task, "todo", {});
  await reorder(task, task.status, place).catch((refusal) => {
    if (!isGone(refusal)) throw refusal;
    return reorder(task, task.status, {});
  });
  if (task.successorId || !moved.successorId) return;
  await send("DELETE", `/tasks/${moved.successorId}`, undefined, { version: 1 }).catch((refusal) => {
    if (refusal.status !== 412) throw refusal;
  });
  changed(...TOUCHED);
}

function card(get, running) {
  return div(
    { class: "stack-tight" },
    div(
      { class: "spread" },
      a({ href: () => `/tasks/${get().id}`, class: "small" }, () => get().key),
      div({ class: "row" }, () => get().assigneeNames.filter(Boolean).map(avatar)),
    ),
    strong(() => get().title),
    div({ class: "row small soft" }, () => marks(get(), running.value)),
  );
}

const marks = (task, running) => [
  isUrgent(task) && span({ class: "bad" }, task.priority === "urgent" ? t("urgent") : t("high")),
  task.dueDate && span({ class: task.isOverdue ? "bad" : "" }, dayShort(task.dueDate)),
  waitingPill(task),
  task.loggedMinutes > 0 && span(duration(task.loggedMinutes)),
  running?.taskId === task.id && span({ class: "good row" }, icon("play"), t("the timer runs")),
];
