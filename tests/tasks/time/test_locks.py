"""Time that can no longer be changed: of a submitted or approved week, closed by its age, or with the books."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.hr.employees.employees import at
from tests.refusals import complaints
from tests.tasks.tasks import add
from tests.tasks.time.time_logs import LOGS, change, listed, log, refuse, span, start

WEEK_LOCKED = {"submitted": "time_submitted", "approved": "time_approved"}
MONDAY = "2026-03-09"


@pytest.fixture(autouse=True)
def _today(clock_at):
    """The week from 9 to 15 March 2026 is over."""
    clock_at("2026-03-16T09:00:00Z")


@pytest.fixture
def mia(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week"})
    return acme.colleague("member")


@pytest.fixture
def task(acme):
    return add(acme, "Pages")


def hold(acme, mia, status):
    mia.ok("POST", f"/tasks/time-weeks/{MONDAY}/submit", {})
    if status == "approved":
        acme.ok("POST", f"/tasks/time-weeks/{MONDAY}/approve", {"userId": mia.user["id"]})


def lock(office, **time_lock):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"timeLock": time_lock or None})


@pytest.mark.parametrize("status", WEEK_LOCKED)
def test_the_time_of_a_submitted_or_approved_week_stays(acme, mia, task, status, clock_at):
    inside, after = log(mia, task, 60, date=MONDAY), log(mia, task, 60, date="2026-03-16")
    clock_at("2026-03-15T23:30:00Z")
    start(mia, task)
    clock_at("2026-03-16T00:10:00Z")
    mia.ok("DELETE", "/tasks/timer")
    hold(acme, mia, status)
    code, path = WEEK_LOCKED[status], f"{LOGS}/{inside['id']}"
    for office in (mia, acme):
        office.refused("PATCH", path, {"minutes": 30}, status=409, code=code)
        office.refused("PATCH", path, {"date": "2026-03-16", "force": True}, status=409, code=code)
        office.refused("DELETE", path, status=409, code=code)
        office.refused("PATCH", f"{LOGS}/{after['id']}", {"date": MONDAY}, status=409, code=code)
    refuse(mia, task, 409, code, date="2026-03-15", minutes=5)
    own = log(acme, task, 60, date=MONDAY)
    acme.refused("PATCH", f"{LOGS}/{own['id']}", {"userId": mia.user["id"]}, status=409, code=code)
    error = mia.refused(
        "POST", f"{LOGS}/week", {"dateFrom": MONDAY, "rows": [{"taskId": task["key"], "minutes": [90, 5]}]}, status=422
    )
    assert complaints(error) == {"rows[0].minutes[0]": code, "rows[0].minutes[1]": code}
    table = f"task,date,minutes\n{task['key']},2026-03-16,5\n{task['key']},{MONDAY},5\n"
    error = mia.refused("POST", f"{LOGS}/import", {"csv": table}, status=422)
    assert complaints(error) == {"rows[3].date": code}
    shown = mia.ok("GET", path)
    assert (shown["minutes"], shown["can"], shown["weekStatus"]) == (60, [], status)
    assert mia.ok("GET", f"{LOGS}/week", params={"dateFrom": MONDAY})["rows"][0]["cells"][0]["isFixed"]


def test_no_timer_starts_or_stops_in_a_submitted_week(acme, mia, task, clock_at):
    clock_at("2026-03-15T10:00:00Z")
    hold(acme, mia, "submitted")
    mia.refused("POST", f"/tasks/{task['id']}/timer/start", {}, status=409, code="time_submitted")
    mia.ok("POST", f"/tasks/time-weeks/{MONDAY}/withdraw", {})
    start(mia, task)
    clock_at("2026-03-16T02:00:00Z")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeLock": {"byBooks": True}})
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-03-15", "reason": "Filed"})
    mia.refused("POST", "/tasks/timer/stop", {}, status=409, code="period_locked")
    mia.ok("DELETE", "/tasks/timer")


def test_time_closes_by_its_age(acme, mia, task, clock_at):
    """On Thursday, 26 November, after 7 days: the 19th is taken, the 18th is not."""
    at(acme, clock_at, "2026-11-26")
    at(mia, clock_at, "2026-11-26")
    old = log(mia, task, 60, date="2026-11-18")
    lock(acme, closesAfterDays=7)
    log(mia, task, 60, date="2026-11-19")
    error = refuse(mia, task, 409, "time_closed", date="2026-11-18", minutes=60)
    assert error["message"].startswith("Time closes after 7 days, so 18 Nov 2026 is closed.")
    refuse(mia, task, 409, "time_closed", date="2026-11-18", minutes=60, force=True)
    mia.refused("DELETE", f"{LOGS}/{old['id']}", params={"force": "true"}, status=409, code="time_closed")
    assert (mia.ok("GET", f"{LOGS}/{old['id']}")["can"], acme.ok("GET", f"{LOGS}/{old['id']}")["can"]) == (
        [],
        ["delete", "update"],
    )
    acme.refused("PATCH", f"{LOGS}/{old['id']}", {"minutes": 5}, status=409, code="time_closed")
    assert change(acme, old, minutes=5, force=True)["minutes"] == 5
    acme.ok("DELETE", f"{LOGS}/{old['id']}", params={"force": "true"})
    log(acme, task, 60, date="2026-11-18", force=True)
    body = {"dateFrom": "2026-11-16", "rows": [{"taskId": task["key"], "minutes": [30]}]}
    acme.refused("POST", f"{LOGS}/week", body, status=422)
    acme.ok("POST", f"{LOGS}/week", {**body, "force": True})
    table = {"csv": f"task,date,minutes\n{task['key']},2026-11-17,5\n"}
    acme.refused("POST", f"{LOGS}/import", table, status=422)
    acme.ok("POST", f"{LOGS}/import", {**table, "force": True})
    lock(acme)
    log(mia, task, 60, date="2026-11-18")


def test_time_closes_with_the_books_for_everyone(acme, mia, task):
    made = log(acme, task, 60, date="2026-02-28")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-28", "reason": "Filed"})
    log(acme, task, 60, date="2026-02-28")
    lock(acme, byBooks=True)
    refuse(acme, task, 409, "period_locked", date="2026-02-28", minutes=5, force=True)
    acme.refused("DELETE", f"{LOGS}/{made['id']}", params={"force": "true"}, status=409, code="period_locked")
    assert acme.ok("GET", f"{LOGS}/{made['id']}")["can"] == []
    log(mia, task, 60, date="2026-03-01")


def test_a_leavers_timer_in_a_locked_week_is_discarded(acme, mia, task, clock_at):
    start(mia, task)
    clock_at("2026-03-16T10:00:00Z")
    lock(acme, byBooks=True)
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-03-16", "reason": "Filed"})
    member = next(row for row in acme.ok("GET", "/workspace/members") if row["user"]["id"] == mia.user["id"])
    acme.ok("DELETE", f"/workspace/members/{member['id']}")
    assert listed(acme) == []


def _bodies(task, logs, day, minutes, user):
    """A request for each operation that the document knows for time logs, by its name there."""
    path = f"{LOGS}/{logs[0]['id']}"
    other = f"{LOGS}/{logs[1]['id']}"
    row = f"task,date,minutes\n{task['key']},{day},{minutes}\n"
    return {
        "createTaskTimeLog": [
            ("POST", f"/tasks/{task['id']}/time-logs", {"date": day, "minutes": minutes, "userId": user}),
            ("POST", f"/tasks/{task['id']}/time-logs", {**span(f"{day}T08:00", f"{day}T09:00"), "userId": user}),
        ],
        "updateTimeLog": [
            ("PATCH", path, {"minutes": minutes}),
            ("PATCH", path, {"date": day, "note": "Moved"}),
            ("PATCH", path, {"isBillable": True, "hourlyRate": "7.00"}),
            ("PATCH", path, {"taskId": task["id"], "userId": user}),
            ("PATCH", other, {"date": day}),
        ],
        "deleteTimeLog": [("DELETE", path, None)],
        "importTimeLogs": [("POST", f"{LOGS}/import", {"csv": row})],
        "writeTimeWeek": [
            (
                "POST",
                f"{LOGS}/week",
                {"dateFrom": MONDAY, "userId": user, "rows": [{"taskId": task["key"], "minutes": [0, minutes]}]},
            )
        ],
        "startTimer": [("POST", f"/tasks/{task['id']}/timer/start", {})],
        "stopTimer": [("POST", "/tasks/timer/stop", {}), ("POST", "/tasks/timer/stop", {"force": True})],
        "deleteTimer": [("DELETE", "/tasks/timer", None)],
    }


def test_the_document_knows_no_other_operation_that_writes_time(acme, task):
    paths = acme.installation.client.simulate_get("/api/openapi.json", host="localhost").json["paths"]
    written = {
        operation["operationId"]
        for path, verbs in paths.items()
        for verb, operation in verbs.items()
        if verb in ("post", "patch", "put", "delete") and ("/time-logs" in path or "/timer" in path)
    }
    assert written - {"createInvoiceFromTimeLogs"} == _bodies(task, [{"id": "a"}] * 2, MONDAY, 5, "me").keys()


@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_no_operation_changes_the_time_of_a_held_week(acme, mia, data):
    """Whatever is asked of a submitted or an approved week, by the person or the owner, its time stays."""
    task = add(acme, "Pages")
    logs = [log(mia, task, 60, date=MONDAY), log(mia, task, 30, date="2026-03-16")]
    status = data.draw(st.sampled_from(list(WEEK_LOCKED)))
    week = {"userId": mia.user["id"], "dateFrom": MONDAY, "dateTo": "2026-03-15", "sort": "date"}
    hold(acme, mia, status)
    before = _time(acme, week)
    days = st.sampled_from(["2026-03-09", "2026-03-12", "2026-03-15", "2026-03-16"])
    asked = _bodies(task, logs, data.draw(days), data.draw(st.integers(1, 600)), mia.user["id"])
    for verb, path, body in data.draw(st.permutations(list(itertools.chain(*asked.values())))):
        force = {"force": True} if body is not None and verb != "DELETE" and "timer/start" not in path else {}
        for office in (mia, acme):
            office.call(verb, path, None if body is None else {**body, **force})
            assert _time(acme, week) == before
    reopen = "withdraw" if status == "submitted" else "reopen"
    who = {"userId": mia.user["id"]} | ({} if status == "submitted" else {"reason": "Again"})
    acme.ok("POST", f"/tasks/time-weeks/{MONDAY}/{reopen}", who)
    for each in listed(acme):
        acme.ok("DELETE", f"{LOGS}/{each['id']}")


def _time(office, week):
    fields = ("id", "version", "taskId", "userId", "date", "minutes", "note", "isBillable", "hourlyRate", "startedAt")
    return [[row[field] for field in fields] for row in listed(office, **week)]
