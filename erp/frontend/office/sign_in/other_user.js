// Somebody else has signed in in another tab: this one is covered, and asks who goes on here.
import { get } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { session } from "../../core/session.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { dialog } from "../../ui/dialog.js";
import { signInForm } from "./page.js";

const { div, p } = tags;
let isOpen = false;

export async function meetOtherUser() {
  if (isOpen) return;
  isOpen = true;
  const now = await get("/auth/session").catch(() => null);
  const mine = session.peek()?.user;
  if (!now || now.user.id !== mine?.id) {
    const isMineAgain = now && mine && await asked(now.user, mine);
    if (!isMineAgain) return void location.assign("/");
  }
  isOpen = false;
}

// Answers true once the user of this tab has signed in again.
function asked(other, mine) {
  const isSigningIn = signal(false);
  return dialog({
    title: t("You are {name} now", { name: other.name }),
    size: "cover",
    body: (close) =>
      div(
        { class: "stack" },
        p(t("{name} has signed in in another tab. Drafts of {me} are kept.", {
          name: other.name,
          me: mine.name,
        })),
        () =>
          isSigningIn.value ? signInForm(() => close(true), { email: mine.email }) : div(
            { class: "row" },
            button(t("Go on as {name}", { name: other.name }), () => close(false), { kind: "main" }),
            button(t("Sign in as {name}", { name: mine.name }), () => void (isSigningIn.value = true)),
          ),
      ),
  });
}
