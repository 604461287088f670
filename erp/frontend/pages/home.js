// The start page: what this server is, who is signed in to which workspace, and where to go from here.
import { get, post, session } from "../api.js";
import { go } from "../router.js";
import { signInForm } from "../widgets/account.js";
import { button, card, element, heading, link, paragraph } from "../widgets/element.js";
import { inviting, nameOfRole } from "../widgets/inviting.js";
import { sharing } from "../widgets/sharing.js";
import { upkeep } from "../widgets/upkeep.js";
import { workspaceForm } from "../widgets/workspace.js";
import { firstWorkspace, setup } from "./setup.js";

const WHAT = "Your office’s projects, time, invoices, books, people and payroll, on its own computer.";

const STATES = {
  unavailable: "unavailable: its file is damaged or has lost changes. The administrator of this server can restore it from a backup.",
};

export async function home() {
  const [current, admission] = await Promise.all([session(), get("/auth/register")]);
  if (current) return signedIn(current, admission);
  if (admission.mode !== "setup") return signedOut(admission);
  return admission.isOpenToYou ? setup() : notSetUp();
}

function notSetUp() {
  return [
    card(
      heading("This server is not set up yet"),
      paragraph("Set it up on the computer where it is running, or open the link that it has printed there. The link works for 30 minutes; restart the server to get a new one."),
    ),
  ];
}

function signedOut({ isOpenToYou }) {
  return [
    card(
      heading("Sign in"),
      paragraph(WHAT),
      signInForm({}, () => go()),
      isOpenToYou && button("Register", () => go("register")),
      element("p", { class: "hint" }, "Forgot your password? The administrator of this server can give you a link to set a new one."),
    ),
    documentation(),
  ];
}

async function signedIn({ user, workspace, workspaces }, { mode }) {
  const mayCreate = mode === "open" || user.isInstanceAdmin;
  if (!workspaces.length && user.isInstanceAdmin) return firstWorkspace();
  return [
    card(
      element("div", { class: "with-button" }, element("div", {}, heading(`Hello, ${user.name}`), paragraph(`Signed in as ${user.email}`)), button("Sign out", signOut)),
    ),
    card(element("h2", {}, "Workspaces"), ...chooser(workspace, workspaces), mayCreate && (await another(workspaces))),
    workspace?.permissions.includes("invites.write") && card(element("h2", {}, "Invite a colleague"), inviting(workspace)),
    ...(user.isInstanceAdmin ? administration(await get("/system/info")) : []),
    documentation(),
  ].filter(Boolean);
}

function administration(info) {
  return [
    card(element("h2", {}, "Open it on other computers"), sharing(info.addresses)),
    card(element("h2", {}, "Data and backups"), upkeep(info)),
  ];
}

function chooser(active, workspaces) {
  if (!workspaces.length) return [paragraph("You are not in a workspace yet. Ask a colleague to invite you.")];
  const rows = workspaces.map((workspace) => row(workspace, workspace.id === active?.id));
  return [element("ul", { class: "rows" }, ...rows)];
}

function row(workspace, isActive) {
  const state = workspace.status === "active" ? "" : ` · ${STATES[workspace.status] ?? workspace.status}`;
  const about = element("div", {}, element("strong", {}, workspace.name), element("p", { class: "hint" }, nameOfRole(workspace.role) + state));
  const choice = isActive ? element("span", { class: "mark" }, "Selected") : button("Select", () => choose(workspace.id));
  return element("li", { class: "with-button" }, about, choice);
}

async function choose(workspaceId) {
  await post("/auth/select-workspace", { workspaceId });
  go();
}

async function another(workspaces) {
  const title = workspaces.length ? "Create another workspace" : "Create a workspace";
  return element("details", {}, element("summary", {}, title), await workspaceForm(() => go()));
}

async function signOut() {
  await post("/auth/logout");
  go();
}

function documentation() {
  return card(
    element("h2", {}, "Documentation"),
    paragraph("The ", link("/api/docs", "documentation"), " describes every function of this server. You can try them out there. Programs can read ", link("/api/openapi.json", "openapi.json"), "."),
  );
}
