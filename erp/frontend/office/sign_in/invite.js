// An invite: who invites whom to what, and how it is accepted, registered or not.
import { send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { forgetSecret, go, secret } from "../../core/router.js";
import { readSession, select, session } from "../../core/session.js";
import { signal, tags } from "../../core/view.js";
import { button, link } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { nameOfRole, rightsOf } from "../../ui/roles.js";
import { keepLanguage, languageChoice } from "./language.js";
import { accountForm } from "./register.js";
import { signInForm } from "./page.js";

const { div, h1, p } = tags;
const LOST = [404, 409, 422];
const heading = (text) => h1({ tabindex: "-1" }, text);

export default () => {
  const token = secret();
  const shown = signal(() => p({ role: "status" }, t("One moment …")));
  const turn = (content) => void (shown.value = content);
  open(token, turn);
  return {
    title: t("Invite"),
    isBare: true,
    body: div({ class: "narrow stack" }, card({}, () => shown.value()), languageChoice()),
  };
};

async function open(token, turn) {
  if (!token) return turn(() => spent({ message: t("The address contains no invite.") }));
  try {
    const offer = await send("POST", "/workspace/invites/preview", { token });
    turn(() => offered(offer, token, turn));
  } catch (refusal) {
    if (LOST.includes(refusal.status)) forgetSecret();
    turn(() => spent(refusal));
  }
}

const spent = (refusal) => [
  heading(t("This invite does not work")),
  p(refusal.message),
  refusal.code === "not_found" && p(t("The link may be incomplete. Ask for a new one.")),
  link(t("Go to the start page"), "/"),
];

function offered(offer, token, turn) {
  const about = [
    heading(t("Join {workspace}", { workspace: offer.workspaceName })),
    p(t("{name} invites {email} as {role}. The invite is valid until {day}.", {
      name: offer.invitedByName || t("A colleague"),
      email: offer.email,
      role: nameOfRole(offer.role),
      day: day(offer.expiresAt.slice(0, 10)),
    })),
    rightsOf(offer),
  ];
  const signedIn = session.value;
  const enter = async (joined) => {
    await select(joined.id);
    forgetSecret();
    turn(
      () => [
        heading(t("Welcome to {workspace}", { workspace: offer.workspaceName })),
        p(t("You have joined the workspace.")),
        button(t("Continue"), () => go("/", { replace: true }), { kind: "main" }),
      ],
    );
  };
  const accept = async () => enter(await send("POST", "/workspace/invites/accept", { token }));
  if (!signedIn) return [about, byAccount(offer, token, { accept, enter })];
  if (signedIn.user.email.toLowerCase() === offer.email.toLowerCase()) {
    return [about, button(t("Join {workspace}", { workspace: offer.workspaceName }), accept, { kind: "main" })];
  }
  return [about, byAnotherUser(signedIn)];
}

function byAccount(offer, token, { accept, enter }) {
  const isKnown = signal(false);
  const known = { email: offer.email, inviteToken: token };
  const registered = async ({ workspaces }) => {
    await readSession();
    await enter(workspaces[0]);
  };
  return div(
    { class: "stack" },
    () =>
      isKnown.value
        ? [
          signInForm(() => keepLanguage().then(accept), { email: offer.email }),
          button(t("I have not registered yet"), () => void (isKnown.value = false)),
        ]
        : [
          accountForm(t("Register and join"), known, registered),
          button(t("I have already registered"), () => void (isKnown.value = true)),
        ],
  );
}

function byAnotherUser(signedIn) {
  const leave = async () => {
    await send("POST", "/auth/logout");
    location.reload();
  };
  return [
    p(t("You are signed in as {email}, but the invite is for another address. Sign out to use it.", {
      email: signedIn.user.email,
    })),
    button(t("Sign out and continue"), leave, { kind: "main" }),
  ];
}
