"""Staff: hire and change employees, and write attendance, leave and payroll runs for them."""

from erp.hr.attendance.models import AttendanceRecord
from erp.hr.leave.models import LeaveApplication, LeaveType
from erp.hr.payroll.models import PaidDay, PayrollRun, Payslip
from erp.store.events import Event
from tests.conftest import PASSWORD

ANNA = {"name": "Anna Ritter", "hireDate": "2026-01-01"}
SALARY = {"payType": "salary", "amount": "3200.00", "frequency": "monthly"}
IBAN = "DE89370400440532013000"


def hire(office, **fields):
    return office.ok("POST", "/hr/employees", ANNA | fields)


def path_of(employee, action=""):
    return f"/hr/employees/{employee['id']}{action}"


def change(office, employee, **fields):
    return office.ok("PATCH", path_of(employee), fields)


def events_about(office, id):
    """The types and data of a record's events, in order."""
    with office.books():
        return [(event.type, event.data) for event in Event.select().where(Event.resource_id == id).order_by(Event.seq)]


def stored_day(office, employee, day, status="present"):
    """Write an attendance record."""
    with office.books(write=True):
        AttendanceRecord.add(employee=employee["id"], date=day, status=status, source="manual", worked_minutes=480)


def ask_leave(office, employee, start, end, status="approved"):
    """Write a leave application; its id."""
    with office.books(write=True):
        kind = LeaveType.get_or_none() or LeaveType.add(name="Annual", code="annual", paid=True, position=1)
        return LeaveApplication.add(
            employee=employee["id"],
            leave_type=kind,
            start_date=start,
            end_date=end,
            days=100,
            day_details=[],
            status=status,
            balance_before=0,
            balance_after=0,
        ).id


def pay(office, employee, *days, number="PR-2026-001", status="approved"):
    """Write a payroll run that pays an employee for days; the payslip's id."""
    with office.books(write=True):
        zeros = dict.fromkeys(("deductions", "employer_contributions"), 0)
        first, last = days[0], days[-1]
        run = PayrollRun.add(
            number=number,
            fiscal_year=2026,
            seq=int(number[-3:]),
            period_start=first,
            period_end=last,
            pay_date=last,
            status=status,
            currency="EUR",
            gross=320000,
            net=320000,
            warnings=[],
            variance=[],
            **zeros,
        )
        counts = dict.fromkeys(
            ("working_days", "paid_days", "unpaid_leave_days", "paid_leave_days", "worked_minutes"), 0
        )
        slip = Payslip.add(
            run=run,
            employee=employee["id"],
            pay_date=last,
            snapshot={},
            gross=320000,
            net=320000,
            taxable=320000,
            year_to_date={},
            **zeros,
            **counts,
        )
        for day in days:
            PaidDay.create(employee=employee["id"], date=day, payslip=slip)
        return slip.id


def at(office, clock_at, day):
    """Go to the morning of another day and sign in again, because no session lasts for months."""
    clock_at(f"{day}T09:00:00Z")
    body = {"email": office.email, "password": PASSWORD, "workspaceId": office.workspace_id}
    office.token = office.installation.call("POST", "/auth/login", body).json["data"]["session"]["token"]
