"""Timers: one a person, which becomes a time log when it stops."""

import pytest

from erp.tasks.time.timers import TimerStart
from tests.events import events_of
from tests.refusals import complaint_pairs
from tests.tasks.tasks import add
from tests.tasks.tasks import change as change_task
from tests.tasks.time.time_logs import (
    NOON,
    TIMER,
    change,
    hourly_task,
    listed,
    log,
    refuse,
    span,
    start,
    stop,
)

IDLE = {
    "isRunning": False, "taskId": None, "taskKey": None, "taskTitle": None, "projectId": None, "projectName": None,
    "startedAt": None, "minutes": 0, "note": None, "isBillable": None,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _on_a_monday(clock_at):
    clock_at(NOON)


def refuse_stop(office, status, code, /, **fields):
    return office.refused("POST", f"{TIMER}/stop", fields, status=status, code=code)


def test_a_timer_runs_until_it_is_stopped_and_becomes_a_log(acme, clock_at):
    project, task = hourly_task(acme)
    assert acme.ok("GET", TIMER) == IDLE
    begun = start(acme, task, note="Sketches")
    assert (begun["isRunning"], begun["taskId"], begun["taskKey"]) == (True, task["id"], task["key"])
    assert (begun["taskTitle"], begun["projectId"]) == (task["title"], project["id"])
    assert (begun["startedAt"], begun["minutes"], begun["note"]) == ("2026-03-16T12:00:00.000Z", 1, "Sketches")
    clock_at("2026-03-16T12:40:29Z")
    assert acme.ok("GET", TIMER) == begun | {"minutes": 40}
    made = stop(acme)
    assert (made["startedAt"], made["endedAt"]) == ("2026-03-16T12:00:00.000Z", "2026-03-16T12:40:29.000Z")
    assert (made["minutes"], made["date"], made["note"], made["isBillable"]) == (40, "2026-03-16", "Sketches", True)
    assert (made["amount"], made["userId"]) == ("60.00", acme.user["id"])
    assert acme.ok("GET", TIMER) == IDLE
    assert acme.ok("GET", f"/tasks/time-logs/{made['id']}") == made
    assert events_of(acme, acme.user["id"]) == ["timer.started"]
    assert events_of(acme, made["id"]) == ["time_log.created"]


def test_the_documented_example_works(acme):
    assert start(acme, add(acme), **TimerStart.EXAMPLE)["note"] == TimerStart.EXAMPLE["note"]


def test_a_person_has_one_timer(acme):
    task, member = add(acme), acme.colleague("member")
    start(acme, task)
    error = acme.refused("POST", f"/tasks/{add(acme, 'Other')['id']}/timer/start", {}, status=409, code="timer_running")
    assert f"on {task['key']} since 12:00 on 16 March." in error["message"]
    assert start(member, task)["isRunning"] is True
    stop(member)
    assert acme.ok("GET", TIMER)["isRunning"] is True


def test_what_does_not_run_cannot_be_stopped(acme):
    refuse_stop(acme, 409, "no_timer")
    start(acme, add(acme))
    stop(acme)
    refuse_stop(acme, 409, "no_timer")


def test_a_timer_may_be_stopped_and_started_again_at_the_same_moment(acme):
    task = add(acme)
    ends = []
    for _ in range(3):
        start(acme, task)
        made = stop(acme)
        assert (made["minutes"], made["startedAt"] < made["endedAt"]) == (1, True)
        ends += [made["startedAt"], made["endedAt"]]
    assert ends == sorted(ends)


def test_a_forgotten_timer_ends_when_the_work_did(acme, clock_at):
    task = add(acme)
    start(acme, task, note="Sketches", isBillable=True)
    clock_at("2026-03-17T12:00:30Z")
    assert complaint_pairs(refuse_stop(acme, 422, None)) == {("endedAt", "too_long")}
    assert complaint_pairs(refuse_stop(acme, 422, None, endedAt="2026-03-16T11:59:59Z")) == {
        ("endedAt", "before_start")
    }
    assert complaint_pairs(refuse_stop(acme, 422, None, endedAt="2026-03-17T12:00:31Z")) == {("endedAt", "in_future")}
    assert acme.ok("GET", TIMER)["isRunning"] is True
    made = stop(acme, endedAt="2026-03-16T14:00:00+01:00", note="Sketches and talks")
    assert (made["minutes"], made["endedAt"]) == (60, "2026-03-16T13:00:00.000Z")
    assert (made["note"], made["isBillable"]) == ("Sketches and talks", True)


def test_a_timer_of_exactly_a_day_is_logged(acme, clock_at):
    start(acme, add(acme))
    clock_at("2026-03-17T12:00:29.999Z")
    assert stop(acme)["minutes"] == 1440


def test_the_note_of_the_start_may_be_taken_back(acme):
    start(acme, add(acme), note="Sketches")
    assert stop(acme, note=None)["note"] is None


def test_nothing_else_is_logged_while_a_timer_runs(acme, clock_at):
    task = add(acme)
    before = log(acme, task, **span("2026-03-16T10:00", "2026-03-16T11:00"))
    start(acme, task)
    clock_at("2026-03-16T14:00:00Z")
    error = refuse(acme, task, 422, "time_overlap", **span("2026-03-16T11:59", "2026-03-16T12:01"))
    assert f"a timer running since 12:00 on 16 March ({task['key']})" in error["message"]
    path = f"/tasks/time-logs/{before['id']}"
    acme.refused("PATCH", path, {"endedAt": "2026-03-16T12:00:01Z"}, status=422, code="time_overlap")
    assert change(acme, before, endedAt="2026-03-16T12:00:00Z")["minutes"] == 120
    log(acme, task, 30)
    assert stop(acme)["minutes"] == 120


def test_a_timer_leaves_room_for_what_the_day_had_already(acme, clock_at):
    task = add(acme)
    log(acme, task, 1400)
    start(acme, task)
    clock_at("2026-03-16T12:41:00Z")
    error = refuse_stop(acme, 422, "day_full")
    assert (error["details"][0]["field"], "the 40 still free" in error["message"]) == ("endedAt", True)
    assert stop(acme, endedAt="2026-03-16T12:40:00Z")["minutes"] == 40


def test_what_takes_no_time_starts_no_timer(acme):
    project, task = hourly_task(acme)
    change_task(acme, task, status="cancelled")
    acme.refused("POST", f"/tasks/{task['id']}/timer/start", {}, status=409, code="task_cancelled")
    acme.ok("POST", f"/projects/{project['id']}/archive")
    acme.refused("POST", f"/tasks/{task['id']}/timer/start", {}, status=409, code="project_archived")
    acme.refused("POST", "/tasks/none/timer/start", {}, status=404, code="not_found")


def test_a_timer_stops_also_where_no_new_time_is_taken(acme):
    project, task = hourly_task(acme)
    start(acme, task)
    change_task(acme, task, status="cancelled")
    acme.ok("POST", f"/projects/{project['id']}/archive")
    assert stop(acme)["projectId"] == project["id"]


def test_a_clock_that_is_put_back_does_not_stop_the_work(acme, clock_at):
    task = add(acme)
    log(acme, task, **span("2026-03-16T11:00", "2026-03-16T12:00"))
    clock_at("2026-03-16T11:30:00Z")
    assert start(acme, task)["startedAt"] == "2026-03-16T12:00:00.000Z"
    assert stop(acme)["minutes"] == 1
    assert len(listed(acme)) == 2


@pytest.mark.parametrize("role", ["accountant", "hr"])
def test_who_only_reads_time_has_no_timer(acme, role):
    reader, task = acme.colleague(role), add(acme)
    reader.refused("POST", f"/tasks/{task['id']}/timer/start", {}, status=403, code="forbidden")
    refuse_stop(reader, 403, "forbidden")
    assert reader.ok("GET", TIMER) == IDLE


def test_a_timer_that_was_started_by_mistake_is_discarded(acme):
    start(acme, add(acme))
    acme.ok("DELETE", TIMER)
    assert acme.ok("GET", TIMER) == IDLE
    assert listed(acme) == []
    assert events_of(acme, acme.user["id"]) == ["timer.started", "timer.discarded"]
    acme.refused("DELETE", TIMER, status=409, code="no_timer")


def test_a_manager_discards_the_timer_that_somebody_left(acme):
    manager, member, task = acme.colleague("manager"), acme.colleague("member"), add(acme)
    start(member, task)
    acme.refused("DELETE", f"/tasks/{task['id']}", status=409, code="in_use")
    whose = {"userId": member.user["id"]}
    other = acme.installation.newcomer("Other")
    invite = acme.ok("POST", "/workspace/invites", {"email": other.email, "role": "member"})
    other.ok("POST", "/workspace/invites/accept", {"token": invite["token"]})
    other.select(acme.workspace_id)
    other.refused("DELETE", TIMER, params=whose, status=403, code="forbidden")
    manager.ok("DELETE", TIMER, params=whose)
    assert member.ok("GET", TIMER) == IDLE
    acme.ok("DELETE", f"/tasks/{task['id']}")
