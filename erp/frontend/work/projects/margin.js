// What a project has earned so far, less what its time and its expenses cost.
import { address } from "../../core/api.js";
import { day, money, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { addDays, today } from "../../core/parse.js";
import { currency, may } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { figureCard, figures } from "../../ui/figure.js";
import { loaded } from "../../ui/skeleton.js";

const SINCE = "2000-01-01";

export function marginOf(projectId) {
  const dateTo = may("cost.read") ? "" : addDays(`${today().slice(0, 7)}-01`, -1); // sums are of whole months alone
  const asked = { projectId, dateFrom: SINCE, dateTo };
  const report = resource(address("/finance/reports/project-margin", asked));
  const href = may("finance.read") ? address("/reports/project-margin", asked) : null;
  return loaded(report, (read) => () => {
    const { cells } = read().rows.find(({ key }) => key === "total");
    return figures(
      figureCard({
        label: t("Cost of time"),
        value: amountOf(cells.time_cost),
        note: whyOf(cells.time_cost) ?? (dateTo && t("until {day}", { day: day(dateTo) })),
        href,
      }),
      figureCard({ label: t("Expenses"), value: amountOf(cells.expenses), href }),
      figureCard({
        label: t("Margin"),
        value: amountOf(cells.margin),
        kind: Number(cells.margin.value) < 0 ? "bad" : null,
        note: whyOf(cells.margin) ??
          (cells.margin_percent && t("{percent} of the income", { percent: percent(cells.margin_percent.value) })),
        href,
      }),
    );
  });
}

const amountOf = ({ value }) => (value === null ? "–" : money(value, currency(), { withCurrency: true }));
const whyOf = ({ why }) => {
  if (why === "too_few_people") return t("A month has fewer than three people");
  return why === "not_whole_months" ? t("Only whole months that are over") : null;
};
