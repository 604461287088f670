// The tasks about one person, as a card of their page.
import { address } from "../../core/api.js";
import { dayShort } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { list } from "../../core/store.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { pill } from "../../ui/pill.js";
import { stepAction } from "../../ui/step.js";
import { table } from "../../ui/table.js";
import { startForm } from "./start.js";

export const checklistTasksOf = (person) =>
  card(
    {
      title: t("Checklists"),
      actions: [button(t("Start checklist"), () => start(person), { icon: "play", isSmall: true })],
    },
    table({
      label: t("Checklists"),
      list: list(() => address("/tasks", { employeeId: person.id, sort: "dueDate" })),
      key: ({ id }) => id,
      href: ({ id }) => `/tasks/${id}`,
      columns: [
        { key: "title", text: t("Task"), place: "name", cell: ({ title }) => title },
        { key: "who", text: t("Assignee"), place: "meta", cell: ({ assigneeNames }) => assigneeNames.join(", ") },
        {
          key: "due",
          text: t.of("column", "Due date"),
          place: "figure",
          width: "7rem",
          cell: ({ dueDate }) => dayShort(dueDate),
        },
        { key: "state", text: t("Status"), place: "state", width: "7rem", cell: state },
      ],
      actions: (task) => [stepAction(task)],
      empty: empty(t("No tasks about this person.")),
    }),
  );

const state = ({ status, isOverdue }) =>
  status === "done" ? pill(t("done"), "good") : isOverdue ? pill(t("overdue"), "bad") : pill(t("open"), "neutral");

const start = (person) => dialog({ title: t("Start checklist"), body: (close) => startForm(close, { person }) });
