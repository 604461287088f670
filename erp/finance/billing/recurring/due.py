"""Due documents of all workspaces, made by a thread of the server at its start and once an hour.

Each occurrence has a transaction of its own. A failed one is stored with the reason, tried again the next day, and
does not keep others from being made.
"""

import logging

from erp.finance.billing.recurring import making
from erp.finance.billing.recurring.models import RecurringDocument
from erp.kernel import caller
from erp.kernel.caller import Caller
from erp.kernel.errors import Refusal
from erp.store import control, events, sql, workspace_settings
from erp.store.connections import STORAGE_ERRORS
from erp.store.control import User
from erp.store.hourly import Hourly
from erp.store.router import WORKSPACE

OF_THE_SERVER = 500
"""Refusals from this status on are not about the document: the server is busy, or the disk is full."""


log = logging.getLogger("erp.recurring")


class Maker(Hourly):
    """Makes due documents."""

    name = "recurring documents"
    first_look = 5
    last_wait = 5

    def work_in(self, workspace_id: str) -> None:
        """Make the due documents of a workspace."""
        for id, created_by in _due(workspace_id):
            with caller.acting(_maker(workspace_id, created_by)):
                while not self.is_over() and _make_next(workspace_id, id):
                    pass


_DUE = (
    "SELECT id, created_by FROM recurring_document WHERE paused_at IS NULL AND (failed_on IS NULL OR failed_on <> ?)"
    " AND (next_on <= ? OR (reminded_on IS NULL AND last_on IS NOT NULL AND next_on IS NOT NULL"
    f" AND {sql.days_between('?', 'last_on')} <= remind_days)) ORDER BY next_on, id"
)


def _due(workspace_id: str) -> list[tuple[str, str | None]]:
    """The recurring documents with a document or a reminder due today, and the users who set them up."""
    with control.open_workspace(workspace_id, write=False):
        today = workspace_settings.today().isoformat()
        rows: list[tuple[str, str | None]] = WORKSPACE.rows(_DUE, (today, today, today))
        return rows


def _maker(workspace_id: str, user_id: str | None) -> Caller:
    """The user who set it up, who becomes the author of the documents."""
    with control.read():
        user = None if user_id is None else User.find_or_none(user_id)
    name = "Recurring documents" if user is None else user.name
    email = "" if user is None else user.email
    return Caller(user_id=user_id or "", name=name, email=email, workspace_id=workspace_id, role="accountant")


def _make_next(workspace_id: str, id: str) -> bool:
    """Make one occurrence; false where nothing more is due, or it cannot be made."""
    try:
        with control.open_workspace(workspace_id, write=True):
            recurring = RecurringDocument.find_or_none(id)
            if recurring is None:
                return False
            _remind(recurring)
            return making.make_next(recurring) is not None
    except Refusal as refusal:
        if refusal.status >= OF_THE_SERVER:
            raise
        _note_failure(workspace_id, id, _sentence(refusal))
    except STORAGE_ERRORS:
        raise
    except Exception:  # the others must still be made
        log.exception("recurring document %s of workspace %s could not be made", id, workspace_id)
        _note_failure(workspace_id, id, "Something went wrong on the server, whose log says more.")
    return False


def _remind(recurring: RecurringDocument) -> None:
    """Log once that the last occurrence is near."""
    today = workspace_settings.today()
    if recurring.is_ending(today) and recurring.reminded_on is None:
        recurring.change(reminded_on=today)
        data = {"name": recurring.name, "lastOn": str(recurring.last_on)}
        events.write("recurring_document.ending", "recurring_document", recurring.id, data)


def _note_failure(workspace_id: str, id: str, sentence: str) -> None:
    with control.open_workspace(workspace_id, write=True):
        recurring = RecurringDocument.find(id)
        recurring.change(failure=sentence, failed_on=workspace_settings.today())
        data = {"name": recurring.name, "date": str(recurring.next_on), "failure": sentence}
        events.write("recurring_document.failed", "recurring_document", id, data)
    log.warning("recurring document %s of workspace %s could not be made: %s", id, workspace_id, sentence)


def _sentence(refusal: Refusal) -> str:
    """The message of a refusal, with the fields that are wrong."""
    details = [f"{complaint.field}: {complaint.message}" for complaint in refusal.details]
    return " ".join(details) or refusal.message
