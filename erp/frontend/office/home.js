import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
export default () => ({ title: t("Home"), body: tags.div() });
