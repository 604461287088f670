// What few lines of a document need: it opens under the line.
import { address, get } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { parseMoney, parseNumber } from "../../core/parse.js";
import { effect, signal, tags } from "../../core/view.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { later } from "../../ui/later.js";
import { numberInput } from "../../ui/number.js";
import { projectBox } from "../../ui/projects.js";
import { typedInput } from "../../ui/typed.js";
import { discountText } from "./line_words.js";

export function lineDetail(line, { isBill, fields, currencyOf, accounts }) {
  const { cells } = line;
  const name = (one) => `lines[${line.index()}].${one}`;
  const part = (key, label, make) => field({ label, name: name(key), isOptional: true }, make(cells[key], name(key)));
  const number = (value, its) => numberInput({ value, name: its });
  const account = (value, its) =>
    combobox({ value, name: its, isOptional: true, options: accounts.options, shown: accounts.name });
  return tags.div(
    { class: "fields" },
    !isBill && part("accountId", t("Account"), account),
    part("projectId", t("Project"), projectBox),
    part("taskId", t("Task"), (value, its) => taskBox(value, its, cells.projectId)),
    part("unit", t("Unit"), (value, its) => textInput({ value, name: its })),
    part("discount", t("Discount"), (value, its) => discountInput(value, its, currencyOf)),
    serviceFields(cells, name),
    isBill && part("deductibleTaxPercent", t("Deductible tax in %"), number),
    isBill && part("deductibleCostPercent", t("Deductible cost in %"), number),
    isBill && part("nonDeductibleAccountId", t("Account of the rest"), account),
    later(async () => (await import("../dimensions/choice.js")).dimensionFields, cells.dimensions, name("dimensions")),
    isBill && fields.kind.peek() === "purchase_invoice" &&
      later(async () => (await import("./asset.js")).assetFields, cells, name("asset")),
  );
}

const taskBox = (value, name, projectId) =>
  combobox({
    value,
    name,
    isOptional: true,
    options: async (typed) =>
      (await get(address("/tasks", { q: typed, projectId: projectId.peek() || null, limit: 20 }))).map((one) => ({
        value: one.id,
        text: one.title,
        more: one.key,
      })),
    shown: async (id) => id && (await get(`/tasks/${id}`)).title,
  });

// A number alone is a percentage; one with a currency an amount.
function discountInput(value, name, currencyOf) {
  const parse = (text) => {
    if (/\p{Sc}|[A-Z]{3}/u.test(text)) return wrapped("amount", parseMoney(text));
    return wrapped("percent", parseNumber(text.replace("%", "")));
  };
  return typedInput({
    value: orEmpty(value),
    name,
    parse,
    show: (part) => (part ? discountText(part, currencyOf()) : ""),
    wrong: t("Not a discount. For example 5 or 5.00 EUR."),
  });
}

const wrapped = (key, number) => (number === null ? null : { [key]: number });

// A cell without anything holds an empty text, as in a blank line.
const orEmpty = (cell) => ({
  get value() {
    return cell.value || null;
  },
  set value(value) {
    cell.value = value ?? "";
  },
  peek: () => cell.peek() || null,
});

// A day, or the first and the last one.
function serviceFields({ serviceDate, servicePeriod }, name) {
  const period = servicePeriod.peek() || {};
  const [from, to] = [signal(period.from ?? ""), signal(period.to ?? serviceDate.peek())];
  effect(() => {
    const isPeriod = from.value && to.value && from.value !== to.value;
    servicePeriod.value = isPeriod ? { from: from.value, to: to.value } : "";
    serviceDate.value = isPeriod ? "" : to.value || from.value || "";
  });
  const day = (label, path, value) =>
    field({ label, name: name(path), isOptional: true }, dateField({ value, name: name(path) }));
  return [
    day(t("Service from"), "servicePeriod.from", from),
    day(t("Service on or until"), "serviceDate", to),
  ];
}
