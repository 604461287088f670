// Sample data is deleted, and its owner goes on in a workspace of their own.
import { actIn, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { readSession, session } from "../../core/session.js";
import { forgetAll } from "../../core/store.js";
import { sendHeld } from "../../core/undo.js";
import { confirm } from "../../ui/dialog.js";

export async function deleteSample({ id, name }) {
  const isSure = await confirm({
    title: t("Delete {name}?", { name }),
    text: t("The made-up company and all that was added to it are deleted at once and for good."),
    verb: t("Delete"),
    danger: true,
  });
  if (!isSure) return;
  await sendHeld(); // it would be refused later
  await send("DELETE", `/workspace/${id}`, undefined, { workspace: id });
  if (session.peek().workspace?.id === id) actIn(null);
  await go("/choose", { replace: true });
  forgetAll();
  await readSession();
  if (session.peek().workspace) await go("/", { replace: true });
  notify(t("{name} deleted.", { name }), { kind: "good" });
}
