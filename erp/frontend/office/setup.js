// The first start: the administrator, the first workspace, and what to do next.
import { t } from "../core/i18n.js";
import { forgetSecret, go, secret } from "../core/router.js";
import { isAdmin, readSession, session } from "../core/session.js";
import { resource } from "../core/store.js";
import { signal, tags } from "../core/view.js";
import { button, link } from "../ui/button.js";
import { card } from "../ui/card.js";
import { steps } from "../ui/steps.js";
import { loaded } from "../ui/skeleton.js";
import { companyForm } from "./company.js";
import { inviting } from "./inviting.js";
import { accountForm } from "./register.js";
import { sharing } from "./sharing.js";

const { div, h1, p } = tags;
const heading = (text) => h1({ tabindex: "-1" }, text);

export default () => {
  const admission = resource("/auth/register");
  const setupCode = secret();
  const made = signal(null);
  const body = () => {
    if (made.value) return whatNext(made.value);
    if (isAdmin() && !session.value.workspaces.length) return company(made);
    if (admission.value.mode !== "setup") return alreadySetUp();
    if (!setupCode && !admission.value.isOpenToYou) return notSetUp();
    return account(setupCode, admission);
  };
  return { title: t("Set up"), isBare: true, body: div({ class: "narrow stack" }, loaded(admission, () => body)) };
};

const stepsAt = (at) => steps({ label: t("Setting up"), items: [t("You"), t("Your company"), t("Next")], current: () => at });

function account(setupCode, admission) {
  const done = async () => {
    forgetSecret();
    await readSession();
    admission.renew();
  };
  return card({}, stepsAt(0), heading(t("Welcome")), p(t("This is your office’s own server. Register first: you will be its administrator.")), accountForm(t("Continue"), setupCode ? { setupCode } : {}, done));
}

const company = (made) =>
  card({}, stepsAt(1), heading(t("Your company")), p(t("Your company gets a workspace with its own books, people and projects. You can add more workspaces later.")), companyForm((workspace) => void (made.value = workspace)));

const notSetUp = () =>
  card({}, heading(t("This server is not set up yet")), p(t("Set it up on the computer where it is running, or open the link that it has printed there. The link works for 30 minutes; restart the server to get a new one.")));

function alreadySetUp() {
  forgetSecret();
  return card({}, heading(t("This server is already set up")), p(t("The set-up link has been used. Sign in, or ask a colleague for an invite.")), link(t("Sign in"), "/sign-in", { kind: "main" }));
}

function whatNext(workspace) {
  const info = resource("/system/info");
  return [
    card({}, stepsAt(2), heading(t("{workspace} is ready", { workspace: workspace.name })), p(t("You can do these things now, or later from the menu.")), button(t("Go to the start page"), () => go("/", { replace: true }), { kind: "main" })),
    card({ title: t("Open it on other computers") }, loaded(info, (get) => sharing(get().addresses))),
    card({ title: t("Invite colleagues") }, inviting()),
  ];
}
