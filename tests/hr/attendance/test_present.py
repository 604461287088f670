"""Today and the week so far, and who is in now."""

import pytest

from tests.hr.attendance.records import NOW, employee_at_work, grant_leave, marked_day, punch


@pytest.fixture(autouse=True)
def _on_wednesday_at_five(clock_at):
    clock_at(NOW)


def own_week(person):
    me = person.ok("GET", "/hr/me")
    return me["today"], me["week"]


def test_a_week_counts_the_open_punch_up_to_now_and_expects_less_for_leave(acme):
    member = acme.colleague("member")
    anna = employee_at_work(acme, person=member)
    marked_day(acme, anna, "2026-03-08", punch("03-08 08:00", "10:00"))  # a Sunday, of the week before
    marked_day(acme, anna, "2026-03-09", punch("03-09 08:00", "16:30"), breakMinutes=30)
    marked_day(acme, anna, "2026-03-10", punch("03-10 08:00", "15:00"))
    marked_day(acme, anna, "2026-03-11", punch("03-11 08:00", "12:00"), punch("03-11 13:00"))
    grant_leave(acme, anna, "2026-03-13")
    today, week = own_week(member)
    assert today == {
        "date": "2026-03-11",
        "status": "present",
        "punches": [
            {"in": "2026-03-11T08:00:00.000Z", "out": "2026-03-11T12:00:00.000Z"},
            {"in": "2026-03-11T13:00:00.000Z", "out": None},
        ],
        "breakMinutes": 0,
        "workedMinutes": 8 * 60,
        "expectedMinutes": 8 * 60,
    }
    assert week == {
        "dateFrom": "2026-03-09",
        "dateTo": "2026-03-15",
        "workedMinutes": 8 * 60 + 7 * 60 + 8 * 60,
        "expectedMinutes": 4 * 8 * 60,
    }


def test_a_day_without_a_record_has_no_punches(acme):
    member = acme.colleague("member")
    employee_at_work(acme, person=member)
    today, week = own_week(member)
    assert (today["status"], today["punches"], today["workedMinutes"]) == (None, [], 0)
    assert (week["workedMinutes"], week["expectedMinutes"]) == (0, 40 * 60)


def test_a_clock_that_someone_forgot_to_stop_counts_nothing_after_a_day(acme, clock_at):
    member = acme.colleague("member")
    employee_at_work(acme, person=member)
    clock_at("2026-03-09T08:00:00Z")
    member.ok("POST", "/hr/attendance/clock-in", {})
    clock_at("2026-03-10T08:00:00Z")
    assert own_week(member)[1]["workedMinutes"] == 24 * 60
    clock_at("2026-03-10T08:01:00Z")
    assert own_week(member)[1]["workedMinutes"] == 0


def presence(person):
    return {row["employeeName"]: row["presence"] for row in person.ok("GET", "/hr/attendance/present")}


def test_it_shows_who_is_in_on_a_break_finished_on_leave_off_and_away(acme):
    ann, ben, cleo, dan = (employee_at_work(acme, name) for name in ("Ann", "Ben", "Cleo", "Dan"))
    gus, hal, ida, _ = (employee_at_work(acme, name) for name in ("Gus", "Hal", "Ida", "Eve"))
    employee_at_work(acme, "Finn", workSchedule={"mon": 480, "tue": 480})
    marked_day(acme, ann, "2026-03-11", punch("03-11 08:00"))
    marked_day(acme, ben, "2026-03-11", punch("03-11 08:00", "12:00"))
    marked_day(acme, cleo, "2026-03-11", punch("03-11 07:00", "15:00"))
    grant_leave(acme, dan, "2026-03-11")
    marked_day(acme, gus, "2026-03-11", status="remote")
    marked_day(acme, hal, "2026-03-11", status="absent")
    grant_leave(acme, ida, "2026-03-11", startHalf=True)
    assert presence(acme) == {
        "Ann": "in",
        "Ben": "on_break",
        "Cleo": "finished",
        "Dan": "on_leave",
        "Eve": "away",
        "Finn": "off",
        "Gus": "in",
        "Hal": "away",
        "Ida": "away",
    }
    rows = {row["employeeName"]: row for row in acme.ok("GET", "/hr/attendance/present")}
    shown = [(row["since"], row["workedMinutes"], row["leave"]) for row in (rows[name] for name in ("Ann", "Ben"))]
    assert shown == [("2026-03-11T08:00:00.000Z", 540, None), ("2026-03-11T12:00:00.000Z", 240, None)]
    halves = [(rows[name]["leave"], rows[name]["expectedMinutes"]) for name in ("Dan", "Ida")]
    assert halves == [("day", 0), ("half_day", 240)]


def test_on_a_holiday_everyone_is_off_who_does_not_come(acme):
    ann = employee_at_work(acme, "Ann")
    employee_at_work(acme, "Ben")
    acme.ok("POST", "/hr/holidays", {"date": "2026-03-11", "name": "Office closed"})
    marked_day(acme, ann, "2026-03-11", punch("03-11 08:00"))
    assert presence(acme) == {"Ann": "in", "Ben": "off"}


def test_a_night_shift_goes_on_past_midnight(acme, clock_at):
    ann = employee_at_work(acme, "Ann")
    marked_day(acme, ann, "2026-03-10", punch("03-10 20:00"))
    clock_at("2026-03-11T04:00:00Z")
    (row,) = acme.ok("GET", "/hr/attendance/present")
    assert (row["presence"], row["since"], row["workedMinutes"]) == ("in", "2026-03-10T20:00:00.000Z", 480)
    clock_at("2026-03-11T20:01:00Z")
    assert presence(acme) == {"Ann": "away"}, "it was forgotten"


def test_who_keeps_no_attendance_is_listed_only_on_leave(acme):
    boss = employee_at_work(acme, "Zoe", keepsAttendance=False)
    assert presence(acme) == {}
    grant_leave(acme, boss, "2026-03-11")
    assert presence(acme) == {"Zoe": "on_leave"}


def test_who_has_left_or_not_begun_is_not_listed(acme):
    gone = employee_at_work(acme, "Ann")
    employee_at_work(acme, "Ben", hireDate="2026-03-12")
    acme.ok("POST", f"/hr/employees/{gone}/terminate", {"date": "2026-03-10"})
    assert presence(acme) == {}


def test_one_sees_oneself_and_a_manager_those_who_report_to_them(acme):
    member, manager, viewer = acme.colleague("member"), acme.colleague("manager"), acme.colleague("viewer")
    lead = employee_at_work(acme, "Max", manager)
    employee_at_work(acme, "Mia", member, managerEmployeeId=lead)
    employee_at_work(acme, "Zoe")
    assert set(presence(acme)) == {"Max", "Mia", "Zoe"}
    assert set(presence(manager)) == {"Max", "Mia"}
    assert set(presence(member)) == {"Mia"}
    assert presence(viewer) == {}
