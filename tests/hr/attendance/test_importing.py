"""Attendance from a spreadsheet."""

import pytest

from tests.hr.attendance.records import NOW, employee_at_work, minutes, settle
from tests.web.test_sheets import workbook

PATH = "/hr/attendance/import"
WEEK = """date;employeeId;in;out;breakMinutes;status;note
2026-03-02;EMP-0001;08:00;12:00;;;
2026-03-02;EMP-0001;12:30;17:00;15;;Stocktaking
2026-03-03;EMP-0001;;;;absent;
2026-03-02;EMP-0002;22:00;06:00;;;
"""


@pytest.fixture(autouse=True)
def _on_wednesday(clock_at):
    clock_at(NOW)


@pytest.fixture
def acme(acme):
    for name in ("Anna", "Ben"):
        employee_at_work(acme, name)
    settle(acme, timeZone="Europe/Berlin")
    return acme


def days(office):
    listed = office.ok("GET", "/hr/attendance", params={"sort": "date"})
    return sorted((day["date"], day["employeeName"], day["status"]) for day in listed)


def test_rows_of_one_person_and_day_become_one_day_in_the_time_of_the_workspace(acme):
    assert acme.ok("POST", PATH, {"csv": WEEK}) == {"rows": 4, "dryRun": False}
    assert days(acme) == [
        ("2026-03-02", "Anna", "present"),
        ("2026-03-02", "Ben", "present"),
        ("2026-03-03", "Anna", "absent"),
    ]
    anna, ben = (
        next(
            day
            for day in acme.ok("GET", "/hr/attendance", params={"dateFrom": "2026-03-02", "dateTo": "2026-03-02"})
            if day["employeeName"] == name
        )
        for name in ("Anna", "Ben")
    )
    assert [(punch["in"][:16], punch["out"][:16]) for punch in anna["punches"]] == [
        ("2026-03-02T07:00", "2026-03-02T11:00"),
        ("2026-03-02T11:30", "2026-03-02T16:00"),
    ]
    assert (minutes(anna)[0], anna["breakMinutes"], anna["note"], anna["source"]) == (495, 15, "Stocktaking", "import")
    assert (ben["punches"][0]["out"][:16], minutes(ben)[0]) == ("2026-03-03T05:00", 480)
    (event,) = [each for each in acme.ok("GET", "/workspace/events") if each["type"] == "attendance.imported"]
    assert event["data"] == {"count": 3, "dateFrom": "2026-03-02", "dateTo": "2026-03-03"}


def test_an_excel_file_and_a_csv_file_as_the_body_are_read_alike(acme):
    rows = [["date", "employeeId", "in", "out"], ["2026-03-02", "EMP-0001", "08:00", "16:00"]]
    assert acme.ok("POST", PATH, {"xlsx": workbook(*rows)})["rows"] == 1
    text = "date,employeeId,in,out\n2026-03-03,EMP-0001,08:00,16:00\n"
    answer = acme.call("POST", PATH, raw=text, headers={"Content-Type": "text/csv"})
    assert (answer.status_code, answer.json["data"]["rows"]) == (200, 1)
    assert len(days(acme)) == 2


def test_a_dry_run_stores_nothing(acme):
    assert acme.ok("POST", PATH, {"csv": WEEK, "dryRun": True}) == {"rows": 4, "dryRun": True}
    assert days(acme) == []


@pytest.mark.parametrize(
    ("row", "field", "code"),
    [
        ("2026-03-04,EMP-0009,08:00,16:00", "rows[3].employeeId", "unknown_reference"),
        ("2026-03-04,EMP-0001,25:00,16:00", "rows[3].in", "not_an_instant"),
        ("2026-03-04,EMP-0001,08:00,noon", "rows[3].out", "not_an_instant"),
        ("2026-13-04,EMP-0001,08:00,16:00", "rows[3].date", "not_a_date"),
        ("2026-03-12,EMP-0001,08:00,16:00", "rows[3].out", "future"),
    ],
)
def test_a_wrong_row_is_named_and_none_is_stored(acme, row, field, code):
    text = f"date,employeeId,in,out\n2026-03-02,EMP-0001,08:00,16:00\n{row}\n"
    error = acme.refused("POST", PATH, {"csv": text}, status=422)
    assert field in {each["field"] for each in error["details"]}, error["details"]
    assert code in {each["code"] for each in error["details"]}, error["details"]
    assert days(acme) == []


def test_periods_that_overlap_are_told_at_their_row(acme):
    text = "date,employeeId,in,out\n2026-03-02,EMP-0001,11:00,16:00\n2026-03-02,EMP-0001,08:00,12:00\n"
    error = acme.refused("POST", PATH, {"csv": text}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("rows[2].in", "overlaps")]


def test_a_day_that_is_recorded_already_is_refused_at_its_row(acme):
    acme.ok("POST", PATH, {"csv": WEEK})
    error = acme.refused("POST", PATH, {"csv": "date,employeeId,status\n2026-03-03,EMP-0001,absent\n"}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("rows[2].date", "already_exists")]
