"""Requests that arrive at the same moment."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import falcon.testing

from tests.conftest import Office


def all_at_once(
    office: Office, requests: Sequence[tuple[str, Any]]
) -> tuple[list[falcon.testing.Result], Counter[int]]:
    """Send every request (path and body) from its own thread at the same moment; the answers, and a count by status."""
    barrier = Barrier(len(requests))

    def send(request: tuple[str, Any]) -> falcon.testing.Result:
        barrier.wait()
        return office.call("POST", *request)

    with ThreadPoolExecutor(len(requests)) as threads:
        answers = list(threads.map(send, requests))
    return answers, Counter(answer.status_code for answer in answers)
