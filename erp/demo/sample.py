"""The story as sample data: played in a data folder of its own, where its people sign in, then handed over.

Of those people only the names stay: the maker takes the place of the founder.
"""

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

from erp.demo import filling, scenario
from erp.demo.scenario import Scenario
from erp.kernel import caller, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.store import control, engine
from erp.store.control import User, Workspace
from erp.store.hurrying import hurried
from erp.system import upkeep
from erp.system.backups import snapshot
from erp.system.backups.manifest import MemberEntry
from erp.system.transfer import importing, registration
from erp.system.transfer.importing import Imported
from erp.system.transfer.registration import LocalMember
from erp.web.client import Client, RequestRefused
from erp.workspace import samples

SIZE = 48 << 20
"""Bytes of the disk that playing takes, at most."""

LEFT_OUT = frozenset({"message"})
"""Entries that a sample lacks: it sends nothing, and their papers take a quarter of the time."""

_TRIES, _PAUSE = 20, 0.5


class _Patient(Client):
    """A client that asks again when the server is busy with the requests of others."""

    def _send(self, verb: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        for _ in range(_TRIES):
            try:
                return super()._send(verb, path, body)
            except RequestRefused as refused:
                if ": 503 " not in str(refused):
                    raise
            time.sleep(_PAUSE)
        return super()._send(verb, path, body)


@contextmanager
def played(name: str, application: Callable[[Config], WSGIApplication]) -> Iterator[tuple[str, Path]]:
    """Play the story for the caller; the id and the file of the workspace, until the block ends.

    Raises:
        StorageFull: the disk has no room for it.
    """
    parent = samples.folder()
    snapshot.ensure_room(parent.parent, SIZE)
    parent.mkdir(mode=0o700, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=parent))
    try:
        yield _in_thread(lambda maker: _play(folder, name, maker, application))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _in_thread(do: Callable[[Caller], tuple[str, Path]]) -> tuple[str, Path]:
    """Do something in a thread of its own, which has no caller, no configuration and no file of this request."""
    done: list[tuple[str, Path]] = []
    failed: list[BaseException] = []
    maker = caller.current()

    def run() -> None:
        try:
            done.append(do(maker))
        except BaseException as problem:  # noqa: BLE001 - raised where someone waits for the answer
            failed.append(problem)

    thread = threading.Thread(target=run, name="sample", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]


def _play(folder: Path, name: str, maker: Caller, application: Callable[[Config], WSGIApplication]) -> tuple[str, Path]:
    settings = Config(data_dir=folder)
    with hurried(folder):
        upkeep.prepare(settings)
        filling.play(_story(), _Patient(application(settings)))
        with config.use(settings), control.read():
            people = [MemberEntry(user.id, user.name) for user in User.select().order_by(User.created_at, User.id)]
            workspace: Workspace = Workspace.select().get()
    file = settings.workspaces_dir / f"{workspace.id}.db"
    with caller.acting(maker):
        _hand_over(file, workspace.id, name, maker, people)
    return workspace.id, file


def _story() -> Scenario:
    story = scenario.read()
    story.entries = [entry for entry in story.entries if entry.kind not in LEFT_OUT]
    return story


def _hand_over(file: Path, workspace_id: str, name: str, maker: Caller, people: list[MemberEntry]) -> None:
    """Let the maker own what the founder has made; the others stay in the history by name."""
    founder, *others = people
    owner = LocalMember(maker.user_id, maker.name, maker.email, "owner", former_ids=(founder.user_id,))
    with registration.editing(file) as connection:
        importing.rename_people(connection, Imported(workspace_id, name, [owner], others), people)
    engine.use_write_ahead_log(file)
