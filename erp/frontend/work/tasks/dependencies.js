// The tasks that have to be done before a task.
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { field } from "../../ui/field.js";
import { taskOptions } from "../names.js";
import { several } from "../several.js";

const hrefOf = (id) => `/tasks/${id}`;
const keyOf = ({ dependsOn, dependsOnKeys }, id) => dependsOnKeys[dependsOn.indexOf(id)] ?? "…";

export const waitedFor = (task) =>
  tags.span({ class: "row" }, task.dependsOn.map((id) => tags.a({ href: hrefOf(id) }, keyOf(task, id))));

export const waitingField = (value, get) =>
  field(
    { label: t("Depends on"), name: "dependsOn", isOptional: true, isWide: true },
    several({
      value,
      name: "dependsOn",
      options: (typed) => othersThan(get().id, typed),
      nameOf: (id) => keyOf(get(), id),
      href: hrefOf,
      placeholder: t("+ Task …"),
    }),
  );

const othersThan = async (id, typed) =>
  (await taskOptions(typed)).filter(({ value }) => value !== id).map((one) => ({ ...one, chosenText: one.more }));
