// The kinds of notices, and where the record of each is shown.
import { t } from "../../core/i18n.js";

export const NOTICES = "/workspace/notices";

// The id of a week ends with its first day.
const weekOf = (id) => `/time?week=${id.slice(-10)}`;

/** @type {Record<string, [() => string, (id: string) => string]>} */
export const KINDS = {
  leave_to_decide: [() => t("Leave to decide"), () => "/leave"],
  leave_decided: [() => t("Decisions on your leave"), () => "/me"],
  correction_to_decide: [() => t("Corrections to decide"), () => "/attendance?view=corrections"],
  correction_decided: [() => t("Decisions on your corrections"), () => "/me"],
  claim_to_decide: [() => t("Expense claims to decide"), (id) => `/expenses/${id}`],
  claim_to_post: [() => t("Expense claims to post"), (id) => `/expenses/${id}`],
  claim_decided: [() => t("Decisions on your expense claims"), (id) => `/expenses/${id}`],
  claim_paid: [() => t("Payments of your expense claims"), (id) => `/expenses/${id}`],
  time_missing: [() => t("Reminders to submit your time"), weekOf],
  time_returned: [() => t("Time that was returned to you"), weekOf],
  task_assigned: [() => t("Tasks assigned to you"), (id) => `/tasks/${id}`],
  mention: [() => t("Mentions with @"), (id) => `/tasks/${id}`],
  task_comment: [() => t("Comments on your tasks"), (id) => `/tasks/${id}`],
  bill_to_approve: [() => t("Bills to approve"), (id) => `/bills/${id}`],
  payroll_to_approve: [() => t("Payroll runs to approve"), (id) => `/payroll/${id}`],
  payslip_ready: [() => t("Your payslips"), (id) => `/payslips/${id}`],
  document_expiring: [() => t("Documents of employees that expire"), () => "/people/documents"],
  probation_ending: [() => t("Probations that end"), (id) => `/people/${id}`],
  leaver_has_access: [() => t("Former employees with access"), () => "/settings/members"],
  backup_failed: [() => t("Failed backups"), () => "/server/backups"],
  webhook_off: [() => t("Webhooks that were switched off"), (id) => `/settings/webhooks/${id}`],
};

export const hrefOf = ({ kind, resource }) => KINDS[kind][1](resource.id);
