"""Logging time: what a log says, what it must not, who may, and how it changes."""

import pytest

from erp.tasks.time.logs import NewTimeLog, TimeLogChange
from tests.conftest import Installation
from tests.events import events_of
from tests.refusals import complaint_pairs
from tests.tasks.tasks import add
from tests.tasks.tasks import change as change_task
from tests.tasks.time.time_logs import LOGS, NOON, change, hourly_task, log, put_on_invoice, refuse, span


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    """An office for what is refused and leaves nothing behind."""
    return Installation(tmp_path_factory.mktemp("time")).office("Olga")


@pytest.fixture(autouse=True)
def _on_a_monday(clock_at):
    clock_at(NOON)


def test_time_is_logged_on_a_task(acme):
    project, task = hourly_task(acme)
    answer = acme.call("POST", f"/tasks/{task['id']}/time-logs", {"minutes": 50, "note": "Sketches"})
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/tasks/time-logs/{made['id']}"
    assert answer.headers["etag"] == '"1"'
    assert (made["taskId"], made["taskKey"], made["taskTitle"]) == (task["id"], task["key"], "Design")
    assert (made["projectId"], made["userId"], made["createdByUserId"]) == (
        project["id"],
        acme.user["id"],
        acme.user["id"],
    )
    assert (made["date"], made["minutes"], made["startedAt"], made["endedAt"]) == ("2026-03-16", 50, None, None)
    assert (made["note"], made["isBillable"], made["hourlyRate"], made["amount"]) == ("Sketches", True, None, "75.00")
    assert made["invoiceId"] is None
    assert acme.ok("GET", f"{LOGS}/{made['id']}") == made
    assert events_of(acme, made["id"]) == ["time_log.created"]


def test_the_documented_examples_work(acme):
    made = log(acme, add(acme), **NewTimeLog.EXAMPLE)
    assert change(acme, made, **TimeLogChange.EXAMPLE)["isBillable"] is False


def test_a_start_and_an_end_make_the_date_and_the_nearest_minutes(acme):
    task = add(acme)
    made = log(acme, task, **span("2026-03-16T09:00:00+01:00", "2026-03-16T10:29:31+01:00"))
    assert (made["startedAt"], made["endedAt"]) == ("2026-03-16T08:00:00.000Z", "2026-03-16T09:29:31.000Z")
    assert (made["date"], made["minutes"]) == ("2026-03-16", 90)
    assert log(acme, task, **span("2026-03-15T07:00", "2026-03-15T07:00:01"))["minutes"] == 1
    assert log(acme, task, **span("2026-03-15T08:00", "2026-03-15T08:02:29"), date="2026-03-15")["minutes"] == 2


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({}, "minutes", "required"),
        ({"date": "2026-03-16"}, "minutes", "required"),
        ({"minutes": 0}, "minutes", "out_of_range"),
        ({"minutes": 1441}, "minutes", "out_of_range"),
        ({"minutes": 10, "date": "2026-03-17"}, "date", "in_future"),
        ({"minutes": 10, "userId": "nobody"}, "userId", "unknown_reference"),
        ({"minutes": 10, "hourlyRate": "1.005"}, "hourlyRate", "too_many_decimals"),
        ({"minutes": 10, "hourlyRate": "-1"}, "hourlyRate", "negative"),
        ({"minutes": 10, "hourlyRate": "1000000000.01"}, "hourlyRate", "out_of_range"),
        ({"minutes": 10, "amount": "1.00"}, "amount", "read_only"),
        ({"minutes": 60, **span("2026-03-16T08:00", "2026-03-16T09:00")}, "minutes", "either_or"),
        ({"startedAt": "2026-03-16T08:00:00Z"}, "endedAt", "required"),
        ({"endedAt": "2026-03-16T08:00:00Z"}, "startedAt", "required"),
        (span("2026-03-16T08:00", "2026-03-16T08:00"), "endedAt", "before_start"),
        (span("2026-03-16T11:00", "2026-03-16T12:00:01"), "endedAt", "in_future"),
        (span("2026-03-14T08:00", "2026-03-15T08:01"), "endedAt", "too_long"),
        ({**span("2026-03-14T08:00", "2026-03-14T09:00"), "date": "2026-03-15"}, "date", "wrong_day"),
        ({"startedAt": "2026-03-16T08:00:00", "endedAt": "2026-03-16T09:00:00Z"}, "startedAt", "not_an_instant"),
    ],
)
def test_time_that_does_not_fit_is_refused(office, fields, field, code):
    assert complaint_pairs(refuse(office, add(office), 422, None, **fields)) == {(field, code)}


def test_every_wrong_field_is_named_at_once(acme):
    error = refuse(acme, add(acme), 422, "validation_failed", date="2026-03-17", userId="nobody", hourlyRate="0.001")
    named = {("minutes", "required"), ("date", "in_future"), ("userId", "unknown_reference")}
    assert complaint_pairs(error) == named | {("hourlyRate", "too_many_decimals")}


def test_nobody_works_twice_at_the_same_time(acme):
    task, other = add(acme), add(acme, "Other")
    log(acme, other, **span("2026-03-16T08:00", "2026-03-16T09:00"))
    for start, end in (("07:30", "08:01"), ("08:59", "09:30"), ("08:10", "08:20"), ("07:00", "10:00")):
        error = refuse(acme, task, 422, "time_overlap", **span(f"2026-03-16T{start}", f"2026-03-16T{end}"))
        assert error["details"][0]["field"] == "startedAt"
        assert f"08:00 on 16 March to 09:00 on 16 March ({other['key']})" in error["message"]
    log(acme, task, **span("2026-03-16T07:00", "2026-03-16T08:00"))
    log(acme, task, **span("2026-03-16T09:00", "2026-03-16T10:00"))
    log(acme.colleague("member"), task, **span("2026-03-16T08:00", "2026-03-16T09:00"))
    log(acme, task, 60)


def test_time_of_a_whole_day_is_in_the_way_to_its_end(acme):
    task = add(acme)
    log(acme, task, **span("2026-03-14T08:00", "2026-03-15T08:00"))
    refuse(acme, task, 422, "time_overlap", **span("2026-03-15T07:59", "2026-03-15T09:00"))
    assert log(acme, task, **span("2026-03-15T08:00", "2026-03-15T09:00"))["minutes"] == 60


def test_a_day_has_24_hours(acme):
    task = add(acme)
    log(acme, task, 1000)
    log(acme, task, **span("2026-03-16T00:00", "2026-03-16T05:00"))
    error = refuse(acme, task, 422, "day_full", minutes=141)
    assert (error["details"][0]["field"], "the 140 still free" in error["message"]) == ("minutes", True)
    log(acme, task, 140)
    refuse(acme, task, 422, "day_full", minutes=1)
    log(acme, task, 1, date="2026-03-15")
    log(acme.colleague("member"), task, 1440)


def test_time_is_billable_as_its_task_says_else_by_the_hour(acme):
    _, task = hourly_task(acme)
    loose, free = add(acme), add(acme, projectId=task["projectId"], isBillable=False)
    assert [log(acme, each, 5)["isBillable"] for each in (task, loose, free)] == [True, False, False]
    assert [
        log(acme, each, 5, isBillable=not usual)["isBillable"] for each, usual in ((task, True), (free, False))
    ] == [
        False,
        True,
    ]
    assert log(acme, task, 60, isBillable=False)["amount"] == "0.00"


def test_what_is_closed_takes_no_time(acme):
    project, task = hourly_task(acme)
    dropped = add(acme, projectId=project["id"])
    change_task(acme, dropped, status="cancelled")
    refuse(acme, dropped, 409, "task_cancelled", minutes=5)
    made = log(acme, task, 5)
    change_task(acme, task, status="done")
    acme.ok("PATCH", f"/projects/{project['id']}", {"status": "completed"})
    log(acme, task, 5)
    acme.ok("POST", f"/projects/{project['id']}/archive")
    refuse(acme, task, 409, "project_archived", minutes=5)
    acme.refused("PATCH", f"{LOGS}/{made['id']}", {"note": "Late"}, status=409, code="project_archived")
    acme.refused("DELETE", f"{LOGS}/{made['id']}", status=409, code="project_archived")


def test_a_cancelled_project_takes_no_time_but_what_it_has_is_put_right(acme):
    project, task = hourly_task(acme)
    made = log(acme, task, 5)
    acme.ok("PATCH", f"/projects/{project['id']}", {"status": "cancelled", "force": True})
    refuse(acme, task, 409, "project_cancelled", minutes=5)
    assert change(acme, made, minutes=6)["minutes"] == 6
    acme.ok("DELETE", f"{LOGS}/{made['id']}")


def test_a_change_merges(acme):
    task = add(acme)
    made = log(acme, task, 50, note="Sketches")
    changed = change(acme, made, minutes=40, date="2026-03-14")
    assert (changed["minutes"], changed["date"], changed["note"]) == (40, "2026-03-14", "Sketches")
    assert (changed["version"], change(acme, made, note=None)["note"]) == (2, None)
    assert events_of(acme, made["id"]) == ["time_log.created", "time_log.updated", "time_log.updated"]


def test_a_change_to_what_is_there_already_is_none(acme):
    made = log(acme, add(acme), **span("2026-03-16T08:00", "2026-03-16T09:00"))
    fields = ("taskId", "userId", "date", "minutes", "startedAt", "endedAt", "note", "isBillable", "hourlyRate")
    assert change(acme, made, **{name: made[name] for name in fields}) == made
    assert events_of(acme, made["id"]) == ["time_log.created"]


def test_minutes_get_a_start_and_an_end_and_lose_them_again(acme):
    made = log(acme, add(acme), 50, date="2026-03-13")
    timed = change(acme, made, **span("2026-03-14T08:00", "2026-03-14T09:00"))
    assert (timed["date"], timed["minutes"]) == ("2026-03-14", 60)
    assert change(acme, made, endedAt="2026-03-14T08:30:00Z")["minutes"] == 30
    bare = change(acme, made, startedAt=None, endedAt=None, minutes=20)
    assert (bare["startedAt"], bare["endedAt"], bare["date"], bare["minutes"]) == (None, None, "2026-03-14", 20)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"minutes": 10}, {("minutes", "either_or")}),
        ({"date": "2026-03-15"}, {("date", "wrong_day")}),
        ({"startedAt": None}, {("startedAt", "required")}),
        ({"endedAt": "2026-03-16T12:00:01Z"}, {("endedAt", "in_future")}),
        (
            {"endedAt": "2026-03-16T07:00:00Z", "taskId": "none"},
            {("endedAt", "before_start"), ("taskId", "unknown_reference")},
        ),
        ({"userId": "nobody"}, {("userId", "unknown_reference")}),
        ({"projectId": "none"}, {("projectId", "read_only")}),
    ],
)
def test_a_change_keeps_the_rules(office, fields, found):
    made = log(office, add(office), **span("2026-03-16T08:00", "2026-03-16T09:00"))
    assert complaint_pairs(office.refused("PATCH", f"{LOGS}/{made['id']}", fields, status=422)) == found
    office.ok("DELETE", f"{LOGS}/{made['id']}")


def test_a_changed_log_makes_way_for_others_but_not_for_itself(acme):
    task = add(acme)
    log(acme, task, **span("2026-03-16T08:00", "2026-03-16T09:00"))
    made = log(acme, task, **span("2026-03-16T09:00", "2026-03-16T10:00"))
    path = f"{LOGS}/{made['id']}"
    acme.refused("PATCH", path, {"startedAt": "2026-03-16T08:59:00Z"}, status=422, code="time_overlap")
    assert change(acme, made, **span("2026-03-16T09:30", "2026-03-16T10:30"))["minutes"] == 60
    rest = log(acme, task, 1320)
    acme.refused("PATCH", f"{LOGS}/{rest['id']}", {"minutes": 1321}, status=422, code="day_full")
    assert change(acme, rest, minutes=1319)["minutes"] == 1319


def test_time_moves_to_another_task_and_its_project(acme):
    project, task = hourly_task(acme)
    loose, dropped = add(acme), add(acme)
    change_task(acme, dropped, status="cancelled")
    made = log(acme, loose, 60, isBillable=True)
    moved = change(acme, made, taskId=task["id"])
    assert (moved["projectId"], moved["taskKey"], moved["amount"]) == (project["id"], task["key"], "90.00")
    error = acme.refused("PATCH", f"{LOGS}/{made['id']}", {"taskId": dropped["id"]}, status=409)
    assert error["code"] == "task_cancelled"
    back = change(acme, made, taskId=loose["id"])
    assert (back["projectId"], back["amount"]) == (None, "0.00")


def test_time_is_deleted(acme):
    made = log(acme, add(acme), 5)
    assert acme.ok("DELETE", f"{LOGS}/{made['id']}") == {}
    acme.refused("GET", f"{LOGS}/{made['id']}", status=404, code="not_found")
    assert events_of(acme, made["id"]) == ["time_log.created", "time_log.deleted"]


@pytest.mark.parametrize("issued", [True, False])
def test_invoiced_time_stays_as_it_is(acme, issued):
    made = log(acme, add(acme), 60)
    name = put_on_invoice(acme, made, issued=issued)
    for verb, body in (("PATCH", {"note": "More"}), ("PATCH", {"minutes": 1}), ("DELETE", None)):
        error = acme.refused(verb, f"{LOGS}/{made['id']}", body, status=409, code="time_invoiced")
        assert f"on {name}." in error["message"]
    assert acme.ok("GET", f"{LOGS}/{made['id']}")["minutes"] == 60


def test_a_stale_change_changes_nothing(acme):
    made = log(acme, add(acme), 60)
    change(acme, made, minutes=50)
    for verb, body in (("PATCH", {"minutes": 40}), ("DELETE", None)):
        stale = {"headers": {"If-Match": '"1"'}}
        acme.refused(verb, f"{LOGS}/{made['id']}", body, status=412, code="version_mismatch", **stale)
    assert acme.ok("GET", f"{LOGS}/{made['id']}")["minutes"] == 50


def test_a_member_logs_only_her_own_time(acme):
    task, member = add(acme), acme.colleague("member")
    mine, hers = log(acme, task, 10), log(member, task, 20, userId=member.user["id"])
    refuse(member, task, 403, "forbidden", minutes=5, userId=acme.user["id"])
    member.refused("PATCH", f"{LOGS}/{hers['id']}", {"userId": acme.user["id"]}, status=403, code="forbidden")
    for verb, body in (("GET", None), ("PATCH", {"minutes": 5}), ("DELETE", None)):
        member.refused(verb, f"{LOGS}/{mine['id']}", body, status=404, code="not_found")
    assert change(member, hers, minutes=25)["minutes"] == 25
    member.ok("DELETE", f"{LOGS}/{hers['id']}")


@pytest.mark.parametrize("role", ["admin", "manager"])
def test_who_may_logs_and_changes_the_time_of_others(acme, role):
    boss, member, task = acme.colleague(role), acme.colleague("member"), add(acme)
    made = log(boss, task, 30, userId=member.user["id"])
    assert (made["userId"], made["createdByUserId"]) == (member.user["id"], boss.user["id"])
    assert change(boss, made, userId=boss.user["id"])["userId"] == boss.user["id"]
    boss.ok("DELETE", f"{LOGS}/{made['id']}")


@pytest.mark.parametrize("role", ["accountant", "hr"])
def test_who_only_reads_changes_nothing(acme, role):
    reader, task = acme.colleague(role), add(acme)
    made = log(acme, task, 30)
    assert reader.ok("GET", f"{LOGS}/{made['id']}")["minutes"] == 30
    refuse(reader, task, 403, "forbidden", minutes=5)
    for verb, body in (("PATCH", {"minutes": 5}), ("DELETE", None)):
        reader.refused(verb, f"{LOGS}/{made['id']}", body, status=403, code="forbidden")


def test_a_viewer_sees_no_time(acme):
    viewer, task = acme.colleague("viewer"), add(acme)
    made = log(acme, task, 30)
    for path in (LOGS, f"{LOGS}/{made['id']}", f"/tasks/{task['id']}/time-logs", "/tasks/timer"):
        viewer.refused("GET", path, status=403, code="forbidden")


@pytest.mark.parametrize(("role", "sees"), [("manager", True), ("accountant", True), ("hr", False), ("member", False)])
def test_money_is_shown_to_those_who_may_see_it(acme, role, sees):
    colleague = acme.colleague(role)
    _, task = hourly_task(acme)
    made = log(acme, task, 60, userId=colleague.user["id"], hourlyRate="100.00")
    for shown in (colleague.ok("GET", f"{LOGS}/{made['id']}"), colleague.ok("GET", LOGS)[0]):
        assert {"hourlyRate", "amount"} <= shown.keys() if sees else not {"hourlyRate", "amount"} & shown.keys()
    (group,) = colleague.ok("GET", LOGS, params={"groupBy": "project"})
    assert ("amount" in group, "unbilledAmount" in group) == (sees, sees)


def test_who_does_not_see_money_sets_no_rate(acme):
    member, task = acme.colleague("member"), add(acme)
    refuse(member, task, 403, "forbidden", minutes=5, hourlyRate="10.00")
    made = log(member, task, 5)
    for rate in ("10.00", None):
        member.refused("PATCH", f"{LOGS}/{made['id']}", {"hourlyRate": rate}, status=403, code="forbidden")


def test_the_time_of_another_office_is_not_there(acme, stranger):
    task = add(acme)
    made = log(acme, task, 5)
    for verb, body in (("GET", None), ("PATCH", {"minutes": 1}), ("DELETE", None)):
        stranger.refused(verb, f"{LOGS}/{made['id']}", body, status=404, code="not_found")
    refuse(stranger, task, 404, "not_found", minutes=5)
    refuse(acme, task, 422, None, minutes=5, userId=stranger.user["id"])
