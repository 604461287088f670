"""The kinds of notices: the only table of them. A new kind is an entry here, and its name in the profile's page."""

from collections.abc import Mapping
from dataclasses import dataclass

from erp.desk.notices import concerned
from erp.desk.notices.concerned import Whom
from erp.hr.documents.models import REMINDS
from erp.kernel import caller
from erp.kernel.language import Sentence, says

PAYSLIPS = "resource_id IN (SELECT id FROM payslip WHERE run_id = :id)"
"""That a notice is about a payslip of the event's payroll run."""

WEEK = "resource_id = (SELECT user_id || '_' || date_from FROM time_week WHERE id = :id)"
"""That a notice is about the event's week of time."""

ENDED_REMINDER = f"""resource_id IN (SELECT :id UNION SELECT id FROM employee_document WHERE replaced_by_id = :id)
    AND NOT EXISTS (SELECT 1 FROM employee_document AS document WHERE document.id = resource_id AND {REMINDS})"""
"""That a notice is about the event's document, or one that it replaces, and that it reminds no longer."""

ENDED_PROBATION = """resource_id = :id AND NOT EXISTS (SELECT 1 FROM employee WHERE id = :id
    AND probation_end IS NOT NULL AND (termination_date IS NULL OR termination_date >= probation_end))"""
"""That a notice is about the event's employee, and no probation of theirs ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of notices.

    Attributes:
        permission: the right to read its records; without it, its notices are not shown.
        of_reports: whether the right `…_reports` is enough for records of one's reports.
        says: the words by the type of event that makes such a notice; they may name `actor`, `name` (of the employee),
            `number`, `supplier`, `key`, `title`, `host`, `date` and `days`.
        done: events after which nothing is left to do: the notices of the record are read then.
        gone: events after which the record no longer exists, or is no longer shown: its notices go then.
        about: a condition that a notice is about the record `:id` of such an event.
        resource_type: of the record, if not the event's.
        of_server: whether it is for instance admins alone.
        made_by_event: whether it is written with the event, not by `dated` on a later day.
    """

    permission: str
    of_reports: bool = False
    whom: Whom
    says: Mapping[str, Sentence]
    done: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    about: str = "resource_id = :id"
    resource_type: str = ""
    of_server: bool = False
    made_by_event: bool = True

    def is_for_caller(self) -> bool:
        """Whether the caller's role can get such notices."""
        return self.covers_all() or (self.of_reports and caller.may(f"{self.permission}_reports"))

    def covers_all(self) -> bool:
        """Whether the caller may read every record of the kind."""
        return caller.may(self.permission) and (caller.current().is_instance_admin or not self.of_server)


KINDS: dict[str, Kind] = {
    "leave_to_decide": Kind(
        permission="leave.decide",
        of_reports=True,
        whom=concerned.deciders("leave.decide"),
        says={
            "leave.pending": says("{name} has requested leave: {days}."),
            "leave.decision_undone": says("Leave of {name} is to be decided again: {days}."),
        },
        done=("leave.approved", "leave.rejected", "leave.cancelled"),
    ),
    "leave_decided": Kind(
        permission="leave.read_own",
        whom=concerned.employee,
        says={
            "leave.approved": says("Your leave was approved: {days}."),
            "leave.rejected": says("Your leave was rejected: {days}."),
            "leave.cancelled": says("Your leave was cancelled: {days}."),
        },
        done=("leave.decision_undone",),
    ),
    "correction_to_decide": Kind(
        permission="attendance.decide",
        of_reports=True,
        whom=concerned.deciders("attendance.decide"),
        says={
            "attendance_correction.pending": says("{name} has requested a correction of {date}."),
            "attendance_correction.decision_undone": says("A correction of {date} of {name} is to be decided again."),
        },
        done=("attendance_correction.approved", "attendance_correction.rejected", "attendance_correction.cancelled"),
    ),
    "correction_decided": Kind(
        permission="attendance.read_own",
        whom=concerned.employee,
        says={
            "attendance_correction.approved": says("Your correction of {date} was approved."),
            "attendance_correction.rejected": says("Your correction of {date} was rejected."),
        },
        done=("attendance_correction.decision_undone",),
    ),
    "claim_to_decide": Kind(
        permission="expenses.decide",
        of_reports=True,
        whom=concerned.deciders("expenses.decide"),
        says={
            "expense_claim.submitted": says("{name} has submitted expense claim {number}."),
            "expense_claim.decision_undone": says("Expense claim {number} of {name} is to be decided again."),
        },
        done=("expense_claim.approved", "expense_claim.rejected", "expense_claim.returned", "expense_claim.withdrawn"),
        gone=("expense_claim.deleted",),
    ),
    "claim_to_post": Kind(
        permission="expenses.post",
        whom=concerned.posters,
        says={"expense_claim.approved": says("Expense claim {number} of {name} can be posted.")},
        done=("expense_claim.posted", "expense_claim.decision_undone"),
        gone=("expense_claim.deleted",),
    ),
    "claim_decided": Kind(
        permission="expenses.read_own",
        whom=concerned.employee,
        says={
            "expense_claim.approved": says("Your expense claim {number} was approved."),
            "expense_claim.rejected": says("Your expense claim {number} was rejected."),
            "expense_claim.returned": says("Your expense claim {number} was returned to you."),
        },
        done=("expense_claim.decision_undone", "expense_claim.submitted"),
        gone=("expense_claim.deleted",),
    ),
    "claim_paid": Kind(
        permission="expenses.read_own",
        whom=concerned.employee,
        says={"expense_claim.paid": says("Your expense claim {number} was paid.")},
    ),
    "time_missing": Kind(
        permission="time.read_own",
        whom=concerned.week_of,
        says={"time_week.reminded": says("{actor} asks you to submit your time: {days}.")},
        done=("time_week.submitted",),
        about=WEEK,
    ),
    "time_returned": Kind(
        permission="time.read_own",
        whom=concerned.week_of,
        says={
            "time_week.returned": says("{actor} has returned your time: {days}."),
            "time_week.reopened": says("{actor} has opened your approved time again: {days}."),
        },
        done=("time_week.submitted",),
        about=WEEK,
    ),
    "task_assigned": Kind(
        permission="tasks.read",
        whom=concerned.new_assignees,
        says={type: says("{actor} has assigned {key} to you: {title}") for type in ("task.created", "task.updated")},
        gone=("task.deleted",),
    ),
    "mention": Kind(
        permission="tasks.read",
        whom=concerned.mentioned,
        says={"task.commented": says("{actor} has mentioned you in {key}: {title}")},
        gone=("task.deleted",),
    ),
    "task_comment": Kind(
        permission="tasks.read",
        whom=concerned.involved,
        says={"task.commented": says("{actor} has commented on {key}: {title}")},
        gone=("task.deleted",),
    ),
    "bill_to_approve": Kind(
        permission="bills.approve",
        whom=concerned.approvers,
        says={"invoice.issued": says("Bill {number} of {supplier} needs approval.")},
        done=("invoice.approved", "invoice.void"),
    ),
    "payroll_to_approve": Kind(
        permission="payroll.write",
        whom=concerned.holders("payroll.write"),
        says={"payroll_run.draft": says("Payroll run {number} needs approval.")},
        done=("payroll_run.approved",),
        gone=("payroll_run.deleted",),
    ),
    "payslip_ready": Kind(
        permission="payroll.read_own",
        whom=concerned.paid,
        says={"payroll_run.approved": says("Your payslip is ready: {days}.")},
        gone=("payroll_run.reversed",),
        about=PAYSLIPS,
        resource_type="payslip",
    ),
    "document_expiring": Kind(
        permission="employees.write",
        whom=concerned.holders("employees.write"),
        says={
            type: says("{title} of {name} expires on {date}.")
            for type in ("employee_document.created", "employee_document.updated", "employee_document.unarchived")
        },
        gone=tuple(f"employee_document.{act}" for act in ("archived", "created", "deleted", "done", "updated")),
        about=ENDED_REMINDER,
        made_by_event=False,
    ),
    "probation_ending": Kind(
        permission="employees.write",
        whom=concerned.holders("employees.write"),
        says={
            type: says("The probation of {name} ends on {date}.") for type in ("employee.created", "employee.updated")
        },
        gone=("employee.updated", "employee.terminated"),
        about=ENDED_PROBATION,
        made_by_event=False,
    ),
    "leaver_has_access": Kind(
        permission="members.write",
        whom=concerned.holders("members.write"),
        says={
            type: says("{name} has left and can still sign in.") for type in ("employee.terminated", "employee.created")
        },
        done=("employee.rehired", "employee.termination_undone"),
        made_by_event=False,
    ),
    "backup_failed": Kind(
        permission="workspace.read",
        whom=concerned.instance_admins,
        of_server=True,
        says={"workspace.backup_failed": says("The daily backup has failed.")},
    ),
    "webhook_off": Kind(
        permission="workspace.write",
        whom=concerned.holders("workspace.write"),
        says={"webhook.switched_off": says("The webhook to {host} was switched off.")},
        done=("webhook.updated",),
        gone=("webhook.deleted",),
    ),
}
