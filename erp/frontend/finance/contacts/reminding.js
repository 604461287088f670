// The action that copies a payment reminder; its text is made by what is loaded then.
import { t } from "../../core/i18n.js";

export const copyReminder = (contact) => ({
  name: t("Copy payment reminder"),
  key: "r",
  icon: "copy",
  may: "finance.read",
  run: async () => (await import("./reminder.js")).remindOf(contact),
});
