// What changes with a payment.
export const TOUCHED = [
  "/finance/invoices",
  "/finance/bills",
  "/finance/payments",
  "/finance/open-items",
  "/finance/contacts",
  "/finance/accounts",
  "/finance/reports",
  "/workspace/home",
];
