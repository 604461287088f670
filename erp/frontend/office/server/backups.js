// Backups of the server, with their progress. For its administrator.
import { send } from "../../core/api.js";
import { moment, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { confirm } from "../../ui/dialog.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { cancelRestore, staged } from "./restoring.js";

const { div, p, progress } = tags;

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
    title: t("Backups"),
    back: { href: "/settings", text: t("Settings") },
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
      loaded(info, (get) => [
        () => staged(get()),
        p(
          { class: "soft small" },
          t("All data is in {folder}; backups are in its folder backups.", { folder: get().dataDirectory }),
          " ",
          t("To have a copy elsewhere, download a backup from its row. Anyone who has the file can read all of it."),
        ),
      ]),
      backupTable(backups),
    ),
  };
};

const backupTable = (backups) =>
  table({
    label: t("Backups"),
    rows: () => backups.value ?? [],
    key: ({ name }) => name,
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
