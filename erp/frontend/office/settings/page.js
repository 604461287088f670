// The settings of the workspace: pages with a navigation beside them, and one draft of what is changed on all of them.
import { t } from "../../core/i18n.js";
import { may, session } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { later } from "../../ui/later.js";
import { pill } from "../../ui/pill.js";
import { nowhere } from "../../ui/nowhere.js";
import { loaded } from "../../ui/skeleton.js";
import { PAPER, RETENTION, settingsDraft, together } from "./draft.js";
import { navigationOf, visible } from "./navigation.js";
import { searchIn } from "./search.js";

const { div, fieldset, p } = tags;

export default ({ params }) => {
  const all = visible();
  const entry = all.flatMap(({ entries }) => entries).find(({ key }) => key === (params.page ?? "company"));
  if (!entry) return nowhere();
  const path = `/workspace/${session.peek().workspace.id}`;
  const workspace = resource(path);
  const whole = wholeOf(workspace);
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
      navigationOf(all, entry, find.field, () => find.isOpen() ? find.results() : null),
      loaded(whole, (get) => {
        const draft = settingsDraft(get, path, entry.key);
        find.takes(draft.sections);
        return div({ class: "stack" }, drawn(draft, entry), beside(get, path, entry.key, draft));
      }),
    ),
  };
};

/** @returns {HTMLFormElement | null} */
const form = () => document.querySelector("form.settings-page");

// The settings of the workspace with the design of its papers and the years of retention, which have addresses of their own.
function wholeOf(workspace) {
  const paper = resource(PAPER);
  const kept = may("employees.write") ? resource(RETENTION) : null;
  const parts = [workspace, paper, kept].filter(Boolean);
  const value = computed(() =>
    parts.every((one) => one.value) ? together(workspace.value, paper.value, kept?.value) : null
  );
  return {
    get value() {
      return value.value;
    },
    get problem() {
      return parts.find((one) => one.problem)?.problem;
    },
    get isLoading() {
      return parts.some((one) => one.isLoading);
    },
    renew: () => parts.forEach((one) => one.renew()),
  };
}

function drawn(draft, entry) {
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

// What is saved at once.
function beside(get, path, key, draft) {
  if (key === "paper") {
    return [
      later(async () => (await import("./letterhead.js")).logo, get, path),
      later(async () => (await import("./paper.js")).paperDesign, get, draft.signals),
    ];
  }
  if (key === "personal-data") return later(async () => (await import("./retention.js")).retentionDue);
  return key === "export" && later(async () => (await import("./export.js")).exporting);
}
