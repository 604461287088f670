// The workspace as a whole: archived, copied, brought back from a backup, and left. For its owner.
import { get, send } from "../../core/api.js";
import { country, day, moment, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { isAdmin, readSession, select, session } from "../../core/session.js";
import { changed, forgetAll, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { leaving } from "./leaving.js";

const { div, p } = tags;

export default () => {
  const path = `/workspace/${session.peek().workspace.id}`;
  const workspace = resource(path);
  const isArchived = () => workspace.value?.status === "archived";
  return {
    title: t("Workspace"),
    back: { href: "/settings", text: t("Settings") },
    state: () => isArchived() && pill(t("archived"), "neutral"),
    actions: () =>
      workspace.value
        ? [
          !workspace.value.isSample &&
          { name: t("Copy this workspace"), main: true, icon: "copy", run: () => copying(workspace.value, path) },
          isAdmin() && { name: t("Restore from a backup"), icon: "undo-2", run: () => restoring(workspace.value) },
          archiving(workspace.value, path),
          leaving(),
        ]
        : [],
    body: div({ class: "stack document" }, loaded(workspace, (get) => card({}, () => about(get())))),
  };
};

const about = ({ name, status, legalName, createdAt, baseCurrency, country: code }) =>
  facts([
    [t("Name"), name],
    [t("Legal name"), legalName],
    [t("Country"), code && country(code)],
    [t("Base currency"), baseCurrency],
    createdAt && [t("Created"), day(createdAt.slice(0, 10))],
    [t("Status"), status === "archived" ? t("archived") : t("active")],
  ].filter(Boolean));

function archiving({ name, status, version }, path) {
  const act = async (verb) => {
    await send("POST", `${path}/${verb}`, {}, { version });
    await changed("/workspace");
    await readSession();
  };
  if (status === "archived") {
    return { name: t("Unarchive this workspace"), icon: "undo-2", run: () => act("unarchive") };
  }
  return {
    name: t("Archive this workspace"),
    icon: "archive",
    danger: true,
    asks: {
      title: t("Archive {name}?", { name }),
      text: t("Everyone can still read the workspace, but no one can change anything until an owner unarchives it."),
      verb: t("Archive"),
      danger: true,
    },
    run: () => act("archive"),
  };
}

// A copy to try things out in; who has made it can go there at once.
const copying = (workspace, path) =>
  dialog({
    title: t("Copy {name}", { name: workspace.name }),
    body: (close) => {
      const name = signal(t("{name} (sandbox)", { name: workspace.name }));
      const run = async () => {
        const made = await send("POST", `${path}/duplicate`, { name: name.value });
        close();
        await readSession();
        await entering(made);
      };
      return form(
        { run, submit: t("Copy"), cancel: () => close() },
        p(t(
          "The copy has the same members and records. Webhooks and share links are off in it, and the mail server’s password, invites and tokens are not copied.",
        )),
        field({ label: t("Name"), name: "name" }, textInput({ value: name, name: "name" })),
      );
    },
  });

async function entering({ id, name }) {
  const isWanted = await confirm({
    title: t("{name} was created.", { name }),
    text: t("You are still in {name}.", { name: session.peek().workspace.name }),
    verb: t("Go to the copy"),
  });
  if (!isWanted) return;
  await select(id);
  notify(t("You are in {name} now.", { name }), { kind: "good" });
}

// From a backup that has this workspace; all others stay as they are.
async function restoring({ id, name }) {
  const backups = (await get("/system/backups")).filter(({ workspaces }) => workspaces.some((one) => one.id === id));
  await dialog({
    title: t("Restore {name} from a backup", { name }),
    body: (close) => (backups.length ? restoreForm({ id, name, backups, close }) : noBackup()),
  });
}

const noBackup = () => p(t("No backup contains this workspace."));

const KINDS = {
  daily: () => t("daily"),
  manual: () => t("by hand"),
  "before-migration": () => t("before an update"),
  "before-restore": () => t("before a restore"),
};

const described = (backup) => [moment(backup.createdAt), KINDS[backup.kind](), size(backup.size)].join(" · ");

function restoreForm({ id, name, backups, close }) {
  const chosen = signal(backups[0].name);
  const run = async () => {
    const made = await send("POST", `/system/backups/${encodeURIComponent(chosen.value)}/restore`, { workspaceId: id });
    close();
    forgetAll();
    await readSession();
    notify(t("{name} restored. What it held before is in the backup {backup}.", { name, backup: made.kept }), {
      kind: "good",
    });
  };
  return form(
    { run, submit: t("Restore"), cancel: () => close(), kind: "danger" },
    alert({
      kind: "warn",
      text: t(
        "All changes since the backup disappear from this workspace. What it holds now is backed up first. Members and the name stay, and other workspaces are not touched.",
      ),
    }),
    field(
      { label: t("Backup"), name: "backup" },
      choice({
        value: chosen,
        name: "backup",
        options: backups.map((one) => ({ value: one.name, text: described(one) })),
      }),
    ),
  );
}
