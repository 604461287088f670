"""Threads take turns: short requests are answered by one of them, and no request waits for one that is stuck."""

import threading

import pytest

from erp.runtime.workers import MOST_PATIENCE, PATIENCE, USUAL, Workers

LONG = 30
"""How many seconds a test may wait for what happens at once unless something is wrong."""


class Request:
    """A request that notes which thread answers it, once it may."""

    def __init__(self, gate: threading.Event | None = None) -> None:
        self.gate, self.begun, self.done = gate, threading.Event(), threading.Event()
        self.thread: str | None = None

    def service(self) -> None:
        self.thread = threading.current_thread().name
        self.begun.set()
        if self.gate:
            assert self.gate.wait(LONG)
        self.done.set()


@pytest.fixture
def threads():
    four = Workers(4)
    yield four
    four.shutdown(timeout=LONG)
    assert not four.threads


def test_what_is_queued_meanwhile_is_answered_by_the_thread_whose_turn_it_is(threads, monkeypatch):
    monkeypatch.setattr(threads, "patience", LONG)
    gate = threading.Event()
    requests = [Request(gate), *(Request() for _ in range(20))]
    for request in requests:
        threads.add_task(request)
    gate.set()
    assert all(request.done.wait(LONG) for request in requests)
    assert len({request.thread for request in requests}) == 1


def test_as_many_are_stuck_as_there_are_threads_before_one_has_to_wait(threads):
    gate = threading.Event()
    stuck = [Request(gate) for _ in range(3)]
    for request in stuck:
        threads.add_task(request)
    assert all(request.begun.wait(LONG) for request in stuck)
    for _ in range(10):
        quick = Request()
        threads.add_task(quick)
        assert quick.done.wait(LONG)
    last, waiting = Request(gate), Request()
    for request in (last, waiting):
        threads.add_task(request)
    assert last.begun.wait(LONG)
    assert not waiting.begun.is_set()
    gate.set()
    assert waiting.done.wait(LONG)
    assert len({request.thread for request in (*stuck, last)}) == 4


def test_requests_from_many_threads_are_each_answered_once(threads):
    requests = [[Request() for _ in range(200)] for _ in range(8)]

    def ask(many):
        for request in many:
            threads.add_task(request)
            assert request.done.wait(LONG)

    askers = [threading.Thread(target=ask, args=(many,)) for many in requests]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(LONG)
    assert all(request.done.is_set() for many in requests for request in many)


def test_a_request_that_fails_leaves_the_thread_to_others(threads, caplog):
    class Failing(Request):
        def service(self) -> None:
            super().service()
            raise ValueError("on purpose")

    failing, next_one = Failing(), Request()
    threads.add_task(failing)
    threads.add_task(next_one)
    assert next_one.done.wait(LONG)
    assert failing.done.is_set()


@pytest.mark.parametrize(
    ("milliseconds", "patience"),
    [
        ([1.2], USUAL * 0.0012),  # a slow machine, on which every request takes longer than the least patience
        ([0.5, 0.5, 0.5, 100], USUAL * 0.0005),  # some sign in, which takes a hundred times as long
        ([0.1], PATIENCE),
        ([100], MOST_PATIENCE),
    ],
)
def test_a_request_is_long_when_it_takes_several_times_as_long_as_half_of_them(threads, milliseconds, patience):
    for _ in range(200):
        for each in milliseconds:
            threads.learn(each / 1000)
    assert threads.patience == pytest.approx(patience, rel=0.12)
