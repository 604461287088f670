// The way from a record to all changes of it.
import { address } from "../core/api.js";
import { t } from "../core/i18n.js";
import { go } from "../core/router.js";

export const history = ({ id }) => ({
  name: t("History"),
  icon: "history",
  may: "events.read",
  run: () => go(address("/log", { resourceId: id })),
});
