// Who is employed here.
import { address } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go, parameter, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { importing } from "../../ui/actions.js";
import { button } from "../../ui/button.js";
import { empty } from "../../ui/empty.js";
import { extra } from "../../ui/listed.js";
import { searchField } from "../../ui/input.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { stateOfEmployee, TYPES } from "./choice.js";

const hire = () => go("/people/new");

export default () => {
  const state = () => query.value.get("state") ?? "present";
  const employees = list(() =>
    address("/hr/employees", {
      status: state() === "present" ? "active,upcoming" : "terminated",
      q: query.value.get("q"),
      sort: query.value.get("sort") ?? "name",
    })
  );
  return {
    title: t("People"),
    actions: [
      { name: t("Hire"), key: "n", main: true, icon: "plus", may: "employees.write", run: hire },
      importing("people/employees", "employees.write"),
      { name: t("Sites"), icon: "building-2", run: () => go("/settings/sites") },
      {
        name: t.of("person", "Documents"),
        icon: "file-text",
        may: "employees.write",
        run: () => go("/people/documents"),
      },
      { name: t("Checklists"), icon: "list-checks", may: "employees.write", run: () => go("/people/checklists") },
    ],
    body: tags.div(
      { class: "stack" },
      parameterTabs({
        name: "state",
        label: t("Status"),
        options: [["present", t("Present")], ["former", t("Former")]],
      }),
      searchField({ value: parameter("q"), label: t("Search people") }),
      table({
        label: t("People"),
        page: "people",
        list: employees,
        key: ({ id }) => id,
        href: ({ id }) => `/people/${id}`,
        columns,
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} person", "{n} people", n, places),
        empty: empty(
          state() === "present" ? t("No employees yet.") : t("No former employees."),
          may("employees.write") && state() === "present" && button(t("Hire"), hire, { kind: "main" }),
        ),
      }),
    ),
  };
};

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name, sort: "name" },
  { key: "jobTitle", text: t("Job title"), place: "meta", cell: ({ jobTitle }) => jobTitle ?? "" },
  { key: "department", text: t("Department"), isMinor: true, cell: ({ department }) => department ?? "" },
  { key: "manager", text: t("Manager"), isMinor: true, cell: ({ managerName }) => managerName ?? "" },
  { key: "type", text: t("Employment"), isMinor: true, cell: ({ employmentType }) => TYPES[employmentType]() },
  {
    key: "hireDate",
    text: t("First day"),
    place: "figure",
    width: "9rem",
    cell: ({ hireDate }) => day(hireDate),
    sort: "hireDate",
  },
  { key: "state", text: t("Status"), place: "state", width: "9rem", cell: stateOfEmployee },
  extra("email", t("E-mail"), ({ email }) => email ?? ""),
  extra("site", t("Site"), ({ siteName }) => siteName),
  extra("phone", t("Phone"), ({ phone }) => phone ?? ""),
  extra("contractEnd", t("End of contract"), ({ contractEnd }) => (contractEnd ? day(contractEnd) : "")),
];
