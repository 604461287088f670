"""Leave years after their close: late changes by HR, and a year that is opened again."""

import pytest

from erp.store.router import WORKSPACE
from tests.hr.leave.applications import ask, balance, carried, close, decide, hired_colleague, leave, take, type_id

pytestmark = pytest.mark.usefixtures("december")


def test_a_closed_year_takes_nothing_from_members_and_managers(acme, mia, today_is):
    member, _ = mia
    taken = take(acme, member, "2026-12-07", "2026-12-08")
    manager = acme.colleague("manager")
    today_is("2027-01-04")
    close(acme)
    for start, end in (("2026-12-10", "2026-12-11"), ("2026-12-30", "2027-01-06"), ("2025-12-10", "2025-12-11")):
        error = member.refused("POST", "/hr/leaves", leave(start, end), status=409, code="leave_year_closed")
        assert error["message"].endswith("is closed. Ask HR to enter this.")
    manager.refused("POST", f"/hr/leaves/{taken['id']}/cancel", {}, status=403, code="forbidden")
    ask(member, "2027-01-11")


def three_carried(office, **fields):
    office.ok("PATCH", f"/hr/leave-types/{type_id(office)}", {"carryForwardMaxDays": "3", **fields})


@pytest.fixture
def closed(acme, december, today_is):
    """A member with 20 days in 2026, 15 taken, whose year is closed; at most 3 were carried over."""
    three_carried(acme)
    member, id = hired_colleague(acme)
    take(acme, member, "2026-11-02", "2026-11-20")
    today_is("2027-01-04")
    assert carried(close(acme)) == [("Member", "5", "3", "2")]
    assert balance(acme, id)["balance"] == "23"
    return member, id


def late(office, employee, start, end=None, **fields):
    """Leave of a closed year, entered by HR and approved."""
    return office.ok("POST", "/hr/leaves", leave(start, end, employeeId=employee, approve=True, **fields))


def sums(office, employee, year):
    shown = balance(office, employee, year=year)
    return shown["taken"], shown["carriedOut"], shown["expired"], shown["balance"]


def corrections(office):
    with office.books():
        return WORKSPACE.rows(
            "SELECT year, date, days FROM leave_entry WHERE kind = 'carry_corrected' ORDER BY created_at, year"
        )


def test_late_leave_in_a_closed_year_corrects_what_was_carried_over(acme, closed):
    _, id = closed
    late(acme, id, "2026-12-09", "2026-12-11")
    assert sums(acme, id, 2026) == ("18", "2", "0", "0")
    new = balance(acme, id)
    assert (new["carriedIn"], new["balance"]) == ("2", "22")
    assert corrections(acme) == [(2026, "2026-12-31", 100), (2027, "2027-01-01", -100)]


def test_late_leave_that_is_cancelled_gives_back_what_was_carried_over(acme, closed):
    _, id = closed
    decide(acme, late(acme, id, "2026-12-09", "2026-12-11"), "cancel")
    assert sums(acme, id, 2026) == ("15", "3", "2", "0")
    assert balance(acme, id)["balance"] == "23"


def test_the_undone_decision_of_a_closed_year_gives_it_back_too(acme, closed):
    _, id = closed
    asked = late(acme, id, "2026-12-09", "2026-12-11")
    assert acme.ok("POST", f"/hr/leaves/{asked['id']}/decision/undo", {})["status"] == "pending"
    assert sums(acme, id, 2026) == ("15", "3", "2", "0")
    decide(acme, asked)
    assert sums(acme, id, 2026) == ("18", "2", "0", "0")


def test_late_leave_takes_no_more_than_was_left_or_than_the_next_year_still_has(acme, closed):
    member, id = closed
    body = leave("2026-12-01", "2026-12-08", employeeId=id)
    error = acme.refused("POST", "/hr/leaves", body, status=422, code="too_little_leave")
    assert error["message"].startswith("Annual leave 2026: 5 days remain")
    take(acme, member, "2027-02-01", "2027-03-03")
    assert balance(acme, id)["balance"] == "0"
    two = late(acme, id, "2026-12-09", "2026-12-10")
    body = leave("2026-12-11", employeeId=id, approve=True)
    error = acme.refused("POST", "/hr/leaves", body, status=422, code="too_little_leave")
    assert error["message"] == "Annual leave 2027: 0 days remain, but this leave takes 1 day."
    assert sums(acme, id, 2026) == ("17", "3", "0", "0")
    decide(acme, two, "cancel")
    assert sums(acme, id, 2026) == ("15", "3", "2", "0")


def test_a_late_adjustment_is_carried_over_as_far_as_the_type_allows(acme, closed):
    _, id = closed
    adjustment = {"employeeId": id, "year": 2026, "note": "Counted wrong"}
    acme.ok("POST", "/hr/leave-adjustments", adjustment | {"days": "-4"})
    assert sums(acme, id, 2026) == ("15", "1", "0", "0")
    assert balance(acme, id)["balance"] == "21"
    acme.ok("POST", "/hr/leave-adjustments", adjustment | {"days": "10"})
    assert sums(acme, id, 2026) == ("15", "3", "8", "0")
    assert balance(acme, id)["balance"] == "23"


def test_a_type_without_an_allowance_is_never_closed(acme, closed):
    member, id = closed
    sick = ask(member, "2026-12-09", "2026-12-11", leaveTypeId=type_id(acme, "sick"))
    decide(acme, sick)
    assert balance(acme, id, "sick", year=2026)["taken"] == "3"
    decide(acme, sick, "cancel")
    assert balance(acme, id, "sick", year=2026)["taken"] == "0"
    assert sums(acme, id, 2026) == ("15", "3", "2", "0")
    assert corrections(acme) == []


def test_a_late_change_goes_through_all_the_closed_years_after_it(acme, closed, today_is):
    member, id = closed
    take(acme, member, "2027-02-01", "2027-02-26")
    today_is("2028-01-04")
    assert carried(close(acme, 2027)) == [("Member", "3", "3", "0")]
    late(acme, id, "2026-12-09", "2026-12-11")
    assert [balance(acme, id, year=year)["balance"] for year in (2026, 2027, 2028)] == ["0", "0", "22"]
    assert [balance(acme, id, year=year)["carriedIn"] for year in (2027, 2028)] == ["2", "2"]


def test_carried_days_that_have_expired_follow_a_late_change(acme, today_is):
    three_carried(acme, carryForwardExpiresAfterMonths=3)
    member, id = hired_colleague(acme)
    take(acme, member, "2026-11-02", "2026-11-20")
    today_is("2027-05-03")
    close(acme)
    ask(member, "2027-06-01")
    assert balance(acme, id)["expired"] == "3"
    late(acme, id, "2026-12-07", "2026-12-11")
    new = balance(acme, id)
    assert (new["carriedIn"], new["expired"], new["balance"]) == ("0", "0", "20")


def test_those_who_have_left_keep_their_balance_after_a_late_change(acme, mia, today_is):
    _, id = mia
    acme.ok("POST", f"/hr/employees/{id}/terminate", {"date": "2026-12-31"})
    today_is("2027-01-04")
    close(acme)
    late(acme, id, "2026-12-09", "2026-12-11")
    assert sums(acme, id, 2026) == ("3", "0", "0", "17")


def reopen(office, year=2026, **fields):
    return office.ok("POST", f"/hr/leave-years/{year}/reopen", {"reason": "Closed too early", **fields})


def test_a_reopened_year_is_as_before_its_close(acme, closed):
    member, id = closed
    late(acme, id, "2026-12-11")
    assert [row["year"] for row in acme.ok("GET", "/hr/leave-years")] == [2026]
    assert reopen(acme)["closedByName"] == "Olga"
    assert acme.ok("GET", "/hr/leave-years") == []
    assert sums(acme, id, 2026) == ("16", "0", "0", "4")
    assert balance(acme, id)["balance"] == "20"
    (event,) = acme.ok("GET", "/workspace/events", params={"type": "leave_year.reopened"})
    assert (event["resource"]["id"], event["data"]) == ("2026", {"reason": "Closed too early"})
    ask(member, "2026-12-10")
    assert acme.call("POST", "/hr/leave-years/2026/close", {}).json["error"]["code"] == "leave_pending"


def test_a_reopened_year_can_be_closed_by_another_rule(acme, closed):
    _, id = closed
    reopen(acme)
    three_carried(acme, carryForwardMaxDays="4")
    assert carried(close(acme)) == [("Member", "5", "4", "1")]
    assert balance(acme, id)["balance"] == "24"


def test_days_that_expired_after_the_close_are_back_once_it_is_reopened(acme, today_is):
    three_carried(acme, carryForwardExpiresAfterMonths=3)
    _, id = hired_colleague(acme)
    today_is("2027-05-03")
    close(acme)
    acme.ok("POST", "/hr/leave-adjustments", {"employeeId": id, "days": "1", "note": "Bonus"})
    assert balance(acme, id)["expired"] == "3"
    reopen(acme)
    new = balance(acme, id)
    assert (new["carriedIn"], new["expired"], new["balance"]) == ("0", "0", "21")


def test_only_the_last_closed_year_is_reopened(acme, closed, today_is):
    error = acme.refused("POST", "/hr/leave-years/2025/reopen", {"reason": "x"}, status=409, code="leave_year_not_last")
    assert error["message"] == "Only the last closed leave year can be reopened: 2026."
    reopen(acme)
    error = acme.refused("POST", "/hr/leave-years/2026/reopen", {"reason": "x"}, status=409, code="leave_year_not_last")
    assert error["message"] == "No leave year is closed."
    acme.refused("POST", "/hr/leave-years/2026/reopen", {}, status=422, code="validation_failed")
