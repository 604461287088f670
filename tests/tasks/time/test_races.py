"""Many at once: whatever the interleaving, nobody works twice at the same time or more than 24 hours a day."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.kernel import clock
from erp.store import router
from erp.store.router import WORKSPACE
from tests.conftest import Installation, examples
from tests.tasks.tasks import add
from tests.tasks.time.time_logs import LOGS, TIMER, listed

THREADS = 8
BEGAN = datetime.fromisoformat("2026-03-16T12:00:00Z")

MINUTE = st.integers(-150, 150)
STEPS = st.one_of(
    st.just(("start",)),
    st.just(("stop",)),
    st.tuples(st.just("stop"), MINUTE),
    st.tuples(st.just("span"), MINUTE, st.integers(1, 90)),
    st.tuples(st.just("day"), st.integers(200, 1200)),
    st.tuples(st.just("move"), st.integers(0, 9), MINUTE, st.integers(1, 90)),
    st.tuples(st.just("grow"), st.integers(0, 9), st.integers(200, 1200)),
    st.tuples(st.just("delete"), st.integers(0, 9)),
    st.tuples(st.just("import"), MINUTE, st.integers(1, 90)),
)
SCRIPTS = st.lists(st.lists(STEPS, min_size=1, max_size=3), min_size=THREADS, max_size=THREADS)

OVERLAPS = """
SELECT count(*) FROM time_log AS one JOIN time_log AS other ON one.user_id = other.user_id AND one.id < other.id
WHERE one.started_at < other.ended_at AND other.started_at < one.ended_at
"""
UNDER_TIMERS = "SELECT count(*) FROM time_log JOIN timer USING (user_id) WHERE time_log.ended_at > timer.started_at"
FULLEST = "SELECT max(total) FROM (SELECT sum(minutes) AS total FROM time_log GROUP BY user_id, date)"


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """Two people with a task, while the clock ticks with every look at it."""
    ticks = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: BEGAN + timedelta(seconds=next(ticks)))
        patch.setattr(router, "LOCK_SECONDS", 120)
        olga = Installation(tmp_path_factory.mktemp("crowd")).office("Olga")
        yield [olga, olga.colleague("member")], add(olga)


def at(minute):
    return clock.stamp(BEGAN + timedelta(minutes=minute))


def take(person, task, step):
    """Ask for one step; which log a change means is the nth of those that are there."""
    kind, *rest = step
    if kind in ("move", "grow", "delete"):
        logs = listed(person, userId="me", limit=10)
        if not logs:
            return None
        path = f"{LOGS}/{logs[rest[0] % len(logs)]['id']}"
        if kind == "delete":
            return person.call("DELETE", path)
        return person.call("PATCH", path, {"minutes": rest[1]} if kind == "grow" else spanning(*rest[1:]))
    if kind == "import":
        given = spanning(*rest)
        row = f"{task['key']},{given['startedAt']},{given['endedAt']}"
        return person.call("POST", f"{LOGS}/import", {"csv": f"task,start,end\n{row}"})
    if kind == "start":
        return person.call("POST", f"/tasks/{task['id']}/timer/start", {})
    if kind == "stop":
        return person.call("POST", f"{TIMER}/stop", {"endedAt": at(*rest)} if rest else {})
    body = {"minutes": rest[0], "date": "2026-03-16"} if kind == "day" else spanning(*rest)
    return person.call("POST", f"/tasks/{task['id']}/time-logs", body)


def spanning(minute, length):
    return {"startedAt": at(minute), "endedAt": at(minute + length)}


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(SCRIPTS)
def test_nobody_works_twice_or_too_long_whatever_the_interleaving(crowd, scripts):
    people, task = crowd
    with people[0].books(write=True):
        WORKSPACE.run("DELETE FROM time_log")
        WORKSPACE.run("DELETE FROM timer")
    barrier = Barrier(THREADS)

    def play(place):
        barrier.wait()
        return [take(people[place % 2], task, step) for step in scripts[place]]

    with ThreadPoolExecutor(THREADS) as threads:
        answers = [answer for played in threads.map(play, range(THREADS)) for answer in played if answer is not None]
    assert {answer.status_code for answer in answers} <= {200, 201, 404, 409, 422}
    with people[0].books():
        assert WORKSPACE.rows(OVERLAPS) == [(0,)]
        assert WORKSPACE.rows(UNDER_TIMERS) == [(0,)]
        assert (WORKSPACE.rows(FULLEST)[0][0] or 0) <= 1440
    for person in people:
        whole = listed(person, userId="me", limit=200)
        groups = person.ok("GET", LOGS, params={"groupBy": "date", "userId": "me"})
        assert sum(group["minutes"] for group in groups) == sum(each["minutes"] for each in whole)


def test_of_many_who_start_at_once_one_timer_runs_and_stops_once(crowd):
    people, task = crowd
    with people[0].books(write=True):
        WORKSPACE.run("DELETE FROM timer")
        WORKSPACE.run("DELETE FROM time_log")
    barrier = Barrier(THREADS)

    def ask(path):
        barrier.wait()
        return people[0].call("POST", path, {}).status_code

    with ThreadPoolExecutor(THREADS) as threads:
        started = list(threads.map(ask, [f"/tasks/{task['id']}/timer/start"] * THREADS))
        stopped = list(threads.map(ask, [f"{TIMER}/stop"] * THREADS))
    assert sorted(started) == sorted(stopped) == [200] + [409] * (THREADS - 1)
    assert len(listed(people[0])) == 1
