// The first start: the administrator, the first workspace, and what to do next.
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
      paragraph("This is your office’s own server. Register first: you will be its administrator."),
      make,
    ),
  ];
}

async function alreadySetUp(signedIn) {
  forget();
  if (signedIn?.user.isInstanceAdmin && !signedIn.workspaces.length) return firstWorkspace();
  return [card(heading("This server is already set up"), paragraph("The set-up link has been used. Sign in, or ask a colleague for an invite."), button("Sign in", () => go(), "primary"))];
}

export async function firstWorkspace() {
  return [
    card(
      step("Step 2 of 2"),
      heading("Your company"),
      paragraph("Your company gets a workspace with its own books, people and projects. You can add more workspaces later."),
      await workspaceForm(async (workspace) => turn(await whatNext(workspace))),
    ),
  ];
}

async function whatNext(workspace) {
  const { addresses } = await get("/system/info");
  return [
    card(heading(`${workspace.name} is ready`), paragraph("You can do these three things now, or later from the start page."), button("Go to the start page", () => go(), "primary")),
    card(element("h2", {}, "Open it on other computers"), sharing(addresses)),
    card(element("h2", {}, "Invite colleagues"), inviting(workspace)),
    card(element("h2", {}, "Explore it"), paragraph("The ", link("/api/docs", "documentation"), " describes everything that it can do. You can try it out there.")),
  ];
}
