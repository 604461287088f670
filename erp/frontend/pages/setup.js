// The first start: the account of whoever looks after the server, the first workspace, and what to do next.
import { get, session } from "../api.js";
import { forget, go, turn } from "../router.js";
import { accountForm } from "../widgets/account.js";
import { button, card, element, heading, link, paragraph } from "../widgets/element.js";
import { inviting } from "../widgets/inviting.js";
import { sharing } from "../widgets/sharing.js";
import { workspaceForm } from "../widgets/workspace.js";

const step = (text) => element("p", { class: "step" }, text);

export async function setup(setupCode) {
  const { mode } = await get("/auth/register");
  if (mode !== "setup") return alreadySetUp(await session());
  const make = accountForm("Continue", setupCode ? { setupCode } : {}, async () => {
    forget();
    turn(await firstWorkspace());
  });
  return [
    card(
      step("Step 1 of 2"),
      heading("Welcome"),
      paragraph("This is your office’s own server. Make your account: with it you look after the server and everything on it."),
      make,
    ),
  ];
}

async function alreadySetUp(who) {
  forget();
  if (who?.user.isInstanceAdmin && !who.workspaces.length) return firstWorkspace();
  return [card(heading("This server is set up"), paragraph("The link was used, or somebody was here before you."), button("Sign in", () => go(), "primary"))];
}

export async function firstWorkspace() {
  return [
    card(
      step("Step 2 of 2"),
      heading("Your company"),
      paragraph("It gets a workspace with its own books, people and projects. More can be added later."),
      await workspaceForm(async (workspace) => turn(await whatNext(workspace))),
    ),
  ];
}

async function whatNext(workspace) {
  const { addresses } = await get("/system/info");
  return [
    card(heading(`${workspace.name} is ready`), paragraph("Three things you may want to do now. All of them can wait, and are on the start page, too."), button("Go to the start page", () => go(), "primary")),
    card(element("h2", {}, "Reach it from other computers"), sharing(addresses)),
    card(element("h2", {}, "Invite colleagues"), inviting(workspace)),
    card(element("h2", {}, "Work with it"), paragraph("Everything it can do is at ", link("/api/docs", "the documentation"), ", to be tried out right there.")),
  ];
}
