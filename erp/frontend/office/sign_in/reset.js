// A new password, by a link from the administrator.
import { Refusal, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { forgetSecret, secret } from "../../core/router.js";
import { signal, tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { languageChoice } from "./language.js";
import { knownTo, newPassword } from "./register.js";

const { div, h1, p } = tags;
const heading = (text) => h1({ tabindex: "-1" }, text);

export default () => {
  const token = secret();
  const shown = signal("waiting");
  const offer = { email: "", problem: "" };
  const steps = {
    waiting: () => p({ role: "status" }, t("One moment …")),
    form: () => asking(token, shown, offer),
    failed: () => failed(offer),
    spent,
    done,
  };
  open(token, shown, offer);
  return {
    title: t("Set a new password"),
    isBare: true,
    body: div({ class: "narrow stack" }, card({}, () => steps[shown.value]()), languageChoice()),
  };
};

// A link that was used or has expired says so before anything is typed.
async function open(token, shown, offer) {
  try {
    if (token) Object.assign(offer, await send("POST", "/auth/password-resets/preview", { token }));
    shown.value = token ? "form" : "spent";
  } catch (refusal) {
    offer.problem = refusal.message;
    if (refusal.status === 404) forgetSecret();
    shown.value = refusal.status === 404 ? "spent" : "failed";
  }
}

function asking(token, shown, { email }) {
  const [chosen, again] = [signal(""), signal("")];
  const run = async () => {
    if (chosen.value !== again.value) {
      throw new Refusal({ message: "", details: [{ field: "again", message: t("The passwords do not match.") }] });
    }
    try {
      await send("POST", "/auth/password-resets/redeem", { token, newPassword: chosen.value });
      shown.value = "done";
    } catch (refusal) {
      if (refusal.status !== 404) throw refusal;
      shown.value = "spent";
    }
    forgetSecret();
  };
  return [
    heading(t("Set a new password")),
    p(t("The link is for {email}. You are signed out everywhere; then sign in with the new password.", { email })),
    form(
      { run, submit: t("Set password"), label: t("Set a new password") },
      knownTo(email),
      newPassword(chosen, "newPassword", t("New password")),
      field(
        { label: t("New password again"), name: "again" },
        textInput({ value: again, name: "again", type: "password", autocomplete: "new-password" }),
      ),
    ),
  ];
}

const done = () => [
  heading(t("Your new password is set")),
  p(t("You have been signed out everywhere.")),
  link(t("Sign in"), "/sign-in", { kind: "main" }),
];

const failed = ({ problem }) => [heading(t("Set a new password")), p(problem), link(t("Go to the start page"), "/")];

const spent = () => [
  heading(t("This link no longer works")),
  p(t("A link works once, for one hour. Ask the server administrator for a new one.")),
  link(t("Go to the start page"), "/"),
];
