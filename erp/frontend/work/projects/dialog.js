// A project, added or changed.
import { address, get, send } from "../../core/api.js";
import { draftOfFields } from "../../core/drafts.js";
import { day, duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { computed, signal, tags } from "../../core/view.js";
import { change, changesOf } from "../../ui/changing.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textArea, textInput } from "../../ui/input.js";
import { durationInput, moneyInput, numberInput } from "../../ui/number.js";
import { nameOfProjectState, people, peopleOptions } from "../names.js";
import { several } from "../several.js";
import { ratesOf } from "./rates.js";

const NEW = { name: "", status: "active", billing: "hourly", memberUserIds: [] };
const NAMES = [
  "name",
  "customerId",
  "status",
  "billing",
  "hourlyRate",
  "fixedPrice",
  "startDate",
  "dueDate",
  "description",
  "ownerUserId",
  "memberUserIds",
  "budgetMinutes",
  "budgetAmount",
  "expenseMarkupPercent",
];
const PRICES = { hourlyRate: "hourly", fixedPrice: "fixed" };
const STEPS = { activate: "active", cancel: "cancelled", complete: "completed", hold: "on_hold", plan: "planned" };
const BILLINGS = {
  hourly: () => t("by the hour"),
  fixed: () => t("at a fixed price"),
  non_billable: () => t("not invoiced"),
};

export const newProject = () =>
  dialog({ title: t("New project"), size: "wide", body: (close) => projectForm(null, close) });

export const editProject = (project) =>
  dialog({
    title: t("Edit {name}", { name: project.name }),
    size: "wide",
    body: (close) => projectForm(project, close),
  });

function projectForm(project, close) {
  const held = project ?? NEW;
  /** @type {any} */
  const values = Object.fromEntries(NAMES.map((name) => [name, signal(held[name] ?? "")]));
  values.hourlyRateFrom = signal("");
  const names = peopleOf(project);
  const kept = draftOfFields("project", project?.id ?? null, values);
  const run = async (element) => {
    const body = bodyOf(values, project);
    const saved = project
      ? await change(element, `/projects/${project.id}`, project, body, told(names))
      : await send("POST", "/projects", body, { key: kept.key });
    if (!saved) return;
    kept.clear();
    changed("/projects");
    close();
    if (!project) await go(`/projects/${saved.id}`);
  };
  return form(
    { run, submit: project ? t("Save") : t("Create project"), cancel: () => close(), label: t("Project"), draft: kept },
    field({ label: t("Name"), name: "name", isWide: true }, textInput({ value: values.name, name: "name" })),
    tags.div(
      { class: "fields" },
      may("contacts.read") && customerField(values, project),
      stateField(values, project),
      billingFields(values, project),
      dateOf(values, "startDate"),
      dateOf(values, "dueDate"),
      ownerField(values, names),
      budgetFields(values),
    ),
    membersField(values, names),
    field(
      { label: t("Description"), name: "description", isOptional: true, isWide: true },
      textArea({ value: values.description, name: "description", rows: 3 }),
    ),
  );
}

// A rate or price that is out of sight, because time is billed in another way, stays as it is.
function bodyOf(values, project) {
  const isSent = (name) => PRICES[name] === undefined || PRICES[name] === values.billing.value;
  const sent = NAMES.filter(isSent).map((name) => [name, values[name].value === "" ? null : values[name].value]);
  const body = changesOf(Object.fromEntries(sent), project ?? {});
  const from = project && values.billing.value === "hourly" && values.hourlyRateFrom.value;
  return from ? { ...body, hourlyRate: values.hourlyRate.value || null, hourlyRateFrom: from } : body;
}

const labels = () => ({
  hourlyRate: t("Hourly rate"),
  fixedPrice: t("Fixed price"),
  startDate: t("Begins"),
  dueDate: t("Due date"),
});

// Where both have changed it: ids, minutes and days as people read them.
const told = (names) => ({ ownerUserId, memberUserIds, budgetMinutes, startDate, dueDate }) => {
  const nameOf = (id) => names.value.get(id) ?? t("a former member");
  return {
    ownerUserId: ownerUserId && nameOf(ownerUserId),
    memberUserIds: memberUserIds?.map(nameOf).join(", "),
    budgetMinutes: budgetMinutes && duration(budgetMinutes),
    startDate: startDate && day(startDate),
    dueDate: dueDate && day(dueDate),
  };
};

// The members of the workspace, and members of the project who have left it.
function peopleOf(project) {
  const present = people();
  const named = project
    ? [
      [project.ownerUserId, project.ownerName],
      ...project.memberUserIds.map((id, at) => [id, project.memberNames[at]]),
    ]
    : [];
  const own = named.filter(([id]) => id).map(([id, name]) => [id, name ?? t("a former member")]);
  return Object.assign(computed(() => new Map([...own, ...present.value])), { known: present.known });
}

function stateField({ status }, project) {
  const hasOpenTasks = (project?.totals.openTaskCount ?? 0) > 0;
  const isPossible = (action) => action in STEPS && !(action === "complete" && hasOpenTasks);
  const states = project
    ? [project.status, ...project.can.filter(isPossible).map((action) => STEPS[action])]
    : ["active", "planned"];
  const isHeldBack = hasOpenTasks && project.can.includes("complete");
  return field(
    {
      label: t("Status"),
      name: "status",
      hint: isHeldBack ? t("The project can be completed once all tasks are done.") : null,
    },
    choice({
      value: status,
      name: "status",
      options: states.map((value) => ({ value, text: nameOfProjectState(value) })),
    }),
  );
}

const nameOfCustomer = async (id) => (await get(`/finance/contacts/${id}`)).name;

async function customers(typed) {
  const found = await get(
    address("/finance/contacts", { q: typed, kind: "customer", isArchived: "false", limit: 20 }),
  );
  return found.map(({ id, name, debtorNumber }) => ({ value: id, text: name, more: debtorNumber }));
}

const customerField = ({ customerId }, project) =>
  field(
    { label: t("Customer"), name: "customerId", isOptional: true },
    combobox({
      value: customerId,
      name: "customerId",
      options: customers,
      shown: (id) => id && (id === project?.customerId ? project.customerName : nameOfCustomer(id)),
    }),
  );

const billingFields = ({ billing, ...prices }, project) => [
  field(
    { label: t("Invoicing"), name: "billing" },
    choice({
      value: billing,
      name: "billing",
      options: Object.entries(BILLINGS).map(([value, text]) => ({ value, text: text() })),
    }),
  ),
  may("money.read") && (() => {
    const name = Object.keys(PRICES).find((one) => PRICES[one] === billing.value);
    return name &&
      field(
        { label: labels()[name], name, isOptional: true },
        moneyInput({ value: prices[name], name, currency }),
      );
  }),
  project && may("money.read") && (() =>
    billing.value === "hourly" && [
      field(
        {
          label: t("New rate from"),
          name: "hourlyRateFrom",
          isOptional: true,
          hint: t("Today by default. Earlier time keeps its rate."),
        },
        dateField({ value: prices.hourlyRateFrom, name: "hourlyRateFrom" }),
      ),
      ratesOf(project),
    ]),
];

const dateOf = (values, name) =>
  field({ label: labels()[name], name, isOptional: true }, dateField({ value: values[name], name }));

const ownerField = ({ ownerUserId }, names) =>
  field(
    { label: t("Assignee"), name: "ownerUserId", isOptional: true },
    choice({
      value: ownerUserId,
      name: "ownerUserId",
      options: () => peopleOptions(names),
      empty: t("No one yet"),
    }),
  );

const budgetFields = ({ budgetMinutes, budgetAmount, expenseMarkupPercent }) => [
  field(
    { label: t("Budget in hours"), name: "budgetMinutes", isOptional: true },
    durationInput({ value: budgetMinutes, name: "budgetMinutes" }),
  ),
  may("money.read") &&
  field(
    { label: t("Budget in {currency}", { currency: currency() }), name: "budgetAmount", isOptional: true },
    moneyInput({ value: budgetAmount, name: "budgetAmount", currency }),
  ),
  may("money.read") &&
  field(
    { label: t("Markup on expenses in %"), name: "expenseMarkupPercent", isOptional: true },
    numberInput({ value: expenseMarkupPercent, name: "expenseMarkupPercent" }),
  ),
];

const containing = (typed) => ({ text }) => text.toLowerCase().includes(typed.toLowerCase());

const membersField = ({ memberUserIds }, names) =>
  field(
    {
      label: t("Members"),
      name: "memberUserIds",
      isOptional: true,
      isWide: true,
      hint: t("The people who work on the project. Everyone else still sees it."),
    },
    several({
      value: memberUserIds,
      name: "memberUserIds",
      options: async (typed) => (await names.known(), peopleOptions(names).filter(containing(typed))),
      nameOf: (id) => names.value.get(id) ?? "…",
      placeholder: t("+ Member …"),
    }),
  );
