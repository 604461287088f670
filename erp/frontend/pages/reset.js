// A new password, by a link from the administrator.
import { Refusal, post } from "../api.js";
import { forget, go, turn } from "../router.js";
import { button, card, heading, paragraph } from "../widgets/element.js";
import { form, newPassword, password } from "../widgets/form.js";

export async function reset(token) {
  if (!token) return spent();
  const first = newPassword("newPassword", "New password");
  const again = password("again", "New password again", "new-password");
  const send = async ({ newPassword: chosen, again: repeated }) => {
    if (chosen !== repeated) throw differs();
    try {
      await post("/auth/password-resets/redeem", { token, newPassword: chosen });
    } catch (refusal) {
      if (refusal.status !== 404) throw refusal;
      turn(spent());
      return;
    }
    forget();
    turn(done());
  };
  first.input.autofocus = true;
  return [
    card(
      heading("Set a new password"),
      paragraph("You will be signed out everywhere. Then sign in with the new password."),
      form([first, again], "Set the password", send),
    ),
  ];
}

const differs = () =>
  new Refusal({ message: "", details: [{ field: "again", message: "The passwords do not match." }] });

function done() {
  return [card(heading("Your new password is set"), paragraph("You have been signed out everywhere."), button("Sign in", () => go(), "primary"))];
}

function spent() {
  forget();
  return [
    card(
      heading("This link no longer works"),
      paragraph("A link works once, for one hour. Ask the administrator of this server for a new one."),
      button("Go to the start page", () => go()),
    ),
  ];
}
