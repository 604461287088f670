// The answers of a customer, and what of a quote is invoiced.
import { newKey, send } from "../../core/api.js";
import { money, number } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { todayAtFirst } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { go } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { checkbox, choice, radios } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { numberInput } from "../../ui/number.js";
import { projectBox } from "../../ui/projects.js";
import { TOUCHED as OF_INVOICES } from "../payments/touched.js";
import { numberOf, optionText, QUOTES, TOUCHED } from "./words.js";

const { div, p } = tags;

const filled = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== "" && value !== null));

// A dialog whose form sends a step of the quote.
function asking(quote, { title, verb, step, body, told, danger = false }, ...fields) {
  const key = newKey();
  return dialog({
    title,
    body: (close) =>
      form(
        {
          run: async () => {
            const answer = await send("POST", `${QUOTES}/${quote.id}/${step}`, body(), {
              key,
              version: quote.version,
            });
            changed(...TOUCHED);
            close(answer);
            notify(told(answer), { kind: "good" });
          },
          submit: verb,
          cancel: () => close(),
          kind: danger ? "danger" : "main",
          label: title,
        },
        ...fields,
      ),
  });
}

const textField = (label, name, value, isOptional = true) =>
  field({ label, name, isOptional }, textInput({ value, name, maxlength: 200 }));

export function accepting(quote) {
  const [on, by, reference] = [todayAtFirst(), signal(""), signal(quote.reference ?? "")];
  const [which, name, hasTasks] = [
    signal("none"),
    signal(quote.subject ?? ""),
    signal(false),
  ];
  const projectId = signal("");
  const isForced = signal(false);
  const options = quote.lines.filter(({ option }) => option !== "included").map((line) => [line, signal(false)]);
  const body = () => ({
    ...filled({ on: on.value, by: by.value, reference: reference.value }),
    chosenLineIds: options.filter(([, chosen]) => chosen.value).map(([{ id }]) => id),
    ...(which.value === "new" && { project: { name: name.value || null, tasks: hasTasks.value } }),
    ...(which.value === "existing" && { projectId: projectId.value }),
    ...(isForced.value && { force: true }),
  });
  return asking(
    quote,
    {
      title: t("Accept {name}?", { name: numberOf(quote) }),
      verb: t.of("quote", "Accept"),
      step: "accept",
      body,
      told: ({ number: its }) => t("{number} accepted.", { number: its }),
    },
    div(
      { class: "fields" },
      field({ label: t("Accepted on"), name: "on" }, dateField({ value: on, name: "on" })),
      textField(t("Accepted by"), "by", by),
      textField(t("Customer reference"), "reference", reference),
    ),
    options.length > 0 && chosen(quote, options),
    quote.status === "expired" &&
      checkbox({ value: isForced, name: "force", text: t("Accept it although it has expired") }),
    may("projects.write") && projects(quote, { which, name, hasTasks, projectId }),
  );
}

// The project of a quote that was accepted without one, as by its link.
export function beginning(quote) {
  const [which, name, hasTasks, projectId] = [
    signal("new"),
    signal(quote.subject ?? ""),
    signal(true),
    signal(""),
  ];
  return asking(
    quote,
    {
      title: t("Begin the project of {name}", { name: numberOf(quote) }),
      verb: t("Begin project"),
      step: "project",
      body: () =>
        which.value === "new"
          ? { project: { name: name.value || null, tasks: hasTasks.value } }
          : { projectId: projectId.value },
      told: ({ projectName }) => t("{name} is the project of the quote.", { name: projectName }),
    },
    projects(quote, { which, name, hasTasks, projectId, isNeeded: true }),
  );
}

// The project of the work: the quote's own, if it has one, another that there is, or a new one.
const projects = (quote, { which, name, hasTasks, projectId, isNeeded = false }) => [
  field(
    { label: t("Project"), name: "which" },
    choice({
      value: which,
      name: "which",
      options: [
        !isNeeded && { value: "none", text: quote.projectName ?? t("No project") },
        { value: "existing", text: t("Existing project") },
        { value: "new", text: t("New project") },
      ].filter(Boolean),
    }),
  ),
  () =>
    which.value === "existing" &&
    field({ label: t("Existing project"), name: "projectId" }, projectBox(projectId, "projectId")),
  () =>
    which.value === "new" && div(
      { class: "fields" },
      textField(t("Project name"), "project.name", name, false),
      checkbox({ value: hasTasks, name: "project.tasks", text: t("Create a task for each line") }),
    ),
];

const chosen = (quote, options) =>
  tags.fieldset(
    { class: "radios", "data-name": "chosenLineIds", tabindex: "-1" },
    tags.legend({ class: "field-label" }, t("Chosen options")),
    options.map(([line, value]) =>
      checkbox({
        value,
        text: line.description,
        hint: [optionText(line), money(line.net, quote.currency, { withCurrency: true })].join(" · "),
      })
    ),
  );

export function declining(quote) {
  const reason = signal("");
  return asking(
    quote,
    {
      title: t("Decline {name}?", { name: numberOf(quote) }),
      verb: t.of("quote", "Decline"),
      step: "decline",
      body: () => filled({ reason: reason.value }),
      told: ({ number: its }) => t("{number} declined.", { number: its }),
      danger: true,
    },
    textField(t("Reason"), "reason", reason),
  );
}

export function closing(quote) {
  const reason = signal("");
  return asking(
    quote,
    {
      title: t("Close {name}?", { name: numberOf(quote) }),
      verb: t("Close quote"),
      step: "close",
      body: () => filled({ reason: reason.value }),
      told: ({ number: its }) => t("{number} closed.", { number: its }),
      danger: true,
    },
    p(t("The rest will not be invoiced: {amount} net.", {
      amount: money(quote.leftNet, quote.currency, { withCurrency: true }),
    })),
    textField(t("Reason"), "reason", reason, false),
  );
}

export function sending(quote) {
  const [on, via] = [todayAtFirst(), signal("post")];
  const ways = [{ value: "post", text: t("By post") }, { value: "other", text: t("In another way") }];
  return asking(
    quote,
    {
      title: t("Mark {name} as sent?", { name: numberOf(quote) }),
      verb: t("Mark as sent"),
      step: "mark-sent",
      body: () => ({ on: on.value, via: via.value }),
      told: ({ number: its }) => t("{number} marked as sent.", { number: its }),
    },
    div(
      { class: "fields" },
      field({ label: t("Date"), name: "on" }, dateField({ value: on, name: "on" })),
      field({ label: t("Sent"), name: "via" }, choice({ value: via, name: "via", options: ways })),
    ),
  );
}

const hasDeposits = (quote) =>
  quote.invoices.some(({ kind, status }) => kind === "deposit_invoice" && status !== "void");

// A share, parts of lines, or the rest; the server says what it comes to. The draft opens, to be issued.
export function invoicing(quote) {
  const key = newKey();
  const isDeposit = hasDeposits(quote);
  const [what, share] = [signal(isDeposit ? "final" : "share"), signal("")];
  const [isAbove, isForced] = [signal(false), signal(false)];
  const lines = quote.lines.filter(({ isAccepted }) => isAccepted).map((line) => [line, signal("")]);
  const parts = () =>
    lines.filter(([, quantity]) => quantity.value).map(([{ id }, { value }]) => ({ lineId: id, quantity: value }));
  const part = () => {
    if (what.value === "lines") return parts().length ? { lines: parts() } : null;
    if (what.value === "rest") return { rest: true };
    if (what.value === "final") return { kind: "final_invoice" };
    return share.value ? { share: share.value, ...(what.value === "deposit" && { kind: "deposit_invoice" }) } : null;
  };
  const body = () => part() && { ...part(), ...(isForced.value && { force: true }) };
  const path = `${QUOTES}/${quote.id}/invoice`;
  const refused = (one) => (isAbove.value ||= one.code === "above_quote");
  const run = async (close) => {
    refusal.value = null; // the form says it at its field
    const asked = body() ?? { share: share.value || null };
    const invoice = await send("POST", path, asked, { key, version: quote.version }).catch((one) => {
      refused(one);
      throw one;
    });
    changed(...TOUCHED, ...OF_INVOICES);
    close();
    await go(`/invoices/${invoice.id}`);
  };
  const refusal = signal(null);
  const preview = previewed(
    path,
    () => {
      refusal.value = null;
      return body() && { ...body(), dryRun: true };
    },
    (one) => {
      refused(one);
      refusal.value = one.reason;
    },
  );
  return dialog({
    title: t("Invoice quote {number}", { number: quote.number }),
    body: (close) =>
      form(
        { run: () => run(close), submit: t("Create draft invoice"), cancel: () => close(), label: t("Invoice quote") },
        () =>
          ["share", "deposit"].includes(what.value) && field(
            { label: t("Share in %"), name: "share" },
            numberInput({ value: share, name: "share", autofocus: true }),
          ),
        () => what.value === "lines" && quantities(lines),
        p({ class: "soft", role: "status" }, () => refusal.value ?? comesTo(preview.value)),
        () => isAbove.value && checkbox({ value: isForced, name: "force", text: t("Invoice more than was accepted") }),
        radios({ value: what, name: "what", label: t("Part to invoice"), options: whatOptions(quote, isDeposit) }),
      ),
  });
}

function whatOptions(quote, isDeposit) {
  const rest = t("The rest: {amount} net", { amount: money(quote.leftNet, quote.currency, { withCurrency: true }) });
  return [
    !isDeposit && { value: "share", text: t("A share") },
    !isDeposit && { value: "lines", text: t("Quantities of lines") },
    !isDeposit && { value: "rest", text: rest },
    isDeposit && { value: "final", text: t("Final invoice: the rest, less the deposits") },
    { value: "deposit", text: t("Deposit invoice") },
  ].filter(Boolean);
}

const quantities = (lines) =>
  div(
    { class: "fields" },
    lines.map(([line, quantity], at) =>
      field(
        {
          label: line.description,
          name: `lines[${at}].quantity`,
          isOptional: true,
          hint: t("Left: {quantity}", {
            quantity: [number(line.leftQuantity), line.unit].filter(Boolean).join(" "),
          }),
        },
        numberInput({ value: quantity, name: `lines[${at}].quantity` }),
      )
    ),
  );

const comesTo = (preview) =>
  preview &&
  t("{net} net, {total} in all; {left} net is left.", {
    net: money(preview.netTotal, preview.currency, { withCurrency: true }),
    total: money(preview.total, preview.currency, { withCurrency: true }),
    left: money(preview.leftNet, preview.currency, { withCurrency: true }),
  });
