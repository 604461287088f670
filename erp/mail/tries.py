"""The tries of a message: when it is due, how a try begins, and how it ends.

`sending` is committed before the first byte of a message leaves, and the outcome after the reply. If anything ends in
between, the message may have arrived: it becomes `unsure`, and is never sent again by itself.
"""

from datetime import timedelta
from typing import Any, Literal, NamedTuple

from erp.delivery import waits
from erp.kernel import clock
from erp.mail import messages, settings
from erp.mail.models import Message, MessageStatus, Problem
from erp.migrations import Connection
from erp.share_links import mailed
from erp.store.router import WORKSPACE

_NEXT = "SELECT * FROM message WHERE next_at <= ? ORDER BY next_at, id LIMIT 1"


def next_due() -> Message | None:
    """The message that is to be tried now, if any."""
    return next(iter(Message.fetch(_NEXT, clock.stamp())), None)


def next_at() -> str | None:
    """When the next message is due."""
    ((at,),) = WORKSPACE.rows("SELECT min(next_at) FROM message WHERE next_at IS NOT NULL")
    return None if at is None else str(at)


def full_until(per_hour: int) -> str | None:
    """Until when nothing more may go, because so many went within an hour."""
    since = clock.now() - timedelta(hours=1)
    query = "SELECT began_at FROM message WHERE began_at > ? ORDER BY began_at DESC LIMIT 1 OFFSET ?"
    rows = WORKSPACE.rows(query, (clock.stamp(since), per_hour - 1))
    return clock.stamp(clock.parse(rows[0][0]) + timedelta(hours=1)) if rows else None


Outcomes = dict[str, list[str | None]]
"""The status and the reply of the mail server, by address."""


def begin(id: str, outcomes: Outcomes) -> bool:
    """Note that the first byte of a message is about to leave; false if it is no longer to be sent."""
    message = Message.find_or_none(id)
    if message is None or message.status not in ("queued", "waiting"):
        return False
    if messages.is_shared(message) and not mailed.is_live(message.id):
        return False  # the next try says so
    message.change(status="sending", began_at=clock.stamp(), next_at=None, outcomes=outcomes, tries=message.tries + 1)
    return True


class Outcome(NamedTuple):
    """The end of a try."""

    status: Literal["sent", "waiting", "failed", "unsure"]
    problem: Problem | None = None
    reply: str | None = None
    outcomes: Outcomes | None = None


def note(id: str, outcome: Outcome) -> Message | None:
    """Note how a try ended, in the workspace that is open for writing; unless a person was quicker."""
    message = Message.find_or_none(id)
    if message is None or message.status not in ("queued", "waiting", "sending"):
        return None
    tries = message.tries + (message.status != "sending")
    values: dict[str, Any] = {"problem": outcome.problem, "reply": outcome.reply, "tries": tries, "next_at": None}
    if outcome.outcomes is not None:
        values["outcomes"] = outcome.outcomes
    if outcome.status == "sent":
        return messages.mark_sent(message, "sent", **values)
    status: MessageStatus = outcome.status
    if status == "waiting":
        at = waits.next_try(tries, clock.now())
        status, values["next_at"] = ("failed", None) if at is None else ("waiting", clock.stamp(at))
    return messages.move(message, status, **values)


def note_login_refused(id: str, reply: str, version: int) -> None:
    """Keep a message for later, and pause the mail of the workspace: it used up no try.

    Settings that have changed since that version are tried first.
    """
    message = Message.find_or_none(id)
    if message is not None and message.status in ("queued", "waiting"):
        message.change(problem="login_refused", reply=reply)
        settings.pause("login_refused", version)


def give_up_interrupted() -> int:
    """Mark what was being handed over when the server ended as unsure; the number of messages."""
    interrupted = Message.fetch("SELECT * FROM message WHERE status = 'sending' AND next_at IS NULL")
    for message in interrupted:
        messages.move(message, "unsure", problem="interrupted")
    return len(interrupted)


def has_interrupted() -> bool:
    return bool(WORKSPACE.rows("SELECT 1 FROM message WHERE status = 'sending' LIMIT 1"))


def doubt_copies(connection: Connection) -> None:
    """Mark unsent messages as unsure in a copy of a workspace's file: the original may have sent them since."""
    connection.execute(
        "UPDATE message SET version = version + 1, status = 'unsure', problem = 'copied', next_at = NULL"
        " WHERE status IN ('queued', 'waiting', 'sending')"
    )
