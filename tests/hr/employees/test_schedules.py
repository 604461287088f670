"""The week that an employee works, from a day on."""

import pytest

from tests.hr.employees.employees import at, change, events_about, hire, path_of, pay
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def test_a_schedule_holds_from_its_first_day(acme, clock_at):
    made = hire(acme)
    assert change(acme, made, workSchedule={"mon": 60})["workSchedule"]["mon"] == 60
    assert change(acme, made, workSchedule={"mon": 90})["workSchedule"]["mon"] == 90
    later = change(acme, made, workSchedule={"mon": 120}, workScheduleFrom="2026-04-01")
    assert later["workSchedule"]["mon"] == 90
    for today, minutes in (("2026-03-01", 480), ("2026-03-31", 90), ("2026-04-01", 120)):
        at(acme, clock_at, today)
        assert acme.ok("GET", path_of(made))["workSchedule"]["mon"] == minutes
    assert [event for event, _ in events_about(acme, made["id"])] == ["employee.created", *["employee.updated"] * 3]


def test_a_schedule_of_a_future_employee_holds_from_their_first_day(acme):
    made = hire(acme, hireDate="2026-04-01")
    assert change(acme, made, workSchedule={"mon": 60})["workSchedule"]["mon"] == 60
    error = acme.refused(
        "PATCH", path_of(made), {"workSchedule": {"mon": 1}, "workScheduleFrom": "2026-03-31"}, status=422
    )
    assert complaint(error) == ("workScheduleFrom", "out_of_range")
    error = acme.refused("PATCH", path_of(made), {"workScheduleFrom": "2026-05-01"}, status=422)
    assert complaint(error) == ("workScheduleFrom", "not_applicable")


def test_a_schedule_changes_from_a_day_that_payroll_has_paid(acme):
    made = hire(acme)
    change(acme, made, workSchedule={"mon": 60}, workScheduleFrom="2026-02-01")
    pay(acme, made, "2026-02-27")
    assert change(acme, made, workSchedule={"mon": 90}, workScheduleFrom="2026-02-27")["workSchedule"]["mon"] == 90
