// What becomes of a project: its status, its archive, a copy, its end. A step can be undone.
import { newKey, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { go } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { inverse } from "../../core/undo.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { nameOfProjectState, projectSteps } from "../names.js";
import { projectFields } from "./fields.js";

// How to take a step back where the one before does not follow at once.
/** @type {Record<string, string[]>} */
const BACK = {
  "active cancelled": ["planned", "active"],
  "on_hold cancelled": ["planned", "active", "on_hold"],
  "planned active": ["cancelled", "planned"],
};

const ICONS = { active: "play", planned: "undo-2", on_hold: "pause", completed: "check", cancelled: "ban" };

// The name of a step from one status to another.
const NAMES = {
  active: (from) => (from === "completed" ? t("Reopen") : from === "on_hold" ? t("Resume") : t("Activate")),
  planned: () => t("Plan again"),
  on_hold: () => t("Put on hold"),
  completed: () => t.of("project", "Complete"),
  cancelled: () => t("Cancel project"),
};

export const stepsOf = (project) =>
  [
    ...Object.entries(projectSteps).filter(([action]) => project.can.includes(action)).map(([, status]) =>
      step(project, status)
    ),
    project.can.includes("archive") &&
    { name: t("Archive"), icon: "archive", run: () => archive(project, "archive") },
    project.can.includes("unarchive") && project.archivedAt &&
    { name: t("Unarchive"), icon: "undo-2", run: () => archive(project, "unarchive") },
    { name: t("Duplicate"), icon: "copy", may: "projects.write", run: () => duplicate(project) },
    project.can.includes("delete") && {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete {name}?", { name: project.name }),
        text: t("Only a project without tasks and entries can be deleted. Others can be archived."),
      },
      run: () => remove(project),
    },
  ].filter(Boolean);

function step(project, status) {
  const open = status === "completed" ? project.totals.openTaskCount : 0;
  return {
    name: NAMES[status](project.status),
    icon: ICONS[status],
    asks: open > 0
      ? {
        title: t("Complete {name}?", { name: project.name }),
        text: tn("{n} task is open.", "{n} tasks are open.", open),
        verb: t("Complete anyway"),
      }
      : null,
    run: () => take(project, status, open > 0),
  };
}

const patched = async (project, status, isForced) => {
  const body = { status, ...(isForced && { force: true }) };
  const saved = await send("PATCH", `/projects/${project.id}`, body, { version: project.version });
  changed("/projects", "/tasks");
  return saved;
};

async function take(project, status, isForced) {
  const saved = await patched(project, status, isForced);
  const back = BACK[`${project.status} ${status}`] ?? [project.status];
  inverse(t("{name} is {status}.", { name: project.name, status: nameOfProjectState(status) }), async () => {
    let now = saved;
    for (const one of back) now = await patched(now, one, one === "completed");
  });
}

async function archive({ id, name, version }, verb) {
  const act = async (one, from) => {
    const saved = await send("POST", `/projects/${id}/${one}`, {}, { version: from });
    changed("/projects", "/tasks");
    return saved;
  };
  const saved = await act(verb, version);
  const isArchived = verb === "archive";
  const text = isArchived ? t("{name} archived.", { name }) : t("{name} unarchived.", { name });
  inverse(text, () => act(isArchived ? "unarchive" : "archive", saved.version));
}

async function remove({ id, version }) {
  await send("DELETE", `/projects/${id}`, undefined, { version });
  await go("/projects");
  changed("/projects");
}

function duplicate({ id, name }) {
  const start = { name: t("{name} (copy)", { name }), startDate: today() };
  const specs = projectFields(null).filter((spec) => spec.name in start);
  const fields = editable(specs.map((spec) => ({ ...spec, isOptional: false, start: start[spec.name] })), null);
  const key = newKey();
  return dialog({
    title: t("Duplicate {name}", { name }),
    body: (close) => {
      const run = async () => {
        const copy = await send("POST", `/projects/${id}/duplicate`, fields.body(), { key });
        changed("/projects", "/tasks");
        close();
        await go(`/projects/${copy.id}`);
      };
      return form({ run, submit: t("Duplicate"), cancel: () => close(), label: t("Project") }, fields.controls);
    },
  });
}
