import pytest

from tests.hr.leave.applications import (
    ask,
    balance,
    carried,
    close,
    decide,
    hired_colleague,
    leave,
    left,
    take,
    type_id,
)

pytestmark = pytest.mark.usefixtures("december")


def test_closing_a_year_carries_over_the_allowed_days_and_the_rest_expires(acme, mia, today_is):
    take(acme, mia[0], "2026-12-07", "2026-12-18")
    today_is("2027-01-04")
    assert carried(close(acme)) == [("Member", "10", "5", "5")]
    old, new = balance(acme, mia[1], year=2026), balance(acme, mia[1])
    assert (old["carriedOut"], old["expired"], old["balance"]) == ("5", "5", "0")
    assert (new["carriedIn"], new["allocated"], new["balance"]) == ("5", "20", "25")
    (event,) = acme.ok("GET", "/workspace/events", params={"type": "leave_year.closed"})
    assert (event["resource"]["id"], event["data"]) == ("2026", {"balances": 1, "carried": "5"})


def test_a_dry_run_shows_the_same_and_stores_nothing(acme, mia, today_is):
    today_is("2027-01-04")
    before = acme.ok("GET", "/workspace/events/verify")["events"], balance(acme, mia[1], year=2026)
    tried = close(acme, dryRun=True)
    assert (acme.ok("GET", "/workspace/events/verify")["events"], balance(acme, mia[1], year=2026)) == before
    done = close(acme)
    assert tried.pop("dryRun") is True
    assert done.pop("dryRun") is False
    assert tried == done
    assert carried(done) == [("Member", "20", "5", "15")]


def test_days_taken_in_advance_are_owed_in_the_next_year(acme, today_is):
    kind = {"name": "Flexible", "code": "flex", "allowanceDays": "2", "allowNegative": True}
    id = acme.ok("POST", "/hr/leave-types", kind)["id"]
    member, mia = hired_colleague(acme)
    take(acme, member, "2026-12-07", "2026-12-10", leaveTypeId=id)
    today_is("2027-01-04")
    assert ("Member", "-2", "-2", "0") in carried(close(acme))
    assert balance(acme, mia, "flex", year=2026)["balance"] == "0"
    assert balance(acme, mia, "flex")["balance"] == "0"


def test_sick_days_are_not_carried_over_as_debt(acme, mia, today_is):
    take(acme, mia[0], "2026-12-07", "2026-12-08", leaveTypeId=type_id(acme, "sick"))
    today_is("2027-01-04")
    close(acme)
    assert balance(acme, mia[1], "sick", year=2026)["balance"] == "-2"
    assert balance(acme, mia[1], "sick")["balance"] == "0"


def test_nothing_is_carried_over_for_those_who_have_left(acme, mia, today_is):
    acme.ok("POST", f"/hr/employees/{mia[1]}/terminate", {"date": "2026-12-31"})
    today_is("2027-01-04")
    assert carried(close(acme)) == []
    assert balance(acme, mia[1], year=2026)["balance"] == "20"


def test_carried_days_are_taken_first_and_those_left_expire(acme, mia, today_is):
    member, id = mia
    today_is("2027-01-04")
    close(acme)
    take(acme, member, "2027-03-01", "2027-03-02")
    assert left(member, id) == ("23", "0", "23")
    today_is("2027-03-31")
    assert balance(member, id)["expired"] == "0"
    today_is("2027-04-01")
    found = balance(member, id)
    assert (found["expired"], found["balance"]) == ("3", "20")
    assert balance(member, id, date="2027-03-31")["expired"] == "0"
    late = take(acme, member, "2027-03-30", "2027-03-30")
    assert balance(member, id)["expired"] == "2"
    decide(acme, late, "cancel")
    assert (balance(member, id)["expired"], balance(member, id)["balance"]) == ("3", "20")


def test_leave_after_carried_days_expire_cannot_count_on_them(acme, mia, today_is):
    member, id = mia
    today_is("2027-01-04")
    close(acme)
    error = member.refused("POST", "/hr/leaves", leave("2027-05-03", "2027-05-31"), status=422, code="too_little_leave")
    assert error["message"].startswith("Annual leave 2027: 20 days remain")
    ask(member, "2027-05-03", "2027-05-28")
    assert left(member, id) == ("25", "20", "5")
    ask(member, "2027-03-01", "2027-03-05")
    assert left(member, id) == ("25", "25", "0")
    today_is("2027-06-01")
    assert left(member, id) == ("25", "25", "0")


def test_a_year_is_closed_once_and_not_before_it_is_over(acme, today_is):
    acme.refused("POST", "/hr/leave-years/2026/close", {}, status=409, code="leave_year_not_over")
    today_is("2026-12-31")
    acme.refused("POST", "/hr/leave-years/2026/close", {"dryRun": True}, status=409, code="leave_year_not_over")
    today_is("2027-01-01")
    close(acme)
    for year, dry_run in ((2026, False), (2026, True), (2025, False)):
        error = acme.refused(
            "POST", f"/hr/leave-years/{year}/close", {"dryRun": dry_run}, status=409, code="leave_year_closed"
        )
        assert error["message"] == f"The leave year {year} is already closed."


def test_a_year_with_pending_leave_is_not_closed(acme, mia, today_is):
    first, _ = ask(mia[0], "2026-12-07"), ask(mia[0], "2026-12-28", "2027-01-08")
    ask(mia[0], "2027-02-01")
    today_is("2027-01-04")
    error = acme.refused("POST", "/hr/leave-years/2026/close", {}, status=409, code="leave_pending")
    assert error["message"] == (
        "2 leave requests up to the end of 2026 are pending. Decide on them before you close the year."
    )
    decide(acme, first)
    error = acme.refused("POST", "/hr/leave-years/2026/close", {"dryRun": True}, status=409, code="leave_pending")
    assert error["message"].startswith("1 leave request up to the end of 2026 is pending.")


def test_those_who_manage_leave_close_years(acme, mia, today_is):
    today_is("2027-01-04")
    for role in ("manager", "member", "accountant", "viewer"):
        acme.colleague(role).refused("POST", "/hr/leave-years/2026/close", {}, status=403, code="forbidden")
    close(acme.colleague("hr"))


@pytest.mark.parametrize("year", ["next", "20260", "1800", "²⁰²⁰"])
def test_a_malformed_year_is_not_found(acme, year):
    acme.refused("POST", f"/hr/leave-years/{year}/close", {}, status=404, code="not_found")
