// Punches in words: of a day, and of what someone asks to have corrected.
import { duration, time } from "../core/format.js";
import { t } from "../core/i18n.js";

export const punchesOf = ({ punches }) =>
  (punches ?? []).map((punch) => `${time(punch.in)}–${punch.out ? time(punch.out) : ""}`).join(", ");

export const proposedOf = ({ proposed, reason }) =>
  [
    punchesOf(proposed),
    Number.isInteger(proposed.breakMinutes) && `${t("Break")} ${duration(proposed.breakMinutes)}`,
    reason,
  ].filter(Boolean).join(" · ");
