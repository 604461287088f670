"""Time from Toggl Track, Clockify and Kimai, as their own export files have it."""

from pathlib import Path

import pytest

from tests.refusals import complaints

PATH = "/tasks/time-logs/import"
EXPORTS = Path(__file__).parent / "exports"
EVERYTHING = ["customers", "projects", "tasks"]

TOGGL = (EXPORTS / "toggl.csv").read_text("utf-8")
CLOCKIFY = (EXPORTS / "clockify.csv").read_text("utf-8")
KIMAI = (EXPORTS / "kimai.csv").read_text("utf-8")


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def anna(acme):
    """An office whose owner has the name and the address that are in the files."""
    email, name = acme.user["email"], acme.user["name"]
    return acme, lambda text: text.replace("anna@example.com", email).replace("Anna", name)


def bring(anna, source, text, **fields):
    office, ours = anna
    body = {"source": source, "csv": ours(text), "create": EVERYTHING, **fields}
    return office.ok("POST", PATH, body)


def logged(office):
    """Day, minutes, note, task's title, project's name and whether it is billable, by day."""
    rows = office.ok("GET", "/tasks/time-logs", params={"limit": "100"})
    shown = [
        (row["date"], row["minutes"], row["note"] or "", row["taskTitle"], row["projectName"], row["isBillable"])
        for row in rows
    ]
    return sorted(shown)


def test_the_time_of_toggl_comes_with_its_customers_projects_and_tasks(anna):
    office, _ = anna
    answer = bring(anna, "toggl", TOGGL)
    assert answer == {"rows": 3, "minutes": 145, "created": 3, "known": 0, "dryRun": False}
    assert [row[:5] for row in logged(office)] == [
        ("2026-01-05", 45, "Call", "Time", "Website"),
        ("2026-01-05", 90, "Start page", "Pages", "Website"),
        ("2026-01-06", 10, "Tidying up", "Time", None),
    ]
    (customer,) = office.ok("GET", "/finance/contacts")
    (project,) = office.ok("GET", "/projects")
    assert (customer["name"], project["customerId"]) == ("Heron Bakery", customer["id"])


def test_the_same_file_brings_nothing_twice(anna):
    office, _ = anna
    bring(anna, "toggl", TOGGL)
    before = logged(office)
    assert bring(anna, "toggl", TOGGL) == {"rows": 3, "minutes": 0, "created": 0, "known": 3, "dryRun": False}
    again = (
        "Anna,anna@example.com,heron bakery,WEBSITE,pages,More,No,2026-01-07,09:00:00,2026-01-07,09:20:00,00:20:00,,"
    )
    more = f"{TOGGL}{again}\n"
    assert bring(anna, "toggl", more) | {"minutes": 0} == {
        "rows": 4,
        "minutes": 0,
        "created": 1,
        "known": 3,
        "dryRun": False,
    }
    assert len(logged(office)) == len(before) + 1
    assert len(office.ok("GET", "/projects")) == 1


def test_times_of_clockify_are_of_its_clock_and_its_order_of_days(anna):
    office, _ = anna
    bring(anna, "clockify", CLOCKIFY)
    assert [row[:2] for row in logged(office)] == [("2026-01-13", 210), ("2026-01-14", 60)]
    first = office.ok("GET", "/tasks/time-logs", params={"dateTo": "2026-01-13"})[0]
    zone = office.ok("GET", f"/workspace/{office.workspace_id}")["timeZone"]
    assert zone == "UTC"
    assert (first["startedAt"], first["endedAt"]) == ("2026-01-13T09:05:00.000Z", "2026-01-13T12:35:00.000Z")


def test_kimai_names_the_task_after_the_activity_and_exported_time_is_not_billable(anna):
    office, _ = anna
    bring(anna, "kimai", KIMAI)
    assert [row[:4] for row in logged(office)] == [
        ("2026-01-05", 90, "Sketches", "Design"),
        ("2026-01-06", 75, "By hand", "Design"),
    ]
    assert logged(office)[1][5] is False


def test_dates_that_can_be_read_in_two_ways_are_asked_about(anna):
    office, ours = anna
    text = CLOCKIFY.replace("01/13/2026", "01/02/2026").replace("01/14/2026", "03/02/2026")
    body = {"source": "clockify", "csv": ours(text), "create": EVERYTHING}
    assert complaints(office.refused("POST", PATH, body, status=422)) == {"dateOrder": "date_order"}
    office.ok("POST", PATH, body | {"dateOrder": "day_first"})
    assert [row[0] for row in logged(office)] == ["2026-02-01", "2026-02-03"]


def test_a_dry_run_adds_neither_time_nor_projects(anna):
    office, _ = anna
    answer = bring(anna, "toggl", TOGGL, dryRun=True)
    assert answer == {"rows": 3, "minutes": 145, "created": 0, "known": 0, "dryRun": True}
    assert (logged(office), office.ok("GET", "/projects"), office.ok("GET", "/finance/contacts")) == ([], [], [])


def test_names_that_nobody_has_are_told_by_row(anna):
    office, ours = anna
    refused = office.refused("POST", PATH, {"source": "toggl", "csv": ours(TOGGL)}, status=422)
    assert complaints(refused) == {
        "rows[2].customer": "unknown_reference",
        "rows[3].customer": "unknown_reference",
        "rows[4].task": "unknown_reference",
    }
    assert "Heron Bakery" in refused["details"][0]["message"]


def test_unknown_people_are_named_and_can_be_matched(acme):
    refused = acme.refused("POST", PATH, {"source": "toggl", "csv": TOGGL, "create": EVERYTHING}, status=422)
    assert complaints(refused) == {"people": "unknown_people"}
    assert "anna@example.com" in refused["details"][0]["message"]
    people = {"anna@example.com": acme.user["id"]}
    body = {"source": "toggl", "csv": TOGGL, "create": EVERYTHING, "people": people}
    assert acme.ok("POST", PATH, body)["created"] == 3


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        (("Start date", "Begin"), "csv", "wrong_headings"),
        (
            ("2026-01-06,11:00:00,2026-01-06,11:10:29,00:10:29", "2026-01-06,,,,soon"),
            "rows[4].Duration",
            "not_a_duration",
        ),
        (("2026-01-05,09:00:00", "2026-02-30,09:00:00"), "rows[2].date", "not_a_date"),
        (("Pages", "P" * 201), "rows[2].task", "too_long"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_place(anna, change, field, code):
    office, ours = anna
    body = {"source": "toggl", "csv": ours(TOGGL.replace(*change)), "create": EVERYTHING}
    assert complaints(office.refused("POST", PATH, body, status=422)) == {field: code}
    assert (logged(office), office.ok("GET", "/projects")) == ([], [])


def test_fields_of_an_export_need_its_program(acme):
    body = {"csv": "task,date,hours\nA-1,2026-01-05,1\n", "create": ["tasks"]}
    assert complaints(acme.refused("POST", PATH, body, status=422)) == {"source": "required"}


def test_a_member_adds_no_customers(anna):
    office, _ = anna
    mia = office.colleague("member")
    text = TOGGL.replace("anna@example.com", mia.user["email"])
    body = {"source": "toggl", "csv": text, "create": EVERYTHING}
    mia.refused("POST", PATH, body, status=403, code="forbidden")


@pytest.mark.parametrize(
    ("end", "duration", "minutes"),
    [
        ("2026-01-05,09:00:00", "00:00:00", 1),
        ("2026-01-05,08:00:00", "00:30:00", 30),
        ("2026-01-06,02:00:00", "17:00:00", 1020),
    ],
    ids=["without length", "times that contradict the day", "over midnight"],
)
def test_times_count_where_they_show_the_duration(anna, end, duration, minutes):
    """A timer that is stopped at once is no day of work."""
    heading = TOGGL.splitlines()[0]
    row = f"Anna,anna@example.com,,,,Work,Yes,2026-01-05,09:00:00,{end},{duration},,"
    assert bring(anna, "toggl", f"{heading}\n{row}\n")["minutes"] == minutes


def test_an_entry_of_two_days_is_not_cut_to_one(anna):
    office, ours = anna
    heading = TOGGL.splitlines()[0]
    row = "Anna,anna@example.com,,,,Work,Yes,2026-01-05,22:00:00,2026-01-07,21:00:00,47:00:00,,"
    body = {"source": "toggl", "csv": ours(f"{heading}\n{row}\n"), "create": EVERYTHING}
    assert complaints(office.refused("POST", PATH, body, status=422)) == {"rows[2].minutes": "out_of_range"}
