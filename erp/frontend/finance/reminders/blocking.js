// The action that blocks a record from reminders or lifts its block; its dialog is loaded then.
import { t } from "../../core/i18n.js";

export const blockAction = (path, record, name) => {
  const isBlocked = record.reminderBlock && path.includes(`/${record.reminderBlock.blocks}s/`);
  return {
    name: isBlocked ? t("Lift block from reminders") : t("Block reminders"),
    icon: isBlocked ? "play" : "pause",
    may: "finance.write",
    run: async () => {
      const act = isBlocked ? (await import("./block.js")).lift : (await import("./block.js")).block;
      return act(path, record, name);
    },
  };
};
