// What the editor's fields stand for: taken from a document of the API, and made into a request for it.
import { money } from "../core/format.js";
import { t } from "../core/i18n.js";
import { say } from "../core/notices.js";
import { previewed } from "../core/preview.js";
import { effect, signal } from "../core/view.js";
import { isPurchase } from "./states.js";

const TEXTS = [
  "issueDate",
  "dueDate",
  "reference",
  "supplierNumber",
  "currency",
  "exchangeRate",
  "note",
  "projectId",
  "serviceDate",
];
const FURTHER_OF_LINE = [
  "productId",
  "priceBaseQuantity",
  "discount",
  "charge",
  "taskId",
  "serviceDate",
  "servicePeriod",
  "deductibleTaxPercent",
  "deductibleCostPercent",
  "nonDeductibleAccountId",
];

export const partyOfKind = (kind) => (isPurchase({ kind }) ? "supplier" : "customer");

export const blankLine = () => ({
  id: null,
  description: "",
  quantity: "1",
  unit: "",
  unitPrice: "",
  taxRateId: "",
  accountId: "",
  projectId: "",
  further: {},
});

// A line keeps what the editor does not show.
export function lineOf(line) {
  const shown = Object.fromEntries(Object.keys(blankLine()).map((name) => [name, line[name] ?? ""]));
  return {
    ...shown,
    id: line.id,
    further: Object.fromEntries(
      FURTHER_OF_LINE.filter((name) => line[name] !== null && line[name] !== undefined).map((
        name,
      ) => [name, line[name]]),
    ),
  };
}

export function valuesOf(kind, record, contactId = null) {
  return {
    contactId: record?.[partyOfKind(kind)]?.id ?? contactId ?? "",
    ...Object.fromEntries(TEXTS.map((name) => [name, record?.[name] ?? ""])),
    discountPercent: record?.discount?.percent ?? "",
  };
}

export const fieldsOf = (values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, signal(value)]));

// The request of what is typed; of a draft that there is, also what was taken out.
export function bodyOf(kind, fields, lines, record) {
  const { contactId, discountPercent, ...texts } = Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, one.value || null]),
  );
  const given = Object.entries(texts).filter(([name, value]) => value !== null || (record?.[name] ?? null) !== null);
  return {
    kind,
    ...(contactId && { [`${partyOfKind(kind)}Id`]: contactId }),
    ...Object.fromEntries(given),
    ...((discountPercent || record?.discount?.percent) &&
      { discount: discountPercent && { percent: discountPercent } }),
    lines: lines.values().map(lineBody),
  };
}

const lineBody = ({ further, ...line }) => ({
  ...further,
  ...Object.fromEntries(Object.entries(line).filter(([, value]) => value !== "" && value !== null)),
});

// For the preview: no ids, and what the draft has beside what is edited.
function previewBody(body, record) {
  const { discount = record?.discount, ...others } = body;
  const kept = record
    ? {
      pricesIncludeTax: record.pricesIncludeTax,
      allowances: record.allowances.map(adjustment),
      charges: record.charges.map(adjustment),
    }
    : {};
  const given = Object.fromEntries(
    Object.entries({ ...kept, ...others, discount }).filter(([, value]) => value !== null && value !== undefined),
  );
  return { ...given, lines: body.lines.map(({ id: _, ...line }) => line) };
}

// The request of a document like another, without its dates and without what belongs to that one alone.
export function requestLike(record) {
  const { issueDate: _issued, dueDate: _due, serviceDate: _served, exchangeRate: _rate, ...fields } = fieldsOf(
    valuesOf(record.kind, record),
  );
  const lines = record.lines.map((line) => {
    const { further: { taskId: _task, serviceDate: _day, servicePeriod: _period, ...further }, ...shown } = lineOf(
      line,
    );
    return { ...shown, id: null, further };
  });
  return previewBody(bodyOf(record.kind, fields, { values: () => lines }, null), record);
}

const adjustment = ({ description, percent, amount, taxRateId, accountId }) => ({
  description,
  ...(percent ? { percent } : { amount }),
  taxRateId,
  accountId,
});

// What the document comes to, as far as it is typed; said once it has been quiet for a second.
export function previewOf(body, record) {
  const totals = previewed("/finance/invoices/preview", () => previewBody(body(), record.value));
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
