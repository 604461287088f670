// The state of a request for leave, in a word.
import { t } from "../../core/i18n.js";
import { pill } from "../../ui/pill.js";

const STATES = {
  pending: [() => t("waiting"), "info"],
  approved: [() => t.of("request", "approved"), "good"],
  rejected: [() => t("rejected"), "bad"],
  cancelled: [() => t("withdrawn"), "neutral"],
};

export const leaveState = ({ status }) => pill(STATES[status][0](), STATES[status][1]);
