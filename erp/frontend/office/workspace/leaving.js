// Leaving the workspace in which one is.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { readSession, session } from "../../core/session.js";
import { forgetAll } from "../../core/store.js";
import { sendHeld } from "../../core/undo.js";

export const leaving = () => ({
  name: t("Leave this workspace"),
  danger: true,
  asks: {
    title: t("Leave {name}?", { name: session.peek().workspace.name }),
    text: t(
      "You lose access at once, and only a new invite lets you in again. Your tokens and calendar addresses for this workspace stop working, and the invites you made that no one has accepted are revoked. What you did stays on record.",
    ),
  },
  run: async () => {
    const { name } = session.peek().workspace;
    await sendHeld(); // it would be refused later
    await send("POST", "/workspace/leave");
    await go("/choose", { replace: true });
    forgetAll();
    await readSession();
    notify(t("You have left {name}.", { name }), { kind: "good" });
  },
});
