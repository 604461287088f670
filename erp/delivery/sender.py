"""Sending due messages, from any thread: one at a time for each key, such as a webhook or the mail of a workspace."""

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from erp.delivery.waking import Bell
from erp.kernel import caller, clock, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.store import control
from erp.store.connections import TROUBLE
from erp.store.control import Workspace

LOOK_EVERY = timedelta(seconds=30)
"""Interval of the looks at a workspace that has had work: other programs may write to it."""

LOOK_AT_ALL_EVERY = timedelta(hours=1)

LAST_WAIT = 10
"""Seconds that a stopping server leaves to notes in progress."""

log = logging.getLogger("erp.delivery")

Key = TypeVar("Key")


class Look(NamedTuple, Generic[Key]):
    """The keys of a workspace with something to do now, and the time of the next look, if it needs one."""

    keys: list[Key]
    again_at: datetime | None


class Sender(ABC, Generic[Key]):
    """The due messages of an installation; any number of threads may `serve`."""

    name: str
    """In the log, and of the author of events, with a capital letter."""
    bell: Bell

    def __init__(self, settings: Config) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._noted = threading.Condition(self._lock)
        self._noting = 0
        self.is_over = False
        self._served: dict[Key, bool] = {}
        """The keys that a thread is serving, and whether another one wanted to meanwhile."""
        self._next_look: dict[str, datetime] = {}
        self._all_looked_at: datetime | None = None

    @abstractmethod
    def look_in(self, workspace_id: str) -> Look[Key]:
        """Look for work in a workspace."""

    @abstractmethod
    def workspace_of(self, key: Key) -> str:
        """The workspace of a key."""

    @abstractmethod
    def work(self, key: Key) -> bool:
        """Do the next thing that is due; false if there is none."""

    def end(self) -> None:
        """Begin nothing more, and write nothing more: the files are about to be closed."""
        with self._noted:
            self.is_over = True
            self._noted.wait_for(lambda: not self._noting, LAST_WAIT)

    def ready(self) -> list[Key]:
        """The keys for which there is something to do, as far as it is time to look."""
        with config.use(self._settings):
            return [key for workspace_id in self._to_look_at() for key in self._ready_in(workspace_id)]

    def seconds_to_next_look(self) -> float:
        """For how long there is nothing to look at, unless something is written."""
        earliest = min([clock.now() + LOOK_EVERY, *self._next_look.values()])
        return max(0.05, (earliest - clock.now()).total_seconds())

    def _to_look_at(self) -> list[str]:
        now = clock.now()
        due = {id for id, at in self._next_look.items() if at <= now or at > now + LOOK_AT_ALL_EVERY}
        due |= {path.stem for path in self.bell.take() if path.parent == self._settings.workspaces_dir}
        last = self._all_looked_at
        if last is None or not last <= now < last + LOOK_AT_ALL_EVERY:
            self._all_looked_at = now
            due |= set(self._workspaces())
        return sorted(due)

    def _ready_in(self, workspace_id: str) -> list[Key]:
        self._next_look.pop(workspace_id, None)
        path = control.workspace_path(workspace_id)
        try:
            if not is_usable(workspace_id):
                return []
            with caller.acting(self._itself(workspace_id)):
                keys, again_at = self.look_in(workspace_id)
        except TROUBLE as problem:
            log.warning("the %s of workspace %s could not be looked at: %s", self.name, workspace_id, problem)
            self._next_look[workspace_id] = clock.now() + LOOK_EVERY
            return []
        if again_at is not None:
            self.bell.watched.add(path)
            self._next_look[workspace_id] = again_at
        return keys

    def when_again(self, instants: Iterable[str | None]) -> datetime:
        """The first of some instants that are to come, within the interval of the looks."""
        now = clock.now()
        return min([now + LOOK_EVERY, *(at for text in instants if text and (at := clock.parse(text)) > now)])

    def serve(self, key: Key) -> None:
        """Send all that is due to a key, unless another thread is doing that, which then looks once more."""
        if not self._take(key):
            return
        try:
            with config.use(self._settings), caller.acting(self._itself(self.workspace_of(key))):
                self._serve(key)
        except TROUBLE as problem:
            log.warning("%s %s could not be served: %s", self.name, key, problem)
            self._give_back(key)
        except Exception:  # whatever it was, the others are served
            log.exception("%s %s could not be served", self.name, key)
            self._give_back(key)

    def _take(self, key: Key) -> bool:
        with self._lock:
            if key in self._served:
                self._served[key] = True
                return False
            self._served[key] = False
            return True

    def _give_back(self, key: Key) -> None:
        with self._lock:
            del self._served[key]

    def _may_give_back(self, key: Key) -> bool:
        """Give a key back, unless another thread wanted to serve it since this was asked last."""
        with self._lock:
            if self._served[key]:
                self._served[key] = False
                return False
            del self._served[key]
            return True

    def _serve(self, key: Key) -> None:
        while True:
            if not self.is_over and is_usable(self.workspace_of(key)) and self.work(key):
                continue
            if self._may_give_back(key):
                return

    @contextmanager
    def noting(self) -> Iterator[bool]:
        """Let a stopping server wait for the block; false if it is stopping already, and nothing may be written."""
        with self._lock:
            may_note = not self.is_over
            self._noting += may_note
        try:
            yield may_note
        finally:
            with self._noted:
                self._noting -= may_note
                self._noted.notify_all()

    def _itself(self, workspace_id: str) -> Caller:
        """The actor of events that the sender writes."""
        return Caller(user_id="", name=self.name.capitalize(), email="", workspace_id=workspace_id)

    def _workspaces(self) -> Iterable[str]:
        try:
            with control.read():
                return [row.id for row in Workspace.select(Workspace.id).where(_USABLE)]
        except TROUBLE as problem:
            log.warning("the %s could not be looked at: %s", self.name, problem)
            return []


_USABLE = (Workspace.state == "active") & (Workspace.status == "active") & Workspace.fault.is_null()


def is_usable(workspace_id: str) -> bool:
    """Whether a workspace is there, can be opened, and is not archived: then nothing is sent."""
    with control.read():
        return bool(Workspace.select().where(_USABLE, Workspace.id == workspace_id).exists())
