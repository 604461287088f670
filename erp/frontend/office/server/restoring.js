// A backup that is restored at the next start: the word of it, and the way back.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { alert } from "../../ui/alert.js";
import { button } from "../../ui/button.js";

export const staged = ({ backups: { restoredAtNextStart: name } }) =>
  name &&
  alert({
    kind: "warn",
    text: t("The backup {name} will be restored at the next start. Changes made until then are set aside.", { name }),
    actions: [button(t("Cancel the restore"), () => cancelRestore(name), { isSmall: true })],
  });

export async function cancelRestore(name) {
  await send("DELETE", `/system/backups/${encodeURIComponent(name)}/restore`);
  await changed("/system/");
  notify(t("The data stays as it is: {name} will not be restored.", { name }), { kind: "good" });
}
