// The users of the server. For its administrator.
import { send } from "../../core/api.js";
import { ago } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { may, session } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";

export default () => ({
  title: t("Users"),
  back: { href: "/settings", text: t("Settings") },
  body: userTable(),
});

function userTable() {
  const users = list("/system/users?sort=name");
  const isSelf = (row) => row.id === session.peek().user.id;
  const setStatus = async (row, status) => {
    await send("PATCH", `/system/users/${row.id}`, { status }, { version: row.version });
    changed("/system/users");
  };
  const resetLink = async (row) => {
    const made = await send("POST", "/auth/password-resets", { userId: row.id });
    await navigator.clipboard?.writeText(made.link).catch(() => {});
    notify(t("A link for {name} works once, for one hour: {url}", { name: row.name, url: made.link }), {
      lasts: 60_000,
    });
  };
  const mailReset = async (row) =>
    (await import("../../ui/mail.js")).sendOnce({
      title: t("Send {name} a password link by mail?", { name: row.name }),
      text: t("The link works once, for one hour after the message went out. Earlier links end."),
      path: "/auth/password-resets",
      more: { userId: row.id },
    });
  const resetTwoFactor = (row) => ({
    name: t("Reset two-factor sign-in"),
    danger: true,
    asks: {
      title: t("Reset two-factor sign-in of {name}?", { name: row.name }),
      text: t(
        "The user is signed out everywhere. Then the password alone is enough to sign in, until they turn on two-factor sign-in again.",
      ),
    },
    run: async () => {
      await send("POST", `/system/users/${row.id}/reset-two-factor`);
      await changed("/system/users", "/workspace/members");
      notify(t("{name} now signs in with their password alone.", { name: row.name }), { kind: "good" });
    },
  });
  return table({
    label: t("Users"),
    list: users,
    key: ({ id }) => id,
    columns: [
      { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
      { key: "email", text: t("E-mail"), place: "meta", cell: ({ email }) => email },
      {
        key: "seen",
        text: t("Last seen"),
        cell: ({ lastSeenAt }) => (lastSeenAt ? ago(lastSeenAt) : t("never")),
      },
      {
        key: "workspaces",
        text: t("Workspaces"),
        isFigure: true,
        place: "figure",
        cell: ({ workspaces }) => String(workspaces),
      },
      {
        key: "state",
        text: t("Status"),
        place: "state",
        cell: (
          { status, isInstanceAdmin },
        ) => (status !== "active"
          ? pill(t("deactivated"), "warn")
          : isInstanceAdmin
          ? pill(t("server administrator"), "info")
          : pill(t("active"), "good")),
      },
    ],
    actions: (row) =>
      isSelf(row) ? [] : [
        { name: t("Create password link"), run: () => resetLink(row) },
        may("workspace.write") && { name: t("Send password link by mail"), run: () => mailReset(row) },
        row.hasTwoFactor && !row.isInstanceAdmin && resetTwoFactor(row),
        {
          name: row.status === "active" ? t("Deactivate") : t("Reactivate"),
          danger: row.status === "active",
          run: () => setStatus(row, row.status === "active" ? "disabled" : "active"),
        },
      ],
  });
}
