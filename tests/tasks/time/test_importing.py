"""Time from a spreadsheet: all rows or none."""

import re
import time

import pytest

from tests.conftest import Installation
from tests.events import events_of
from tests.refusals import complaint_pairs
from tests.tasks.tasks import add
from tests.tasks.tasks import change as change_task
from tests.tasks.time.time_logs import NOON, hourly_task, listed, live_in, log, minutes, span, start
from tests.web.test_sheets import workbook

IMPORT = "/tasks/time-logs/import"


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    """An office for what is refused and leaves nothing behind."""
    return Installation(tmp_path_factory.mktemp("time")).office("Olga")


@pytest.fixture(autouse=True)
def _on_a_monday(clock_at):
    clock_at(NOON)


def read(office, *lines, **fields):
    """What an import answers."""
    return office.ok("POST", IMPORT, {"csv": "\n".join(lines), **fields})


def wrong(office, *lines):
    """What is wrong with the rows of a spreadsheet, from the top down, of which nothing is stored."""
    before = len(listed(office))
    error = office.refused("POST", IMPORT, {"csv": "\n".join(lines)}, status=422)
    numbers = [int(number) for fault in error["details"] for number in re.findall(r"rows\[(\d+)\]", fault["field"])]
    assert numbers == sorted(numbers)
    assert len(listed(office)) == before
    return complaint_pairs(error)


def test_a_spreadsheet_of_time_is_logged(acme):
    project, task = hourly_task(acme)
    loose = add(acme)
    told = read(
        acme,
        "task,date,minutes,note,billable",
        f'{task["key"]},2026-03-12,90,"Front page, back page",',
        f"{loose['key'].lower()},2026-03-13,30,,yes",
        f"{task['key']},,10,,no",
    )
    assert told == {"rows": 3, "minutes": 130, "created": 3, "known": 0, "dryRun": False}
    last, second, first = listed(acme)
    assert (first["taskId"], first["projectId"], first["note"]) == (task["id"], project["id"], "Front page, back page")
    assert (first["isBillable"], first["amount"], first["createdByUserId"]) == (True, "135.00", acme.user["id"])
    assert (second["isBillable"], second["amount"], second["note"]) == (True, "0.00", None)
    assert (last["date"], last["isBillable"], last["userId"]) == ("2026-03-16", False, acme.user["id"])
    imported = [event for event in acme.ok("GET", "/workspace/events") if event["type"] == "time_log.imported"]
    assert [(each["data"]["count"], each["data"]["dateFrom"], each["data"]["dateTo"]) for each in imported] == [
        (3, "2026-03-12", "2026-03-16")
    ]
    assert events_of(acme, first["id"]) == []


def test_a_spreadsheet_has_days_hours_and_words_as_german_has_them(acme):
    key = add(acme)["key"]
    read(acme, "task;date;hours;billable", f"{key};12.03.2026;1,5;nein")
    (row,) = listed(acme)
    assert (row["date"], row["minutes"], row["isBillable"]) == ("2026-03-12", 90, False)


def test_an_excel_file_of_time_is_logged(acme):
    key = add(acme)["key"]
    rows = [["task", "date", "hours", "start", "end", "note"], [key, "2026-03-12", 1.5, "", "", "Front page"]]
    told = acme.ok("POST", IMPORT, {"xlsx": workbook(*rows, [key, "2026-03-13", "", "09:00", "9:45", ""])})
    assert told == {"rows": 2, "minutes": 135, "created": 2, "known": 0, "dryRun": False}
    assert [(row["date"], row["minutes"]) for row in listed(acme)] == [("2026-03-13", 45), ("2026-03-12", 90)]
    error = acme.refused("POST", IMPORT, {"xlsx": workbook(["date"], ["2026-03-12"])}, status=422)
    assert complaint_pairs(error) == {("xlsx", "no_task")}


def test_the_same_file_twice_logs_nothing_new_unless_wanted(acme):
    key = add(acme)["key"]
    rows = ["task,date,minutes,start,end", f"{key},2026-03-12,90,,", f"{key},2026-03-13,,09:00,9:45"]
    read(acme, *rows)
    again = {"rows": 2, "minutes": 0, "created": 0, "known": 2, "dryRun": True}
    assert read(acme, *rows, dryRun=True) == again
    assert read(acme, *rows) == again | {"dryRun": False}
    assert len(listed(acme)) == 2
    assert read(acme, *rows[:2], onDuplicate="add")["created"] == 1
    assert [row["minutes"] for row in listed(acme)] == [45, 90, 90]


def test_a_dry_run_checks_and_stores_nothing(acme):
    key = add(acme)["key"]
    told = read(acme, "task,date,minutes", f"{key},2026-03-12,90", dryRun=True)
    assert told == {"rows": 1, "minutes": 90, "created": 0, "known": 0, "dryRun": True}
    assert listed(acme) == []
    assert not [event for event in acme.ok("GET", "/workspace/events") if event["type"].startswith("time_log")]
    acme.refused("POST", IMPORT, {"csv": "task,minutes\nX-1,5", "dryRun": True}, status=422)


def test_a_spreadsheet_of_another_program_is_read(acme):
    key = add(acme)["key"]
    told = read(
        acme, "\ufeffTask;Date;Hours;Note\r", f'"{key}";2026-03-12;1,5;"a; b"\r', "\r", f"{key};2026-03-13;0.75;\r"
    )
    assert (told["rows"], told["minutes"]) == (2, 135)
    assert [each["note"] for each in listed(acme)] == [None, "a; b"]


def test_a_start_and_an_end_are_instants_or_times_of_the_day(acme):
    live_in(acme, "Europe/Berlin")
    key = add(acme)["key"]
    read(
        acme,
        "task,date,start,end",
        f"{key},,2026-03-10T09:00:00+01:00,2026-03-10T09:30:00+01:00",
        f"{key},2026-03-11,9:00,10:15",
        f"{key},2026-03-12,23:30,0:30:00",
    )
    assert minutes(acme, sort="date") == [30, 75, 60]
    assert [each["startedAt"] for each in listed(acme, sort="date")] == [
        "2026-03-10T08:00:00.000Z", "2026-03-11T08:00:00.000Z", "2026-03-12T22:30:00.000Z",
    ]  # fmt: skip


def test_times_of_the_day_know_the_changes_of_the_clock(acme, clock_at):
    clock_at("2026-11-02T12:00:00Z")
    office = acme.installation.office("Ben", timeZone="Europe/Berlin")
    key = add(office)["key"]
    read(office, "task,date,start,end", f"{key},2026-03-29,1:30,3:30", f"{key},2026-10-25,1:30,3:30")
    assert minutes(office, sort="date") == [60, 180]
    skipped = f"{key},2026-03-29,2:30,4:00"
    assert wrong(office, "task,date,start,end", skipped) == {("rows[2].start", "not_an_instant")}


def test_every_wrong_cell_is_named_by_its_row(acme):
    _, task = hourly_task(acme)
    dropped = add(acme)
    change_task(acme, dropped, status="cancelled")
    key = task["key"]
    found = wrong(
        acme,
        "task,date,minutes,hours,start,end,note,billable,user",
        f"{key},2026-03-12,90,,,,,,",
        "NO-1,2026-03-12,90,,,,,,",
        f"{dropped['key']},2026-03-12,90,,,,,,",
        f"{key},12. March,x,,,,,,",
        f"{key},2026-03-17,1441,,,,,maybe,",
        "",
        f"{key},2026-03-17,5,,,,,,",
        f"{key},,,0,,,,,nobody@example.com",
        f"{key},,5,1,,,,,",
        f"{key},,,,2026-03-12T09:00:00Z,,,,",
        f"{key},,,,9:00,9:30,,,",
        f"{key},2026-03-12,,,25:00,9:30,,,",
        f"{key},,,,,,,,",
        f"{key},,5,,,,{'x' * 4001},,",
    )
    assert found == {
        ("rows[3].task", "unknown_reference"),
        ("rows[4].task", "task_cancelled"),
        ("rows[5].date", "not_a_date"),
        ("rows[5].minutes", "out_of_range"),
        ("rows[6].minutes", "out_of_range"),
        ("rows[6].billable", "not_one_of"),
        ("rows[8].date", "in_future"),
        ("rows[9].hours", "out_of_range"),
        ("rows[9].user", "unknown_reference"),
        ("rows[10].hours", "either_or"),
        ("rows[11].end", "required"),
        ("rows[12].start", "no_date"),
        ("rows[12].end", "no_date"),
        ("rows[13].start", "not_an_instant"),
        ("rows[14].minutes", "required"),
        ("rows[15].note", "too_long"),
    }


@pytest.mark.parametrize(
    ("lines", "field", "code"),
    [
        (["task,minutes"], "csv", "row_count"),
        (["task,minutes", *["X-1,5"] * 5001], "csv", "row_count"),
        (["task,colour", "X-1,red"], "csv", "unknown_column"),
        (["task,date,Date", "X-1,,"], "csv", "column_twice"),
        (["date,minutes", "2026-03-12,5"], "csv", "no_task"),
        (["task,note", 'X-1,"open'], "csv", "not_csv"),
        (["\ufeff"], "csv", "no_task"),
        (["task,minutes", "X-1,5,6"], "rows[2]", "too_many_cells"),
        (["task,,minutes", "X-1,,5", "X-1,6,5"], "rows[3]", "too_many_cells"),
        ([""], "csv", "required"),
    ],
)
def test_what_is_no_spreadsheet_of_time_is_refused(office, lines, field, code):
    assert wrong(office, *lines) == {(field, code)}


def test_rows_do_not_overlap_each_other_or_what_is_there(acme):
    task = add(acme)
    key = task["key"]
    log(acme, task, **span("2026-03-12T08:00", "2026-03-12T09:00"))
    start(acme, task)
    found = wrong(
        acme,
        "task,date,start,end",
        f"{key},2026-03-12,8:30,9:30",
        f"{key},2026-03-12,9:30,12:00",
        f"{key},2026-03-12,10:00,10:10",
        f"{key},2026-03-12,10:20,10:30",
        f"{key},2026-03-12,12:00,12:30",
        f"{key},2026-03-16,11:00,12:00",
    )
    assert found == {(f"rows[{row}].start", "time_overlap") for row in (2, 3, 4, 5)}
    assert read(acme, "task,date,start,end", f"{key},2026-03-12,9:00,10:00", f"{key},2026-03-12,7:00,8:00")["rows"] == 2


def test_rows_fit_into_what_is_left_of_their_days(acme):
    task = add(acme)
    log(acme, task, 1000, date="2026-03-12")
    rows = [f"{task['key']},2026-03-12,{amount}" for amount in (400, 50, 40)]
    assert wrong(acme, "task,date,minutes", *rows) == {("rows[3].minutes", "day_full")}
    assert read(acme, "task,date,minutes", rows[0], rows[2])["minutes"] == 440


def test_who_may_reads_in_the_time_of_others(acme):
    mia, key = acme.colleague("member"), add(acme)["key"]
    live_in(mia, "Pacific/Kiritimati")
    lines = [
        "task,date,start,end,user",
        f"{key},2026-03-12,9:00,10:00,{mia.email.upper()}",
        f"{key},2026-03-12,9:00,10:00,",
    ]
    assert read(acme, *lines)["created"] == 2
    assert [each["startedAt"] for each in listed(acme, userId=mia.user["id"])] == ["2026-03-11T19:00:00.000Z"]
    mia.refused("POST", IMPORT, {"csv": f"task,minutes,user\n{key},5,{acme.email}"}, status=403, code="forbidden")
    assert read(mia, "task,minutes,user", f"{key},5,{mia.email}")["created"] == 1


@pytest.mark.parametrize("role", ["accountant", "hr", "viewer"])
def test_who_logs_no_time_imports_none(acme, role):
    acme.colleague(role).refused("POST", IMPORT, {"csv": "task,minutes\nX-1,5"}, status=403, code="forbidden")


def test_five_thousand_rows_are_read_in_a_few_seconds(acme):
    keys = [add(acme)["key"] for _ in range(5)]
    rows = [
        f"{keys[i % 5]},2025-{1 + i // 28 % 12:02}-{1 + i % 28:02},{i // 336}:00,{i // 336}:59" for i in range(5000)
    ]
    began = time.process_time()  # other programs on this computer do not count
    assert read(acme, "task,date,start,end", *rows)["created"] == 5000
    assert time.process_time() - began < 10
