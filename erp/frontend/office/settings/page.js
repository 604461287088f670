// The settings of the workspace: pages with a navigation beside them, and one draft of what is changed on all of them.
import { download } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { tried } from "../../core/notices.js";
import { isAdmin, may, session } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { confirm } from "../../ui/dialog.js";
import { later } from "../../ui/later.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { nowhere } from "../nowhere.js";
import { settingsDraft } from "./draft.js";
import { groups } from "./pages.js";
import { searchIn } from "./search.js";

const { a, div, fieldset, nav, p } = tags;

export default ({ params }) => {
  const all = visible();
  const entry = all.flatMap(({ entries }) => entries).find(({ key }) => key === (params.page ?? "company"));
  if (!entry) return nowhere();
  const path = `/workspace/${session.peek().workspace.id}`;
  const workspace = resource(path);
  const find = searchIn();
  return {
    title: params.page ? entry.name : t("Settings"),
    ...(params.page && { back: { href: "/settings", text: t("Settings") } }),
    state: () => workspace.value?.status === "archived" && pill(t("archived"), "neutral"),
    keys: {
      "Control+s": { text: t("Save"), run: () => void form()?.requestSubmit() },
    },
    body: div(
      { class: `settings${params.page ? "" : " is-list"}` },
      nav(
        { class: "settings-nav", "aria-label": t("Settings") },
        find.field,
        () => find.isOpen() ? find.results() : all.map((group) => groupOf(group, entry)),
      ),
      loaded(workspace, (get) => div({ class: "stack" }, drawn(get, path, entry, find), beside(get, path, entry.key))),
    ),
  };
};

/** @returns {HTMLFormElement | null} */
const form = () => document.querySelector("form.settings-page");

// What someone may see of them.
const visible = () =>
  groups()
    .filter((group) => !group.isAdmin || isAdmin())
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => may(entry.may)) }))
    .filter(({ entries }) => entries.length);

const groupOf = ({ name, entries }, shown) =>
  div(
    { class: "settings-group" },
    p({ class: "soft small" }, name),
    entries.map((entry) =>
      a({ class: "nav-link", href: entry.href, "aria-current": entry === shown ? "page" : null }, entry.name)
    ),
  );

function drawn(get, path, entry, find) {
  const draft = settingsDraft(get, path, entry.key);
  find.takes(draft.sections);
  const element = draft.form(
    entry.name,
    fieldset(
      { class: "settings-fields stack", disabled: !may("workspace.write") },
      draft.sections[entry.key].map(({ title = null, hint = null, fields }) =>
        card(
          { title },
          hint && p({ class: "soft" }, hint),
          draft.controlsOf(fields.map(({ name }) => name)),
        )
      ),
    ),
  );
  return element;
}

// What is saved by itself.
function beside(get, path, key) {
  if (key === "paper") {
    return [
      later(async () => (await import("./letterhead.js")).logo, get, path),
      later(async () => (await import("./paper.js")).paperDesign),
    ];
  }
  if (key === "personal-data") return later(async () => (await import("./retention.js")).retention);
  if (key !== "export") return null;
  return card(
    { title: t("Export") },
    p(
      { class: "soft" },
      t("A zip with each table as CSV and JSON, and all files. People’s pay and bank accounts are in it."),
    ),
    div({ class: "row" }, button(t("Download everything"), downloadEverything, { icon: "download" })),
  );
}

// All that the workspace holds, as tables that other programs read. It holds people’s pay as well.
const downloadEverything = () =>
  tried(async () => {
    const isSure = await confirm({
      title: t("Download everything that this workspace holds?"),
      text: t("A zip with each table as CSV and JSON, and all files. People’s pay and bank accounts are in it."),
      verb: t("Download"),
    });
    if (isSure) await download("/workspace/export");
  });
