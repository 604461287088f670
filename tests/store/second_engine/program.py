"""The program in a process of its own, on one of the two engines: fills the demonstration, or answers requests.

The engine is chosen before an area is imported, since their statements are spelt when they are read.
"""

import datetime
import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Self

from erp.kernel import clock
from erp.kernel.config import Config

MOMENT = datetime.datetime(2026, 3, 31, 12, tzinfo=datetime.UTC)
clock.now = lambda: MOMENT
OWNER = "ines@alderfinch.example"
PASSWORD = "welcome-to-the-demo"


def fill(data: str, answers: str) -> None:
    """Play the demonstration, and sign its owner in."""
    from erp.app import create_app
    from erp.demo import filling
    from erp.store import router
    from erp.web.client import Client

    config = Config(data_dir=Path(data))
    filling.fill(config, create_app)
    client = Client(create_app(config))
    signed_in = client.post("/auth/sign-in/email", email=OWNER, password=PASSWORD)
    client.token = signed_in["session"]["token"]
    (workspace,) = signed_in["workspaces"]
    client.post("/auth/select-workspace", workspaceId=workspace["id"])
    router.close_all()
    Path(answers).write_text(json.dumps({"token": client.token}))


def ask_sqlite(data: str, given: str, answers: str) -> None:
    """Ask everything that is documented."""
    _make_alike()
    from erp.app import openapi_document
    from tests.store.second_engine.asking import Asking
    from tests.store.second_engine.differences import DIFFERENT

    told: dict[str, Any] = {}
    ask = _asker(data, json.loads(Path(given).read_text())["token"], told)
    asking = Asking(openapi_document(), ask, MOMENT.date().isoformat(), DIFFERENT)
    asking.all()
    unanswered = [path for path, urls in asking.urls.items() if not any(told[url][0].startswith("2") for url in urls)]
    Path(answers).write_text(json.dumps({"answers": told, "unanswered": unanswered}))


def ask_postgresql(data: str, folder: str, given: str, asked: str, answers: str) -> None:
    """Ask the same of the databases of a server."""
    import_module("tests.store.second_engine.installed").install(folder)
    _make_alike()
    told: dict[str, Any] = {}
    ask = _asker(data, json.loads(Path(given).read_text())["token"], told)
    for url in json.loads(Path(asked).read_text())["answers"]:
        ask(url)
    failed = import_module("tests.store.second_engine.engine").FAILED
    Path(answers).write_text(json.dumps({"answers": told, "failed": failed}))


def _make_alike() -> None:
    """Let new ids, the time in a PDF and the free space be the same on both engines.

    Some answers record that they were given, or keep the PDF that they make; the chain of events depends on them.
    """
    from fpdf import output

    from erp.store import disk, records

    class Stopped(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Self:
            return cls.fromtimestamp(MOMENT.timestamp(), tz)

    _replace(output, datetime=Stopped)
    _replace(disk, free_space=lambda path: 1 << 40)
    later = datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC)  # new ids sort after those of the demonstration
    time = SimpleNamespace(time_ns=lambda: int(later.timestamp()) * 10**9)
    _replace(records, time=time, os=SimpleNamespace(urandom=bytes))


def _replace(module: ModuleType, **names: Any) -> None:
    vars(module).update(names)


def _asker(data: str, token: str, told: dict[str, Any]) -> Any:
    """A function that notes the answer to a request, and returns it."""
    from erp.app import application
    from erp.web.client import Client
    from tests.store.second_engine.asking import as_json

    client = Client(application(Config(data_dir=Path(data)), is_logged=False), token)

    def ask(url: str) -> Any:
        statuses: list[str] = []
        content = b"".join(client.app(client._environ("GET", url, None), _noting(statuses)))
        told[url] = [statuses[0], as_json(content)]
        return told[url][1]

    return ask


def _noting(statuses: list[str]) -> Any:
    return lambda status, *_: statuses.append(status)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
