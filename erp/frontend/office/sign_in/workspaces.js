// Which workspace to work in, and making another one.
import { t } from "../../core/i18n.js";
import { go, path, showAgain } from "../../core/router.js";
import { isAdmin, readSession, select, session } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { each, tags } from "../../core/view.js";
import { button, link } from "../../ui/button.js";
import { card, more } from "../../ui/card.js";
import { nameOfRole } from "../../ui/roles.js";
import { companyForm } from "../setup/workspace.js";

const { div, h1, li, p, strong, ul } = tags;
const STATES = {
  active: () => null,
  archived: () => t("archived: it can be read, but not changed"),
  unavailable: () =>
    t("unavailable: its file is damaged or has lost changes. The server administrator can restore it from a backup."),
};

export default () => {
  const admission = resource("/auth/register");
  const mayCreate = () => admission.value?.mode === "open" || isAdmin();
  const enter = async () => {
    await readSession();
    await (path.peek() === "/choose" ? go("/", { replace: true }) : showAgain());
  };
  return {
    title: t("Choose a workspace"),
    isBare: true,
    body: div(
      { class: "narrow" },
      card(
        {},
        h1({ tabindex: "-1" }, () => t("Hello, {name}", { name: session.value?.user.name ?? "" })),
        () => p(said(mayCreate())),
        ul(
          { class: "plain-list" },
          each(() => session.value?.workspaces ?? [], ({ id }) => id, (one) => row(one.value, enter)),
        ),
        () =>
          mayCreate() &&
          more({ text: t("Create workspace"), isOpen: hasNone() }, companyForm(enter)),
        link(t("Sign out"), "/sign-out"),
      ),
    ),
  };
};

function said(mayCreate) {
  if (session.value?.workspaces.length) return t("Choose a workspace.");
  return mayCreate
    ? t("You are in no workspace. Create one, or ask a colleague to invite you.")
    : t("You are in no workspace. Ask a colleague to invite you.");
}

// None of their own.
const hasNone = () => !session.value?.workspaces.some(({ isSample }) => !isSample);

const remove = async (sample) => (await import("../workspace/sample.js")).deleteSample(sample);

function row(workspace, enter) {
  const choose = async () => {
    await select(workspace.id);
    await enter();
  };
  const state = STATES[workspace.status]?.();
  return li(
    { class: "spread" },
    div(
      strong(workspace.name),
      div(
        { class: "soft small" },
        [nameOfRole(workspace.role), workspace.isSample && t("sample data"), state].filter(Boolean).join(" · "),
      ),
    ),
    div(
      { class: "row" },
      workspace.isSample && workspace.role === "owner" &&
        button(t("Delete"), () => remove(workspace), { name: t("Delete {name}", workspace) }),
      button(t("Choose"), choose, { kind: "main", isOff: workspace.status === "unavailable" }),
    ),
  );
}
