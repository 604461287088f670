// The leave types of a new workspace have names in the reader's language, until someone gives them others.
import { t } from "../../core/i18n.js";

const SEEDED = new Map([
  ["Annual leave", () => t("Annual leave")],
  ["Sick leave", () => t("Sick leave")],
  ["Unpaid leave", () => t("Unpaid leave")],
]);

export const leaveTypeText = (name) => SEEDED.get(name)?.() ?? name;
