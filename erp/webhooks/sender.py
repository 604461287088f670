"""Sending due deliveries, from any thread: one at a time for each webhook.

An event writes nothing for webhooks. Each webhook has its position in the log; later events are read, sent, and noted
afterwards, so that a crash in between sends an event again, with the same id, and never loses one.
"""

from collections.abc import Callable
from typing import NamedTuple

from erp.delivery import sender
from erp.delivery.sender import Look
from erp.kernel.config import Config
from erp.store import control, events
from erp.webhooks import deliveries, messages, posting
from erp.webhooks.deliveries import Job, State
from erp.webhooks.waking import BELL

PASSED_OVER = 500
"""Number of skipped events before that is noted: to note each would be a write for each event that is not sent."""


class Key(NamedTuple):
    """A webhook of a workspace."""

    workspace_id: str
    webhook_id: str


class Sender(sender.Sender[Key]):
    """The due deliveries of an installation."""

    name = "webhooks"
    bell = BELL

    def __init__(self, settings: Config) -> None:
        super().__init__(settings)
        self._looked_through: dict[tuple[str, str], int] = {}
        """Up to which event the log has nothing for a webhook, as it was changed at an instant."""

    def look_in(self, workspace_id: str) -> Look[Key]:
        with control.open_workspace(workspace_id, write=False):
            states, has_old = deliveries.states(), deliveries.has_old()
            newest, _ = events.tip()
        if has_old:
            with control.open_workspace(workspace_id, write=True):
                deliveries.forget_old()
        instants = [instant for state in states for instant in (state.not_before, state.retry_at)]
        keys = [Key(workspace_id, state.id) for state in states if self._is_ready(state, newest)]
        return Look(keys, self.when_again(instants) if states else None)

    def workspace_of(self, key: Key) -> str:
        return key.workspace_id

    def _is_ready(self, state: State, newest: int) -> bool:
        return not state.is_resting and (state.is_retry_due or newest > self._place(state))

    def _place(self, state: State) -> int:
        return max(state.position, self._looked_through.get((state.id, state.changed_at), 0))

    def work(self, key: Key) -> bool:
        job = self._next_job(key)
        if job is not None:
            self._send(key, job)
        return job is not None

    def _next_job(self, key: Key) -> Job | None:
        """The next try; without one, the end of the searched log is remembered."""
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
        with self.noting() as may_note:
            if may_note:
                with control.open_workspace(key.workspace_id, write=True):
                    note()
