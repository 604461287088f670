// Inviting a colleague: the answer is a link, which the office sends in any way it likes.
import { get, post, remove } from "../api.js";
import { copied } from "./copied.js";
import { button, element, paragraph } from "./element.js";
import { email, form, select } from "./form.js";

const ROLES = {
  member: "Member",
  manager: "Manager",
  accountant: "Accountant",
  hr: "HR",
  viewer: "Viewer",
  admin: "Admin",
  owner: "Owner",
};

const HERE_ALONE =
  "This link works only on this computer, because the server is not shared with the network. Share it first, then revoke this invite and create another one.";

export const nameOfRole = (role) => ROLES[role];

// What a role sees and may change, as the server tells it.
export const rightsOf = ({ sees, changes }) => [
  element("p", { class: "hint" }, element("strong", {}, "Sees: "), `${sees.join("; ")}.`),
  element("p", { class: "hint" }, element("strong", {}, "Changes: "), `${changes.join("; ")}.`),
];

export function inviting(workspace) {
  const [made, open] = [element("div", { "aria-live": "polite" }), element("div")];
  const roles = Object.entries(ROLES).filter(([role]) => role !== "owner" || workspace.role === "owner");
  const address = email("email", { autocomplete: "off" });
  const role = withRights(select("role", "Role", roles));
  const invites = form([address, role], "Create link", async (values) => {
    made.replaceChildren();
    const invite = await post("/workspace/invites", values);
    address.input.value = "";
    made.replaceChildren(
      paragraph(`Send this link to ${invite.email}. It works once within seven days, and is not shown again.`),
      copied(invite.acceptUrl),
      new URL(invite.acceptUrl).hostname === "127.0.0.1" ? element("p", { class: "note" }, HERE_ALONE) : "",
    );
    await list(open);
  });
  list(open);
  return element("div", {}, invites, made, open);
}

// The choice of a role, with what the chosen one sees and may change below it.
function withRights(role) {
  const told = element("div", { "aria-live": "polite" });
  role.box.append(told);
  get("/workspace/roles").then((all) => {
    const tell = () => told.replaceChildren(...rightsOf(all.find((one) => one.role === role.input.value)));
    role.input.addEventListener("change", tell);
    tell();
  });
  return role;
}

// Invites that have not been accepted yet.
async function list(box) {
  const pending = await get("/workspace/invites?status=pending");
  const rows = pending.map(({ id, email: invited, role }) =>
    element(
      "li",
      { class: "with-button" },
      element("div", {}, invited, element("p", { class: "hint" }, `${nameOfRole(role)}, invited`)),
      button("Revoke", async () => {
        await remove(`/workspace/invites/${id}`);
        await list(box);
      }),
    ),
  );
  box.replaceChildren(element("ul", { class: "rows", hidden: !rows.length }, ...rows));
}
