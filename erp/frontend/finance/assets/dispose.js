// The dialogs of an asset that is in use: disposing of it, and another useful life.
import { address, get, newKey, send } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { todayAtFirst } from "../../core/parse.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput } from "../../ui/number.js";
import { ASSETS, DISPOSALS, POSTED } from "./words.js";

const { div, p } = tags;

const post = async (asset, verb, body, key) => {
  await send("POST", `${ASSETS}/${asset.id}/${verb}`, filled(body), { key, version: asset.version });
  changed(ASSETS, "/finance/depreciation-runs", ...POSTED);
};
const filled = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== "" && value !== null));

export const disposing = (asset) => (close) => {
  const [date, kind, reason] = [todayAtFirst(), signal("sold"), signal("")];
  const [invoiceId, lineId, proceeds] = [signal(""), signal(""), signal("")];
  const lines = signal([]);
  const key = newKey();
  const isSold = () => kind.value === "sold";
  const run = async () => {
    const sale = isSold() ? { invoiceId: invoiceId.value, lineId: lineId.value } : {};
    const more = isSold() && !invoiceId.value ? { proceeds: proceeds.value } : {};
    await post(asset, "dispose", { date: date.value, kind: kind.value, reason: reason.value, ...sale, ...more }, key);
    close();
    notify(t("{name} disposed of.", { name: asset.name }), { kind: "good" });
  };
  const choose = async (option) => {
    lineId.value = "";
    lines.value = option ? (await get(`/finance/invoices/${option.value}`)).lines : [];
  };
  return form(
    { run, submit: t("Dispose of it"), cancel: () => close(), label: t("Dispose of {name}", { name: asset.name }) },
    p({ class: "soft" }, t("Depreciation through that month is posted, then the book value as an expense.")),
    div(
      { class: "fields" },
      field(
        { label: t("Kind of disposal"), name: "kind" },
        choice({ value: kind, name: "kind", options: optionsOf(DISPOSALS) }),
      ),
      field({ label: t("Date"), name: "date" }, dateField({ value: date, name: "date" })),
      () => isSold() && invoiceField(invoiceId, choose),
      () => isSold() && lines.value.length > 1 && lineField(lineId, lines.value),
      () => isSold() && !invoiceId.value && proceedsField(proceeds),
      field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason", maxlength: 200 })),
    ),
  );
};

const invoiceField = (value, choose) =>
  field(
    { label: t("Invoice"), name: "invoiceId", isOptional: true, hint: t("With which it was sold.") },
    combobox({ value, name: "invoiceId", options: invoices, shown: invoiceName, choose }),
  );

const invoices = async (typed) =>
  (await get(address("/finance/invoices", { kind: "sales_invoice", q: typed, limit: 20 })))
    .filter(({ number }) => number).map((one) => ({ value: one.id, text: nameOf(one) }));
const invoiceName = async (id) => (id ? nameOf(await get(`/finance/invoices/${id}`)) : "");
const nameOf = (one) => [one.number, one.customerName, day(one.issueDate)].filter(Boolean).join(" · ");

const lineField = (value, lines) =>
  field(
    { label: t.of("document", "Line"), name: "lineId" },
    choice({
      value,
      name: "lineId",
      empty: t("none"),
      options: lines.map((line) => ({ value: line.id, text: `${line.description} · ${money(line.net, null)}` })),
    }),
  );

const proceedsField = (value) =>
  field(
    { label: t("Net proceeds"), name: "proceeds", isOptional: true, hint: t("Without an invoice. Not posted.") },
    moneyInput({ value, name: "proceeds" }),
  );

export const changingLife = (asset) => (close) => {
  const [months, from, reason] = [signal(String(asset.lifeMonths ?? "")), todayAtFirst(), signal("")];
  const run = async () => {
    await post(asset, "life", {
      lifeMonths: /^\d+$/.test(months.value.trim()) ? Number(months.value) : months.value,
      from: from.value.slice(0, 7),
      reason: reason.value,
    });
    close();
    notify(t("{name} saved.", { name: asset.name }), { kind: "good" });
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t("Change useful life") },
    p({ class: "soft" }, t("What is left is spread over the months that are left.")),
    div(
      { class: "fields" },
      field(
        {
          label: t("Useful life in months"),
          name: "lifeMonths",
          hint: t("The whole life, from the first month in use."),
        },
        textInput({ value: months, name: "lifeMonths", inputmode: "numeric" }),
      ),
      field(
        { label: t("From the month of"), name: "from" },
        dateField({ value: from, name: "from" }),
      ),
      field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason", maxlength: 200 })),
    ),
  );
};
