"""The days of people who live elsewhere, and records that stay when a time zone changes."""

import pytest

from tests.hr.employees.employees import at, hire

WEEK = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), 480)


@pytest.fixture
def _in_november(acme, clock_at):
    at(acme, clock_at, "2026-11-26")


def punches(start, end):
    return [{"in": start, "out": end}]


@pytest.mark.usefixtures("_in_november")
def test_a_day_begins_where_the_person_lives(acme):
    made = hire(acme, timeZone="Australia/Brisbane", workSchedule=WEEK)
    assert made["timeZone"] == "Australia/Brisbane"
    day = {"employeeId": made["id"], "date": "2026-11-23"}
    worked = punches("2026-11-23T07:30:00+10:00", "2026-11-23T15:30:00+10:00")
    record = acme.ok("POST", "/hr/attendance", {**day, "punches": worked})
    shown = (record["date"], record["workedMinutes"], record["overtimeMinutes"], record["timeZone"])
    assert shown == ("2026-11-23", 480, 0, "Australia/Brisbane")


def test_someone_far_east_clocks_in_on_their_own_day(acme, clock_at):
    at(acme, clock_at, "2026-11-22")
    clock_at("2026-11-22T21:30:00Z")
    made = hire(acme, timeZone="Australia/Brisbane", workSchedule=WEEK)
    record = acme.ok("POST", "/hr/attendance/clock-in", {"employeeId": made["id"]})
    assert record["date"] == "2026-11-23"
    (present,) = acme.ok("GET", "/hr/attendance/present")
    assert (present["presence"], present["expectedMinutes"]) == ("in", 480)


def test_the_zone_of_the_user_comes_before_the_office(acme, clock_at):
    at(acme, clock_at, "2026-11-22")
    clock_at("2026-11-22T21:30:00Z")
    person = acme.colleague("member")
    hire(acme, userId=person.user["id"])
    person.ok("PATCH", "/auth/me", {"timeZone": "Australia/Brisbane"})
    assert person.ok("POST", "/hr/attendance/clock-in", {})["date"] == "2026-11-23"
    assert person.ok("GET", "/hr/me")["today"]["date"] == "2026-11-23"


@pytest.mark.usefixtures("_in_november")
def test_a_new_zone_moves_and_blocks_no_record(acme):
    made = hire(acme, workSchedule=WEEK)
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeZone": "Europe/Berlin"})
    early = punches("2026-11-24T01:00:00+01:00", "2026-11-24T09:00:00+01:00")
    body = {"employeeId": made["id"], "date": "2026-11-24", "punches": early}
    record = acme.ok("POST", "/hr/attendance", body)
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeZone": "America/New_York"})
    changed = acme.ok("PATCH", f"/hr/attendance/{record['id']}", {"note": "checked"})
    assert (changed["date"], changed["timeZone"], changed["note"]) == ("2026-11-24", "Europe/Berlin", "checked")
    late = punches("2026-11-24T02:00:00+01:00", "2026-11-24T09:00:00+01:00")
    assert acme.ok("PATCH", f"/hr/attendance/{record['id']}", {"punches": late})["workedMinutes"] == 420
    fix = {"employeeId": made["id"], "date": "2026-11-24", "punches": early, "reason": "As before"}
    correction = acme.ok("POST", "/hr/attendance-corrections", fix)
    acme.ok("POST", f"/hr/attendance-corrections/{correction['id']}/approve", {})
    assert acme.ok("GET", f"/hr/attendance/{record['id']}")["workedMinutes"] == 480


@pytest.mark.usefixtures("_in_november")
def test_leave_has_begun_by_the_day_of_the_person(acme, clock_at):
    clock_at("2026-11-26T21:30:00Z")
    person = acme.colleague("member")
    hire(acme, userId=person.user["id"], timeZone="Australia/Brisbane", workSchedule=WEEK)
    leave = person.ok("POST", "/hr/leaves", {"startDate": "2026-11-27", "endDate": "2026-11-27"})
    acme.ok("POST", f"/hr/leaves/{leave['id']}/approve", {})
    person.refused("POST", f"/hr/leaves/{leave['id']}/cancel", {}, status=403, code="leave_begun")
