// Whether time is billable: a task says it or leaves it to its project, and each log has it for itself.
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { checkbox } from "../../ui/choice.js";
import { pill } from "../../ui/pill.js";

const words = (isBillable) => (isBillable ? t("billable") : t("not billable"));

export const nameOfBilling = (isBillable) => (isBillable === null ? t("as set for the project") : words(isBillable));

export const billableBox = (value) =>
  checkbox({
    value,
    name: "isBillable",
    text: t("Billable"),
    hint: t("Time that is not billable is never invoiced."),
  });

export const billablePill = ({ isBillable }) => !isBillable && pill(words(false));

// What the server takes for a log that does not say it.
export function usuallyBillable(task) {
  const project = resource(task.isBillable === null && task.projectId ? `/projects/${task.projectId}` : null);
  return () => task.isBillable ?? project.value?.billing === "hourly";
}
