"""Employees and their pay over HTTP."""

from contextlib import nullcontext

import falcon

from erp.hr.access.own_pay import OwnPay
from erp.hr.employees import compensation, employees, hiring, importing, leaving, listing
from erp.hr.employees.employees import EmployeeChange, OwnLink
from erp.hr.employees.hiring import NewEmployee
from erp.hr.employees.importing import EmployeeImport, EmployeeRow, ImportedEmployeesView
from erp.hr.employees.leaving import Rehiring, Termination
from erp.hr.employees.listing import EmployeeFilter
from erp.hr.employees.periods import DaysCutOff
from erp.hr.employees.views import (
    ChangedEmployeeView,
    CompensationView,
    EmployeeView,
    HiredEmployeeView,
    TerminatedEmployeeView,
)
from erp.kernel.errors import AlreadyExists, BadParameter, InvalidTransition, UnknownReference
from erp.kernel.language import says
from erp.members.invites import AlreadyInvited
from erp.members.joining import AlreadyMember
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport import sheets
from erp.web.transport.sheets import ReadRows


class Collection:
    @endpoint(permission="employees.read_own", refuses=(UnknownReference,))
    def on_get(self, query: EmployeeFilter) -> Page[EmployeeView]:
        """List the employees, the newest first.

        Without the right to read employees, the list holds only your own record. Pay, bank and tax fields are shown
        in your own record and, with the right to read pay, in everyone's; phone and address in your own record and,
        with the right to change employees, in everyone's.
        """
        return listing.search(query)

    @endpoint(
        permission="employees.write",
        status=201,
        refuses=(OwnPay, UnknownReference, AlreadyExists, AlreadyMember, AlreadyInvited),
    )
    def on_post(self, body: NewEmployee, req: falcon.Request) -> HiredEmployeeView:
        """Hire an employee: record, employment, work schedule and first pay in one request.

        With `invite`, a role, the person is also invited to the workspace, if you can invite people. The link is shown
        only once, so such a request takes no Idempotency-Key. The user who accepts the invite is linked to the employee
        record with the invite's e-mail address. You cannot give yourself pay or a bank account, unless you are an owner
        and there is no other owner, admin or hr.
        """
        if body.invite is not None and req.get_header("Idempotency-Key") is not None:
            raise BadParameter(
                says("A request with `invite` accepts no Idempotency-Key, since the response shows the link once.")
            )
        return HiredEmployeeView.of_hired(*hiring.hire(body))


class Item:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str) -> EmployeeView:
        """Show an employee; only yourself without the right to read employees.

        Pay, bank account and tax number are left out for roles that may not read them. `can` names the actions open to
        you now.
        """
        return EmployeeView.of(employees.find(id, "employees.read"))

    @endpoint(
        permission="employees.write",
        refuses=(OwnLink, OwnPay, UnknownReference, AlreadyExists, DaysCutOff),
    )
    def on_patch(self, id: str, body: EmployeeChange) -> ChangedEmployeeView:
        """Change an employee, even one who has left.

        Pay is changed with `POST /hr/employees/{id}/compensations`. A `workSchedule` holds from `workScheduleFrom`,
        today by default, until a later one begins; leave on its days is counted again, past leave too
        (`recountedLeaves`). With `dryRun` nothing changes. The hire date belongs to the latest employment; it can be
        moved as long as no attendance, leave or pay would fall outside. Pay and schedule that begin on it move with it,
        and leave granted by days employed is corrected.

        You cannot change your own bank account, or unlink your own record from your user: another owner, admin or hr
        does. Only an owner may when there is no other. A changed IBAN is a warning of the next payroll run.
        """
        with WORKSPACE.undone() if body.dry_run else nullcontext():
            return ChangedEmployeeView.of_change(*employees.change(id, body))


class Import:
    @endpoint(
        permission="employees.write", prepare=sheets.rows_of(EmployeeRow, {"workScheduleFrom", "dryRun"}, EmployeeView)
    )
    def on_post(self, body: EmployeeImport, prepared: ReadRows[EmployeeRow]) -> ImportedEmployeesView:
        """Add employees from a spreadsheet, all or none.

        The headings are the fields of the body of a `POST` that adds one. The list as CSV can be read as well; its
        other columns are left out. `managerEmployeeId` can be a number or an e-mail address. No one is invited. Errors
        name the row (`rows[3].name`; the headings are row 1). `dryRun` only checks.

        Someone who is known already, by number or else by e-mail address, is not added again. If their row says nothing
        new they are skipped; else `onDuplicate` decides. Two rows about one person are refused.
        """
        return importing.load(body, prepared)


class Terminate:
    @endpoint(permission="employees.write", refuses=(InvalidTransition, UnknownReference, DaysCutOff))
    def on_post(self, id: str, body: Termination) -> TerminatedEmployeeView:
        """End an employment with a last day, which can be in the future.

        The employee stays active until that day is over, and the day can be changed in the same way. Attendance, leave
        and pay after it must be settled first: delete the attendance, cancel or reject the leave, reverse the payroll
        run. From the next day on their reports have another manager: `reportsToEmployeeId`, else the leaver's own. With
        the last day, in the person's time zone, their access to the workspace ends too, unless `access` says otherwise.
        """
        return TerminatedEmployeeView.of_leaver(leaving.terminate(id, body))


class UndoTermination:
    @endpoint(permission="employees.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> EmployeeView:
        """Undo a termination, for an employee who stays or a mistake.

        After `POST /hr/employees/{id}/rehire` the earlier employment stays ended.
        """
        return EmployeeView.of(leaving.undo(id))


class Rehire:
    @endpoint(permission="employees.write", refuses=(InvalidTransition, UnknownReference))
    def on_post(self, id: str, body: Rehiring) -> EmployeeView:
        """Rehire an employee who has left.

        `hireDate` becomes the new first day. Work schedule and pay continue as they last were, unless they are changed.
        """
        return EmployeeView.of(leaving.rehire(id, body))


class CompensationCollection:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str) -> list[CompensationView]:
        """List an employee's past, present and future pay, the latest first.

        For the employee and readers of pay. Each compensation holds from `effectiveFrom` until the next one.
        Replaced ones for the same day stay on record.
        """
        employee = employees.find(id, "pay.read")
        return CompensationView.of_many(compensation.history(employee.id))


class CompensationItem:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str, compensation_id: str) -> CompensationView:
        """Show one of an employee's past, present and future pays; only to them and to readers of pay.

        It shows the base pay, the personal components, and the day from which it holds.
        """
        employee = employees.find(id, "pay.read")
        return CompensationView.of(compensation.find(employee.id, compensation_id))
