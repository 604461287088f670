// The tables of people that can be imported.
import { t } from "../core/i18n.js";
import { columnsOf } from "../ui/fields.js";
import { column, importScreen, needed } from "../ui/import.js";
import { employeeFields } from "./employees/fields.js";

const TABLES = {
  employees: () => ({
    path: "/hr/employees/import",
    href: "/people",
    about: t("This invites no one."),
    columns: [
      ...columnsOf(employeeFields(null)),
      column("compensation.payType", "salary", t("salary or hourly")),
      column("compensation.amount", "3200.00", t("Pay per month or hour")),
      column("compensation.frequency", "monthly", t("Pay frequency")),
    ],
  }),
  attendance: () => ({
    path: "/hr/attendance/import",
    href: "/attendance",
    about: t("Each row is a period of work. Rows of one person and day belong together."),
    columns: [
      needed("date", "2026-01-05", t("Date")),
      column("employeeId", "EMP-0001", t("Employee number; your own by default")),
      column("in", "08:00", t("Start")),
      column("out", "16:30", t("End")),
      column("breakMinutes", "30", t("Break in minutes")),
      column("status", "present", t("present, remote, half_day or absent")),
      column("note", "", t.of("internal", "Note")),
    ],
  }),
};

export default ({ params }) => importScreen(TABLES, params.table);
