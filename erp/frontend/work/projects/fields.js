// The fields of a project: its form, and the facts of its page.
import { address, get } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency, may } from "../../core/session.js";
import { tags } from "../../core/view.js";
import { optionsOf } from "../../ui/choice.js";
import { timeBillingField } from "../../ui/time_billing.js";
import { nameOfProjectState, peopleOptions, projectSteps } from "../names.js";
import { rateFromField } from "../rates.js";
import { several } from "../several.js";
import { tagsField } from "../tags.js";

const BILLINGS = {
  hourly: () => t("by the hour"),
  fixed: () => t("at a fixed price"),
  non_billable: () => t("not invoiced"),
};

/**
 * `names` are the names of those who may work on it, by their ids; its form needs them.
 * @param {any} project
 * @param {any} [names]
 */
export const projectFields = (project, names) =>
  [
    { name: "name", label: t("Name"), isWide: true, isFact: false },
    {
      name: "code",
      label: t("Project code"),
      isOptional: !project,
      maxlength: 8,
      isReadOnly: hasTasks(project),
      hint: hasTasks(project)
        ? t("The keys of its tasks begin with it.")
        : project
        ? null
        : t("Default: from the name."),
    },
    {
      name: "customerId",
      label: t("Customer"),
      kind: "search",
      right: "contacts.read",
      isOptional: true,
      options: customers,
      shown: (id) => id && (id === project?.customerId ? project.customerName : nameOfCustomer(id)),
      told: customerLink,
    },
    { label: t("Runs"), told: timeOf },
    { label: t("Due date"), told: ({ startDate, dueDate }) => !startDate && dueDate && day(dueDate) },
    {
      name: "status",
      label: t("Status"),
      kind: "choice",
      start: "active",
      options: statesOf(project).map((value) => ({ value, text: nameOfProjectState(value) })),
      hint: isHeldBack(project) ? t("The project can be completed once all tasks are done.") : null,
      isFact: false,
    },
    {
      name: "billing",
      label: t("Invoicing"),
      kind: "choice",
      start: "hourly",
      options: optionsOf(BILLINGS),
    },
    priceField("hourlyRate", t("Hourly rate"), { isShown: isHourly, isKept: true }),
    project && rateFromField(() => project, isHourly),
    priceField("fixedPrice", t("Fixed price"), { isShown: ({ billing }) => billing.value === "fixed", isKept: true }),
    { name: "startDate", label: t("Begins"), kind: "day", isOptional: true, isFact: false },
    { name: "dueDate", label: t("Due date"), kind: "day", isOptional: true, isFact: false },
    {
      name: "ownerUserId",
      label: t("Assignee"),
      kind: "choice",
      isOptional: true,
      options: () => peopleOptions(names),
      empty: t("No one yet"),
      words: (id) => id && nameOf(names, id),
      told: ({ ownerUserId, ownerName }) => ownerUserId && (ownerName ?? t("a former member")),
    },
    { name: "budgetMinutes", label: t("Budget in hours"), kind: "duration", isOptional: true, isFact: false },
    priceField("budgetAmount", t("Budget in {currency}", { currency: currency() }), { isFact: false }),
    {
      name: "expenseMarkupPercent",
      label: t("Markup on expenses in %"),
      kind: "number",
      right: "money.read",
      isOptional: true,
      isFact: false,
    },
    timeBillingField({ isShown: isHourly, isKept: true }),
    membersField(names),
    tagsField({ isWide: true }),
    { name: "description", label: t("Description"), kind: "area", rows: 3, isOptional: true },
  ].filter(Boolean);

const isHourly = ({ billing }) => billing.value === "hourly";
const nameOf = (names, id) => names.value.get(id) ?? t("a former member");

const priceField = (name, label, more) => ({
  name,
  label,
  kind: "money",
  right: "money.read",
  isOptional: true,
  currency,
  told: (project) => money(project[name], currency()),
  ...more,
});

const membersField = (names) => ({
  name: "memberUserIds",
  label: t("Members"),
  isOptional: true,
  isWide: true,
  start: [],
  hint: t("The people who work on the project. Everyone else still sees it."),
  control: (value) =>
    several({
      value,
      name: "memberUserIds",
      options: async (typed) => (await names.known(), peopleOptions(names).filter(containing(typed))),
      nameOf: (id) => names.value.get(id) ?? "…",
      placeholder: t("+ Member …"),
    }),
  words: (ids) => ids.map((id) => nameOf(names, id)).join(", "),
  told: ({ memberNames }) => memberNames.map((name) => name ?? t("a former member")).join(", "),
});

const containing = (typed) => ({ text }) => text.toLowerCase().includes(typed.toLowerCase());

const hasTasks = (project) => (project?.totals.taskCount ?? 0) > 0;
const hasOpenTasks = (project) => (project?.totals.openTaskCount ?? 0) > 0;
const isHeldBack = (project) => hasOpenTasks(project) && project.can.includes("complete");

function statesOf(project) {
  if (!project) return ["active", "planned"];
  const isPossible = (action) => action in projectSteps && !(action === "complete" && hasOpenTasks(project));
  return [project.status, ...project.can.filter(isPossible).map((action) => projectSteps[action])];
}

const nameOfCustomer = async (id) => (await get(`/finance/contacts/${id}`)).name;

async function customers(typed) {
  const found = await get(
    address("/finance/contacts", { q: typed, kind: "customer", isArchived: "false", limit: 20 }),
  );
  return found.map(({ id, name, debtorNumber }) => ({ value: id, text: name, more: debtorNumber }));
}

const customerLink = ({ customerId: id, customerName: name }) =>
  id && (may("contacts.read") ? tags.a({ href: `/contacts/${id}` }, name ?? t("the customer")) : name);

const timeOf = ({ startDate, dueDate }) =>
  startDate && t("{from} to {to}", { from: day(startDate), to: dueDate ? day(dueDate) : "…" });
