// Signing in; without a session every address shows this, and then goes on to what was asked for.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { go, path, showAgain } from "../../core/router.js";
import { readSession } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { link } from "../../ui/button.js";
import { keepLanguage, languageChoice } from "./language.js";
import { passwordInput } from "./password.js";
import { emailField } from "./register.js";
import { codeField } from "./second_factor.js";

const { div, h1, p } = tags;

export default () => {
  const admission = resource("/auth/register");
  return {
    title: t("Sign in"),
    isBare: true,
    body: div(
      { class: "narrow stack" },
      h1({ tabindex: "-1" }, t("Sign in")),
      p(
        { class: "soft" },
        t("Your office’s projects, time, invoices, books, people and payroll, on its own computer."),
      ),
      signInForm(onSignedIn),
      () => admission.value?.isOpenToYou && link(t("Register"), "/#register"),
      p(
        { class: "soft small" },
        t("Forgot your password? The server administrator can give you a link to set a new one."),
      ),
      languageChoice(),
    ),
  };
};

async function onSignedIn() {
  await keepLanguage();
  await readSession();
  await (path.peek() === "/sign-in" ? go("/", { replace: true }) : showAgain());
}

export function signInForm(done, known = {}) {
  const email = signal(known.email ?? "");
  const password = signal("");
  const code = signal("");
  const needsCode = signal(false);
  const run = async () => {
    const credentials = { email: email.value, password: password.value };
    try {
      await send("POST", "/auth/sign-in/email", { ...credentials, ...(needsCode.peek() && { code: code.value }) });
    } catch (refusal) {
      if (refusal.code !== "second_factor_needed" || needsCode.peek()) throw refusal;
      needsCode.value = true;
      element.querySelector("[name=code]").focus();
      return;
    }
    await done();
  };
  const element = form(
    { run, submit: t("Sign in"), label: t("Sign in") },
    emailField(email, known),
    field(
      { label: t("Password"), name: "password" },
      passwordInput({ value: password, name: "password", autocomplete: "current-password" }),
    ),
    () => needsCode.value && codeField(code),
  );
  return element;
}
