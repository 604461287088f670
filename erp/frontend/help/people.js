// Help for each screen of people, time off and pay: its purpose, the quick way, and the next step.
import { t } from "../core/i18n.js";

export const HELP = {
  "people/attendance/list": () => [
    t("The attendance of the people: now, by day, by month, and corrections."),
    t("“Correct a day” (n) asks for other times; under “Corrections” they are approved or rejected."),
    t("Worked time and overtime of a month follow from the punches."),
  ],
  "people/checklists/list": () => [
    t("Steps that belong together, such as for a first or a last day."),
    t("“New checklist” (n) writes one; s starts it for a person."),
    t("Each step becomes a task that only its assignees and HR see."),
  ],
  "people/documents/list": () => [
    t("The documents of employees that expire soon, or all of them."),
    t("New documents are added on the page of the person."),
    t("The filter shows the ones that expire within 90 days."),
  ],
  "people/employees/item": () => [
    t("The record of one employee: pay, leave, schedule and documents."),
    t("e edits, v enters leave, i reports sick, t corrects a day; the menu has pay and termination."),
    t("Without pay, payroll leaves this person out."),
  ],
  "people/employees/list": () => [
    t("All employees, present and former."),
    t("“Hire” (n) adds a person; the name opens the record."),
    t("“Checklists” leads to the steps of a first or a last day."),
  ],
  "people/employees/new": () => [
    t("The form that adds an employee."),
    t("Name and first day are enough to begin; pay and schedule can follow."),
    t("With an e-mail address and a role the person gets an invite to this workspace."),
  ],
  "people/expenses/categories": () => [
    t("The kinds of expenses, each with its account and limit."),
    t("“New expense category” adds one."),
    t("A receipt is entered with a category; claims that exist keep their accounts."),
  ],
  "people/expenses/item": () => [
    t("One expense claim with its receipts."),
    t("n adds a receipt, Ctrl Enter submits; then a approves, r returns and p posts."),
    t("Posted claims are paid with a payment run or the next payslip."),
  ],
  "people/expenses/list": () => [
    t("Expenses that employees have paid and get back."),
    t("n adds a receipt; the views show your own claims and the ones to approve or to post."),
    t("Several selected claims are approved or posted together."),
  ],
  "people/expenses/rates": () => [
    t("Your own rates for per diems and mileage."),
    t("“New expense rate” adds one from a day on; without one the official rates count."),
    t("Expenses that are entered keep their amounts."),
  ],
  "people/holidays/list": () => [
    t("The public holidays of a year, by site."),
    t("“Import public holidays” takes the ones of a region; “New public holiday” adds a single one."),
    t("A holiday does not count as leave; future leave is recalculated."),
  ],
  "people/import": () => [
    t("A file of employees or attendance from another program."),
    t("Choose the file, check its columns and the rows with errors, then import."),
    t("Nothing is stored before the last step, and no one is invited."),
  ],
  "people/kiosk/list": () => [
    t("The tablets at which people clock in and out with a PIN."),
    t("“New kiosk” (n) shows an address once: open it on the tablet."),
    t("People set their PIN under “Me”, or HR sets it on their page."),
  ],
  "people/kiosk/page": () => [
    t("A tablet at the door, to clock in and out."),
    t("Touch your name and type your PIN."),
    t("Without the server, punches wait on the tablet and are sent later."),
  ],
  "people/leave/list": () => [
    t("Leave requests, the calendar of absences, and the leave accounts."),
    t("“Enter leave” or “Request leave” (n) opens the form; each request is approved or rejected in its row."),
    t("Approved leave is taken from the account; cancelled leave comes back."),
  ],
  "people/leave/types": () => [
    t("The kinds of leave: paid or not, entitlement, carry-over."),
    t("“New leave type” adds one, which people can then request."),
    t("A new entitlement applies from the next month or year on."),
  ],
  "people/me/page": () => [
    t("Your own day: clock in and out, leave, expenses and payslips."),
    t("“Request leave” (l) and “Add a receipt” (e) open their forms."),
    t("“Correct a day” asks for other times if something is wrong."),
  ],
  "people/payroll/components": () => [
    t("The lines of a payslip: earnings, deductions, employer contributions."),
    t("“New pay component” adds one, “From a template” several; “Try” (t) calculates an example."),
    t("Recalculate draft payroll runs to apply a change."),
  ],
  "people/payroll/differences": () => [
    t("Pay that differs from an earlier payroll run."),
    t("The list names each person with the reason and the amount."),
    t("“Correction run” (C) makes a payroll run that pays or deducts them."),
  ],
  "people/payroll/item": () => [
    t("One payroll run: the pay of all for one period."),
    t("r recalculates a draft; Ctrl Enter approves it, and later records the payment."),
    t("After approval all can read their payslips; “Bank file” pays them at the bank."),
  ],
  "people/payroll/list": () => [
    t("The payroll runs, each for one period and currency."),
    t("“New payroll run” (n) calculates the pay of all for a period as a draft."),
    t("A draft is checked, approved and then paid."),
  ],
  "people/payroll/payslip": () => [
    t("The payslip of one person with all its lines."),
    t("d downloads the PDF, m sends it; in a draft, l adds a line and e enters a manual amount."),
    t("Clear a manual amount to calculate the line again."),
  ],
  "people/payroll/wage_types": () => [
    t("The numbers of the payroll provider for each figure."),
    t("“New wage type” links hours, days or amounts to a number."),
    t("The export of wage data uses these numbers; exported rows stay."),
  ],
  "people/payroll/wages": () => [
    t("Hours, days and amounts for an outside payroll provider."),
    t("“Export wage data” (n) creates the file of a month; d downloads it again."),
    t("Each figure is exported once; later exports correct earlier months."),
  ],
  "people/sites/list": () => [
    t("The places where people work."),
    t("“New site” adds one with its country, time zone and currency."),
    t("Public holidays and days off follow the site of each person."),
  ],
};
