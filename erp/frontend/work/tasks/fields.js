// The fields of a task: its form, its facts for people who cannot change it, and the columns of tables that are imported.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { signal } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { nameOfBilling } from "../time/billable.js";
import {
  nameOfPriority,
  nameOfProject,
  peopleOptions,
  priorityOptions,
  projectOptions,
  statusOptions,
} from "../names.js";
import { rateFromField } from "../rates.js";
import { tagsField } from "../tags.js";
import { repeatField } from "./repeat.js";
import { keysOf, waitedFor, waitingControl } from "./dependencies.js";

/**
 * `get` answers the task as the server has it, and `names` the names of the people who can do it, by id; a form needs both.
 * @param {() => any} [get]
 * @param {any} [names]
 */
export const taskFields = (get, names) => [
  { name: "title", label: t("Title"), isWide: true, ifEmpty: "", isFact: false, example: "Quote panels" },
  { name: "status", label: t("Status"), kind: "choice", options: statusOptions(), isFact: false },
  assigneeField(names),
  {
    name: "priority",
    label: t("Priority"),
    kind: "choice",
    options: priorityOptions(),
    words: nameOfPriority,
    example: "high",
    meaning: t("low, medium, high or urgent"),
    isNeeded: false,
  },
  {
    name: "projectId",
    label: t("Project"),
    kind: "search",
    isOptional: true,
    options: projectOptions,
    shown: nameOfProject,
    told: ({ projectName }) => projectName,
    example: "WEB",
    meaning: t("Project code"),
    isNeeded: true,
  },
  { name: "dueDate", label: t("Due date"), kind: "day", isOptional: true, example: "2026-12-15" },
  { name: "startDate", label: t("Begins"), kind: "day", isOptional: true },
  {
    name: "estimateMinutes",
    label: t("Estimated time"),
    kind: "duration",
    isOptional: true,
    example: "90",
    meaning: t("Estimated time in minutes"),
  },
  {
    name: "isBillable",
    label: t("Time entries"),
    kind: "choice",
    options: [true, false].map((value) => ({ value, text: nameOfBilling(value) })),
    empty: nameOfBilling(null),
    words: nameOfBilling,
    told: ({ isBillable }) => isBillable !== null && nameOfBilling(isBillable),
  },
  {
    name: "hourlyRate",
    label: t("Hourly rate"),
    kind: "money",
    right: "money.read",
    isOptional: true,
    currency,
    told: ({ hourlyRate }) => money(hourlyRate, currency()),
  },
  rateFromField(get ?? (() => ({}))),
  repeatField(),
  {
    name: "dependsOn",
    label: t("Waits for"),
    isOptional: true,
    isWide: true,
    start: [],
    control: (value) => waitingControl(value, get),
    words: (ids, task) => keysOf(ids, [task, get()]).join(", "),
    told: (task) => task.dependsOn.length > 0 && waitedFor(task),
  },
  { name: "description", label: t("Description"), kind: "area", rows: 4, isOptional: true, example: "" },
  tagsField({
    isWide: true,
    columns: [{ name: "tags", label: t("Tags, with commas between them"), example: "sales, roof" }],
  }),
];

// The first of those who do it; the others stay.
const assigneeField = (names) => ({
  name: "assigneeUserIds",
  label: t("Who"),
  parts: {
    signals: ({ assigneeUserIds: [first = "", ...others] }) => ({ assignee: signal(first), others: signal(others) }),
    draw: ({ assignee }) =>
      field(
        { label: t("Who"), name: "assigneeUserIds", isOptional: true },
        choice({
          value: assignee,
          name: "assigneeUserIds",
          options: () => peopleOptions(names),
          empty: t("No one yet"),
        }),
      ),
    read: ({ assignee: { value: first }, others }) =>
      [first, ...others.value.filter((id) => id !== first)].filter(Boolean),
  },
  words: (ids) => ids.map((id) => names.value.get(id) ?? t("a former member")).join(", "),
  told: ({ assigneeNames }) => assigneeNames.filter(Boolean).join(", "),
});
