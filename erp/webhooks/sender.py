"""Sending due deliveries, from any thread: one at a time for each webhook.

An event writes nothing for webhooks. Each webhook has its position in the log; later events are read, sent, and noted
afterwards, so that a crash in between sends an event again, with the same id, and never loses one.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from erp.kernel import caller, clock, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.store import control, events
from erp.store.connections import TROUBLE
from erp.store.control import Workspace
from erp.webhooks import deliveries, messages, posting
from erp.webhooks.deliveries import Job, State
from erp.webhooks.waking import BELL

LOOK_EVERY = timedelta(seconds=30)
"""Interval of the looks at a workspace with webhooks, for events that other programs write."""

LOOK_AT_ALL_EVERY = timedelta(hours=1)

LAST_WAIT = 10
"""Seconds that a stopping server leaves to notes in progress."""

PASSED_OVER = 500
"""Number of skipped events before that is noted: to note each would be a write for each event that is not sent."""


log = logging.getLogger("erp.webhooks")


class Key(NamedTuple):
    """A webhook of a workspace."""

    workspace_id: str
    webhook_id: str


class Sender:
    """The due deliveries of an installation; any number of threads may `serve`."""

    def __init__(self, settings: Config) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._noted = threading.Condition(self._lock)
        self._noting = 0
        self._is_over = False
        self._served: dict[Key, bool] = {}
        """The webhooks that a thread is serving, and whether another one wanted to meanwhile."""
        self._looked_through: dict[tuple[str, str], int] = {}
        """Up to which event the log has nothing for a webhook, as it was changed at an instant."""
        self._next_look: dict[str, datetime] = {}
        self._all_looked_at: datetime | None = None

    def end(self) -> None:
        """Begin nothing more, and write nothing more: the files are about to be closed."""
        with self._noted:
            self._is_over = True
            self._noted.wait_for(lambda: not self._noting, LAST_WAIT)

    def ready(self) -> list[Key]:
        """The webhooks for which there is something to do, as far as it is time to look."""
        with config.use(self._settings):
            return [key for workspace_id in self._to_look_at() for key in self._ready_in(workspace_id)]

    def seconds_to_next_look(self) -> float:
        """For how long there is nothing to look at, unless something is written."""
        earliest = min([clock.now() + LOOK_EVERY, *self._next_look.values()])
        return max(0.05, (earliest - clock.now()).total_seconds())

    def _to_look_at(self) -> list[str]:
        now = clock.now()
        due = {id for id, at in self._next_look.items() if at <= now or at > now + LOOK_AT_ALL_EVERY}
        due |= {path.stem for path in BELL.take() if path.parent == self._settings.workspaces_dir}
        last = self._all_looked_at
        if last is None or not last <= now < last + LOOK_AT_ALL_EVERY:
            self._all_looked_at = now
            due |= set(_workspaces())
        return sorted(due)

    def _ready_in(self, workspace_id: str) -> list[Key]:
        self._next_look.pop(workspace_id, None)
        path = control.workspace_path(workspace_id)
        try:
            if not _is_usable(workspace_id):
                return []
            with control.open_workspace(workspace_id, write=False):
                states, has_old = deliveries.states(), deliveries.has_old()
                newest, _ = events.tip()
            if has_old:
                with control.open_workspace(workspace_id, write=True):
                    deliveries.forget_old()
        except TROUBLE as problem:
            log.warning("the webhooks of workspace %s could not be looked at: %s", workspace_id, problem)
            self._next_look[workspace_id] = clock.now() + LOOK_EVERY
            return []
        if states:
            BELL.watched.add(path)
            self._next_look[workspace_id] = self._when_again(states)
        return [Key(workspace_id, state.id) for state in states if self._is_ready(state, newest)]

    def _when_again(self, states: Sequence[State]) -> datetime:
        now = clock.now()
        instants = [clock.parse(text) for state in states for text in (state.not_before, state.retry_at) if text]
        return min([now + LOOK_EVERY, *(at for at in instants if at > now)])

    def _is_ready(self, state: State, newest: int) -> bool:
        return not state.is_resting and (state.is_retry_due or newest > self._place(state))

    def _place(self, state: State) -> int:
        return max(state.position, self._looked_through.get((state.id, state.changed_at), 0))

    def serve(self, key: Key) -> None:
        """Send all that is due to a webhook, unless another thread is doing that, which then looks once more."""
        if not self._take(key):
            return
        try:
            with config.use(self._settings), caller.acting(_itself(key.workspace_id)):
                self._serve(key)
        except TROUBLE as problem:
            log.warning("webhook %s could not be served: %s", key.webhook_id, problem)
            self._give_back(key)
        except Exception:  # whatever it was, the others are served
            log.exception("webhook %s could not be served", key.webhook_id)
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
        """Give a webhook back, unless another thread wanted to serve it since this was asked last."""
        with self._lock:
            if self._served[key]:
                self._served[key] = False
                return False
            del self._served[key]
            return True

    def _serve(self, key: Key) -> None:
        while True:
            job = None if self._is_over else self._next_job(key)
            if job is not None:
                self._send(key, job)
            elif self._may_give_back(key):
                return

    def _next_job(self, key: Key) -> Job | None:
        """The next try; without one, the end of the searched log is remembered."""
        if not _is_usable(key.workspace_id):
            return None
        with control.open_workspace(key.workspace_id, write=False):
            state = deliveries.state(key.webhook_id)
            if state is None or state.is_resting:
                return None
            newest, _ = events.tip()
            job = deliveries.next_job(key.webhook_id, self._place(state))
        if job is None:
            self._looked_through[state.id, state.changed_at] = newest
            if newest - state.position >= PASSED_OVER:
                self._note(key, lambda: deliveries.skip(state, newest))
        return job

    def _send(self, key: Key, job: Job) -> None:
        message = messages.of_event(job.event)
        outcome = posting.post(job.url, message.headers(job.keys), message.body)
        self._note(key, lambda: deliveries.note(job, outcome))

    def _note(self, key: Key, note: Callable[[], None]) -> None:
        """Write to the workspace, unless the server is stopping."""
        with self._lock:
            if self._is_over:
                return
            self._noting += 1
        try:
            with control.open_workspace(key.workspace_id, write=True):
                note()
        finally:
            with self._noted:
                self._noting -= 1
                self._noted.notify_all()


def _itself(workspace_id: str) -> Caller:
    """The actor of events that the sender writes."""
    return Caller(user_id="", name="Webhooks", email="", workspace_id=workspace_id)


def _workspaces() -> Iterable[str]:
    try:
        with control.read():
            return [row.id for row in Workspace.select(Workspace.id).where(_USABLE)]
    except TROUBLE as problem:
        log.warning("the webhooks could not be looked at: %s", problem)
        return []


_USABLE = (Workspace.state == "active") & (Workspace.status == "active") & Workspace.fault.is_null()


def _is_usable(workspace_id: str) -> bool:
    """Whether a workspace is there, can be opened, and is not archived: then nothing is sent."""
    with control.read():
        return bool(Workspace.select().where(_USABLE, Workspace.id == workspace_id).exists())
