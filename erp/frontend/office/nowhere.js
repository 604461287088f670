// An address without a screen, or one that somebody may not see.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { empty } from "../ui/empty.js";
import { link } from "../ui/button.js";

export default () => ({
  title: t("Nothing here"),
  body: tags.div({ class: "stack" }, empty(t("There is nothing at this address, or your role does not include it."), link(t("Go to the start page"), "/"))),
});
