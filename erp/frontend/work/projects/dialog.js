// A project, added or changed.
import { send } from "../../core/api.js";
import { draftOfFields } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { computed } from "../../core/view.js";
import { change } from "../../ui/changing.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { people } from "../names.js";
import { ratesOf } from "../rates.js";
import { projectFields } from "./fields.js";

export const newProject = () =>
  dialog({ title: t("New project"), size: "wide", body: (close) => projectForm(null, close) });

export const editProject = (project) =>
  dialog({
    title: t("Edit {name}", { name: project.name }),
    size: "wide",
    body: (close) => projectForm(project, close),
  });

function projectForm(project, close) {
  const fields = editable(projectFields(project, peopleOf(project)), project);
  const kept = draftOfFields("project", project?.id ?? null, fields.signals);
  const run = async (element) => {
    const saved = project
      ? await change(element, `/projects/${project.id}`, project, fields.body(), fields.told)
      : await send("POST", "/projects", fields.body(), { key: kept.key });
    if (!saved) return;
    kept.clear();
    changed("/projects");
    close();
    if (!project) await go(`/projects/${saved.id}`);
  };
  return form(
    { run, submit: project ? t("Save") : t("Create project"), cancel: () => close(), label: t("Project"), draft: kept },
    fields.controls,
    project && ratesOf(`/projects/${project.id}`, project),
  );
}

// The members of the workspace, and members of the project who have left it.
function peopleOf(project) {
  const present = people();
  const named = project
    ? [
      [project.ownerUserId, project.ownerName],
      ...project.memberUserIds.map((id, at) => [id, project.memberNames[at]]),
    ]
    : [];
  const own = named.filter(([id]) => id).map(([id, name]) => [id, name ?? t("a former member")]);
  return Object.assign(computed(() => new Map([...own, ...present.value])), { known: present.known });
}
