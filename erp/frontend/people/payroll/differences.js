// What earlier payslips have paid too little or too much, of all runs; the next run pays it.
import { t } from "../../core/i18n.js";
import { changes, correcting, differencesOf } from "./changes.js";

const currenciesOf = (differences) => [...new Set(differences.map(({ currency }) => currency))];

export default () => {
  const differences = differencesOf();
  return {
    title: t("Pay differences"),
    back: { href: "/payroll", text: t("Payroll") },
    actions: () => currenciesOf(differences.value ?? []).map((code, _, all) => correcting(null, code, all.length > 1)),
    body: changes(differences),
  };
};
