// Who is in the workspace, with which role; inviting, and leaving.
import { address, send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { parameter, query } from "../../core/router.js";
import { may, session } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { inverse } from "../../core/undo.js";
import { signal, tags } from "../../core/view.js";
import { perform } from "../../ui/actions.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { searchField } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { nameOfRole, rightsOfChosen, roleOptions } from "../../ui/roles.js";
import { table } from "../../ui/table.js";
import { leaving } from "../workspace/leaving.js";
import { invited, inviteForm } from "./invite.js";

export default () => {
  const members = list(() => address("/workspace/members", { q: query.value.get("q"), sort: "name" }));
  return {
    title: t("Members"),
    back: { href: "/settings", text: t("Settings") },
    actions: [{
      name: t("Invite"),
      key: "n",
      main: true,
      icon: "user-plus",
      may: "invites.write",
      run: () => dialog({ title: t("Invite"), body: () => inviteForm({ byMail: true }) }),
    }, leaving()],
    body: tags.div(
      { class: "stack" },
      searchField({ value: parameter("q"), label: t("Search members") }),
      table({
        label: t("Members"),
        page: "members",
        list: members,
        key: ({ id }) => id,
        open: (row) => may("members.write") && changeRole(row),
        columns: may("members.write") ? [...columns, twoFactor] : columns,
        actions: may("members.write") ? actionsOn : undefined,
        counted: (n, places) => tn("{n} member", "{n} members", n, places),
      }),
      may("invites.write") && card({ title: t("Invited") }, invited()),
    ),
  };
};

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ user }) => user.name },
  { key: "email", text: t("E-mail"), place: "meta", cell: ({ user }) => user.email },
  { key: "role", text: t("Role"), place: "figure", isFigure: false, cell: ({ role }) => nameOfRole(role) },
  { key: "joined", text: t("Joined"), isMinor: true, cell: ({ joinedAt }) => day(joinedAt.slice(0, 10)) },
  {
    key: "state",
    text: t("Status"),
    place: "state",
    cell: ({ status }) => (status === "active" ? pill(t("active"), "good") : pill(t("deactivated"), "warn")),
  },
];

const twoFactor = {
  key: "twoFactor",
  text: t("Two-factor sign-in"),
  isMinor: true,
  cell: ({ hasTwoFactor }) => (hasTwoFactor ? pill(t("on"), "good") : pill(t("off"))),
};

const isSelf = ({ user }) => user.id === session.peek().user.id;

function actionsOn(member) {
  if (isSelf(member)) return [];
  const isActive = member.status === "active";
  return [
    { name: t("Change the role"), run: () => changeRole(member) },
    {
      name: isActive ? t("Deactivate") : t("Reactivate"),
      run: () => suspend(member, isActive ? "suspended" : "active"),
    },
    { name: t("Remove"), danger: true, run: () => perform(removing(member)) },
  ];
}

async function change(member, body) {
  const saved = await send("PATCH", `/workspace/members/${member.id}`, body, { version: member.version });
  changed("/workspace/members");
  return saved;
}

async function suspend(member, status) {
  const saved = await change(member, { status });
  inverse(
    status === "suspended"
      ? t("{name} deactivated.", { name: member.user.name })
      : t("{name} reactivated.", { name: member.user.name }),
    () => change(saved, { status: member.status }),
  );
}

const removing = (member) => ({
  name: t("Remove"),
  asks: {
    title: t("Remove {name}?", { name: member.user.name }),
    text: t("The member loses access immediately. Their work stays on record. A new invite gives access again."),
    verb: t("Remove"),
    danger: true,
  },
  run: async () => {
    await send("DELETE", `/workspace/members/${member.id}`);
    changed("/workspace/members");
  },
});

const changeRole = (member) => {
  if (isSelf(member)) return undefined;
  const role = signal(member.role);
  return dialog({
    title: t("Role of {name}", { name: member.user.name }),
    body: (close) =>
      form(
        {
          run: async () => (await change(member, { role: role.value }), close()),
          submit: t("Save"),
          cancel: () => close(),
        },
        field(
          { label: t("Role"), name: "role" },
          choice({ value: role, name: "role", options: roleOptions(session.peek().workspace.role) }),
        ),
        rightsOfChosen(role),
      ),
  });
};
