// All that the workspace holds, as tables that other programs read. It holds people's pay as well.
import { download } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { tried } from "../../core/notices.js";
import { tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { confirm } from "../../ui/dialog.js";

const TEXT = () => t("A zip with each table as CSV and JSON, and all files. People’s pay and bank accounts are in it.");

export const exporting = () =>
  card(
    { title: t("Export") },
    tags.p({ class: "soft" }, TEXT()),
    tags.div({ class: "row" }, button(t("Download everything"), downloadEverything, { icon: "download" })),
  );

const downloadEverything = () =>
  tried(async () => {
    const isSure = await confirm({
      title: t("Download everything that this workspace holds?"),
      text: TEXT(),
      verb: t("Download"),
    });
    if (isSure) await download("/workspace/export");
  });
