"""Several people change one task at the same time."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from tests.tasks.tasks import add

WRITERS = 20


def test_of_twenty_who_change_the_same_version_one_wins_and_nothing_is_lost(acme):
    """Reliability L12."""
    task, barrier = add(acme, "Draft"), Barrier(WRITERS)
    path = f"/tasks/{task['id']}"

    def write(number):
        answers = []
        for version in (1, 2, 3):
            barrier.wait()
            answers.append(
                acme.call("PATCH", path, {"title": f"{version}: {number}"}, headers={"If-Match": f'"{version}"'})
            )
        return answers

    with ThreadPoolExecutor(WRITERS) as threads:
        rounds = list(zip(*threads.map(write, range(WRITERS)), strict=True))
    for version, answers in enumerate(rounds, 1):
        assert Counter(answer.status_code for answer in answers) == {200: 1, 412: WRITERS - 1}
        (won,) = [answer.json["data"] for answer in answers if answer.status_code == 200]
        assert won["version"] == version + 1
    assert acme.ok("GET", path) == won
