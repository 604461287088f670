"""A week of time as a grid, written in one call."""

import pytest

from tests.events import events_of
from tests.refusals import complaint, complaints
from tests.tasks.tasks import add, change, project
from tests.tasks.time.time_logs import listed, log, put_on_invoice, span

WEEK = "/tasks/time-logs/week"
MONDAY = "2026-03-09"


@pytest.fixture(autouse=True)
def _on_sunday(clock_at):
    """The week is from 9 to 15 March 2026."""
    clock_at("2026-03-15T20:00:00Z")


@pytest.fixture
def two(acme):
    """Two tasks of a project."""
    website = project(acme, "Website")["id"]
    return add(acme, "Pages", projectId=website), add(acme, "Shop", projectId=website)


def body(*rows, **fields):
    return {"dateFrom": MONDAY, "rows": [{"taskId": task["key"], "minutes": cells} for task, cells in rows], **fields}


def write(office, *rows, **fields):
    return office.ok("POST", WEEK, body(*rows, **fields))


def refused(office, *rows, status=422, **fields):
    return office.refused("POST", WEEK, body(*rows, **fields), status=status)


def grid(shown):
    return {row["taskTitle"]: [cell["minutes"] for cell in row["cells"]] for row in shown["rows"]}


def test_a_week_is_written_and_shown_as_a_grid(acme, two):
    pages, shop = two
    shown = write(acme, (pages, [60, None, 30]), (shop, [0, 120, None, None, None, None, 45]))
    assert grid(shown) == {"Pages": [60, 0, 30, 0, 0, 0, 0], "Shop": [0, 120, 0, 0, 0, 0, 45]}
    assert (shown["minutes"], shown["total"]) == ([60, 120, 30, 0, 0, 0, 45], 255)
    assert (shown["dateFrom"], shown["dateTo"], shown["userId"]) == (MONDAY, "2026-03-15", acme.user["id"])
    assert [(row["taskKey"], row["projectName"], row["minutes"]) for row in shown["rows"]] == [
        (pages["key"], "Website", 90),
        (shop["key"], "Website", 165),
    ]
    assert acme.ok("GET", WEEK) == acme.ok("GET", f"{WEEK}?dateFrom={MONDAY}&userId=me") == shown
    assert [(each["date"], each["minutes"]) for each in listed(acme, sort="date")] == [
        ("2026-03-09", 60),
        ("2026-03-10", 120),
        ("2026-03-11", 30),
        ("2026-03-15", 45),
    ]


def test_cells_change_delete_and_leave_what_is_there(acme, two):
    pages, _ = two
    first = log(acme, pages, 60, date="2026-03-09", note="Sketches")
    gone = log(acme, pages, 60, date="2026-03-10")
    same = log(acme, pages, 60, date="2026-03-11")
    left = log(acme, pages, 60, date="2026-03-12")
    shown = write(acme, (pages, [90, 0, 60, None]))
    assert grid(shown) == {"Pages": [90, 0, 60, 60, 0, 0, 0]}
    changed = acme.ok("GET", f"/tasks/time-logs/{first['id']}")
    assert (changed["minutes"], changed["note"], changed["version"]) == (90, "Sketches", 2)
    acme.refused("GET", f"/tasks/time-logs/{gone['id']}", status=404)
    for each in (same, left):
        assert acme.ok("GET", f"/tasks/time-logs/{each['id']}")["version"] == 1
    assert events_of(acme, gone["id"]) == ["time_log.created", "time_log.deleted"]


def test_what_cannot_be_written_is_named_by_its_cell_and_nothing_is(acme, two):
    pages, shop = two
    log(acme, pages, 10, date="2026-03-09")
    log(acme, pages, 20, date="2026-03-09")
    log(acme, pages, **span("2026-03-10T09:00", "2026-03-10T10:30"))
    name = put_on_invoice(acme, log(acme, shop, 60, date="2026-03-11"))
    before = acme.ok("GET", WEEK)
    error = refused(acme, (pages, [45, 60, 30]), (shop, [5, None, 90]))
    assert complaints(error) == {
        "rows[0].minutes[0]": "several_logs",
        "rows[0].minutes[1]": "timed",
        "rows[1].minutes[2]": "time_invoiced",
    }
    messages = [detail["message"] for detail in error["details"]]
    assert messages[0] == f"{pages['key']} has 2 time entries on 9 Mar 2026. Change them one by one."
    assert "09:00 on 10 March to 10:30 on 10 March" in messages[1]
    assert name in messages[2]
    assert acme.ok("GET", WEEK) == before
    fixed = {row["taskTitle"]: [cell["isFixed"] for cell in row["cells"]] for row in before["rows"]}
    assert fixed["Pages"][:3] == [True, True, False]
    assert fixed["Shop"][:3] == [False, False, True]


def test_a_cell_that_stays_as_it_is_may_be_fixed(acme, two):
    pages, _ = two
    log(acme, pages, 10, date="2026-03-09")
    log(acme, pages, 20, date="2026-03-09")
    assert grid(write(acme, (pages, [30, 15]))) == {"Pages": [30, 15, 0, 0, 0, 0, 0]}


def test_time_moves_between_the_tasks_of_a_full_day(acme, two):
    """24 hours on Monday: what one task gives up the other takes."""
    pages, shop = two
    write(acme, (pages, [1000]), (shop, [440]))
    assert grid(write(acme, (pages, [1100]), (shop, [340]))) == {
        "Pages": [1100, 0, 0, 0, 0, 0, 0],
        "Shop": [340, 0, 0, 0, 0, 0, 0],
    }
    error = refused(acme, (pages, [1101]), (shop, [None]))
    assert complaint(error) == ("rows[0].minutes[0]", "day_full")


def test_unknown_and_repeated_tasks_and_days_to_come_are_named(acme, two, clock_at):
    pages, _ = two
    error = refused(acme, (pages, [5]), ({"key": "NONE-1"}, [5]), ({"key": pages["id"]}, [5]))
    assert complaints(error) == {"rows[1].taskId": "unknown_reference", "rows[2].taskId": "duplicate"}
    clock_at("2026-03-10T12:00:00Z")
    assert complaints(refused(acme, (pages, [5, 5, 5]))) == {"rows[0].minutes[2]": "in_future"}
    error = acme.refused(
        "POST", WEEK, {"dateFrom": "2199-12-31", "rows": [{"taskId": pages["key"], "minutes": [1, 1]}]}, status=422
    )
    assert [detail["code"] for detail in error["details"]] == ["in_future"] * 2


def test_a_cancelled_task_takes_no_more_time(acme, two):
    pages, _ = two
    change(acme, pages, status="cancelled")
    assert complaints(refused(acme, (pages, [5]))) == {"rows[0].minutes[0]": "task_cancelled"}


@pytest.mark.parametrize(
    ("cells", "field"), [([1] * 8, "rows[0].minutes"), ([-1], "rows[0].minutes[0]"), ([1441], "rows[0].minutes[0]")]
)
def test_a_week_has_seven_days_and_a_day_24_hours(acme, two, cells, field):
    assert list(complaints(refused(acme, (two[0], cells)))) == [field]


def test_members_write_their_own_week_and_those_with_the_right_others(acme, two):
    pages, _ = two
    member = acme.colleague("member")
    shown = write(member, (pages, [60]))
    assert shown["userId"] == member.user["id"]
    assert grid(write(acme, (pages, [75]), userId=member.user["id"])) == {"Pages": [75, 0, 0, 0, 0, 0, 0]}
    assert acme.ok("GET", WEEK)["rows"] == []
    refused(member, (pages, [5]), userId=acme.user["id"], status=403)
    member.refused("GET", f"{WEEK}?userId={acme.user['id']}", status=403)
    assert complaints(refused(acme, (pages, [5]), userId="nobody")) == {"userId": "unknown_reference"}


def test_this_week_is_that_of_the_person(acme, two, clock_at):
    """It is Monday in Auckland already."""
    clock_at("2026-03-15T20:00:00Z")
    assert acme.ok("GET", WEEK)["dateFrom"] == MONDAY
    acme.ok("PATCH", "/auth/me", {"timeZone": "Pacific/Auckland"})
    assert acme.ok("GET", WEEK)["dateFrom"] == "2026-03-16"


def test_a_week_that_is_sent_again_makes_nothing_twice(acme, two):
    key = {"Idempotency-Key": "week"}
    sent = body((two[0], [60]))
    assert acme.ok("POST", WEEK, sent, headers=key) == acme.ok("POST", WEEK, sent, headers=key)
    assert len(listed(acme)) == 1
