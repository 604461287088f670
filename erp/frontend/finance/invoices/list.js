// The invoices and credit notes of customers.
import { t } from "../../core/i18n.js";
import { go, query } from "../../core/router.js";
import { documentsScreen } from "../documents/list.js";

export default () =>
  documentsScreen({
    side: "sales",
    title: t("Invoices"),
    path: "/invoices",
    kinds: () => query.value.get("kind") ?? "sales_invoice,sales_credit_note,deposit_invoice,final_invoice",
    newText: t("New invoice"),
    emptyText: t("No invoices yet."),
    more: [
      { name: t("From time entries"), may: "finance.write", icon: "clock", run: () => go("/projects") },
      { name: t("Recurring documents"), icon: "repeat", run: () => go("/recurring") },
      { name: t("Products"), icon: "package", run: () => go("/products") },
      newOf("deposit_invoice", t("New deposit invoice")),
      newOf("final_invoice", t("New final invoice")),
    ],
  });

const newOf = (kind, name) => ({
  name,
  may: "finance.write",
  icon: "file-plus",
  run: () => go(`/invoices/new?kind=${kind}`),
});
