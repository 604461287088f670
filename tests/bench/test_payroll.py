"""How long the pay of a large office takes, and how much memory."""

import statistics
import time
from datetime import date, timedelta
from typing import Any

import pytest

from erp.hr.access.models import Employee
from erp.hr.attendance.models import AttendanceRecord
from erp.hr.employees.models import Compensation, Employment
from erp.hr.leave.models import LeaveApplication, LeaveDay, LeaveType
from erp.store import router
from tests.bench.figures import Figures
from tests.bench.offices import Books, Desk
from tests.bench.servers import Running
from tests.hr.payroll.payrolls import FUND, INSURANCE, TAX

PEOPLE, ROUNDS = 200, 5
SECONDS, MEMORY = 2, 150
MARCH = {"periodStart": "2026-03-01", "periodEnd": "2026-03-31"}
WORKING_DAYS = [day for n in range(31) if (day := date(2026, 3, 1) + timedelta(n)).weekday() < 5]
OVERTIME = {
    "code": "late",
    "name": "Late hours",
    "kind": "earning",
    "calculation": "overtime",
    "overtime": {"afterMinutes": 2400, "per": "week", "multiplier": "1.5"},
    "appliesToAll": True,
}
MEALS = {
    "code": "meals",
    "name": "Meals",
    "kind": "earning",
    "calculation": "fixed",
    "amount": "100.00",
    "isProrated": True,
    "appliesToAll": True,
}


def _seed(books: Books) -> None:
    """Two hundred people for two years: every other one is paid by the hour, every fourth is on leave for a day."""
    for component in (TAX, FUND, INSURANCE, OVERTIME, MEALS):
        books.desk.call("POST", "/hr/pay-components", component, books.id)
    with books.opened(write=True):
        unpaid = LeaveType.get(LeaveType.code == "unpaid")
        for number in range(PEOPLE):
            _employ(number, unpaid)
    router.close_all()


def _employ(number: int, unpaid: LeaveType) -> None:
    hired = date(2024, 1, 1)
    employee = Employee.add(
        employee_number=f"E{number:04}", name=f"Person {number}", employment_type="full_time", hire_date=hired,
        bank_account={"holder": f"Person {number}", "iban": "DE89370400440532013000"},
    )  # fmt: skip
    Employment.create(employee=employee.id, starts_on=hired)
    is_hourly = number % 2 == 1
    terms: dict[str, Any] = {"pay_type": "hourly", "amount": 2_150} if is_hourly else {"pay_type": "salary"}
    for since, amount in ((hired, 300_000), (date(2026, 3, 16), 330_000)):
        values = {"amount": amount, "currency": "EUR", "frequency": "monthly", **terms}
        Compensation.add(employee=employee.id, effective_from=since, **values)
    if is_hourly:
        _attend(employee.id)
    if number % 4 == 0:
        _leave(employee.id, unpaid)


def _attend(employee_id: str) -> None:
    for day in WORKING_DAYS:
        AttendanceRecord.add(employee=employee_id, date=day, status="present", source="clock", worked_minutes=505)


def _leave(employee_id: str, kind: LeaveType) -> None:
    day = date(2026, 3, 4)
    asked = LeaveApplication.add(
        employee=employee_id, leave_type=kind.id, start_date=day, end_date=day, days=100, day_details=[],
        status="approved", decided_at=f"{day}T08:00:00.000Z", balance_before=0, balance_after=0,
    )  # fmt: skip
    LeaveDay.create(application=asked.id, date=day, employee=employee_id, part="day", days=100)


@pytest.mark.bench("pay")
def test_200_people_are_paid_in_two_seconds(figures: Figures, fresh: Running) -> None:
    desk, idle = Desk(fresh), fresh.memory()
    books = desk.workspace("Bakery")
    _seed(books)

    def timed(path: str, body: Any) -> tuple[float, Any]:
        began = time.perf_counter()
        answer = desk.call("POST", path, body, books.id)
        return time.perf_counter() - began, answer

    dry = [timed("/hr/payroll/run", {**MARCH, "dryRun": True}) for _ in range(ROUNDS)]
    seconds, made = timed("/hr/payroll/run", MARCH)
    peak = fresh.peak_memory()
    path = f"/hr/payroll/runs/{made['id']}"
    again, _ = timed(f"{path}/recalculate", None)
    approved, _ = timed(f"{path}/approve", {})
    assert made["headCount"] == PEOPLE
    assert made["totals"] == dry[0][1]["totals"]
    lines = sum(len(slip["lines"]) for slip in made["payslips"])
    middle = statistics.median(took for took, _ in dry)
    figures.ratio("pay", seconds, "≤", SECONDS, f"s, a run of {PEOPLE} people and {lines} lines; dry {middle:.2f} s")
    figures.tell("pay", "s to recalculate it", again)
    figures.tell("pay", "s to approve it", approved)
    figures.ratio("pay", peak, "≤", MEMORY, f"MiB at the peak, {idle:.0f} MiB before")
