// Inviting a colleague: the answer is a link, to be handed over by whatever way the office has.
import { get, post, remove } from "../api.js";
import { copied } from "./copied.js";
import { button, element, paragraph } from "./element.js";
import { email, form, select } from "./form.js";

const ROLES = {
  member: "Member: own tasks, time and leave",
  manager: "Manager: projects, tasks and everybody’s time",
  accountant: "Accountant: the books",
  hr: "HR: employees, leave and payroll",
  viewer: "Viewer: reads",
  admin: "Admin: everything but ownership",
  owner: "Owner: everything",
};

const HERE_ALONE =
  "This link works on this computer alone, as the server is not shared with the network. Share it first, then revoke this invite and make another.";

export const nameOfRole = (role) => ROLES[role].split(":")[0];

export function inviting(workspace) {
  const [made, open] = [element("div", { "aria-live": "polite" }), element("div")];
  const roles = Object.entries(ROLES).filter(([role]) => role !== "owner" || workspace.role === "owner");
  const address = email("email", { autocomplete: "off" });
  const invites = form([address, select("role", "Role", roles)], "Make the link", async (values) => {
    made.replaceChildren();
    const invite = await post("/workspace/invites", values);
    address.input.value = "";
    made.replaceChildren(
      paragraph(`Send this link to ${invite.email}. It works once, for seven days, and is not shown again.`),
      copied(invite.acceptUrl),
      new URL(invite.acceptUrl).hostname === "127.0.0.1" ? element("p", { class: "note" }, HERE_ALONE) : "",
    );
    await list(open);
  });
  list(open);
  return element("div", {}, invites, made, open);
}

// Those who were invited and have not come yet.
async function list(place) {
  const pending = await get("/workspace/invites?status=pending");
  const rows = pending.map((each) =>
    element(
      "li",
      { class: "with-button" },
      element("div", {}, each.email, element("p", { class: "hint" }, `${nameOfRole(each.role)}, invited`)),
      button("Revoke", async () => {
        await remove(`/workspace/invites/${each.id}`);
        await list(place);
      }),
    ),
  );
  place.replaceChildren(element("ul", { class: "rows", hidden: !rows.length }, ...rows));
}
