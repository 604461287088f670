"""An office to test in: its owner, colleagues with every role, and a stranger with a workspace of their own."""

import datetime
import functools
import gc
import os
import shutil
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import falcon
import falcon.testing
import pytest
from argon2 import PasswordHasher
from hypothesis import settings

from erp.app import application, create_app
from erp.auth import passwords
from erp.kernel import caller, clock, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.store import control, events, router
from erp.store.event_types import TYPES
from erp.web.cookies import mark_of
from tests import documented
from tests.documented import ANSWERED, IS_CHECKED, PREFIX, endpoint_of
from tests.past import Kept, Past, Steps
from tests.statements import Watch

IS_THOROUGH = "TRY_THOROUGH" in os.environ
"""Whether properties are tried on as many examples as `.ci/run` tries; otherwise on a few, others in each run."""

settings.register_profile("untimed", deadline=None, max_examples=100 if IS_THOROUGH else 25)
settings.load_profile("untimed")


def examples(number: int) -> int:
    """How many examples to try of what is tried on so many when there is time."""
    return number if IS_THOROUGH else max(number // 4, 5)


MEMORY = Path("/dev/shm")
ROOM = 2 << 30


def pytest_collection_finish() -> None:
    """Let the collector leave alone what tests and program consist of, as a server does."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_configure(config: pytest.Config) -> None:
    """Keep the files of tests in memory, where there is room: a third of their time is waiting for the disk.

    Benches measure with the disk, and the executable runs in systems that share `/tmp` alone.
    """
    needs_disk = config.option.markexpr in ("bench", "executable")
    if not needs_disk and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    if not needs_disk:
        documented.watch()


T = TypeVar("T")
PASSWORD = "correct horse battery"
HOST = {"host": "localhost", "port": 8420}

THOROUGH = passwords._HASHER
"""The program's own hasher; one test in three would spend most of its time in it."""

passwords._HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Installation:
    """A server on its own data directory, without the sockets."""

    make: Callable[[Config], falcon.App[falcon.Request, falcon.Response]] = staticmethod(create_app)

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.config = Config(data_dir=folder, **settings)
        self.app = self.make(self.config)
        self.client = falcon.testing.TestClient(self.app)
        self.people = 0
        self.past: Past | None = None

    def call(
        self, verb: str, path: str, body: Any = None, *, raw: str | None = None, **options: Any
    ) -> falcon.testing.Result:
        """Send a request without signing in; `path` is relative to /api/v1, `raw` a body as it is."""
        if body is not None:
            options["json"] = body
        if raw is not None:
            options["body"] = raw
        endpoint = endpoint_of(verb, PREFIX + path)
        IS_CHECKED.set(endpoint not in ANSWERED)
        answer = self.client.simulate_request(verb, PREFIX + path, **{**HOST, **options})
        documented.check_did_not_fail(answer)
        if answer.content.startswith(BOM_UTF8):
            answer._encoding = "utf-8-sig"
        if endpoint is not None and answer.status_code < 400:
            ANSWERED.add(endpoint)
        return answer

    def cookie(self, name: str = "erp_session") -> str:
        """The whole name of a cookie here."""
        return f"{name}_{mark_of(self.config)}"

    def once(self, make: Callable[..., T], *given: Any) -> T:
        """What `make` returns, as an installation is left by it: by a copy, if it was made so before.

        Most tests begin with the same people, and those of a file with the same records. It is made again after
        anything but `once` has changed a file of this installation, so it has to come before what a test does itself.
        """
        past, self.past = self.past, None
        if past is None or not past.is_all():
            return make(*given)
        about = ((each.email, each.workspace_id) if isinstance(each, Office) else each for each in given)
        made = past.step(make, given, tuple(each for each in about if each is not self))
        self.past = past
        return made

    def newcomer(self, name: str) -> "Office":
        """A person who has just registered, without a workspace."""
        return self.once(Installation._register, self, name)

    def _register(self, name: str) -> "Office":
        self.people += 1
        email = f"{name.lower()}{self.people}@example.com"
        answer = self.call("POST", "/auth/register", {"email": email, "password": PASSWORD, "name": name})
        assert answer.status_code == 201, answer.text
        return Office(self, email, answer.json["data"])

    def office(self, owner: str, **settings: Any) -> "Office":
        """A person who has selected a workspace of their own."""
        if not settings:
            return self.once(Installation._open_office, self, owner)
        return self._open_office(owner, **settings)

    def _open_office(self, owner: str, **settings: Any) -> "Office":
        person = self.newcomer(owner)
        workspace = person.ok("POST", "/workspace", {"name": f"{owner}'s office", **settings})
        person.select(workspace["id"])
        return person


class Copied(Installation):
    """A server on a copy of a data directory that another has left."""

    make = staticmethod(application)


class Office:
    """A person at work: signed in by bearer token, and in a workspace once one is selected."""

    def __init__(self, installation: Installation, email: str, signed_in: dict[str, Any]) -> None:
        self.installation = installation
        self.email = email
        self.user: dict[str, Any] = signed_in["user"]
        self.token: str = signed_in["session"]["token"]
        self.workspace_id = ""

    def call(self, verb: str, path: str, body: Any = None, **options: Any) -> falcon.testing.Result:
        """Send a request; `path` is relative to /api/v1."""
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        return self.installation.call(verb, path, body, headers=headers, **options)

    def ok(self, verb: str, path: str, body: Any = None, **options: Any) -> Any:
        """Send a request that succeeds; its data."""
        answer = self.call(verb, path, body, **options)
        assert answer.status_code in (200, 201), f"{verb} {path}: {answer.status} {answer.text}"
        assert answer.json["success"] is True
        return answer.json["data"]

    def refused(
        self, verb: str, path: str, body: Any = None, *, status: int, code: str | None = None, **options: Any
    ) -> dict[str, Any]:
        """Send a request that is refused; its error."""
        answer = self.call(verb, path, body, **options)
        assert answer.status_code == status, f"{verb} {path}: {answer.status} {answer.text}"
        error: dict[str, Any] = answer.json["error"]
        assert code is None or error["code"] == code, error
        return error

    def once(self, make: Callable[..., T], *given: Any) -> T:
        """What `make` returns for this office; see `Installation.once`."""
        return self.installation.once(make, self, *given)

    def select(self, workspace_id: str) -> None:
        """Select the workspace to act in."""
        self.workspace_id = workspace_id
        self.ok("POST", "/auth/select-workspace", {"workspaceId": workspace_id})

    def colleague(self, role: str) -> "Office":
        """A person who was invited and has joined with that role."""
        return self.installation.once(Office._invite, self, role)

    def _invite(self, role: str) -> "Office":
        person = self.installation.newcomer(role.capitalize())
        invite = self.ok("POST", "/workspace/invites", {"email": person.email, "role": role})
        person.ok("POST", "/workspace/invites/accept", {"token": invite["token"]})
        person.select(self.workspace_id)
        return person

    @contextmanager
    def books(self, *, write: bool = False) -> Iterator[None]:
        """Open the workspace's file, to look inside with the models."""
        with self.acting(), control.open_workspace(self.workspace_id, write=write):
            yield

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Act for this person without HTTP."""
        who = Caller(
            user_id=self.user["id"],
            name=self.user["name"],
            email=self.email,
            workspace_id=self.workspace_id or None,
            role="owner",
        )
        with config.use(self.installation.config), caller.acting(who):
            yield


@pytest.fixture(autouse=True)
def _files_are_closed() -> Iterator[None]:
    yield
    router.close_all()


WATCH = Watch()
WATCH.start()


@pytest.fixture(autouse=True)
def _statements_are_read_by_two_engines() -> Iterator[None]:
    yield
    broken, WATCH.found = WATCH.found, []
    assert broken == [], "write it in what SQLite and PostgreSQL read, or use a word of erp.store.sql"


@pytest.fixture(autouse=True)
def _answers_are_documented() -> Iterator[None]:
    yield
    differing, documented.FOUND[:] = [*documented.FOUND], []
    if differing:
        pytest.fail("\n".join(["the document of the API says something else", *differing]), pytrace=False)


UNLISTED: list[str] = []
"""Types of events that a test wrote and the list of types does not have."""


def _note_unlisted(draft: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(draft)
    def noting(type: str, *rest: Any) -> Any:
        if type not in TYPES:
            UNLISTED.append(type)
        return draft(type, *rest)

    return noting


events._draft = _note_unlisted(events._draft)


@pytest.fixture(autouse=True)
def _events_are_of_listed_types() -> Iterator[None]:
    yield
    unlisted, UNLISTED[:] = [*UNLISTED], []
    assert unlisted == [], "add it to erp/store/event_types.py"


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory as the first start leaves it: to copy it takes a tenth of the time of a start."""
    folder = tmp_path_factory.mktemp("blank") / "data"
    Installation(folder)
    router.close_all()
    return folder


@pytest.fixture(scope="session")
def kept() -> dict[Steps, Kept]:
    """Folders by what was made in them."""
    return {}


@pytest.fixture(scope="session")
def olgas(blank: Path, kept: dict[Steps, Kept]) -> Steps:
    """The steps to Olga's office, which is opened before any test sets the clock."""
    server = copied(blank, blank.parent / "olgas", kept)
    server.office("Olga")
    router.close_all()
    (steps,) = kept
    return steps


def copied(blank: Path, folder: Path, kept: dict[Steps, Kept]) -> Installation:
    server = Copied(shutil.copytree(blank, folder))
    server.past = Past(server, blank.parent, kept)
    return server


@pytest.fixture
def installation(tmp_path: Path, blank: Path, kept: dict[Steps, Kept], olgas: Steps) -> Installation:
    """A server on a data directory where nobody is registered."""
    return copied(blank, tmp_path / "data", kept)


@pytest.fixture
def app(installation: Installation) -> falcon.App[falcon.Request, falcon.Response]:
    """The application on an empty data directory."""
    return installation.app


@pytest.fixture
def acme(installation: Installation, olgas: Steps) -> Office:
    """Olga, the owner of a workspace."""
    assert installation.past is not None
    assert installation.past.is_new(), "somebody has registered before"
    office: Office = installation.past.again(olgas)
    return office


@pytest.fixture
def stranger(acme: Office) -> Office:
    """Sam, with a workspace of his own on the same server."""
    return acme.installation.office("Sam")


@pytest.fixture
def clock_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the clock to an instant such as `2026-03-01T09:00:00Z`; may be called again."""

    def set_clock(instant: str) -> None:
        moment = datetime.datetime.fromisoformat(instant)

        def now() -> datetime.datetime:
            clock.ASKED.exactly = True
            return moment

        now.instant = instant  # type: ignore[attr-defined]
        monkeypatch.setattr(clock, "now", now)

    return set_clock


@pytest.fixture
def spoil() -> Callable[[Office], None]:
    """Overwrite the file of a workspace, which no one has open."""

    def overwrite(office: Office) -> None:
        router.close_all()
        (office.installation.config.workspaces_dir / f"{office.workspace_id}.db").write_bytes(b"no database " * 1000)

    return overwrite
