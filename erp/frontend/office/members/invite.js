// Inviting a colleague: by mail, or with a link that the office sends in any way it likes.
import { address, send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { isAdmin, session } from "../../core/session.js";
import { changed, firstPage, resource } from "../../core/store.js";
import { each, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { choice } from "../../ui/choice.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { followed, MESSAGES, outcome } from "../../ui/message.js";
import { nameOfRole, rightsOfChosen, roleOptions } from "../../ui/roles.js";
import { isHere, notSharedYet } from "../server/access.js";

const { div, li, p, span, ul } = tags;

// `where` says where the server is shared first.
export function inviteForm({ where = t("Share the server first, under Settings, Network."), byMail = false } = {}) {
  const [email, role, made] = [signal(""), signal("member"), signal(null)];
  const invite = async (more) => {
    made.value = null;
    made.value = await send("POST", "/workspace/invites", { email: email.value, role: role.value, ...more });
    email.value = "";
    changed("/workspace/invites", MESSAGES);
  };
  const asked = form(
    {
      run: () => invite({}),
      submit: t("Create link"),
      label: t("Invite"),
      extra: byMail
        ? [button(t("Send by mail"), () => asked.sendWith(() => invite({ send: true })), { icon: "mail" })]
        : [],
    },
    field(
      { label: t("E-mail address"), name: "email" },
      textInput({ value: email, name: "email", type: "email", autocomplete: "off" }),
    ),
    field(
      { label: t("Role"), name: "role" },
      choice({ value: role, name: "role", options: roleOptions(session.peek()?.workspace?.role) }),
    ),
    rightsOfChosen(role),
  );
  return div(
    { class: "stack" },
    isHere() && isAdmin() && notSharedYet(where),
    asked,
    div({ "aria-live": "polite" }, () => made.value && (made.value.acceptUrl ? link(made.value) : mailed(made.value))),
  );
}

// What came of the message with its link.
function mailed({ id, email }) {
  const messages = followed(firstPage(address(MESSAGES, { resourceId: id, limit: 1 })));
  return div({ class: "stack-tight" }, p(email), () => messages.value?.map(outcome));
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

const sendAgain = async (invite) =>
  (await import("../../ui/mail.js")).sendOnce({
    title: t("Send the invite by mail?"),
    text: t("The message brings a new link, valid for seven days. The link before ends."),
    path: `/workspace/invites/${invite.id}`,
    touched: ["/workspace/invites"],
  });

// Invites that have not been accepted yet, with what came of the last message about each.
export function invited() {
  const invites = resource("/workspace/invites?status=pending");
  const messages = followed(firstPage(address(MESSAGES, { kind: "invite", limit: 200 })));
  const messageOf = (id) => messages.value?.find(({ resource }) => resource.id === id);
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
          () => messageOf(invite.value.id) && div({ class: "small" }, outcome(messageOf(invite.value.id))),
        ),
        span(
          { class: "row" },
          button(t("Send by mail"), () => sendAgain(invite.value), {
            isSmall: true,
            name: t("Send the invite to {email} by mail", { email: invite.value.email }),
          }),
          button(t("Revoke"), () => revoke(invite.value.id), { isSmall: true }),
        ),
      )),
  );
  return div(rows, () => invites.value?.length === 0 && empty(t("No open invites.")));
}
