// The tables of tasks and time that can be imported.
import { t } from "../core/i18n.js";
import { columnsOf } from "../ui/fields.js";
import { importScreen } from "../ui/import.js";
import { taskFields } from "./tasks/fields.js";
import { timeFields } from "./time/fields.js";

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
    columns: columnsOf(taskFields()),
  }),
  time: () => ({
    path: "/tasks/time-logs/import",
    asksDuplicates: true,
    href: "/time",
    columns: columnsOf(timeFields()),
  }),
  toggl: () => exported("toggl", t("Save the detailed report of Toggl Track as CSV and choose it here.")),
  clockify: () => exported("clockify", t("Save the detailed report of Clockify as CSV and choose it here.")),
  kimai: () => exported("kimai", t("Save the export of your times in Kimai as CSV and choose it here.")),
};

export default ({ params }) => importScreen(TABLES, params.table);
