// Payment runs: bills that were paid together, with one file for the bank.
import { address } from "../../core/api.js";
import { dayShort } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { link } from "../../ui/button.js";
import { empty } from "../../ui/empty.js";
import { pill } from "../../ui/pill.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { amountColumn } from "../columns.js";

export const PAYMENT_RUNS = "/finance/payment-runs";

export const paymentRunState = ({ status }) =>
  status === "void" ? pill(t("void"), "neutral") : pill(t("posted"), "good");

export default () => {
  const runs = list(() => address(PAYMENT_RUNS, { sort: query.value.get("sort") }));
  return {
    title: t("Payment runs"),
    back: { href: "/bills", text: t("Bills") },
    actions: [{
      name: t("Pay bills"),
      key: "n",
      main: true,
      icon: "plus",
      may: "finance.write",
      run: () => go("/payment-runs/new"),
    }],
    body: tags.div(
      { class: "stack" },
      table({
        label: t("Payment runs"),
        page: "payment_runs",
        list: runs,
        key: ({ id }) => id,
        href: ({ id }) => `/payment-runs/${id}`,
        columns,
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} payment run", "{n} payment runs", n, places),
        empty: empty(
          t("No payment runs yet."),
          may("finance.write") && link(t("Pay bills"), "/payment-runs/new", { kind: "main" }),
        ),
      }),
    ),
  };
};

const columns = [
  { key: "number", text: t.of("document", "Number"), place: "name", width: "10rem", cell: ({ number }) => number },
  { key: "date", text: t("Date"), place: "meta", width: "7rem", cell: ({ date }) => dayShort(date), sort: "date" },
  {
    key: "suppliers",
    text: t("Payees"),
    isMinor: true,
    cell: ({ transfers }) => transfers.map(({ supplierName }) => supplierName).join(", "),
  },
  amountColumn(),
  { key: "state", text: t("Status"), place: "state", width: "8rem", cell: paymentRunState },
];
