"""Data protection over HTTP."""

from erp.desk.privacy import due, erasing, export, persons, retention
from erp.desk.privacy.accounts import OwnErasure
from erp.desk.privacy.bodies import NewErasure
from erp.desk.privacy.due import DuePersonView
from erp.desk.privacy.erasing import BalanceOpen, Plan, StillEmployed
from erp.desk.privacy.retention import RetentionChange, RetentionView
from erp.desk.privacy.views import ErasureView
from erp.members.members import LastOwner
from erp.web.endpoint import endpoint
from erp.web.schema import File


class Export:
    @endpoint(permission="employees.write", store=None, produces="application/zip")
    def on_get(self, kind: str, id: str) -> File:
        """Download everything that the workspace holds of a person, for them: `employee`, `contact` or `user`.

        The zip has `data.json` with every row that names the person and the log about them, their files, their
        payslips as PDF, and a readme. Other people are called "another person"; of a record of several people, it has
        the parts about the person. It needs the right to read payroll as well. Contacts and users are for owners and
        admins alone. The log records the export.
        """
        return export.of(kind, id)


class OwnExport:
    @endpoint(permission="employees.read_own", store=None, produces="application/zip")
    def on_get(self) -> File:
        """Download everything that the workspace holds of you, as a user and as an employee.

        As `GET /workspace/people/{kind}/{id}/export`, but without drafts of payroll, documents that only HR can read,
        and the cost of your time, unless you may read them anyway.
        """
        return export.of_caller()


class Erase:
    @endpoint(
        permission="employees.write",
        refuses=(StillEmployed, BalanceOpen, LastOwner, OwnErasure),
        prepare=lambda _, kind, id: erasing.judge(kind, id),
    )
    def on_post(self, kind: str, id: str, body: NewErasure, prepared: Plan) -> ErasureView:
        """Erase a person: what need not be kept goes, and the rest is listed with the day until which it stays.

        Attendance, leave and files are deleted, and the name becomes an alias such as `Person 7F3A`; names in payslips
        and documents follow once their time is over, so ask again then (`GET /workspace/retention/due`). The log keeps
        its events and hashes, but the person's values in it become `erased`; a `person.erased` names the changed
        events, so that the chain stays valid. A user also leaves the workspace. Texts of the office's work, such as
        comments, stay: `mentions` counts those with the person's name. Contacts and users are for owners and admins
        alone. With `dryRun` nothing changes. It cannot be undone.
        """
        if body.dry_run:
            return ErasureView.of(prepared)
        planned = erasing.plan(persons.find(kind, id), prepared)
        erasing.carry_out(planned, body.reason)
        return ErasureView.of(planned)


class Retention:
    @endpoint(permission="employees.write")
    def on_get(self) -> RetentionView:
        """Show for how many years personal data is kept, by kind.

        The years begin after the end of the calendar year of the last date. `least` is what the law requires.
        """
        return retention.show()

    @endpoint(permission="workspace.write")
    def on_patch(self, body: RetentionChange) -> RetentionView:
        """Keep kinds of personal data for longer than the law requires, or for less than you did.

        Fewer years than `least` are refused (422).
        """
        return retention.change(body)


class Due:
    @endpoint(permission="employees.write")
    def on_get(self) -> list[DuePersonView]:
        """List people of whom something can be erased, as its time is over.

        Employees who have left, and for owners and admins archived contacts without an open item. Nothing is erased
        until you erase a person.
        """
        return due.find()
