// The first start: the administrator, the first workspace, and what to do next.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { forgetSecret, go, secret } from "../../core/router.js";
import { isAdmin, readSession, session } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button, link } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { steps } from "../../ui/steps.js";
import { loaded } from "../../ui/skeleton.js";
import { companyForm } from "./workspace.js";
import { inviteForm } from "../members/invite.js";
import { languageChoice } from "../sign_in/language.js";
import { accountForm } from "../sign_in/register.js";
import { serverAccess } from "../server/access.js";

const { div, h1, p } = tags;
const WORKS = "works";
const heading = (text) => h1({ tabindex: "-1" }, text);
// Each step begins at its heading, so that no key pressed too long does anything in the next one.
const showStep = () => document.querySelector("h1")?.focus();

export default () => {
  const admission = resource("/auth/register");
  const setupCode = secret();
  const made = signal(null);
  const verdict = signal("");
  if (setupCode) check(setupCode, verdict);
  const body = () => {
    if (made.value) return whatNext(made.value);
    if (isAdmin() && !session.value.workspaces.length) return company(made);
    if (admission.value.mode !== "setup") return alreadySetUp();
    if (!admission.value.isOpenToYou && verdict.value !== WORKS) return setupCode ? notWorking(verdict) : notSetUp();
    return account(setupCode, admission);
  };
  return {
    title: t("Set up"),
    isBare: true,
    body: div({ class: "narrow stack" }, loaded(admission, () => body), languageChoice()),
  };
};

// A link that was used or has expired says so before a form is filled in.
async function check(setupCode, verdict) {
  try {
    await send("POST", "/auth/register/preview", { setupCode });
    verdict.value = WORKS;
  } catch (refusal) {
    verdict.value = refusal.message;
  }
}

const notWorking = (verdict) =>
  card(
    {},
    heading(t("This server is not set up yet")),
    p({ role: "status" }, () => verdict.value || t("One moment …")),
  );

const stepsAt = (at) =>
  steps({ label: t("Setting up"), items: [t("You"), t("Your company"), t("Next")], current: () => at });

function account(setupCode, admission) {
  const done = async () => {
    forgetSecret();
    await readSession();
    admission.renew();
    showStep();
  };
  return card(
    {},
    stepsAt(0),
    heading(t("Welcome")),
    p(t("This is your office’s own server. Register first: you become the server administrator.")),
    accountForm(t("Continue"), setupCode ? { setupCode } : {}, done),
  );
}

const company = (made) =>
  card(
    {},
    stepsAt(1),
    heading(t("Your company")),
    p(t("Your company gets a workspace with its own books, people and projects. You can add more workspaces later.")),
    companyForm((workspace) => {
      if (workspace.isSample) return go("/", { replace: true });
      made.value = workspace;
      return showStep();
    }),
  );

const notSetUp = () =>
  card(
    {},
    heading(t("This server is not set up yet")),
    p(t(
      "Set it up on the computer where it is running, or open the link that it has printed there. The link works for 30 minutes; restart the server to get a new one.",
    )),
  );

function alreadySetUp() {
  forgetSecret();
  return card(
    {},
    heading(t("This server is already set up")),
    p(t("This server already has an administrator. Sign in instead.")),
    link(t("Sign in"), "/sign-in", { kind: "main" }),
  );
}

function whatNext(workspace) {
  return [
    card(
      {},
      stepsAt(2),
      heading(t("{workspace} is ready", { workspace: workspace.name })),
      p(t("You can do this now, or later from the menu.")),
      button(t("Go to the start page"), () => go("/", { replace: true }), { kind: "main" }),
    ),
    card({ title: t("Open it on other computers") }, serverAccess()),
    card({ title: t("Invite") }, inviteForm({ where: t("Share the server first, above.") })),
    card(
      { title: t("Coming from another program?") },
      p(t("Import contacts, products, accounts, people, tasks and open items from CSV or Excel.")),
      link(t("Import data"), "/import", { icon: "upload" }),
    ),
  ];
}
