// One project: figures, time by task and person, its tasks, and billing what was worked.
import { address } from "../../core/api.js";
import { duration, money, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { go } from "../../core/router.js";
import { currency, may, settings } from "../../core/session.js";
import { list, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { attachments } from "../../ui/attachments.js";
import { card } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { factsOf } from "../../ui/fields.js";
import { figureCard, figures, meter } from "../../ui/figure.js";
import { later } from "../../ui/later.js";
import { pager } from "../../ui/pager.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { choosing } from "../tasks/bulk.js";
import { newTask } from "../tasks/new.js";
import { withPanel } from "../tasks/panel.js";
import { projectState, statusPill } from "../names.js";
import { ratesOf } from "../rates.js";
import { projectFields } from "./fields.js";
import { stepsOf } from "./steps.js";

const { div, li, span, ul } = tags;

export default ({ params }) => {
  const project = resource(`/projects/${params.id}`);
  const summary = resource(`/projects/${params.id}/summary`);
  const get = () => project.value;
  return {
    title: () => get()?.name ?? "",
    state: () => get() && projectState(get()),
    back: { href: listScreen("/projects", "/projects"), text: t("Projects") },
    leadsOn: true,
    pager: pager(neighbours("/projects", params.id), ({ id }) => `/projects/${id}`),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(project, () =>
      div(
        { class: "stack document" },
        loaded(summary, (read) => () => standing(read())),
        seesMargin() && later(async () => (await import("./margin.js")).marginOf, params.id),
        div({ class: "columns" }, about(get), loaded(summary, (read) => () => byPerson(read()))),
        card({ title: t("Tasks") }, tasksOf(params.id)),
        attachments({ of: { resourceType: "project", resourceId: params.id }, canAdd: may("projects.write") }),
      )),
  };
};

const seesMargin = () =>
  may("money.read") && (may("cost.read") || (settings().managersSeeMargin && may("projects.write")));

function actionsOn(project) {
  const isHourly = project.billing === "hourly" && project.customerId;
  return [
    isHourly &&
    {
      name: t("Invoice time"),
      key: "b",
      main: true,
      icon: "file-plus",
      may: "finance.write",
      run: async () => (await import("./billing.js")).billing(project),
    },
    {
      name: t("New task"),
      key: "n",
      icon: "plus",
      may: "tasks.write_own",
      run: () => newTask({ projectId: project.id }),
    },
    project.can.includes("update") && { name: t("Edit"), key: "e", icon: "pencil", run: () => edit(project) },
    { name: t("Board"), icon: "square-kanban", run: () => go(`/board?project=${project.id}`) },
    ...stepsOf(project),
  ];
}

// A third of this screen, and seldom asked for.
const edit = async (project) => (await import("./dialog.js")).editProject(project);

const standing = ({ minutes, budget, money: amounts }) =>
  figures(
    figureCard({ label: t("Logged"), value: () => duration(minutes.logged) }),
    amounts && figureCard({
      label: t("Not invoiced"),
      value: () => money(amounts.unbilledAmount, currency(), { withCurrency: true }),
    }),
    amounts && figureCard({
      label: t("Invoiced"),
      value: () => money(amounts.invoicedAmount, currency(), { withCurrency: true }),
    }),
    budget.minutesPercent !== null &&
      budgetCard({
        label: t("Hours used"),
        used: budget.usedMinutes,
        whole: budget.minutes,
        share: budget.minutesPercent,
        remaining: budget.minutes - budget.usedMinutes,
        show: duration,
      }),
    amounts && budget.amountPercent !== null &&
      budgetCard({
        label: t("Budget used"),
        used: budget.usedAmount,
        whole: budget.amount,
        share: budget.amountPercent,
        remaining: budget.remainingAmount,
        show: (amount) => money(amount, currency(), { withCurrency: true }),
      }),
  );

// The percentage is rounded down, so that 100 may be more than all of it.
function budgetCard({ label, used, whole, share, remaining, show }) {
  const isExceeded = Number(remaining) < 0;
  const amount = show(String(remaining).replace("-", ""));
  const told = { percent: percent(share), remaining: amount };
  return figureCard({
    label,
    value: isExceeded ? t("{percent}, {remaining} over", told) : t("{percent}, {remaining} left", told),
    kind: isExceeded ? "bad" : null,
    note: [
      meter({ label, part: used, whole }),
      t("{used} of {budget}", { used: show(used), budget: show(whole) }),
      isExceeded && [" ", pill(t("exceeded"), "bad")],
    ],
  });
}

const about = (get) =>
  card(
    { title: t("About") },
    () => factsOf(projectFields(get()), get()),
    ratesOf(`/projects/${get().id}`, get()),
  );

function byPerson({ perPerson = [] }) {
  const most = Math.max(1, ...perPerson.map(({ minutes }) => minutes));
  const row = (one) =>
    li(
      { class: "spread" },
      span(one.name ?? one.userName),
      meter({
        label: one.name ?? one.userName,
        part: String(one.minutes),
        whole: String(most),
        text: duration(one.minutes),
      }),
    );
  return card(
    { title: t("Time by person") },
    perPerson.length ? ul({ class: "plain-list" }, perPerson.map(row)) : empty(t("No time entries yet.")),
  );
}

function tasksOf(id) {
  const found = list(() => address("/tasks", { projectId: id, sort: "position" }));
  const { selected, gone, bulk } = choosing();
  const shown = table({
    label: t("Tasks"),
    list: found,
    selected,
    bulk,
    isHidden: ({ id }) => gone.value.has(id),
    key: (row) => row.id,
    href: (row) => `/tasks/${row.id}`,
    columns: [
      { key: "key", text: t("Task key"), place: "meta", width: "8rem", cell: ({ key }) => key },
      { key: "title", text: t("Title"), place: "name", cell: ({ title }) => title },
      {
        key: "logged",
        text: t("Logged"),
        isFigure: true,
        width: "7rem",
        place: "figure",
        cell: ({ loggedMinutes }) => (loggedMinutes ? duration(loggedMinutes) : "–"),
      },
      { key: "state", text: t("Status"), place: "state", width: "8rem", cell: statusPill },
    ],
    empty: empty(t("No tasks yet.")),
  });
  return withPanel(found, shown);
}
