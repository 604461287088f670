// Addresses of records that stand in one of several places.
import { go } from "./router.js";
import { effect, untracked } from "./signals.js";

// Bills have screens of their own; our invoices have others.
const placeOf = ({ kind }) => (kind?.startsWith("purchase") ? "/bills" : "/invoices");
export const documentPath = (document) => `${placeOf(document)}/${document.id}`;

// Show a document at its own address: a link may not know whether it leads to an invoice or to a bill.
export function standAtHome(path, document) {
  const at = path.peek();
  effect(() => {
    const right = document.value ? at.replace(/^\/(invoices|bills)(?=\/)/, placeOf(document.value)) : at;
    if (right !== at && location.pathname === at) untracked(() => void go(right + location.search, { replace: true }));
  });
}

/** @type {Record<string, string>} */
const LISTS = {
  bank_rules: "bank/rules",
  checklists: "people/checklists",
  documents: "people/documents",
  members: "settings/members",
  revaluations: "close/revaluation",
  tax_rates: "settings/tax-rates",
};

// The list or report that a view belongs to, with it.
export const viewPath = ({ kind: page, id }) =>
  `/${LISTS[page] ?? page.replace(/^report_/, "reports/").replaceAll("_", "-")}?saved=${id}`;
