// What the editor's fields stand for: taken from a document of the API, and made into a request for it.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { say } from "../../core/notices.js";
import { previewed } from "../../core/preview.js";
import { effect, signal } from "../../core/view.js";
import { orBlank } from "../../ui/lines.js";
import { areDated, completeTerms, TERMS, termsOf, termsValues } from "../terms/values.js";
import { isPurchase } from "./states.js";

const TEXTS = [
  "issueDate",
  "dueDate",
  "reference",
  "supplierNumber",
  "prepaidAmount",
  "currency",
  "exchangeRate",
  "note",
  "intro",
  "closing",
  "projectId",
  "serviceDate",
];
const FURTHER_OF_LINE = ["priceBaseQuantity", "charge"];

export const partyOfKind = (kind) => (isPurchase({ kind }) ? "supplier" : "customer");

export const blankLine = () => ({
  id: null,
  productId: "",
  description: "",
  quantity: "1",
  unit: "",
  unitPrice: "",
  taxRateId: "",
  accountId: "",
  projectId: "",
  taskId: "",
  discount: "",
  serviceDate: "",
  servicePeriod: "",
  deductibleTaxPercent: "",
  deductibleCostPercent: "",
  nonDeductibleAccountId: "",
  dimensions: "",
  asset: "",
  further: {},
});

// A line keeps what the editor does not show. An account that it was not given is found again.
export function lineOf(line) {
  const shown = Object.fromEntries(Object.keys(blankLine()).map((name) => [name, line[name] ?? ""]));
  return {
    ...shown,
    id: line.id,
    accountId: line.accountBecause === "line" ? line.accountId : "",
    dimensions: orBlank(line.dimensions),
    further: Object.fromEntries(
      FURTHER_OF_LINE.filter((name) => line[name] !== null && line[name] !== undefined).map((
        name,
      ) => [name, line[name]]),
    ),
  };
}

// `terms` are those that a record has of its own. A due date that follows from terms is not one that was typed.
export function valuesOf(kind, record, { contactId = null, terms = null, depositIds = depositsOf(record) } = {}) {
  return {
    kind,
    contactId: record?.[partyOfKind(kind)]?.id ?? contactId ?? "",
    ...Object.fromEntries(TEXTS.map((name) => [name, record?.[name] ?? ""])),
    ...(areDated(record?.paymentTerms) && { dueDate: "" }),
    ...termsValues(terms),
    discountPercent: record?.discount?.percent ?? "",
    timeSheet: record?.timeSheet ?? false,
    printedTax: printedOf(record),
    depositIds,
    paidFromAccountId: "", // of a bill that is posted now; a draft has none
  };
}

export const fieldsOf = (values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, signal(value)]));

// The request of what is typed; of a draft that there is, also what was taken out. Terms are sent where they are not as
// `before`: sent as they are, those that follow the contact would no longer follow them.
export function bodyOf(fields, lines, record, before) {
  const { kind, contactId, discountPercent, printedTax, depositIds, timeSheet, paidFromAccountId: _, ...texts } = Object
    .fromEntries(
      Object.entries(fields).filter(([name]) => !TERMS.includes(name)).map(([name, one]) => [name, one.value || null]),
    );
  const paymentTerms = termsOf(fields);
  const given = Object.entries(texts).filter(([name, value]) => value !== null || (record?.[name] ?? null) !== null);
  return {
    kind,
    ...(contactId && { [`${partyOfKind(kind)}Id`]: contactId }),
    ...Object.fromEntries(given.map(([name, value]) => [name, value ?? (record[name] === "" ? "" : null)])),
    ...(Boolean(timeSheet) !== (record?.timeSheet ?? false) && { timeSheet: Boolean(timeSheet) }),
    ...((discountPercent || record?.discount?.percent) &&
      { discount: discountPercent && { percent: discountPercent } }),
    ...(kind === "final_invoice" ? { depositIds } : depositsOf(record).length > 0 && { depositIds: null }),
    ...(isSome(printedTax) || isSome(printedOf(record)) ? { printedTax: printedBody(printedTax) } : {}),
    ...(JSON.stringify(paymentTerms) !== JSON.stringify(before) && { paymentTerms }),
    lines: lines.values().map(lineBody),
  };
}

const depositsOf = (record) => (record?.deposits ?? []).map(({ invoiceId }) => invoiceId);

// The tax of a bill by its rate, where its paper says another than its lines come to.
const printedOf = (record) =>
  Object.fromEntries(
    (record?.taxBreakdown ?? []).filter(({ ownAmount }) => ownAmount).map((row) => [row.taxRateId, row.amount]),
  );
const printedBody = (printed) => Object.entries(printed).map(([taxRateId, amount]) => ({ taxRateId, amount }));
const isSome = (printed) => Object.keys(printed).length > 0;

export const lineBody = ({ further, ...line }) => ({
  ...further,
  ...Object.fromEntries(Object.entries(line).filter(([, value]) => value !== "" && value !== null)),
});

// For the preview: no ids, and what the draft has beside what is edited.
export function previewBody(body, record) {
  const { discount = record?.discount, paymentTerms = null, ...others } = body;
  const kept = record
    ? {
      pricesIncludeTax: record.pricesIncludeTax,
      allowances: record.allowances.map(adjustment),
      charges: record.charges.map(adjustment),
    }
    : {};
  const given = Object.fromEntries(
    Object.entries({ ...kept, ...others, discount, paymentTerms: completeTerms(paymentTerms) }).filter(([, value]) =>
      value !== null && value !== undefined
    ),
  );
  return { ...given, lines: body.lines.map(({ id: _, ...line }) => line) };
}

const adjustment = ({ description, percent, amount, taxRateId, accountId }) => ({
  description,
  ...(percent ? { percent } : { amount }),
  taxRateId,
  accountId,
});

// What the document comes to, as far as it is typed; said once it has been quiet for a second.
export function previewOf(request) {
  const totals = previewed("/finance/invoices/preview", request, () => void (totals.value = null));
  effect(() => {
    const total = totals.value?.total;
    const timer = total &&
      setTimeout(() => say(t("Total {amount}", { amount: money(total, totals.peek().currency) })), 1000);
    return () => clearTimeout(timer);
  });
  return totals;
}

// A field that shows what the server would take until something else is typed.
export const orElse = (own, usual) => ({
  get value() {
    return own.value || usual.value || "";
  },
  set value(value) {
    own.value = value === usual.peek() ? "" : (value ?? "");
  },
  peek: () => own.peek() || usual.peek() || "",
});

// The due date and the terms that say when it is exclude each other: what was typed last counts.
export const typedLast = (own, isSaid, forget) => ({
  get value() {
    return own.value;
  },
  set value(value) {
    own.value = value;
    if (isSaid()) forget();
  },
  peek: () => own.peek(),
});
