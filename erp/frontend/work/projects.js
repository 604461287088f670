// The projects, each as a card's worth of figures.
import { address, send } from "../core/api.js";
import { draftOfFields } from "../core/drafts.js";
import { dayShort, duration, money } from "../core/format.js";
import { t, tn } from "../core/i18n.js";
import { go, parameter, query } from "../core/router.js";
import { currency, may } from "../core/session.js";
import { changed, list } from "../core/store.js";
import { signal, tags } from "../core/view.js";
import { button } from "../ui/button.js";
import { choice } from "../ui/choice.js";
import { dateField } from "../ui/date.js";
import { dialog } from "../ui/dialog.js";
import { empty } from "../ui/empty.js";
import { field } from "../ui/field.js";
import { form } from "../ui/form.js";
import { searchField, textInput } from "../ui/input.js";
import { moneyInput } from "../ui/number.js";
import { sortOfAddress, table } from "../ui/table.js";
import { parameterTabs } from "../ui/tabs.js";
import { projectState } from "./names.js";

export default () => {
  const view = () => query.value.get("status") ?? "";
  const projects = list(() =>
    address("/projects", {
      status: view(),
      isArchived: "false",
      q: query.value.get("q"),
      sort: query.value.get("sort") ?? "name",
    })
  );
  return {
    title: t("Projects"),
    actions: [{
      name: t("New project"),
      key: "n",
      main: true,
      icon: "plus",
      may: "projects.write",
      run: () => dialog({ title: t("New project"), body: projectForm }),
    }],
    body: tags.div(
      { class: "stack" },
      parameterTabs({
        name: "status",
        label: t("States"),
        options: [["", t("All")], ["active", t("Active")], ["planned", t("Planned")], ["completed", t("Completed")]],
      }),
      searchField({ value: parameter("q"), label: t("Search projects") }),
      table({
        label: t("Projects"),
        list: projects,
        key: ({ id }) => id,
        href: ({ id }) => `/projects/${id}`,
        columns: [
          { key: "name", text: t("Project"), place: "name", cell: ({ name }) => name, sort: "name" },
          { key: "code", text: t("Code"), place: "meta", width: "8rem", cell: ({ code }) => code },
          { key: "due", text: t("Due"), width: "7rem", cell: ({ dueDate }) => (dueDate ? dayShort(dueDate) : "") },
          {
            key: "tasks",
            text: t("Open tasks"),
            isFigure: true,
            width: "8rem",
            cell: ({ totals }) => t("{open} of {all}", { open: totals.openTaskCount, all: totals.taskCount }),
          },
          {
            key: "logged",
            text: t("Logged"),
            isFigure: true,
            width: "7rem",
            isMinor: true,
            cell: ({ totals }) => duration(totals.loggedMinutes),
          },
          may("money.read") &&
          {
            key: "unbilled",
            text: t("Not billed"),
            isFigure: true,
            width: "8rem",
            place: "figure",
            cell: ({ totals }) => money(totals.unbilledAmount, currency(), { dash: true }),
          },
          { key: "state", text: t("State"), place: "state", width: "8rem", cell: projectState },
        ].filter(Boolean),
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} project", "{n} projects", n, places),
        empty: empty(
          t("No project yet."),
          may("projects.write") &&
            button(t("New project"), () => dialog({ title: t("New project"), body: projectForm }), { kind: "main" }),
        ),
      }),
    ),
  };
};

function projectForm(close) {
  const values = {
    name: signal(""),
    status: signal("active"),
    billing: signal("hourly"),
    hourlyRate: signal(""),
    dueDate: signal(""),
  };
  const kept = draftOfFields("project", null, values);
  const run = async () => {
    const body = Object.fromEntries(
      Object.entries(values).map(([name, one]) => [name, one.value]).filter(([name, value]) =>
        value !== "" && (name !== "hourlyRate" || values.billing.value === "hourly")
      ),
    );
    const made = await send("POST", "/projects", body, { key: kept.key });
    kept.clear();
    changed("/projects");
    close();
    await go(`/projects/${made.id}`);
  };
  return form(
    { run, submit: t("Add project"), cancel: () => close(), label: t("Project"), draft: kept },
    field({ label: t("Name"), name: "name", isWide: true }, textInput({ value: values.name, name: "name" })),
    tags.div(
      { class: "fields" },
      field(
        { label: t("State"), name: "status" },
        choice({
          value: values.status,
          name: "status",
          options: [{ value: "active", text: t("active") }, { value: "planned", text: t("planned") }],
        }),
      ),
      field(
        { label: t("Billing"), name: "billing" },
        choice({
          value: values.billing,
          name: "billing",
          options: [{ value: "hourly", text: t("by the hour") }, { value: "fixed", text: t("at a fixed price") }, {
            value: "none",
            text: t("not billed"),
          }],
        }),
      ),
      may("money.read") &&
        field(
          { label: t("Hourly rate"), name: "hourlyRate", isOptional: true },
          moneyInput({ value: values.hourlyRate, name: "hourlyRate", currency }),
        ),
      field(
        { label: t("Due"), name: "dueDate", isOptional: true },
        dateField({ value: values.dueDate, name: "dueDate" }),
      ),
    ),
  );
}
