// The server itself: its addresses, backups with their progress, workspaces and users. For its administrator.
import { send } from "../../core/api.js";
import { ago, moment, size } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { may, session } from "../../core/session.js";
import { changed, list, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { confirm } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { serverAccess } from "./access.js";

const { code, div, p, progress } = tags;

export default () => {
  const info = resource("/system/info");
  const backups = resource("/system/backups");
  const isBusy = signal(false);
  const backUp = async () => {
    isBusy.value = true;
    try {
      await send("POST", "/system/backups");
      notify(t("Backup created and verified."), { kind: "good" });
    } finally {
      isBusy.value = false;
      changed("/system/");
    }
  };
  return {
    title: t("Server"),
    actions: [{ name: t("Create backup"), key: "n", main: true, icon: "archive", run: backUp }],
    body: div(
      { class: "stack" },
      () =>
        isBusy.value &&
        div(
          { role: "status" },
          progress({ "aria-label": t("Backup") }),
          p(t("The backup is being made and checked. Others can go on working.")),
        ),
      loaded(
        info,
        () =>
          div(
            { class: "columns" },
            () => about(info.value),
            card({ title: t("Open it on other computers") }, serverAccess()),
          ),
      ),
      card(
        { title: t("Backups") },
        loaded(info, () =>
          p(
            { class: "soft small" },
            t("All data is in {folder}; backups are in its folder backups.", { folder: info.value.dataDirectory }),
          )),
        backupTable(backups),
      ),
      card({ title: t("Users") }, userTable()),
    ),
  };
};

function about({ versions, dataDirectory, freeSpace, backups, warnings, workspaces }) {
  return card(
    { title: t("Status") },
    warnings.map((text) => alert({ kind: "warn", text })),
    backups.restoredAtNextStart &&
      alert({
        kind: "warn",
        text: t("The backup {name} will be restored at the next start. Changes made until then are set aside.", {
          name: backups.restoredAtNextStart,
        }),
        actions: [button(t("Cancel the restore"), () => cancelRestore(backups.restoredAtNextStart), { isSmall: true })],
      }),
    facts([
      [t("Version"), versions.erp],
      [t("Data folder"), code(dataDirectory)],
      [t("Free space"), size(freeSpace)],
      [t("Last intact backup"), backups.lastGoodAt ? ago(backups.lastGoodAt) : t("none yet")],
      [t("Next backup"), backups.nextDueAt && moment(backups.nextDueAt)],
      [
        t("Workspaces"),
        workspaces.map(({ name, size: bytes, members }) =>
          p(
            { class: "small" },
            tn("{name}: {size}, {n} member", "{name}: {size}, {n} members", members, { name, size: size(bytes) }),
          )
        ),
      ],
    ]),
  );
}

const backupTable = (backups) =>
  table({
    label: t("Backups"),
    rows: () => backups.value ?? [],
    key: ({ name }) => name,
    open: () => {},
    columns: [
      { key: "name", text: t("Backup"), place: "name", cell: ({ name }) => name },
      { key: "made", text: t("Created"), place: "meta", cell: ({ createdAt }) => (createdAt ? moment(createdAt) : "") },
      {
        key: "size",
        text: t("Size"),
        isFigure: true,
        place: "figure",
        cell: ({ size: bytes }) => (bytes ? size(bytes) : ""),
      },
      {
        key: "state",
        text: t("Status"),
        place: "state",
        cell: ({ problem, isStaged }) =>
          problem
            ? pill(t("cannot be read"), "bad")
            : isStaged
            ? pill(t("restored at the next start"), "warn")
            : pill(t("intact"), "good"),
      },
    ],
    actions: (row) => [
      {
        name: t("Download"),
        icon: "download",
        run: () => globalThis.open(`/api/v1/system/backups/${encodeURIComponent(row.name)}`),
      },
      { name: t("Verify"), run: () => verify(row.name) },
      row.isStaged
        ? { name: t("Cancel the restore"), icon: "undo-2", run: () => cancelRestore(row.name) }
        : { name: t("Restore at the next start"), danger: true, run: () => restore(row.name) },
    ],
  });

async function verify(name) {
  await send("POST", `/system/backups/${encodeURIComponent(name)}/verify`);
  notify(t("{name} is complete and undamaged.", { name }), { kind: "good" });
}

async function restore(name) {
  const isSure = await confirm({
    title: t("Restore {name}?", { name }),
    text: t(
      "The server returns to this backup at its next start. Later changes are set aside, and everyone has to sign in again.",
    ),
    verb: t("Restore at the next start"),
    danger: true,
  });
  if (!isSure) return;
  await send("POST", `/system/backups/${encodeURIComponent(name)}/restore`, {});
  changed("/system/");
}

async function cancelRestore(name) {
  await send("DELETE", `/system/backups/${encodeURIComponent(name)}/restore`);
  await changed("/system/");
  notify(t("The data stays as it is: {name} will not be restored.", { name }), { kind: "good" });
}

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
    open: () => {},
    columns: [
      { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
      { key: "email", text: t("E-mail"), place: "meta", cell: ({ email }) => email },
      {
        key: "seen",
        text: t("Last seen"),
        isMinor: true,
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
