// An invite: who offers what to whom, and the way in, with an account or without one yet.
import { post, session } from "../api.js";
import { forget, go, turn } from "../router.js";
import { accountForm, signInForm } from "../widgets/account.js";
import { button, card, element, heading, paragraph } from "../widgets/element.js";
import { form } from "../widgets/form.js";
import { nameOfRole } from "../widgets/inviting.js";

const SPENT = { not_found: "It may have been cut short on its way. Ask for a new one." };

export async function invite(token) {
  if (!token) return spent({ message: "The address holds no invite." });
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
      SPENT[refusal.code] && paragraph(SPENT[refusal.code]),
      button("Go to the start page", () => go()),
    ),
  ];
}

async function offered(offer, token) {
  const who = await session();
  if (!who) return [card(...about(offer), ...byAccount(offer, token))];
  const isMeant = who.user.email.toLowerCase() === offer.email.toLowerCase();
  return [card(...about(offer), ...(isMeant ? byButton(offer, token) : bySomebodyElse(who, token)))];
}

function about(offer) {
  const until = new Date(offer.expiresAt).toLocaleDateString("en", { dateStyle: "long" });
  return [
    heading(`Join ${offer.workspaceName}`),
    paragraph(
      element("strong", {}, offer.invitedBy || "A colleague"),
      " invites ",
      element("strong", {}, offer.email),
      ` as ${nameOfRole(offer.role)}. The invite is good until ${until}.`,
    ),
  ];
}

function byAccount(offer, token) {
  const place = element("div");
  const swap = (content) => {
    place.replaceChildren(...content);
    place.querySelector("[autofocus], [type=password]")?.focus();
  };
  const signIn = () => [
    signInForm({ email: offer.email }, () => accept(offer, token)),
    button("I have no account yet", () => swap(register())),
  ];
  const register = () => [
    accountForm("Make an account and join", { email: offer.email, inviteToken: token }, ({ workspaces }) => enter(offer, workspaces[0])),
    button("I have an account already", () => swap(signIn())),
  ];
  place.append(...register());
  return [place];
}

const byButton = (offer, token) => [form([], `Join ${offer.workspaceName}`, () => accept(offer, token))];

function bySomebodyElse(who, token) {
  return [
    paragraph(`You are signed in as ${who.user.email}, which is another address. Sign out first to use this invite.`),
    form([], "Sign out and go on", async () => {
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
  turn([card(heading(`Welcome to ${offer.workspaceName}`), paragraph("You are in."), button("Continue", () => go(), "primary"))]);
}
