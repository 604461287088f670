// All tasks as a list.
import { address } from "../../core/api.js";
import { dayShort, duration } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, query } from "../../core/router.js";
import { may, session } from "../../core/session.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { importing } from "../../ui/actions.js";
import { empty } from "../../ui/empty.js";
import { dueChips, filterChips } from "../../ui/filters.js";
import { extra } from "../../ui/listed.js";
import { searchField } from "../../ui/input.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { choosing } from "./bulk.js";
import { newTaskAction } from "./new.js";
import { withPanel } from "./panel.js";
import { logTime } from "../time/dialog.js";
import { nameOfPriority, projectChip, statusPill, waitingPill } from "../names.js";
import { discardAction, timer, timerAction } from "../time/timer.js";

const OPEN = "todo,in_progress,review,blocked";
const VIEWS = {
  open: { status: OPEN },
  mine: { status: OPEN },
  overdue: { isOverdue: "true" },
  done: { status: "done,cancelled" },
  archived: { isArchived: "true" },
};

export default () => {
  const view = () => query.value.get("view") ?? "open";
  const running = timer();
  const { selected, gone, bulk } = choosing();
  const tasks = list(() =>
    address("/tasks", {
      ...VIEWS[view()],
      ...(view() === "mine" && { assigneeUserId: session.value.user.id }),
      projectId: query.value.get("project"),
      dueFrom: query.value.get("dueFrom"),
      dueTo: query.value.get("dueTo"),
      q: query.value.get("q"),
      sort: query.value.get("sort") ?? "dueDate",
    })
  );
  return {
    title: t("Tasks"),
    actions: [
      newTaskAction(),
      { name: t("As a board"), icon: "square-kanban", run: () => go("/board") },
      importing("work/tasks", "tasks.write_own"),
    ],
    body: withPanel(
      tasks,
      parameterTabs({
        name: "view",
        label: t("Views"),
        options: [
          ["open", t.of("state", "Open")],
          ["mine", t("Mine")],
          ["overdue", t("Overdue")],
          ["done", t("Done")],
          ["archived", t("Archived")],
        ],
      }),
      tags.div(
        { class: "spread" },
        searchField({ value: parameter("q"), label: t("Search tasks") }),
        filterChips([projectChip(), ...dueChips()]),
      ),
      table({
        label: t("Tasks"),
        page: "tasks",
        list: tasks,
        selected,
        bulk,
        isHidden: ({ id }) => gone.value.has(id),
        key: ({ id }) => id,
        href: ({ id }) => `/tasks/${id}`,
        columns: [
          { key: "key", text: t("Task key"), place: "meta", width: "8rem", cell: ({ key }) => key },
          { key: "title", text: t("Title"), place: "name", cell: titleCell, sort: "title" },
          {
            key: "who",
            text: t("Who"),
            isMinor: true,
            width: "14rem",
            cell: ({ assigneeNames }) => assigneeNames.filter(Boolean).join(", "),
          },
          {
            key: "due",
            text: t.of("column", "Due date"),
            place: "figure",
            width: "7rem",
            cell: ({ dueDate, isOverdue }) =>
              tags.span({ class: isOverdue ? "bad" : "" }, dueDate ? dayShort(dueDate) : ""),
            sort: "dueDate",
          },
          {
            key: "logged",
            text: t("Logged"),
            isFigure: true,
            width: "6rem",
            isMinor: true,
            cell: ({ loggedMinutes }) => (loggedMinutes ? duration(loggedMinutes) : "–"),
          },
          { key: "state", text: t("Status"), place: "state", width: "8rem", cell: statusPill },
          extra("project", t("Project"), ({ projectName }) => projectName ?? ""),
          extra("priority", t("Priority"), ({ priority }) => nameOfPriority(priority)),
          extra("begins", t("Begins"), ({ startDate }) => (startDate ? dayShort(startDate) : "")),
          extra("estimate", t("Estimated time"), ({ estimateMinutes: n }) => (n ? duration(n) : ""), {
            isFigure: true,
          }),
          extra("tags", t("Tags"), ({ tags: names }) => names.join(", ")),
        ],
        sort: sortOfAddress(),
        actions: (
          task,
        ) => (may("time.write_own")
          ? [timerAction(task, running.value), discardAction(task, running.value), {
            name: t("Log time"),
            key: "l",
            icon: "clock",
            run: () => logTime(task),
          }]
          : []),
        counted: (n, places) => tn("{n} task", "{n} tasks", n, places),
        empty: empty(t("No tasks match.")),
      }),
    ),
  };
};

const titleCell = (task) => [tags.span(task.title), " ", waitingPill(task)];
