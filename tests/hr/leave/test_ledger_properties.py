"""Whatever is requested, decided and adjusted, a balance is the sum of its ledger and never goes below zero."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.hr.leave.models import LeaveEntry
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from tests.conftest import examples
from tests.hr.leave.applications import balance, hired, leave, type_id

FIRST = date(2026, 1, 1)
STEP = st.one_of(
    st.tuples(st.just("ask"), st.integers(0, 364), st.integers(0, 25), st.booleans(), st.booleans()),
    st.tuples(st.sampled_from(["approve", "reject", "cancel"]), st.integers(0, 9)),
    st.tuples(st.just("adjust"), st.integers(-1500, 800).filter(bool)),
)
STEPS = st.lists(STEP, min_size=4, max_size=14)


@pytest.fixture
def office(acme, clock_at):
    clock_at("2026-05-04T09:00:00Z")
    acme.ok("POST", "/hr/leave-types", {"name": "M", "code": "monthly", "accrual": "monthly", "allowanceDays": "25"})
    carrying = {"carryForwardMaxDays": "5", "carryForwardExpiresAfterMonths": 6}
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", carrying)
    return acme


def act(office, employee, kind, asked, step):
    """Do one step, which a rule may refuse; whether it was done."""
    what, *values = step
    if what == "ask":
        start = FIRST + timedelta(days=values[0])
        halves = {"startHalf": values[2], "endHalf": values[3], "employeeId": employee, "leaveTypeId": kind}
        body = leave(start.isoformat(), (start + timedelta(days=values[1])).isoformat(), **halves)
        answer = office.call("POST", "/hr/leaves", body)
        if answer.status_code == 201:
            asked.append(answer.json["data"]["id"])
    elif what == "adjust":
        sent = {"employeeId": employee, "leaveTypeId": kind, "days": str(values[0] / 100), "note": "Test"}
        answer = office.call("POST", "/hr/leave-adjustments", sent)
    elif asked:
        answer = office.call("POST", f"/hr/leaves/{asked[values[0] % len(asked)]}/{what}", {})
    else:
        return False
    assert answer.status_code in (200, 201, 409, 422), answer.text
    return answer.status_code < 300


def ledger_of(office, employee, kind):
    """The sum of the written entries, and the days of leave that are approved and pending, in hundredths."""
    with office.books():
        ((entries,),) = WORKSPACE.rows(
            "SELECT sum(days) FROM leave_entry WHERE employee_id = ? AND leave_type_id = ? AND year = 2026",
            (employee, kind),
        )
        days = dict(
            WORKSPACE.rows(
                "SELECT status, sum(leave_day.days) FROM leave_day JOIN leave_application AS l ON l.id = application_id"
                " WHERE l.employee_id = ? AND leave_type_id = ? AND date < '2027' GROUP BY status",
                (employee, kind),
            )
        )
    return entries or 0, days.get("approved", 0), days.get("pending", 0)


def carry(office, employee, kind, days):
    """Write what closing the previous year would have written."""
    with office.books(write=True):
        LeaveEntry.create(employee=employee, leave_type=kind, year=2026, date=FIRST, kind="carried_in", days=days)


@pytest.mark.thorough
@pytest.mark.parametrize("code", ["annual", "monthly"])
def test_a_balance_is_the_sum_of_its_ledger_and_never_goes_below_zero(office, code, monkeypatch):
    kind = type_id(office, code)

    @settings(
        max_examples=examples(30),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(STEPS, st.sampled_from(["2020-05-01", "2026-02-11", "2026-05-04"]), st.sampled_from([0, 500]))
    def run(steps, hire_date, carried):
        monkeypatch.setattr(workspace_settings, "today", lambda: date(2026, 5, 4))
        employee = hired(office, hired=hire_date)
        asked: list[Any] = []
        if carried:
            carry(office, employee, kind, carried)
        for place, step in enumerate(steps):
            if place == len(steps) // 2:  # the carried days have expired by then
                monkeypatch.setattr(workspace_settings, "today", lambda: date(2026, 7, 6))
            wrote = act(office, employee, kind, asked, step)
            found = {
                name: round(float(value) * 100)
                for name, value in balance(office, employee, code).items()
                if name in ("balance", "pending", "available", "taken")
            }
            entries, approved, pending = ledger_of(office, employee, kind)
            assert not wrote or found["balance"] == entries
            assert (found["taken"], found["pending"]) == (approved, pending)
            assert found["available"] == found["balance"] - found["pending"] >= 0

    run()
