// The forms for registering and for signing in.
import { post } from "../api.js";
import { email, field, form, newPassword, oldPassword } from "./form.js";

// `known` is sent with the fields: a code, a token, an address that cannot be changed.
export function accountForm(action, known, done) {
  const name = field("name", "Your name", { autocomplete: "name", required: true, autofocus: true });
  const address = known.email ? fixed(known.email) : email();
  return form([name, address, newPassword()], action, async (values) => done(await post("/auth/register", { ...known, ...values })));
}

export function signInForm(known, done) {
  const address = known.email ? fixed(known.email) : email("email", { autofocus: true });
  return form([address, oldPassword()], "Sign in", async (values) => done(await post("/auth/sign-in/email", values)));
}

const fixed = (value) => email("email", { value, readonly: true });
