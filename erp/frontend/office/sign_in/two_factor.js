// The workspace asks for two-factor sign-in: switching it on lets one in.
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { readSession, session } from "../../core/session.js";
import { tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { secondFactor } from "./second_factor.js";

const { div, h1, p } = tags;

export default () => {
  const enter = async () => {
    await readSession();
    go("/", { replace: true });
  };
  return {
    title: t("Two-factor sign-in"),
    isBare: true,
    body: div(
      { class: "narrow stack" },
      h1({ tabindex: "-1" }, session.peek()?.workspace?.name ?? t("Two-factor sign-in")),
      p(t("This workspace requires two-factor sign-in. Turn it on here to enter.")),
      secondFactor(enter),
      div(
        { class: "row" },
        session.peek()?.workspaces.length > 1 && link(t("Change the workspace"), "/choose"),
        link(t("Sign out"), "/sign-out"),
      ),
    ),
  };
};
