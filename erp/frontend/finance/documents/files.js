// The files of documents: the paper as PDF, the e-invoice, and what a supplier has sent.
import { download } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { TOUCHED } from "../payments/touched.js";
import { isPurchase } from "./states.js";

// Sending a document by mail, or saying that it went by post.
export function sendingOf(document, act) {
  const can = (action) => document.can.includes(action) && may("finance.write");
  return [
    can("send") && { name: t("Send"), key: "m", icon: "mail", run: () => mail(document) },
    can("mark_sent") && { name: t("Mark as sent"), icon: "check", run: () => act("mark-sent", { via: "post" }) },
    can("unmark_sent") && { name: t("Mark as not sent"), icon: "undo-2", run: () => act("unmark-sent") },
  ];
}

async function mail(document) {
  const path = `/finance/invoices/${document.id}`;
  const title = t("Send {name}", { name: document.number });
  await (await import("../../ui/mail.js")).sendDialog({ title, path, files: true, links: true, touched: TOUCHED });
}

// What can be downloaded of a document.
export function filesOf(document) {
  const path = `/finance/invoices/${document.id}`;
  const isOwn = !isPurchase(document);
  return [
    document.hasOriginal && { name: t("Original"), icon: "paperclip", run: () => download(`${path}/original`) },
    { name: t("PDF"), key: "d", icon: "file-text", run: () => download(`${path}/pdf`) },
    document.lines.some(({ timeLogIds }) => timeLogIds.length > 0) &&
    { name: t("Time sheet (CSV)"), icon: "clock", run: () => download(`${path}/time-sheet`) },
    isOwn && document.status !== "draft" &&
    {
      name: t("E-invoice (XML)"),
      icon: "download",
      run: async () => (await import("./e_invoice.js")).askForm(document, path),
    },
    isOwn && document.status !== "draft" &&
    { name: t("Copy as PDF"), icon: "copy", run: () => download(`${path}/pdf?copy=true`) },
  ];
}

export const fromEInvoice = () => ({
  name: t("From an e-invoice"),
  icon: "upload",
  may: "finance.write",
  run: async () => (await import("./e_invoice.js")).receive(),
});
