// The words of fixed assets: methods, states and kinds of disposal.
import { t } from "../../core/i18n.js";
import { pill } from "../../ui/pill.js";

export const ASSETS = "/finance/assets";
export const RUNS = "/finance/depreciation-runs";
// What else is out of date after a posting.
export const POSTED = ["/finance/journals", "/finance/reports", "/finance/accounts", "/workspace/home"];

export const METHODS = {
  linear: () => t("Linear"),
  declining: () => t("Declining"),
  immediate: () => t("At once"),
  pool: () => t("Pool over five years"),
  none: () => t("No depreciation"),
};

/** @type {Record<string, [() => string, string]>} */
const STATES = {
  draft: [() => t("draft"), "neutral"],
  in_use: [() => t("in use"), "good"],
  disposed: [() => t("disposed of"), "neutral"],
};

export function assetState({ status, isFullyDepreciated }) {
  if (status === "in_use" && isFullyDepreciated) return pill(t("fully depreciated"), "info");
  const [text, kind] = STATES[status];
  return pill(text(), kind);
}

export const DISPOSALS = {
  sold: () => t.of("asset", "Sold"),
  scrapped: () => t("Scrapped"),
  lost: () => t("Lost"),
  private: () => t("Taken for private use"),
};
