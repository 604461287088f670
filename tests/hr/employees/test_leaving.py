"""How employments end and begin again, and that they never overlap."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.hr.access.models import Employee
from erp.hr.employees import employees, employment, hiring, leaving
from erp.hr.employees.employees import EmployeeChange
from erp.hr.employees.hiring import NewEmployee
from erp.hr.employees.leaving import Rehiring, Termination
from erp.hr.employees.models import Employment
from erp.kernel.errors import Refusal
from erp.web.scalars import Day
from tests.conftest import examples
from tests.hr.employees.employees import SALARY, ask_leave, at, events_about, hire, path_of, pay, stored_day
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def terminate(office, employee, day, **fields):
    return office.ok("POST", path_of(employee, "/terminate"), {"date": day, **fields})


def refuse_end(office, employee, day, **expected):
    return office.refused("POST", path_of(employee, "/terminate"), {"date": day}, **expected)


def test_an_employment_ends_with_its_last_day(acme):
    made = hire(acme)
    left = terminate(acme, made, "2026-02-28", reason="Moves away")
    assert (left["status"], left["terminationDate"], left["terminationReason"]) == (
        "terminated",
        "2026-02-28",
        "Moves away",
    )
    event, data = events_about(acme, made["id"])[-1]
    assert event == "employee.terminated"
    assert "2026-02-28" in data
    assert "Moves" not in data
    with acme.books():
        (period,) = Employment.select()
        assert (period.starts_on, period.ends_on) == (date(2026, 1, 1), date(2026, 2, 28))


def test_a_manager_does_not_see_why_someone_left(acme):
    made, manager = hire(acme), acme.colleague("manager")
    terminate(acme, made, "2026-02-28", reason="Moves away")
    assert "terminationReason" not in manager.ok("GET", path_of(made))


def test_a_future_termination_can_be_moved_until_it_has_come(acme, clock_at):
    made = hire(acme)
    assert terminate(acme, made, "2026-06-30")["status"] == "active"
    assert terminate(acme, made, "2026-03-02")["status"] == "active"
    assert terminate(acme, made, "2026-04-30")["terminationDate"] == "2026-04-30"
    at(acme, clock_at, "2026-05-01")
    refuse_end(acme, made, "2026-06-30", status=409, code="invalid_transition")


@pytest.mark.parametrize("last_day", ["2026-02-28", "2026-06-30"])
def test_a_past_or_future_termination_is_undone(acme, last_day):
    made = hire(acme, compensation=SALARY)
    terminate(acme, made, last_day, reason="A mistake")
    stays = acme.ok("POST", path_of(made, "/terminate/undo"))
    assert {name: value for name, value in stays.items() if name not in ("version", "updatedAt")} == {
        name: value for name, value in made.items() if name not in ("version", "updatedAt")
    }
    assert events_about(acme, made["id"])[-1][0] == "employee.termination_undone"
    with acme.books():
        assert [period.ends_on for period in Employment.select()] == [None]
    acme.refused("POST", path_of(made, "/terminate/undo"), status=409, code="invalid_transition")


def test_a_termination_cannot_be_undone_after_a_rehire(acme):
    made = hire(acme)
    terminate(acme, made, "2026-01-31")
    acme.ok("POST", path_of(made, "/rehire"), {"date": "2026-03-01"})
    acme.refused("POST", path_of(made, "/terminate/undo"), status=409, code="invalid_transition")


def test_no_one_leaves_before_they_were_hired(acme):
    made = hire(acme)
    assert complaint(refuse_end(acme, made, "2025-12-31", status=422)) == ("date", "before_hire_date")
    assert terminate(acme, made, "2026-01-01")["status"] == "terminated"


def test_no_one_leaves_before_their_last_attendance_or_leave(acme):
    marked, on_leave, asking, paid, drafted, rejected = (hire(acme, name=name) for name in "ABCDEF")
    stored_day(acme, marked, "2026-02-27")
    ask_leave(acme, on_leave, "2026-02-20", "2026-02-27")
    ask_leave(acme, asking, "2026-02-20", "2026-02-27", "pending")
    pay(acme, paid, "2026-02-26", "2026-02-27")
    pay(acme, drafted, "2026-02-27", number="PR-2026-002", status="draft")
    ask_leave(acme, rejected, "2026-02-20", "2026-02-27", "rejected")
    for person, code, what in (
        (marked, "days_cut_off", "attendance on 27 Feb 2026"),
        (on_leave, "days_cut_off", "approved leave from 20 Feb 2026 to 27 Feb 2026"),
        (asking, "days_cut_off", "pending leave from 20 Feb 2026 to 27 Feb 2026"),
    ):
        error = refuse_end(acme, person, "2026-02-26", status=409, code=code)
        assert what in error["message"]
        assert acme.ok("GET", path_of(person))["terminationDate"] is None
        terminate(acme, person, "2026-02-27")
    terminate(acme, drafted, "2026-02-26")
    terminate(acme, paid, "2026-02-25")
    terminate(acme, rejected, "2026-02-19")


def test_someone_who_left_is_rehired(acme, clock_at):
    made = hire(acme, compensation=SALARY, jobTitle="Baker", department="Bakery", workSchedule={"mon": 60})
    terminate(acme, made, "2026-02-28", reason="Moves away")
    back = acme.ok("POST", path_of(made, "/rehire"), {"date": "2026-04-01", "jobTitle": "Head baker"})
    assert (back["status"], back["hireDate"], back["terminationDate"]) == ("upcoming", "2026-04-01", None)
    assert (back["jobTitle"], back["department"], back["terminationReason"]) == ("Head baker", "Bakery", None)
    assert (back["compensation"]["amount"], back["workSchedule"]["mon"]) == ("3200.00", 60)
    assert events_about(acme, made["id"])[-1][0] == "employee.rehired"
    at(acme, clock_at, "2026-04-01")
    assert acme.ok("GET", path_of(made))["status"] == "active"
    refuse_end(acme, made, "2026-03-31", status=422)
    assert terminate(acme, made, "2026-04-30")["terminationDate"] == "2026-04-30"


def test_a_rehired_employee_is_employed_in_both_periods_and_not_between(acme):
    made = hire(acme)
    terminate(acme, made, "2026-01-31")
    acme.ok("POST", path_of(made, "/rehire"), {"date": "2026-03-01"})
    with acme.books():
        for start, end, found in (
            ("2025-12-01", "2025-12-31", 0),
            ("2026-01-31", "2026-02-01", 1),
            ("2026-02-01", "2026-02-28", 0),
            ("2026-02-28", "2026-03-01", 1),
        ):
            assert len(employment.employees_between(date.fromisoformat(start), date.fromisoformat(end))) == found


def test_only_someone_who_left_is_rehired_and_only_later(acme):
    made, other = hire(acme), hire(acme, name="Bert")
    path = path_of(made, "/rehire")
    acme.refused("POST", path, {"date": "2026-04-01"}, status=409, code="invalid_transition")
    terminate(acme, made, "2026-03-31")
    acme.refused("POST", path, {"date": "2026-04-01"}, status=409, code="invalid_transition")
    terminate(acme, made, "2026-02-28")
    assert complaint(acme.refused("POST", path, {"date": "2026-02-28"}, status=422)) == ("date", "overlap")
    terminate(acme, other, "2026-02-28")
    error = acme.refused("POST", path, {"date": "2026-03-01", "managerEmployeeId": other["id"]}, status=422)
    assert complaint(error) == ("managerEmployeeId", "terminated")
    assert acme.ok("POST", path, {"date": "2026-03-01"})["status"] == "active"


FIRST = date(2026, 1, 1)
STEPS = st.lists(st.tuples(st.sampled_from(["terminate", "undo", "rehire", "move"]), st.integers(0, 90)), max_size=12)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_employment_periods_never_overlap(acme, steps):
    """After any steps in any order, the latest period is the one that the record shows."""
    with acme.books(write=True):
        made, _ = hiring.hire(NewEmployee(name="Anna", hire_date=Day.read(FIRST.isoformat())))
        for action, offset in steps:
            take(made.id, action, Day.read((FIRST + timedelta(offset)).isoformat()))
            check_periods(made.id)


def take(id, action, day):
    try:
        if action == "terminate":
            leaving.terminate(id, Termination(date=day))
        elif action == "undo":
            leaving.undo(id)
        elif action == "rehire":
            leaving.rehire(id, Rehiring(date=day))
        else:
            employees.change(id, EmployeeChange(hire_date=day))
    except Refusal:
        pass


def check_periods(id):
    periods = list(Employment.select().where(Employment.employee == id).order_by(Employment.starts_on))
    for earlier, later in pairwise(periods):
        assert earlier.ends_on is not None
        assert earlier.starts_on <= earlier.ends_on < later.starts_on
    person = Employee.find(id)
    assert (periods[-1].starts_on, periods[-1].ends_on) == (person.hire_date, person.termination_date)
