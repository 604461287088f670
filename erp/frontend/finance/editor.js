// The editor of invoices, bills and their drafts. The server works out every amount at each pause of typing.
import { get, send } from "../core/api.js";
import { day, money, percent, time } from "../core/format.js";
import { t } from "../core/i18n.js";
import { notify, say } from "../core/notices.js";
import { draft } from "../core/drafts.js";
import { go } from "../core/router.js";
import { currency } from "../core/session.js";
import { changed, resource } from "../core/store.js";
import { computed, effect, signal, tags } from "../core/view.js";
import { more } from "../ui/card.js";
import { choice } from "../ui/choice.js";
import { combobox } from "../ui/combobox.js";
import { dateField } from "../ui/date.js";
import { confirm } from "../ui/dialog.js";
import { field } from "../ui/field.js";
import { clearErrors, fieldErrors } from "../ui/errors.js";
import { form } from "../ui/form.js";
import { textArea, textInput } from "../ui/input.js";
import { lineGrid, lineList } from "../ui/lines.js";
import { moneyInput, numberInput } from "../ui/number.js";
import { skeleton } from "../ui/skeleton.js";
import { problem } from "../ui/alert.js";
import { contactOptions, createContact, nameOfContact } from "./contacts_of.js";
import { TOUCHED } from "./pay_now.js";
import { pathOf } from "./states.js";

const PAUSE = 250; // ms after the last key
const { dd, div, dl, dt, p, span } = tags;

const blankLine = () => ({ id: null, description: "", quantity: "1", unit: "", unitPrice: "", taxRateId: undefined, accountId: "", projectId: "" });

export default ({ params, query }) => {
  const isBill = location.pathname.startsWith("/bills");
  const before = params.id ? resource(`/finance/invoices/${params.id}`) : null;
  const ready = computed(() => !before || before.value !== undefined);
  let editor = null;
  const made = () => {
    if (!ready.value) return [problem(() => before.problem, () => before.renew()), skeleton({ rows: 6 })];
    editor ??= editing({ isBill, record: before?.value ?? null, customerId: query.peek().get("customerId") });
    return editor.body;
  };
  return {
    title: isBill ? (params.id ? t("Edit bill") : t("New bill")) : params.id ? t("Edit invoice") : t("New invoice"),
    state: () => (ready.value ? editor?.state() : null),
    back: isBill ? { href: "/bills", text: t("Bills") } : { href: "/invoices", text: t("Invoices") },
    actions: [
      { name: t("Save draft"), key: "Control+s", run: () => editor?.save(true) },
      { name: isBill ? t("Post the bill") : t("Issue"), key: "Control+Enter", main: true, run: () => editor?.save(false) },
    ],
    body: div({ class: "document" }, made),
  };
};

// The fields of a document as signals, its draft in the browser, and what the server says of it.
function editing({ isBill, record, customerId }) {
  const party = isBill ? "supplier" : "customer";
  const fields = fieldsOf(record, party, customerId);
  const lines = lineList({ blank: blankLine, rows: record?.lines.map(lineOf) ?? [blankLine()] });
  const body = () => bodyOf(fields, lines, { isBill, party });
  const kept = draft(isBill ? "bill" : "invoice", record?.id, {
    read: () => ({ ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value])), lines: lines.values() }),
    write: (data) => {
      for (const [name, one] of Object.entries(fields)) one.value = data[name] ?? one.value;
      lines.load(data.lines);
    },
    isEmpty: (data) => !record && !data.contactId && !data.lines.some(({ description, unitPrice }) => description || unitPrice),
  });
  const preview = previewOf(body);
  const element = form({ run: () => save(false), label: isBill ? t("Bill") : t("Invoice"), draft: kept }, ...shownFields({ fields, lines, preview, isBill, party }));

  async function save(isDraft) {
    clearErrors(element);
    if (!isDraft && !(await isSure(preview.value, isBill))) return;
    try {
      const saved = await sendTo(record, { ...body(), ...(record ? {} : { draft: isDraft }) }, kept.key, isDraft);
      kept.clear();
      changed(...TOUCHED);
      notify(isDraft ? t("The draft is saved.") : t("{number} is issued.", { number: saved.number ?? t("The bill") }), { kind: "good" });
      await go(isDraft ? `${pathOf(saved)}/edit` : pathOf(saved), { replace: true });
    } catch (refusal) {
      fieldErrors(element, refusal);
    }
  }

  const state = () => (kept.savedAt.value ? span({ class: "soft small" }, t("unsent, kept {time}", { time: time(kept.savedAt.value) })) : null);
  return { body: element, save, state };
}

async function sendTo(record, body, key, isDraft) {
  if (!record) return send("POST", "/finance/invoices", body, { key });
  const { kind: _, ...change } = body;
  const saved = await send("PATCH", `/finance/invoices/${record.id}`, change, { version: record.version });
  return isDraft ? saved : send("POST", `/finance/invoices/${record.id}/issue`, {}, { version: saved.version });
}

// Issuing asks first, as it cannot be taken back.
function isSure(totals, isBill) {
  if (!totals || totals.details?.length || totals.lines?.some(({ details }) => details?.length)) return true; // the server's refusal says more
  const figures = [[t("Total"), money(totals.total, totals.currency, { withCurrency: true })], [t("Due"), day(totals.dueDate)]];
  return confirm({ title: isBill ? t("Post this bill?") : t("Issue this invoice?"), text: t("It gets its number and is posted. After that it can be credited or voided, but not changed."), figures, verb: isBill ? t("Post") : t("Issue") });
}

function fieldsOf(record, party, customerId) {
  const from = (name, otherwise = "") => signal(record?.[name] ?? otherwise);
  return {
    contactId: signal(record?.[party]?.id ?? customerId ?? ""),
    issueDate: from("issueDate"),
    dueDate: from("dueDate"),
    reference: from("reference"),
    supplierNumber: from("supplierNumber"),
    currency: from("currency"),
    note: from("note"),
    projectId: from("projectId"),
    serviceDate: from("serviceDate"),
    discountPercent: signal(record?.discount?.percent ?? ""),
  };
}

const lineOf = (line) => ({ ...blankLine(), ...Object.fromEntries(Object.keys(blankLine()).map((name) => [name, line[name] ?? (name === "taxRateId" ? line[name] : "")])) });

function bodyOf(fields, lines, { isBill, party }) {
  const value = (name) => fields[name].value || null;
  const given = Object.fromEntries(["issueDate", "dueDate", "reference", "currency", "note", "projectId", "serviceDate"].map((name) => [name, value(name)]).filter(([, one]) => one !== null));
  return {
    kind: isBill ? "purchase_invoice" : "sales_invoice",
    ...(value("contactId") && { [`${party}Id`]: value("contactId") }),
    ...(isBill && value("supplierNumber") && { supplierNumber: value("supplierNumber") }),
    ...given,
    ...(value("discountPercent") && { discount: { percent: value("discountPercent") } }),
    lines: lines.values().map(lineBody),
  };
}

const lineBody = (line) => Object.fromEntries(Object.entries(line).filter(([name, value]) => (name === "taxRateId" ? value !== undefined && value !== "" : value !== "" && value !== null)));

// What the document comes to, as far as it is typed.
function previewOf(body) {
  const totals = signal(null);
  let latest = 0;
  effect(() => {
    const request = body();
    const turn = (latest += 1);
    const timer = setTimeout(async () => {
      const answer = await send("POST", "/finance/invoices/preview", request).catch(() => null);
      if (turn === latest && answer) totals.value = answer;
    }, PAUSE);
    return () => clearTimeout(timer);
  });
  effect(() => {
    const total = totals.value?.total;
    const timer = total && setTimeout(() => say(t("Total {amount}", { amount: money(total, totals.peek().currency) })), 1000);
    return () => clearTimeout(timer);
  });
  return totals;
}

function shownFields({ fields, lines, preview, isBill, party }) {
  const money_ = () => preview.value?.currency ?? currency();
  const grid = lineGrid({ label: t("Lines"), name: "lines", lines, columns: lineColumns(preview, money_), detail: (line) => lineDetail(line, isBill), addText: t("Line"), least: 1 });
  return [
    div(
      { class: "fields" },
      field(
        { label: isBill ? t("Supplier") : t("Customer"), name: `${party}Id`, isWide: true },
        combobox({ value: fields.contactId, name: `${party}Id`, options: contactOptions(party), shown: (id) => id && nameOfContact(id), create: createContact(party), choose: () => grid.focusFirst() }),
      ),
      isBill && field({ label: t("Supplier’s number"), name: "supplierNumber" }, textInput({ value: fields.supplierNumber, name: "supplierNumber" })),
      field({ label: t("Date"), name: "issueDate", hint: () => !fields.issueDate.value && preview.value ? t("{day} if empty", { day: day(preview.value.issueDate) }) : "" }, dateField({ value: fields.issueDate, name: "issueDate" })),
      field({ label: t("Due"), name: "dueDate", hint: () => !fields.dueDate.value && preview.value?.dueDate ? t("{day} if empty", { day: day(preview.value.dueDate) }) : "" }, dateField({ value: fields.dueDate, name: "dueDate", from: () => preview.value?.issueDate })),
      field({ label: isBill ? t("Reference") : t("Their reference"), name: "reference", isOptional: true }, textInput({ value: fields.reference, name: "reference" })),
    ),
    grid,
    totalsOf(preview, money_),
    more(t("Discount, notes, project, currency"), furtherFields(fields, isBill)),
  ];
}

function furtherFields(fields, isBill) {
  return div(
    { class: "fields" },
    field({ label: t("Discount in %"), name: "discount.percent", isOptional: true }, numberInput({ value: fields.discountPercent, name: "discount.percent" })),
    field({ label: t("Currency"), name: "currency", isOptional: true, hint: isBill ? t("The supplier’s if empty.") : t("The customer’s if empty.") }, textInput({ value: fields.currency, name: "currency", maxlength: 3 })),
    field({ label: t("Service date"), name: "serviceDate", isOptional: true }, dateField({ value: fields.serviceDate, name: "serviceDate" })),
    field({ label: t("Project"), name: "projectId", isOptional: true }, projectBox(fields.projectId, "projectId")),
    field({ label: t("Note"), name: "note", isOptional: true, isWide: true }, textArea({ value: fields.note, name: "note", rows: 3 })),
  );
}

const projectBox = (value, name) =>
  combobox({
    value,
    name,
    isOptional: true,
    options: async (typed) => (await get(`/projects?limit=20&q=${encodeURIComponent(typed)}`)).map((one) => ({ value: one.id, text: one.name, more: one.code })),
    shown: async (id) => id && (await get(`/projects/${id}`)).name,
  });

function lineColumns(preview, currencyOf) {
  const rates = resource("/finance/tax-rates?limit=200");
  const rateOptions = () => (rates.value ?? []).map((one) => ({ value: one.id, text: one.rate === "0" ? one.name : percent(one.rate) }));
  const net = (line) => () => money(preview.value?.lines[line.index()]?.net ?? null, currencyOf());
  return [
    { key: "description", text: t("Description"), control: ({ value, name, label }) => textInput({ value, name, label }) },
    { key: "quantity", text: t("Quantity"), isFigure: true, width: "6rem", control: ({ value, name, label }) => numberInput({ value, name, label }) },
    { key: "unitPrice", text: t("Price"), isFigure: true, width: "8rem", control: ({ value, name, label }) => moneyInput({ value, name, label, currency: currencyOf }) },
    { key: "taxRateId", text: t("Tax"), width: "8rem", control: ({ value, name, label }) => choice({ value, name, label, options: rateOptions, empty: t("as usual") }) },
    { key: "net", text: t("Net"), isFigure: true, width: "8rem", show: net },
  ];
}

function lineDetail(line, isBill) {
  const accounts = resource("/finance/accounts");
  const fits = ({ type, isGroup }) => !isGroup && (isBill ? ["expense", "asset"].includes(type) : type === "income");
  const options = () => (accounts.value ?? []).filter(fits).map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` }));
  const { accountId, projectId, unit } = line.cells;
  const name = (one) => `lines[${line.index()}].${one}`;
  return div(
    { class: "fields" },
    field({ label: t("Account"), name: name("accountId"), isOptional: true }, choice({ value: accountId, name: name("accountId"), options, empty: t("The usual one") })),
    field({ label: t("Project"), name: name("projectId"), isOptional: true }, projectBox(projectId, name("projectId"))),
    field({ label: t("Unit"), name: name("unit"), isOptional: true }, textInput({ value: unit, name: name("unit") })),
  );
}

function totalsOf(preview, currencyOf) {
  const row = (text, amount, kind = "") => [dt({ class: kind }, text), dd({ class: `figure ${kind}` }, money(amount, currencyOf()))];
  const isZero = (amount) => /^-?[0.]+$/.test(amount ?? "0");
  return div({ class: "totals" }, () => {
    const totals = preview.value;
    if (!totals) return p({ class: "soft" }, t("The totals appear here as you type."));
    return dl(
      row(t("Subtotal"), totals.subtotal),
      !isZero(totals.discountTotal) && row(t("Discount"), `-${totals.discountTotal}`),
      totals.taxBreakdown.filter(({ amount }) => !isZero(amount)).map(({ rate, amount }) => row(t("Tax {percent}", { percent: percent(rate) }), amount)),
      row(t("Total in {currency}", { currency: totals.currency }), totals.total, "strong"),
    );
  });
}

