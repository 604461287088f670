// The lines of invoices and bills: what each says, costs and is taxed, and where it is posted.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { batch, computed, effect, here, signal } from "../../core/view.js";
import { postable } from "../../ui/accounts.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { later } from "../../ui/later.js";
import { lineGrid } from "../../ui/lines.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { productOptions } from "../products/choice.js";
import { rateOptions } from "../tax_rates/choice.js";
import { orElse } from "./body.js";
import { usualWords } from "./rates.js";

// The accounts that lines of a bill are posted to, or of an invoice.
const lineAccounts = (isBill) =>
  postable(({ type }) => (isBill ? ["expense", "asset"].includes(type) : type === "income"));

// `extra` are further columns, after the description.
export function documentLines({ isBill, fields, lines, preview, currencyOf, isGross, extra = [] }) {
  const code = computed(currencyOf);
  const about = {
    isBill,
    fields,
    preview,
    nets: netsOf(lines, preview),
    currencyOf: () => code.value,
    isGross,
    accounts: lineAccounts(isBill),
  };
  return lineGrid({
    label: t("Lines"),
    name: "lines",
    lines,
    columns: columnsOf(about).toSpliced(1, 0, ...extra),
    detail: (line) => later(loadDetail, line, about),
    loadDetail,
    chips: (line) => chipsOf(line, about),
    addText: t.of("document", "Line"),
    least: 1,
  });
}

// The net amount of each line as a signal of its own, so that an answer draws only those that it changes.
function netsOf(lines, preview) {
  const nets = new WeakMap();
  const of = (line) => nets.get(line) ?? nets.set(line, signal(null)).get(line);
  effect(() => {
    const found = preview.value?.lines ?? [];
    for (const line of lines.rows.value) of(line).value = found[line.sentAt()]?.net ?? null;
  });
  return of;
}

// What else a line has, in words: none until the module that says it is there.
function chipsOf(line, about) {
  const [made, living] = [signal(() => []), here()];
  const make = async () => {
    const chips = (await import("./line_chips.js")).lineChips;
    living(() => void (made.value = chips(line, about)));
  };
  make();
  return () => made.value();
}

const loadDetail = async () => (await import("./line_detail.js")).lineDetail;

function columnsOf(about) {
  const { isBill, fields, nets, currencyOf } = about;
  const options = rateOptions(({ side }) => side === "both" || side === (isBill ? "purchase" : "sale"));
  const empty = usualWords(fields.contactId);
  return [
    {
      key: "description",
      text: t("Description"),
      control: (cell) => productBox(cell, about),
    },
    ...(isBill
      ? [{
        key: "accountId",
        text: t("Account"),
        width: "minmax(9rem, 0.7fr)",
        control: (cell) => accountBox(cell, about),
      }]
      : []),
    {
      key: "quantity",
      text: t("Quantity"),
      isFigure: true,
      width: "5.5rem",
      control: ({ value, name, label }) => numberInput({ value, name, label }),
    },
    {
      key: "unitPrice",
      text: t("Price"),
      isFigure: true,
      width: "7rem",
      control: ({ value, name, label }) => moneyInput({ value, name, label, currency: currencyOf }),
    },
    {
      key: "taxRateId",
      text: t("Tax"),
      width: "10rem",
      control: ({ value, name, label }) => choice({ value, name, label, options, empty }),
    },
    {
      key: "net",
      text: t("Net"),
      isFigure: true,
      width: "7rem",
      show: (line) => () => money(nets(line).value, currencyOf()),
    },
  ];
}

// Where the server finds no usual account, the cell asks for one.
function accountBox({ value, name, label, line, next }, { preview, accounts }) {
  const posted = computed(() => preview.value?.lines[line.sentAt()]);
  const isAsked = computed(() => posted.value?.accountBecause === "default");
  const usual = computed(() => (isAsked.value ? "" : posted.value?.accountId ?? ""));
  const usualFirst = async (typed) =>
    (await accounts.options(typed)).toSorted((one, other) =>
      Number(other.value === usual.peek()) - Number(one.value === usual.peek())
    );
  return combobox({
    value: orElse(value, usual),
    name,
    label,
    isOptional: true,
    options: usualFirst,
    shown: accounts.name,
    placeholder: () => (isAsked.value ? t("Choose an account") : null),
    next,
  });
}

// Free text, or a product, which fills what is empty; the line keeps it until its text is cleared.
function productBox({ value, name, label, line, next }, { isBill, currencyOf, isGross }) {
  const { productId, unit, unitPrice, taxRateId } = line.cells;
  const fill = ({ product }) => {
    const fits = product.currency === currencyOf() && product.priceIncludesTax === isGross();
    const [price, rate] = isBill
      ? [product.purchasePrice, product.purchaseTaxRateId]
      : [product.unitPrice, product.taxRateId];
    batch(() => {
      productId.value = product.id;
      unit.value ||= product.unit ?? "";
      unitPrice.value ||= (fits && price) || "";
      taxRateId.value ||= rate ?? "";
    });
  };
  return combobox({
    value,
    name,
    label,
    isFree: true,
    options: productOptions(isBill),
    create: async (typed) => (await import("../products/create.js")).createProduct(line, { isBill, currencyOf })(typed),
    createText: (typed) => t("Create product “{name}”", { name: typed }),
    choose: fill,
    cleared: () => void (productId.value = ""),
    next,
  });
}
