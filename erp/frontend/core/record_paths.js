// Addresses of records that stand in one of several places.

// Bills have screens of their own, beside those of our invoices.
const placeOf = ({ kind }) => (kind?.startsWith("purchase") ? "/bills" : "/invoices");
export const documentPath = (document) => `${placeOf(document)}/${document.id}`;

// The address `path` where its document is at home: a link may not know whether it leads to an invoice or to a bill.
export const atHome = (path, document) => path.replace(/^\/(invoices|bills)(?=\/)/, placeOf(document));

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
