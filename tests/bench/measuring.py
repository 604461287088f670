"""Comparing loads within one run: the machine is noisy, so they take turns and the median counts."""

import statistics
from collections.abc import Callable
from dataclasses import replace

from tests.bench.load import HOST, Load, Outcome, run
from tests.bench.servers import Running

ROUNDS = 5
HELLO = f"GET /hello HTTP/1.1\r\nHost: {HOST}\r\n\r\n"


def hello_load(hello: Running, connections: int = 1, seconds: float = 1.0) -> Load:
    """A load of requests for hello."""
    return Load(hello.port, [HELLO], connections, seconds)


def in_turns(*loads: Load, rounds: int = ROUNDS) -> list[list[Outcome]]:
    """Run the loads in turns, several times, so that a noisy minute affects all of them.

    A short warm-up round is not counted.
    """
    for load in loads:
        run(replace(load, seconds=0.3))
    turns = [[run(load) for load in loads] for _ in range(rounds)]
    return [list(outcomes) for outcomes in zip(*turns, strict=True)]


def middle(outcomes: list[Outcome], value: Callable[[Outcome], float]) -> float:
    """The median of the rounds."""
    return statistics.median(map(value, outcomes))


def rate(outcomes: list[Outcome]) -> float:
    """Successes per second."""
    return middle(outcomes, lambda outcome: outcome.rate)


def p50(outcomes: list[Outcome]) -> float:
    """Milliseconds of the middle request."""
    return middle(outcomes, lambda outcome: outcome.p50)


def p99(outcomes: list[Outcome]) -> float:
    """Milliseconds that one request in a hundred exceeds."""
    return middle(outcomes, lambda outcome: outcome.p99)


def failures(*series: list[Outcome]) -> int:
    """Requests that did not succeed, in all rounds."""
    return sum(outcome.failures for outcomes in series for outcome in outcomes)
