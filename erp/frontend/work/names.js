// Names of people and projects, states of tasks and projects in words.
import { get } from "../core/api.js";
import { t } from "../core/i18n.js";
import { resource } from "../core/store.js";
import { computed } from "../core/view.js";
import { optionsOf } from "../ui/choice.js";
import { pill } from "../ui/pill.js";

// What changes with a task or its time.
export const TOUCHED = ["/tasks", "/projects", "/workspace/home"];

export const STATUSES = ["todo", "in_progress", "review", "blocked", "done"];
/** @type {Record<string, [() => string, string]>} */
const STATES = {
  todo: [() => t("To do"), "neutral"],
  in_progress: [() => t("In progress"), "info"],
  review: [() => t("Review"), "info"],
  blocked: [() => t("Blocked"), "warn"],
  done: [() => t("Done"), "good"],
  cancelled: [() => t("Cancelled"), "neutral"],
};
const PRIORITIES = { low: () => t("low"), medium: () => t("medium"), high: () => t("high"), urgent: () => t("urgent") };
/** @type {Record<string, [() => string, string]>} */
const PROJECT_STATES = {
  planned: [() => t("planned"), "neutral"],
  active: [() => t("active"), "good"],
  on_hold: [() => t("on hold"), "warn"],
  completed: [() => t("completed"), "neutral"],
  cancelled: [() => t("cancelled"), "neutral"],
};

export const nameOfStatus = (status) => STATES[status][0]();
export const statusPill = ({ status }) => pill(nameOfStatus(status), STATES[status][1]);
// Of an open task that others hold up.
export const waitingPill = ({ status, waitsForKeys: keys }) =>
  keys.length > 0 && status !== "done" && status !== "cancelled" &&
  pill(t("waits for {tasks}", { tasks: keys.join(", ") }), "warn");

export const nameOfPriority = (priority) => PRIORITIES[priority]();
export const statusOptions = () => Object.entries(STATES).map(([value, [text]]) => ({ value, text: text() }));
export const priorityOptions = () => optionsOf(PRIORITIES);
export const isUrgent = ({ priority }) => ["high", "urgent"].includes(priority);

// The status that follows from an action on a project.
export const projectSteps = {
  activate: "active",
  plan: "planned",
  complete: "completed",
  hold: "on_hold",
  cancel: "cancelled",
};

export const nameOfProjectState = (status) => PROJECT_STATES[status][0]();

export function projectState({ status, isOverdue, archivedAt }) {
  if (archivedAt) return pill(t("archived"), "neutral");
  const [text, kind] = PROJECT_STATES[status];
  return isOverdue ? pill(t("overdue"), "bad") : pill(text(), kind);
}

// The members of the workspace by the id of their user.
export function people() {
  const members = resource("/workspace/members?limit=200&sort=name");
  const names = computed(() => new Map((members.value ?? []).map(({ user }) => [user.id, user.name])));
  return Object.assign(names, { known: members.known }); // `known()` waits until they are here
}

export const peopleOptions = (names) => [...names.value].map(([value, text]) => ({ value, text }));

const optionOf = (project) => ({ value: project.id, text: project.name, more: project.code });

export const projectOptions = async (typed) =>
  (await get(`/projects?limit=20&isArchived=false&q=${encodeURIComponent(typed)}`)).map(optionOf);
export const nameOfProject = async (id) => (id ? (await get(`/projects/${id}`)).name : "");

export const taskOptions = async (typed) =>
  (await get(`/tasks?limit=20&q=${encodeURIComponent(typed)}`)).map((task) => ({
    value: task.id,
    text: task.title,
    more: task.key,
    task,
  }));

export const projectChip = () => ({
  key: "project",
  text: t("Project"),
  load: projectOptions,
  shown: nameOfProject,
});
