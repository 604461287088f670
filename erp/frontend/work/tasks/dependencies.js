// The tasks that have to be done before a task.
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { taskOptions } from "../names.js";
import { several } from "../several.js";

const hrefOf = (id) => `/tasks/${id}`;
const keyOf = ({ dependsOn, dependsOnKeys = [] }, id) => dependsOnKeys[dependsOn.indexOf(id)];

// The keys of tasks by their ids, as the first of `among` that depends on each tells it.
export const keysOf = (ids, among) => ids.map((id) => among.map((task) => keyOf(task, id)).find(Boolean) ?? "…");

export const waitedFor = (task) =>
  tags.span({ class: "row" }, task.dependsOn.map((id) => tags.a({ href: hrefOf(id) }, keyOf(task, id) ?? "…")));

export const waitingControl = (value, get) =>
  several({
    value,
    name: "dependsOn",
    options: (typed) => othersThan(get().id, typed),
    nameOf: (id) => keyOf(get(), id) ?? "…",
    href: hrefOf,
    placeholder: t("+ Task …"),
  });

const othersThan = async (id, typed) =>
  (await taskOptions(typed)).filter(({ value }) => value !== id).map((one) => ({ ...one, chosenText: one.more }));
