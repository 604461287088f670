// Columns that the tables of attendance share.
import { duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";

// Shown only where there is any.
export const lateness = () =>
  [["late", t("Late by"), "lateMinutes"], ["early", t("Left early by"), "leftEarlyMinutes"]].map((
    [key, text, name],
  ) => ({ key, text, isFigure: true, isMinor: true, cell: (row) => (row[name] ? duration(row[name]) : "") }));
