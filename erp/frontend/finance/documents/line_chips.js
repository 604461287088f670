// What a closed line of a document has beside its columns, in words.
import { percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { discountText, serviceText } from "./line_words.js";

export function lineChips({ cells }, { isBill, currencyOf, accounts }) {
  const project = resource(() => (cells.projectId.value ? `/projects/${cells.projectId.value}` : null));
  const task = resource(() => (cells.taskId.value ? `/tasks/${cells.taskId.value}` : null));
  return () =>
    [
      !isBill && cells.accountId.value && accounts.name(cells.accountId.value),
      project.value && t("Project {name}", { name: project.value.code ?? project.value.name }),
      task.value && t("Task {name}", { name: task.value.key ?? task.value.title }),
      cells.unit.value,
      cells.discount.value && `−${discountText(cells.discount.value, currencyOf())}`,
      serviceText(cells),
      cells.deductibleTaxPercent.value &&
      t("{percent} deductible", { percent: percent(cells.deductibleTaxPercent.value) }),
      cells.deductibleCostPercent.value &&
      t("{percent} deductible cost", { percent: percent(cells.deductibleCostPercent.value) }),
      ...Object.values(cells.dimensions.value || {}),
      cells.asset.value && t("Fixed asset"),
    ].filter(Boolean);
}
