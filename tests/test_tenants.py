"""People of several workspaces at work at the same moment, over HTTP (reliability T2)."""

import http.client
import json
import sys
import threading
from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conftest import PASSWORD, Installation
from tests.servers import running

THREADS = 8
TURNS = 20


class Desk:
    """One person's browser or script, with a session of its own."""

    def __init__(self, url: str, token: str) -> None:
        place = urlsplit(url)
        self.line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, verb: str, path: str, body: Any = None, **headers: str) -> Any:
        self.line.request(
            verb, f"/api/v1{path}", None if body is None else json.dumps(body), {**self.headers, **headers}
        )
        answer = self.line.getresponse()
        content = json.loads(answer.read())
        assert content["success"], content
        return content["data"]


@pytest.fixture
def tight_switching() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def test_people_in_several_workspaces_at_once_find_each_thing_where_they_put_it(
    installation: Installation, tight_switching: None
) -> None:
    olga = installation.office("Olga")
    places = [olga.ok("POST", "/workspace", {"name": f"Office {n}"})["id"] for n in range(6)]
    who = {"email": olga.email, "password": PASSWORD}
    tokens = [installation.call("POST", "/auth/login", who).json["data"]["session"]["token"] for _ in range(THREADS)]
    failures: list[Any] = []
    written: list[tuple[str, str]] = []

    def work(seed: int, url: str) -> None:
        choose, desk = Random(seed), Desk(url, tokens[seed])
        try:
            for turn in range(TURNS):
                place = choose.choice(places)
                named = {"x-workspace-id": place} if choose.random() < 0.5 else {}
                if not named:
                    desk.ask("POST", "/auth/select-workspace", {"workspaceId": place})
                name = f"{place} {seed} {turn}"
                made = desk.ask("POST", "/finance/contacts", {"kind": "customer", "name": name}, **named)
                written.append((place, made["id"]))
                found = desk.ask("GET", "/finance/contacts?limit=200", **named)
                failures.extend(row for row in found if not row["name"].startswith(place))
        except Exception as failure:  # noqa: BLE001
            failures.append(failure)
        finally:
            desk.line.close()

    with running(installation.config, installation.app) as server:
        threads = [threading.Thread(target=work, args=(seed, server.url)) for seed in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []
    found = [
        (place, row["id"])
        for place in places
        for row in olga.ok("GET", "/finance/contacts", params={"limit": 200}, headers={"x-workspace-id": place})
    ]
    assert sorted(found) == sorted(written)
    assert len(written) == THREADS * TURNS
