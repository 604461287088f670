// Issuing asks first: with the number, the amount and the warnings of a rehearsal on the server.
import { send } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { isPurchase, namesOf } from "./states.js";

// Where what a warning misses is added.
const MENDED = {
  no_customer_address: ({ customerId }) => ({ verb: t("Open the contact"), href: `/contacts/${customerId}` }),
  no_own_details: () => ({ verb: t("Open the settings"), href: "/settings" }),
};

function titleOf({ kind, number }) {
  if (kind === "purchase_credit_note") return t("Post this supplier credit note?");
  return isPurchase({ kind }) ? t("Post this bill?") : t("Issue {number}?", { number });
}

const aboutIssuing = (preview, document, party) => ({
  title: titleOf(preview),
  text: t("The document gets its number and is posted. Then you can correct or void it, but not change it."),
  figures: [
    [t("Contact"), party],
    [t("Total"), money(preview.total, preview.currency, { withCurrency: true })],
    [namesOf(preview).dueDate, day(preview.dueDate)],
  ],
  notes: preview.warnings.map(({ code, message }) => ({ text: message, ...MENDED[code]?.(document) })),
  verb: isPurchase(preview) ? t("Post") : t("Issue"),
});

// What to ask before a draft is issued, or before a new document is.
export const askOfDraft = async (draft, party, more = {}) => {
  const { id, version } = draft;
  const preview = await send("POST", `/finance/invoices/${id}/issue`, { ...more, dryRun: true }, { version });
  return aboutIssuing(preview, draft, party);
};
export const askOfNew = async (body, party) =>
  aboutIssuing(await send("POST", "/finance/invoices", { ...body, dryRun: true }), body, party);

export function tellIssued(document) {
  const text = document.approval === "pending"
    ? t("{number} awaits approval.", { number: document.number })
    : isPurchase(document)
    ? t("{number} posted.", { number: document.number })
    : t("{number} issued.", { number: document.number });
  notify(text, { kind: "good" });
}
