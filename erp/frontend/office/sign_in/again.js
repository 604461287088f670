// The session has ended: the same person signs in over the screen, which stays as it is. Answers true once they have,
// and undefined if they close the dialog.
// It stays closed then, until they themselves do what needs a session.
import { t } from "../../core/i18n.js";
import { session } from "../../core/session.js";
import { tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { signInForm } from "./page.js";

const { div, p } = tags;
let open = null;
let isPutOff = false;

export function signInAgain({ isByItself = false }) {
  if (isByItself && isPutOff && !open) return undefined;
  const email = session.peek()?.user.email;
  open ??= dialog({
    title: t("Sign in again"),
    size: "cover",
    body: (close) =>
      div(
        { class: "stack" },
        p(t("Your session has ended. What you typed is still here.")),
        signInForm(() => close(true), { email }),
      ),
  }).then((isSignedIn) => {
    [open, isPutOff] = [null, !isSignedIn];
    return isSignedIn;
  });
  return open;
}
