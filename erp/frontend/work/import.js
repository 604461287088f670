// The tables of tasks and time that can be imported.
import { t } from "../core/i18n.js";
import { column, importScreen, needed } from "../ui/import.js";

// Time as another program exports it: its customers, projects and tasks are found by their names, or added.
const exported = (source, about) => ({
  path: "/tasks/time-logs/import",
  parameters: { source, create: "customers,projects,tasks" },
  href: "/time",
  hasDateOrder: true,
  about,
});

const TABLES = {
  tasks: () => ({
    path: "/tasks/import",
    href: "/tasks",
    columns: [
      needed("title", "Quote panels", t("Title")),
      needed("projectId", "WEB", t("Project code")),
      column("description", "", t("Learn more")),
      column("priority", "high", t("low, medium, high or urgent")),
      column("dueDate", "2026-12-15", t("Due date")),
      column("estimateMinutes", "90", t("Estimated time in minutes")),
      column("tags", "sales, roof", t("Tags, with commas between them")),
    ],
  }),
  time: () => ({
    path: "/tasks/time-logs/import",
    href: "/time",
    isTextOnly: true,
    columns: [
      needed("task", "WEB-12", t("Task key")),
      needed("date", "2026-01-31", t("Date of the work")),
      needed("hours", "1.5", t("Hours")),
      column("note", "Roof measured", t.of("internal", "Note")),
      column("billable", "yes", t("yes or no")),
      column("user", "mei@example.com", t("E-mail address of the person who worked, if not you")),
    ],
  }),
  toggl: () => exported("toggl", t("Save the detailed report of Toggl Track as CSV and choose it here.")),
  clockify: () => exported("clockify", t("Save the detailed report of Clockify as CSV and choose it here.")),
  kimai: () => exported("kimai", t("Save the export of your times in Kimai as CSV and choose it here.")),
};

export default ({ params }) => importScreen(TABLES, params.table);
