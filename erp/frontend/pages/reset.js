// A new password, by the link that the office's admin handed over.
import { Refusal, post } from "../api.js";
import { forget, go, turn } from "../router.js";
import { button, card, heading, paragraph } from "../widgets/element.js";
import { form, newPassword, password } from "../widgets/form.js";

export async function reset(token) {
  if (!token) return spent();
  const first = newPassword("newPassword", "New password");
  const again = password("again", "The same again", "new-password");
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
      paragraph("You are then signed out wherever you are signed in, and sign in anew."),
      form([first, again], "Set the password", send),
    ),
  ];
}

const differs = () =>
  new Refusal({ message: "", details: [{ field: "again", message: "This is not the same as above." }] });

function done() {
  return [card(heading("Your new password is set"), paragraph("Your other sign-ins have ended."), button("Sign in", () => go(), "primary"))];
}

function spent() {
  forget();
  return [
    card(
      heading("This link does not work any more"),
      paragraph("It works once, for an hour. Ask whoever looks after this server for a new one."),
      button("Go to the start page", () => go()),
    ),
  ];
}
