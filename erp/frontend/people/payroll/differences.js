// What earlier payslips have paid too little or too much, of all runs; the next run pays it.
import { t } from "../../core/i18n.js";
import { changes, correcting, differencesOf } from "./changes.js";

export default () => {
  const differences = differencesOf();
  return {
    title: t("Pay differences"),
    back: { href: "/payroll", text: t("Payroll") },
    actions: () => (differences.value?.length ? [correcting(null, differences.value[0].currency)] : []),
    body: changes(differences),
  };
};
