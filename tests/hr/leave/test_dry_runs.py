"""What leave would take, before it is requested."""

import pytest

from tests.hr.leave.applications import ask, decide, hired, hired_colleague, leave, left, type_id
from tests.refusals import complaints


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def mia(acme):
    """A member with an employee record, and its id."""
    return hired_colleague(acme)


def dry(office, start, end=None, **fields):
    return office.ok("POST", "/hr/leaves", leave(start, end, dryRun=True, **fields))


def test_days_and_the_balance_after_them_are_shown_and_nothing_is_reserved(mia):
    """Friday to Tuesday: the weekend takes nothing, so 3 of 20 days."""
    member, id = mia
    answer = member.call("POST", "/hr/leaves", leave("2026-05-08", "2026-05-12", dryRun=True))
    assert (answer.status_code, "location" in answer.headers) == (200, False)
    shown = answer.json["data"]
    assert (shown["days"], shown["balanceBefore"], shown["balanceAfter"]) == ("3", "20", "17")
    assert [day["counted"] for day in shown["dayDetails"]] == ["1", "0", "0", "1", "1"]
    assert (shown["employeeId"], shown["leaveTypeName"], shown["details"]) == (id, "Annual leave", [])
    assert member.ok("GET", "/hr/leaves") == []
    assert left(member, id) == ("20", "0", "20")
    asked = ask(member, "2026-05-08", "2026-05-12")
    assert {name: asked[name] for name in ("days", "dayDetails", "balanceBefore", "balanceAfter")} == {
        name: shown[name] for name in ("days", "dayDetails", "balanceBefore", "balanceAfter")
    }


def test_who_else_is_out_is_shown_as_the_calendar_shows_it(acme, mia):
    member, _ = mia
    otto, ada = (hired(acme, name) for name in ("Otto", "Ada"))
    decide(acme, ask(acme, "2026-05-11", "2026-05-15", employeeId=otto))
    ask(acme, "2026-05-11", employeeId=ada)
    decide(acme, ask(acme, "2026-05-18", employeeId=ada))
    away = {"name": "Otto", "startDate": "2026-05-11", "endDate": "2026-05-15", "status": "approved"}
    (absence,) = dry(member, "2026-05-08", "2026-05-12")["absences"]
    assert {name: absence[name] for name in away} == away
    assert "leaveTypeName" not in absence
    own = dry(acme, "2026-05-08", "2026-05-12", employeeId=mia[1])["absences"]
    assert [(each["name"], each["status"]) for each in own] == [("Ada", "pending"), ("Otto", "approved")]


def test_every_rule_that_speaks_against_it_is_a_complaint_at_once(acme, mia):
    """22 working days of 20, over 2 that are asked for already, 5 in a row at most, and with a month's notice."""
    member, _ = mia
    ask(member, "2026-03-09", "2026-03-10")
    annual = type_id(member)
    acme.ok("PATCH", f"/hr/leave-types/{annual}", {"maxConsecutiveDays": "5", "minNoticeDays": 30})
    shown = dry(member, "2026-03-09", "2026-04-07")
    assert complaints(shown) == {"startDate": "leave_overlap", "endDate": "too_little_leave"}
    assert [detail["code"] for detail in shown["details"]] == [
        "notice_too_short",
        "leave_overlap",
        "too_many_consecutive_days",
        "too_little_leave",
    ]
    assert (shown["days"], shown["balanceBefore"], shown["balanceAfter"]) == ("22", "18", "-4")
    assert shown["details"][-1]["message"] == ("Annual leave 2026: 18 days remain, but this leave takes 22 days.")


def test_days_that_do_not_fit_together_and_days_off_are_complaints_too(acme, mia):
    member, _ = mia
    shown = dry(member, "2026-05-12", "2026-05-08")
    assert (shown["days"], complaints(shown)) == ("0", {"endDate": "before_start"})
    assert complaints(dry(member, "2026-05-09", "2026-05-10")) == {"startDate": "no_leave_days"}
    late = hired(acme, "Late", hired="2026-06-01")
    assert complaints(dry(acme, "2026-05-11", employeeId=late)) == {"startDate": "not_employed_then"}


def test_holidays_of_another_year_are_counted_and_not_imported(acme, mia):
    """1 January 2027 is a Friday and a holiday in Germany."""
    member, _ = mia
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"country": "DE"})
    shown = dry(member, "2027-01-01", "2027-01-04")
    assert (shown["days"], shown["warnings"]) == ("1", [])
    assert acme.ok("GET", "/hr/holidays?year=2027") == []


def test_what_may_not_be_asked_is_refused(acme, mia):
    member, _ = mia
    other = hired(acme, "Otto")
    member.refused("POST", "/hr/leaves", leave("2026-05-11", employeeId=other, dryRun=True), status=403)
    body = leave("2026-05-11", leaveTypeId="none", dryRun=True)
    assert complaints(member.refused("POST", "/hr/leaves", body, status=422)) == {"leaveTypeId": "unknown_reference"}
    acme.refused("POST", "/hr/leaves", leave("2026-05-11", dryRun=True), status=409, code="no_employee_record")
