// Fields that a new task and one that is there have alike.
import { t } from "../../core/i18n.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { nameOfProject, projectOptions } from "../names.js";

export const projectField = (value) =>
  field(
    { label: t("Project"), name: "projectId", isOptional: true },
    combobox({ value, name: "projectId", options: projectOptions, shown: nameOfProject, isOptional: true }),
  );

export const dueField = (value) =>
  field({ label: t("Due date"), name: "dueDate", isOptional: true }, dateField({ value, name: "dueDate" }));
