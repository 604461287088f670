// Registering, if the server lets everyone register.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { readSession } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { loaded } from "../../ui/skeleton.js";
import { languageChoice } from "./language.js";
import { passwordInput } from "./password.js";

const { div, h1, p } = tags;

export default () => {
  const admission = resource("/auth/register");
  const back = link(t("Sign in instead"), "/sign-in");
  const done = async () => {
    await readSession();
    await go("/", { replace: true });
  };
  return {
    title: t("Register"),
    isBare: true,
    body: div(
      { class: "narrow" },
      card(
        {},
        h1({ tabindex: "-1" }, t("Register")),
        loaded(
          admission,
          () => [() => (admission.value.isOpenToYou ? accountForm(t("Register"), {}, done) : byInviteOnly()), back],
        ),
      ),
      languageChoice(),
    ),
  };
};

const byInviteOnly = () => p(t("You need an invite to register on this server. Ask a colleague for a link."));

// The form of a new user; `known` is sent with it: a code, a token, an address that cannot be changed.
export function accountForm(action, known, done) {
  const [name, email, password] = [signal(""), signal(known.email ?? ""), signal("")];
  const run = async () =>
    done(
      await send("POST", "/auth/register", {
        ...known,
        name: name.value,
        email: email.value,
        password: password.value,
      }),
    );
  return form(
    { run, submit: action, label: action },
    field({ label: t("Your name"), name: "name" }, textInput({ value: name, name: "name", autocomplete: "name" })),
    emailField(email, known),
    newPassword(password, "password", t("Password")),
  );
}

// Who signs in, or registers; an address that is known already cannot be changed.
export const emailField = (value, known) =>
  field(
    { label: t("E-mail address"), name: "email" },
    textInput({
      value,
      name: "email",
      type: "email",
      autocomplete: "username",
      isReadOnly: Boolean(known.email),
    }),
  );

// For programs that keep passwords: whose it is, in a field that is not shown.
export const knownTo = (email) =>
  tags.input({ type: "text", name: "username", autocomplete: "username", value: email, hidden: true, readonly: true });

export const newPassword = (value, name, label) =>
  field(
    { label, name, hint: t("10 to 128 characters. A few words in a row are easy to remember.") },
    passwordInput({ value, name, autocomplete: "new-password" }),
  );
