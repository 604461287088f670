// The server itself: its addresses, its state and its workspaces. For its administrator.
import { ago, moment, size } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { card } from "../../ui/card.js";
import { facts } from "../../ui/facts.js";
import { loaded } from "../../ui/skeleton.js";
import { serverAccess } from "./access.js";
import { staged } from "./restoring.js";

const { code, div, p } = tags;
const PARTS = ["#backups", "#users"]; // of this screen, before they were screens of their own

export default () => {
  const part = location.hash;
  if (PARTS.includes(part)) queueMicrotask(() => go(`/server/${part.slice(1)}`, { replace: true }));
  const info = resource("/system/info");
  return {
    title: t("Server"),
    back: { href: "/settings", text: t("Settings") },
    body: div(
      { class: "stack" },
      loaded(info, (get) => () => about(get())),
      card({ title: t("Open it on other computers") }, serverAccess()),
    ),
  };
};

function about(info) {
  const { versions, dataDirectory, freeSpace, backups, warnings, workspaces } = info;
  return card(
    { title: t("Status") },
    warnings.map((text) => alert({ kind: "warn", text })),
    staged(info),
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
