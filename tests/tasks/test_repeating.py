from datetime import date

import pytest

from erp.tasks.repeating import Dates, next_dates
from tests.events import events_of
from tests.refusals import complaint
from tests.tasks.tasks import add, change, last_event, project, refuse_change, shown, titles

MONTHLY = {"every": 1, "unit": "month", "from": "due_date"}


def day(text):
    return text and date.fromisoformat(text)


def finish(office, task):
    """Have a task done; its successor."""
    done = change(office, task, status="done")
    return office.ok("GET", f"/tasks/{done['successorId']}")


@pytest.mark.parametrize(
    ("repeat", "start", "due", "next_start", "next_due"),
    [
        ("1 day due_date", None, "2026-02-28", None, "2026-03-01"),
        ("2 week due_date", "2026-02-20", "2026-02-25", "2026-03-06", "2026-03-11"),
        ("1 month due_date 31", None, "2026-01-31", None, "2026-02-28"),
        ("1 month due_date 31", None, "2026-02-28", None, "2026-03-31"),
        ("1 month due_date 30", "2028-01-28", "2028-01-30", "2028-02-27", "2028-02-29"),
        ("13 month due_date 15", None, "2026-12-15", None, "2028-01-15"),
        ("1 year due_date 29", None, "2028-02-29", None, "2029-02-28"),
        ("3 year due_date 29", None, "2029-02-28", None, "2032-02-29"),
        ("3 day completion", "2026-02-01", "2026-02-03", "2026-03-11", "2026-03-13"),
        ("1 month completion", None, "2026-01-31", None, "2026-04-10"),
        ("1 week completion", None, None, None, "2026-03-17"),
        ("1 week completion", "2026-01-01", None, "2026-03-17", None),
        ("366 day due_date", None, "2198-12-31", None, None),
        ("1 year due_date 1", None, "2199-01-01", None, None),
    ],
)
def test_the_dates_of_a_successor(repeat, start, due, next_start, next_due):
    every, unit, origin, *anchor = repeat.split()
    rule = {"every": int(every), "unit": unit, "from": origin} | ({"day": int(anchor[0])} if anchor else {})
    found = next_dates(rule, Dates(day(start), day(due)), date(2026, 3, 10))
    assert found == (None if next_start is next_due is None else Dates(day(next_start), day(next_due)))


def test_a_task_that_repeats_makes_its_successor_when_it_is_done(acme):
    member, site = acme.colleague("member"), project(acme, "Site", code="WEB")
    parent = add(acme, projectId=site["id"])
    kept = {
        "projectId": site["id"],
        "parentId": parent["id"],
        "title": "Bill",
        "description": "All of it.",
        "priority": "high",
        "assigneeUserIds": [member.user["id"]],
        "tags": ["money"],
        "estimateMinutes": 30,
        "isBillable": False,
        "hourlyRate": "80.00",
        "repeat": MONTHLY,
    }
    first = add(acme, **kept, dependsOn=[], startDate="2026-01-29", dueDate="2026-01-31")
    made = finish(member, change(acme, first, status="review", dependsOn=[finished(acme)["id"]]))
    made = shown(acme, made)
    assert {name: made[name] for name in kept} == kept
    assert (made["key"], made["status"], made["dependsOn"], made["version"]) == ("WEB-3", "todo", [], 1)
    assert (made["startDate"], made["dueDate"]) == ("2026-02-26", "2026-02-28")
    assert (made["reporterUserId"], made["createdByUserId"]) == (acme.user["id"], member.user["id"])
    assert last_event(acme, "task.created") == {"key": "WEB-3", "title": "Bill", "repeats": first["id"]}
    assert events_of(acme, first["id"]) == ["task.created", "task.updated", "task.updated"]


def finished(office):
    """A task that is done."""
    return change(office, add(office), status="done")


def test_the_end_of_the_month_is_kept_through_a_short_one(acme):
    task, days = add(acme, dueDate="2026-01-31", repeat=MONTHLY), []
    for _ in range(4):
        task = finish(acme, change(acme, task, dueDate=task["dueDate"], repeat=MONTHLY))
        days.append(task["dueDate"])
    assert days == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]
    assert task["repeat"] == MONTHLY


def test_another_due_date_sets_another_day_of_the_month(acme):
    february = finish(acme, add(acme, dueDate="2026-01-31", repeat=MONTHLY))
    change(acme, february, dueDate="2026-02-27")
    assert finish(acme, february)["dueDate"] == "2026-03-27"


def test_there_is_one_successor_however_often_a_task_is_done(acme):
    first = add(acme, dueDate="2026-01-15", repeat=MONTHLY)
    second = finish(acme, first)
    change(acme, first, status="todo")
    assert finish(acme, first) == second
    assert titles(acme) == ["Design"] * 2


def test_completion_counts_from_the_day_where_the_caller_is(acme, clock_at):
    acme.ok("PATCH", "/auth/me", {"timeZone": "Pacific/Auckland"})
    clock_at("2026-03-09T22:00:00Z")
    made = add(acme, dueDate="2026-01-15", repeat={"every": 1, "unit": "week", "from": "completion"})
    assert finish(acme, made)["dueDate"] == "2026-03-17"


def test_the_board_makes_successors_as_well_and_with_what_is_changed_at_once(acme):
    made = add(acme, dueDate="2026-01-15", repeat=MONTHLY)
    moved = acme.ok("POST", "/tasks/reorder", {"taskId": made["id"], "status": "done"})
    successor = acme.ok("GET", f"/tasks/{moved['successorId']}")
    assert successor["dueDate"] == "2026-02-15"
    done = change(acme, successor, status="done", title="Draw", dueDate="2026-03-20")
    last = acme.ok("GET", f"/tasks/{done['successorId']}")
    assert (last["title"], last["dueDate"], done["version"]) == ("Draw", "2026-04-20", 2)


def test_a_series_ends(acme):
    site = project(acme, "Site")
    cancelled = add(acme, dueDate="2026-01-15", repeat=MONTHLY)
    plain = add(acme, dueDate="2026-01-15", repeat=MONTHLY)
    over = add(acme, dueDate="2026-01-15", repeat=MONTHLY, projectId=site["id"])
    late = add(acme, dueDate="2199-12-15", repeat=MONTHLY)
    change(acme, plain, repeat=None)
    acme.ok("PATCH", f"/projects/{site['id']}", {"status": "completed", "force": True})
    assert change(acme, cancelled, status="cancelled")["successorId"] is None
    for task in (plain, over, late):
        assert change(acme, task, status="done")["successorId"] is None


def test_a_successor_is_for_those_who_are_still_here(acme):
    leaver = acme.colleague("member")
    people = [leaver.user["id"], acme.user["id"]]
    made = add(acme, dueDate="2026-01-15", repeat=MONTHLY, assigneeUserIds=people)
    leaver.ok("POST", "/workspace/leave")
    assert finish(acme, made)["assigneeUserIds"] == [acme.user["id"]]
    assert sorted(shown(acme, made)["assigneeUserIds"]) == sorted(people)


def test_what_repeats_from_its_due_date_keeps_one(acme):
    made = add(acme, dueDate="2026-01-15", repeat=MONTHLY)
    assert complaint(refuse_change(acme, made, 422, None, dueDate=None)) == ("dueDate", "required")
    assert complaint(refuse_change(acme, add(acme), 422, None, repeat=MONTHLY)) == ("dueDate", "required")
    changed = change(acme, made, dueDate=None, repeat={"every": 2, "unit": "year", "from": "completion"})
    assert changed["repeat"] == {"every": 2, "unit": "year", "from": "completion"}
