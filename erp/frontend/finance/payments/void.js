// Taking back what was posted, such as a payment: it keeps its number, and its entry is reversed.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { TOUCHED } from "./touched.js";

// The action on a record at `path`. `text` says what follows, and `figures` what it is about.
export const voidAction = (path, { id, number, version }, { text, figures }) => ({
  name: t("Void"),
  icon: "ban",
  danger: true,
  may: "finance.write",
  asks: { title: t("Void {number}?", { number }), text, figures, verb: t("Void"), danger: true },
  run: async () => {
    await send("POST", `${path}/${id}/void`, {}, { version });
    changed(path, "/finance/journals", ...TOUCHED);
    notify(t("{number} voided.", { number }), { kind: "good" });
  },
});
