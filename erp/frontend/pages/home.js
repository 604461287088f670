// The start page: what this server is, who is signed in, in which workspace, and where to go from here.
import { get, post, session } from "../api.js";
import { go } from "../router.js";
import { signInForm } from "../widgets/account.js";
import { button, card, element, heading, link, paragraph } from "../widgets/element.js";
import { inviting, nameOfRole } from "../widgets/inviting.js";
import { sharing } from "../widgets/sharing.js";
import { upkeep } from "../widgets/upkeep.js";
import { workspaceForm } from "../widgets/workspace.js";
import { firstWorkspace, setup } from "./setup.js";

const WHAT = "Projects, time, invoices, books, people and pay of your office, on your office’s own computer.";

export async function home() {
  const [who, admission] = await Promise.all([session(), get("/auth/register")]);
  if (who) return signedIn(who, admission);
  if (admission.mode !== "setup") return signedOut(admission);
  return admission.openToYou ? setup() : notSetUp();
}

function notSetUp() {
  return [
    card(
      heading("This server is not set up yet"),
      paragraph("Whoever started it does that: on its own computer, or with the link that it shows there. The link is good for half an hour; a new start gives a new one."),
    ),
  ];
}

function signedOut({ openToYou }) {
  return [
    card(
      heading("Sign in"),
      paragraph(WHAT),
      signInForm({}, () => go()),
      openToYou && button("Make an account", () => go("register")),
      element("p", { class: "hint" }, "Forgot your password? Whoever looks after this server can give you a link to set a new one."),
    ),
    documentation(),
  ];
}

async function signedIn(who, { mode }) {
  const { user, workspace, workspaces } = who;
  const mayMake = mode === "open" || user.isInstanceAdmin;
  if (!workspaces.length && mayMake && user.isInstanceAdmin) return firstWorkspace();
  return [
    card(
      element("div", { class: "with-button" }, element("div", {}, heading(`Hello, ${user.name}`), paragraph(`Signed in as ${user.email}`)), button("Sign out", signOut)),
    ),
    card(element("h2", {}, "Workspaces"), ...chooser(workspace, workspaces), mayMake && (await another(workspaces))),
    workspace?.permissions.includes("invites.write") && card(element("h2", {}, "Invite a colleague"), inviting(workspace)),
    ...(user.isInstanceAdmin ? lookingAfter(await get("/system/info")) : []),
    documentation(),
  ].filter((each) => each);
}

function lookingAfter(info) {
  return [
    card(element("h2", {}, "Reach it from other computers"), sharing(info.addresses)),
    card(element("h2", {}, "Look after it"), upkeep(info)),
  ];
}

function chooser(active, workspaces) {
  if (!workspaces.length) return [paragraph("You are in no workspace yet. Ask a colleague to invite you.")];
  const rows = workspaces.map((each) => row(each, each.id === active?.id));
  return [element("ul", { class: "rows" }, ...rows)];
}

function row(workspace, isActive) {
  const state = workspace.status === "active" ? "" : ` · ${workspace.status}`;
  const about = element("div", {}, element("strong", {}, workspace.name), element("p", { class: "hint" }, nameOfRole(workspace.role) + state));
  const choice = isActive ? element("span", { class: "mark" }, "Selected") : button("Select", () => choose(workspace.id));
  return element("li", { class: "with-button" }, about, choice);
}

async function choose(workspaceId) {
  await post("/auth/select-workspace", { workspaceId });
  go();
}

async function another(workspaces) {
  const what = workspaces.length ? "Make another workspace" : "Make a workspace";
  return element("details", {}, element("summary", {}, what), await workspaceForm(() => go()));
}

async function signOut() {
  await post("/auth/logout");
  go();
}

function documentation() {
  return card(
    element("h2", {}, "Documentation"),
    paragraph("Every function of this server, to be read and tried out: ", link("/api/docs", "the documentation"), ". Programs read ", link("/api/openapi.json", "openapi.json"), "."),
  );
}
