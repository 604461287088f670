"""Threads take turns: short requests are answered by one of them, and no request waits for one that is stuck."""

import threading
import time

import pytest

from erp.runtime.workers import Workers

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


def read_until(threads: Workers, *events: threading.Event) -> None:
    """Do what the loop does that reads from the connections, until all of this has happened."""
    until = time.monotonic() + LONG
    while not all(event.is_set() for event in events):
        threads.catch_up()
        assert time.monotonic() < until


def test_what_is_queued_meanwhile_is_answered_by_the_thread_whose_turn_it_is(threads):
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
    read_until(threads, *(request.begun for request in stuck))
    for _ in range(10):
        quick = Request()
        threads.add_task(quick)
        read_until(threads, quick.done)
    last, waiting = Request(gate), Request()
    for request in (last, waiting):
        threads.add_task(request)
    read_until(threads, last.begun)
    assert not threads.catch_up()
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


def test_the_loop_reads_on_when_all_that_is_queued_is_taken(threads, monkeypatch):
    monkeypatch.setattr("erp.runtime.workers.PATIENCE", LONG)
    gate = threading.Event()
    for request in (Request(gate), *(Request() for _ in range(20))):
        threads.add_task(request)
    threading.Timer(0.05, gate.set).start()
    assert threads.catch_up()
    assert not threads.queue


def test_the_loop_waits_for_no_request_that_is_queued_alone(threads, monkeypatch):
    monkeypatch.setattr("erp.runtime.workers.PATIENCE", LONG)
    request = Request()
    with threads.lock:  # the thread that is called cannot take it yet
        threads.queue.append(request)
    began = time.monotonic()
    assert threads.catch_up()
    assert time.monotonic() - began < LONG
    last = Request()
    threads.add_task(last)
    assert request.done.wait(LONG)
    assert last.done.wait(LONG)
