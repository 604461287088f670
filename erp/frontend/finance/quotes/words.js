// The words of quotes: their states, and the options of their lines.
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { pill } from "../../ui/pill.js";

export const QUOTES = "/finance/quotes";
// What else is out of date once a quote has changed.
export const TOUCHED = [QUOTES, "/workspace/home"];

/** @type {Record<string, [() => string, string]>} */
const STATES = {
  draft: [() => t("draft"), "neutral"],
  issued: [() => t("open"), "info"],
  expired: [() => t("expired"), "warn"],
  accepted: [() => t("accepted"), "good"],
  partly_invoiced: [() => t("partly invoiced"), "good"],
  invoiced: [() => t("invoiced"), "good"],
  declined: [() => t("declined"), "bad"],
  superseded: [() => t("superseded"), "neutral"],
  closed: [() => t("closed"), "neutral"],
};

export function statePill({ status }) {
  const [text, kind] = STATES[status];
  return pill(text(), kind);
}

// "QUO-2026-00001, version 2": how a sentence names it.
export const numberOf = ({ number, revision }) =>
  revision > 1 ? t("{number}, version {revision}", { number, revision }) : number;

// "Quote QUO-2026-00001, version 2", or "Quote, draft" while it has no number.
export function nameOf({ number, revision }) {
  if (!number) return t("Quote, draft");
  return revision > 1 ? t("Quote {number}, version {revision}", { number, revision }) : t("Quote {number}", { number });
}

export const opensAt = ({ id, status }) =>
  status === "draft" && may("finance.write") ? `/quotes/${id}/edit` : `/quotes/${id}`;

export const optionText = ({ option, alternativeTo = null }) =>
  option === "alternative"
    ? t("Alternative to item {n}", { n: alternativeTo })
    : option === "optional"
    ? t.of("line", "Optional")
    : t.of("line", "Included");
