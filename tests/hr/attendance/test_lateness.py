"""Lateness: the first and the last punch beside the begin and the end of the schedule."""

import pytest

from tests.hr.attendance.records import NOW, employee_at_work, grant_leave, marked_day, punch, settle
from tests.refusals import complaint

OFFICE = {"begin": "08:00", "end": "16:30", "breakMinutes": 30}
NIGHT = {"begin": "22:00", "end": "06:00", "breakMinutes": 45}
WEEK = dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), OFFICE)


@pytest.fixture(autouse=True)
def _wednesday(clock_at):
    clock_at(NOW)


@pytest.fixture
def anna(acme):
    return employee_at_work(acme, workSchedule=WEEK)


def lateness(record):
    return record["lateMinutes"], record["leftEarlyMinutes"]


def at(office, employee_id, came, went="16:30", day="03-02", **fields):
    return lateness(marked_day(office, employee_id, f"2026-{day}", punch(f"{day} {came}", went), **fields))


def test_a_schedule_is_minutes_or_hours_of_the_day(acme, anna):
    path = f"/hr/employees/{anna}"
    week = acme.ok("GET", path)["workSchedule"]
    assert (week["mon"], week["sat"]) == (OFFICE, 0)
    mixed = {"mon": NIGHT, "tue": 300}
    shown = acme.ok("PATCH", path, {"workSchedule": mixed})["workSchedule"]
    assert (shown["mon"], shown["tue"], shown["wed"]) == (NIGHT, 300, 0)
    without_break = {"begin": "09:00", "end": "12:00"}
    shown = acme.ok("PATCH", path, {"workSchedule": {"mon": without_break}})["workSchedule"]
    assert shown["mon"] == without_break | {"breakMinutes": 0}


@pytest.mark.parametrize(
    ("hours", "minutes"),
    [(OFFICE, 480), (NIGHT, 435), ({"begin": "06:00", "end": "06:00", "breakMinutes": 60}, 1380)],
)
def test_the_minutes_are_from_begin_to_end_without_the_break(acme, hours, minutes):
    employee_at_work(acme, workSchedule={"mon": hours})
    (row,) = acme.ok("GET", "/hr/attendance/summary", params={"month": "2026-02"})
    assert row["expectedMinutes"] == 4 * minutes


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"begin": "8:00", "end": "16:00"}, ("workSchedule.mon.begin", "not_a_time")),
        ({"begin": "08:00", "end": "24:00"}, ("workSchedule.mon.end", "not_a_time")),
        ({"begin": "08:00"}, ("workSchedule.mon.end", "required")),
        ({"begin": "08:00", "end": "16:00", "lunch": 30}, ("workSchedule.mon.lunch", "unknown_field")),
        (OFFICE | {"breakMinutes": -1}, ("workSchedule.mon.breakMinutes", "out_of_range")),
        (OFFICE | {"breakMinutes": 510}, ("workSchedule.mon.breakMinutes", "too_long")),
        (1441, ("workSchedule.mon", "out_of_range")),
        ("480", ("workSchedule.mon", "wrong_type")),
    ],
)
def test_wrong_hours_are_refused(acme, anna, wrong, expected):
    error = acme.refused("PATCH", f"/hr/employees/{anna}", {"workSchedule": {"mon": wrong}}, status=422)
    assert complaint(error) == expected


@pytest.mark.parametrize(("came", "minutes"), [("07:50", 0), ("08:00", 0), ("08:05", 0), ("08:06", 6), ("08:07", 7)])
def test_who_comes_after_the_grace_is_late_by_all_the_minutes(acme, anna, came, minutes):
    assert at(acme, anna, came) == (minutes, 0)


@pytest.mark.parametrize(("went", "minutes"), [("16:45", 0), ("16:25", 0), ("16:24", 6), ("15:00", 90)])
def test_who_goes_before_the_end_leaves_early(acme, anna, went, minutes):
    assert at(acme, anna, "08:00", went) == (0, minutes)


def test_the_first_and_the_last_punch_count(acme, anna):
    punches = punch("03-02 08:10", "12:00"), punch("03-02 13:00", "16:00")
    assert lateness(marked_day(acme, anna, "2026-03-02", *punches)) == (10, 30)


def test_the_workspace_sets_the_grace(acme, anna):
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")["latenessGraceMinutes"] == 5
    settle(acme, latenessGraceMinutes=0)
    assert at(acme, anna, "08:01", "16:29") == (1, 1)
    settle(acme, latenessGraceMinutes=10)
    assert at(acme, anna, "08:10", "16:19", day="03-03") == (0, 11)
    for wrong in (-1, 121):
        error = acme.refused("PATCH", f"/workspace/{acme.workspace_id}", {"latenessGraceMinutes": wrong}, status=422)
        assert complaint(error) == ("latenessGraceMinutes", "out_of_range")


def test_a_day_of_minutes_alone_has_no_lateness(acme):
    bea = employee_at_work(acme, "Bea")
    assert at(acme, bea, "11:00", "12:00") == (0, 0)


def test_a_day_off_has_no_lateness(acme, anna):
    assert at(acme, anna, "11:00", "12:00", day="03-07") == (0, 0)
    acme.ok("POST", "/hr/holidays", {"date": "2026-03-02", "name": "Founders' day"})
    assert at(acme, anna, "11:00", "12:00") == (0, 0)


def test_a_free_half_of_the_day_is_neither_late_nor_early(acme, anna):
    acme.ok("POST", "/hr/holidays", {"date": "2026-03-02", "name": "Carnival", "part": "afternoon"})
    assert at(acme, anna, "08:20", "12:00") == (20, 0)
    acme.ok("POST", "/hr/holidays", {"date": "2026-03-03", "name": "Feast", "part": "morning"})
    assert at(acme, anna, "12:30", "16:00", day="03-03") == (0, 30)
    grant_leave(acme, anna, "2026-03-04", endHalf=True)
    assert at(acme, anna, "12:30", "16:00", day="03-04") == (0, 30)
    grant_leave(acme, anna, "2026-03-05", startHalf=True)
    assert at(acme, anna, "08:20", "12:00", day="03-05") == (20, 0)
    grant_leave(acme, anna, "2026-03-06")
    assert at(acme, anna, "09:00", "10:00", day="03-06") == (0, 0)


def test_a_half_day_counts_as_half_absent_and_not_as_late(acme, anna):
    assert at(acme, anna, "12:30", status="half_day") == (0, 0)


def test_whoever_is_still_at_work_has_not_left_early(acme, anna):
    record = acme.ok("POST", "/hr/attendance/clock-in", {"employeeId": anna, "at": "2026-03-11T09:00:00Z"})
    assert lateness(record) == (60, 0)
    record = acme.ok("POST", "/hr/attendance/clock-out", {"employeeId": anna, "at": "2026-03-11T16:00:00Z"})
    assert lateness(record) == (60, 30)


def test_a_shift_over_midnight_ends_on_the_next_day(acme):
    bea = employee_at_work(acme, "Bea", workSchedule={"mon": NIGHT})
    night = marked_day(acme, bea, "2026-03-02", punch("03-02 22:15", "03-03 05:30"))
    assert lateness(night) == (15, 30)
    assert lateness(marked_day(acme, bea, "2026-03-09", punch("03-09 21:58", "03-10 06:10"))) == (0, 0)


def test_the_hours_are_those_of_the_persons_time_zone(acme):
    zoe = employee_at_work(acme, "Zoe", workSchedule=WEEK, timeZone="Europe/Berlin")
    assert at(acme, zoe, "07:20", "15:00") == (20, 30)


def test_the_month_sums_up_lateness(acme, anna):
    marked_day(acme, anna, "2026-03-02", punch("03-02 08:07", "16:30"))
    marked_day(acme, anna, "2026-03-03", punch("03-03 08:05", "16:00"))
    marked_day(acme, anna, "2026-03-04", punch("03-04 08:30", "16:20"))
    bea = employee_at_work(acme, "Bea")
    marked_day(acme, bea, "2026-03-02", punch("03-02 11:00", "12:00"))
    rows = acme.ok("GET", "/hr/attendance/summary", params={"month": "2026-03"})
    assert [(row["employeeName"], *lateness(row)) for row in rows] == [("Anna", 37, 40), ("Bea", 0, 0)]
    table = acme.call("GET", "/hr/attendance/summary", params={"month": "2026-03", "format": "csv"}).text
    assert table.splitlines()[0].endswith(",lateMinutes,leftEarlyMinutes")
    listed = acme.ok("GET", "/hr/attendance", params={"employeeId": anna, "sort": "date"})
    assert [lateness(day) for day in listed] == [(7, 0), (0, 30), (30, 10)]


def test_another_schedule_has_its_hours_from_its_first_day(acme, anna):
    later = dict.fromkeys(("mon", "tue"), OFFICE | {"begin": "09:00"})
    acme.ok("PATCH", f"/hr/employees/{anna}", {"workSchedule": later, "workScheduleFrom": "2026-03-09"})
    assert at(acme, anna, "09:10") == (70, 0)
    assert at(acme, anna, "09:10", day="03-09") == (10, 0)
    acme.ok("PATCH", f"/hr/employees/{anna}", {"workSchedule": {"mon": 480}, "workScheduleFrom": "2026-03-09"})
    assert [lateness(day) for day in acme.ok("GET", "/hr/attendance", params={"sort": "-date"})] == [(0, 0), (70, 0)]


def test_exported_hours_can_be_imported(acme, anna):
    table = acme.call("GET", "/hr/employees", params={"format": "csv"}).text
    again = acme.ok("POST", "/hr/employees/import", {"csv": table, "onDuplicate": "skip"})
    assert (again["created"], again["skipped"]) == (0, 1)
    moved = table.replace("08:00", "07:00")
    changed = acme.ok("POST", "/hr/employees/import", {"csv": moved, "onDuplicate": "update"})
    assert changed["updated"] == 1
    assert acme.ok("GET", f"/hr/employees/{anna}")["workSchedule"]["tue"] == OFFICE | {"begin": "07:00"}
    wrong = 'name,hireDate,workSchedule.mon\nBea,2026-01-01,"{""begin"": ""x"", ""end"": ""16:00""}"\n'
    error = acme.refused("POST", "/hr/employees/import", {"csv": wrong}, status=422)
    assert complaint(error) == ("rows[2].workSchedule.mon.begin", "not_a_time")
    wrong = 'name,hireDate,workSchedule.mon\nBea,2026-01-01,"{"\n'
    error = acme.refused("POST", "/hr/employees/import", {"csv": wrong}, status=422)
    assert complaint(error) == ("rows[2].workSchedule.mon", "wrong_type")
