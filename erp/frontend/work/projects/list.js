// The projects, each as a card's worth of figures.
import { address } from "../../core/api.js";
import { dayShort, duration, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { parameter, query } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { empty } from "../../ui/empty.js";
import { extra } from "../../ui/listed.js";
import { searchField } from "../../ui/input.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { projectState } from "../names.js";
import { newProject } from "./dialog.js";

const ARCHIVED = "archived";

export default () => {
  const view = () => query.value.get("status") ?? "";
  const projects = list(() =>
    address("/projects", {
      status: view() === ARCHIVED ? null : view(),
      isArchived: String(view() === ARCHIVED),
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
      run: newProject,
    }],
    body: tags.div(
      { class: "stack" },
      parameterTabs({
        name: "status",
        label: t("Statuses"),
        options: [["", t("All")], ["active", t("Active")], ["planned", t("Planned")], ["on_hold", t("On hold")], [
          "completed",
          t("Completed"),
        ], [ARCHIVED, t("Archived")]],
      }),
      searchField({ value: parameter("q"), label: t("Search projects") }),
      table({
        label: t("Projects"),
        page: "projects",
        list: projects,
        key: ({ id }) => id,
        href: ({ id }) => `/projects/${id}`,
        columns: [
          { key: "name", text: t("Project"), place: "name", cell: ({ name }) => name, sort: "name" },
          { key: "code", text: t.of("project", "Code"), place: "meta", width: "8rem", cell: ({ code }) => code },
          {
            key: "due",
            text: t.of("column", "Due date"),
            width: "7rem",
            cell: ({ dueDate }) => (dueDate ? dayShort(dueDate) : ""),
          },
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
            text: t("Not invoiced"),
            isFigure: true,
            width: "8rem",
            place: "figure",
            cell: ({ totals }) => money(totals.unbilledAmount, currency(), { dash: true }),
          },
          { key: "state", text: t("Status"), place: "state", width: "8rem", cell: projectState },
          extra("customer", t("Customer"), ({ customerName }) => customerName ?? ""),
          extra("begins", t("Begins"), ({ startDate }) => (startDate ? dayShort(startDate) : "")),
          extra("tags", t("Tags"), ({ tags: names }) => names.join(", ")),
        ].filter(Boolean),
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} project", "{n} projects", n, places),
        empty: empty(
          () => (view() === ARCHIVED ? t("No archived records.") : t("No projects yet.")),
          may("projects.write") &&
            button(t("New project"), newProject, { kind: "main" }),
        ),
      }),
    ),
  };
};
