// Signing out by an address, for pages without the menu.
import { t } from "../../core/i18n.js";
import { signOut } from "../../core/session.js";
import { tags } from "../../core/view.js";

export default () => {
  signOut().then(() => location.assign("/sign-in"));
  return { title: t("Sign out"), isBare: true, body: tags.p({ role: "status" }, t("Signing out …")) };
};
