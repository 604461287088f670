// What is done with the data of one person: its export, and its erasure after a look at what goes and what stays.
import { download } from "../core/api.js";
import { t } from "../core/i18n.js";

// `kind` is employee or contact; `right` is who may.
export const personalData = (kind, { id, name }, right, canErase = true) => [
  {
    name: t("Export personal data"),
    icon: "download",
    may: right,
    run: () => download(`/workspace/people/${kind}/${id}/export`),
  },
  canErase &&
  {
    name: t("Erase…"),
    icon: "eraser",
    may: right,
    danger: true,
    run: async () => (await import("./erase.js")).erase(kind, { id, name }),
  },
];
