// Help for each screen of projects, tasks and time: its purpose, the quick way, and the next step.
import { t } from "../core/i18n.js";

export const HELP = {
  "work/board/page": () => [
    t("The tasks in columns, one for each status."),
    t("Drag a card, or move it with Shift and an arrow; n adds a task; “Only mine” shows your own."),
    t("“As a list” shows the same tasks as rows."),
  ],
  "work/import": () => [
    t("A file of tasks or time entries from another program."),
    t("Choose the file, check its columns and the rows with errors, then import."),
    t("Nothing is stored before the last step."),
  ],
  "work/projects/item": () => [
    t("A project with its tasks, its time and its budget."),
    t("n adds a task, b opens the board, e edits; “Invoice time” invoices the logged hours."),
    t("The figures show the time that is logged, invoiced and not invoiced yet."),
  ],
  "work/projects/list": () => [
    t("The projects of the office with their open tasks and hours."),
    t("“New project” (n) adds one; the tabs show the projects by status."),
    t("Tasks, time and invoices can then name the project."),
  ],
  "work/tasks/item": () => [
    t("One task with its subtasks, comments and time."),
    t("“Log time” (l) records hours; “New subtask” splits the task."),
    t("A task with time or subtasks cannot be deleted; cancel it instead."),
  ],
  "work/tasks/list": () => [
    t("The tasks of all projects as a list."),
    t("n adds a task, l logs time on the row; several selected tasks change together."),
    t("The views show open tasks, your own, overdue ones and done ones."),
  ],
  "work/time/approve": () => [
    t("The weeks of time that wait for a decision."),
    t("a approves the week of a row, r returns it with a reason; [ and ] go through the weeks."),
    t("“Remind” sends a notice to people whose week is missing."),
  ],
  "work/time/week": () => [
    t("Your week as a timesheet: a row for each task, a column for each day."),
    t("Type hours into a cell, such as 1:30; “+ Task …” adds a row; [ and ] change the week, t is this week."),
    t("Billable time can be invoiced from the project."),
  ],
  "work/time/list": () => [
    t("The logged time entries as a list, with their sum at the top."),
    t("Filters choose period, project, “Billable” and “Invoiced”; a row leads to its task."),
    t("“Time” leads back to the week in which hours are typed."),
  ],
};
