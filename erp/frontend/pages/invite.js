// An invite: who invites whom to what, and how to accept it, registered or not.
import { post, session } from "../api.js";
import { forget, go, turn } from "../router.js";
import { accountForm, signInForm } from "../widgets/account.js";
import { button, card, element, heading, paragraph } from "../widgets/element.js";
import { form } from "../widgets/form.js";
import { nameOfRole, rightsOf } from "../widgets/inviting.js";

const ADVICE = { not_found: "The link may be incomplete. Ask for a new one." };

export async function invite(token) {
  if (!token) return spent({ message: "The address contains no invite." });
  try {
    return await offered(await post("/workspace/invites/preview", { token }), token);
  } catch (refusal) {
    if (![404, 409, 422].includes(refusal.status)) throw refusal;
    return spent(refusal);
  }
}

function spent(refusal) {
  forget();
  return [
    card(
      heading("This invite does not work"),
      paragraph(refusal.message),
      ADVICE[refusal.code] && paragraph(ADVICE[refusal.code]),
      button("Go to the start page", () => go()),
    ),
  ];
}

async function offered(offer, token) {
  const signedIn = await session();
  if (!signedIn) return [card(...about(offer), ...byAccount(offer, token))];
  const isInvited = signedIn.user.email.toLowerCase() === offer.email.toLowerCase();
  return [card(...about(offer), ...(isInvited ? byButton(offer, token) : byAnotherUser(signedIn, token)))];
}

function about(offer) {
  const until = new Date(offer.expiresAt).toLocaleDateString("en", { dateStyle: "long" });
  return [
    heading(`Join ${offer.workspaceName}`),
    paragraph(
      element("strong", {}, offer.invitedByName || "A colleague"),
      " invites ",
      element("strong", {}, offer.email),
      ` as ${nameOfRole(offer.role)}. The invite is valid until ${until}.`,
    ),
    ...rightsOf(offer),
  ];
}

function byAccount(offer, token) {
  const box = element("div");
  const swap = (content) => {
    box.replaceChildren(...content);
    box.querySelector("[autofocus], [type=password]")?.focus();
  };
  const signIn = () => [
    signInForm({ email: offer.email }, () => accept(offer, token)),
    button("I have not registered yet", () => swap(register())),
  ];
  const register = () => [
    accountForm("Register and join", { email: offer.email, inviteToken: token }, ({ workspaces }) => enter(offer, workspaces[0])),
    button("I have already registered", () => swap(signIn())),
  ];
  box.append(...register());
  return [box];
}

const byButton = (offer, token) => [form([], `Join ${offer.workspaceName}`, () => accept(offer, token))];

function byAnotherUser(signedIn, token) {
  return [
    paragraph(`You are signed in as ${signedIn.user.email}, but the invite is for another address. Sign out to use it.`),
    form([], "Sign out and continue", async () => {
      await post("/auth/logout");
      turn(await invite(token));
    }),
  ];
}

async function accept(offer, token) {
  await enter(offer, await post("/workspace/invites/accept", { token }));
}

async function enter(offer, joined) {
  await post("/auth/select-workspace", { workspaceId: joined.id });
  forget();
  turn([card(heading(`Welcome to ${offer.workspaceName}`), paragraph("You have joined the workspace."), button("Continue", () => go(), "primary"))]);
}
