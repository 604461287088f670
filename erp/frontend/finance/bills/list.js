// The bills and credit notes of suppliers.
import { t } from "../../core/i18n.js";
import { go, query } from "../../core/router.js";
import { documentsScreen } from "../documents/list.js";
import { fromEInvoice } from "../documents/files.js";

export default () =>
  documentsScreen({
    side: "purchases",
    title: t("Bills"),
    path: "/bills",
    kinds: () => query.value.get("kind") ?? "purchase_invoice,purchase_credit_note",
    newText: t("New bill"),
    emptyText: t("No bills to pay."),
    more: [
      fromEInvoice(),
      { name: t("Pay bills"), icon: "banknote", may: "finance.write", run: () => go("/payment-runs/new") },
      { name: t("Payment runs"), icon: "list", run: () => go("/payment-runs") },
    ],
  });
