// Inviting a colleague: the answer is a link, which the office sends in any way it likes.
import { send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { isAdmin, session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { each, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { choice } from "../../ui/choice.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { nameOfRole, rightsOfChosen, roleOptions } from "../../ui/roles.js";
import { isHere, notSharedYet } from "../server/access.js";

const { div, li, p, span, ul } = tags;

// `where` says where the server is shared first.
export function inviteForm(where = t("Share the server first, in Settings under Server.")) {
  const [email, role, made] = [signal(""), signal("member"), signal(null)];
  const run = async () => {
    made.value = null;
    made.value = await send("POST", "/workspace/invites", { email: email.value, role: role.value });
    email.value = "";
    changed("/workspace/invites");
  };
  return div(
    { class: "stack" },
    isHere() && isAdmin() && notSharedYet(where),
    form(
      { run, submit: t("Create link"), label: t("Invite") },
      field(
        { label: t("E-mail address"), name: "email" },
        textInput({ value: email, name: "email", type: "email", autocomplete: "off" }),
      ),
      field(
        { label: t("Role"), name: "role" },
        choice({ value: role, name: "role", options: roleOptions(session.peek()?.workspace?.role) }),
      ),
      rightsOfChosen(role),
    ),
    div({ "aria-live": "polite" }, () => made.value && link(made.value)),
  );
}

const link = (invite) => [
  p(t("Send this link to {email}. It works once within seven days, and is not shown again.", { email: invite.email })),
  handedOver(invite.acceptUrl),
  new URL(invite.acceptUrl).hostname === "127.0.0.1" &&
  p(
    { class: "warn" },
    t("This link works only on this computer, because the server is not shared with the network. Share it first, then revoke this invite and create another one."),
  ),
];

// Invites that have not been accepted yet.
export function invited() {
  const invites = resource("/workspace/invites?status=pending");
  const revoke = async (id) => {
    await send("DELETE", `/workspace/invites/${id}`);
    changed("/workspace/invites");
  };
  const rows = ul(
    { class: "plain-list" },
    each(() => invites.value ?? [], ({ id }) => id, (invite) =>
      li(
        { class: "spread" },
        div(
          invite.value.email,
          div(
            { class: "soft small" },
            t("{role}, invited until {day}", {
              role: nameOfRole(invite.value.role),
              day: day(invite.value.expiresAt.slice(0, 10)),
            }),
          ),
        ),
        span(button(t("Revoke"), () => revoke(invite.value.id), { isSmall: true })),
      )),
  );
  return div(rows, () => invites.value?.length === 0 && empty(t("No open invites.")));
}
