"""Share links: making, listing and revoking them. A secret is shown once, and only its SHA-256 is stored."""

import secrets
from datetime import UTC, date, datetime, timedelta
from datetime import time as midnight
from typing import Any
from zoneinfo import ZoneInfo

from erp.auth import passwords
from erp.kernel import caller, clock, config, tokens
from erp.kernel.errors import Conflict, Invalid, InvalidTransition, NotFound
from erp.kernel.language import says
from erp.share_links import subjects
from erp.share_links.bodies import NewShareLink
from erp.share_links.models import ShareLink, SubjectType
from erp.store import control, events, workspace_settings
from erp.store.records import new_id
from erp.web.hosts import link_base
from erp.web.pages.shared import PATH

DAYS, MOST_DAYS = 30, 365


class SharingOff(Conflict):
    """Share links are switched off in the workspace settings."""

    code = "sharing_off"


def hashed_pin(body: NewShareLink, **path: str) -> str | None:
    """The hash of the PIN of a new link, which takes too long for the transaction that makes it."""
    return None if body.pin is None else passwords.hash_password(body.pin)


def check(kind: SubjectType, subject_id: str) -> date:
    """The last day of a document that can be shared, from which a link counts.

    Raises:
        InvalidTransition, Superseded: it cannot be shared.
        SharingOff: the workspace does not share.
    """
    last = subjects.SUBJECTS[kind].check(subject_id)
    check_on()
    return last


def check_on() -> None:
    """Refuse in a workspace that does not share.

    Raises:
        SharingOff: it does not.
    """
    if not workspace_settings.current().share_links:
        raise SharingOff


def make(
    kind: SubjectType,
    subject_id: str,
    new: NewShareLink,
    pin_hash: str | None = None,
    *,
    message_id: str | None = None,
) -> tuple[ShareLink, str]:
    """Make a link of a document; the address has its secret, which is not stored.

    Raises:
        InvalidTransition, SharingOff, Superseded: it is not shared.
        SampleData: the workspace's data is made up.
        Invalid: the link would end before now, or after `MOST_DAYS`.
    """
    control.refuse_sample()
    last = check(kind, subject_id)
    secret = secrets.token_urlsafe(32)
    link = ShareLink.add(
        id=new_id(),
        subject_type=kind,
        subject_id=subject_id,
        message_id=message_id,
        token_hash=tokens.hashed(secret),
        pin_hash=pin_hash,
        expires_at=_expiry(new, last),
    )
    events.write("share_link.created", "share_link", link.id, event_data(link) | {"hasPin": pin_hash is not None})
    return link, _address(secret)


def _address(secret: str) -> str:
    return f"{link_base(config.current())}{PATH}#{caller.current().workspace_id}.{secret}"


def renew(link: ShareLink) -> str:
    """Give a link another secret: its address; the one before opens nothing any more."""
    secret = secrets.token_urlsafe(32)
    link.change(token_hash=tokens.hashed(secret))
    return _address(secret)


def of(kind: SubjectType, subject_id: str) -> list[ShareLink]:
    """The links of a document, the newest first."""
    return ShareLink.fetch(
        "SELECT * FROM share_link WHERE subject_id = ? AND subject_type = ? ORDER BY id DESC", subject_id, kind
    )


def revoke(kind: SubjectType, subject_id: str, id: str) -> ShareLink:
    """Let a link open nothing any more.

    Raises:
        NotFound: the document has no such link.
        InvalidTransition: it is revoked already.
    """
    link = ShareLink.find_to_change(id)
    if (link.subject_type, link.subject_id) != (kind, subject_id):
        raise NotFound(ShareLink.noun.missing())
    if link.revoked_at is not None:
        raise InvalidTransition(says("This share link is already revoked."))
    end(link, "by_hand")
    return link


def end(link: ShareLink, because: str) -> None:
    link.change(revoked_at=clock.stamp())
    events.write("share_link.revoked", "share_link", link.id, event_data(link) | {"because": because})


def event_data(link: ShareLink) -> dict[str, Any]:
    return {"subjectType": link.subject_type, "subjectId": link.subject_id, "expiresAt": link.expires_at}


def _expiry(new: NewShareLink, last: date) -> str:
    """The instant at which a link ends: by default with a day of the workspace's zone, `DAYS` after the last one."""
    now = clock.now()
    if new.expires_at is not None:
        asked: datetime = new.expires_at
        if not now < asked <= now + timedelta(days=MOST_DAYS):
            message = says("Enter a time from now on, at most {days} days ahead.", days=MOST_DAYS)
            raise Invalid.one("expiresAt", "out_of_range", message)
        return clock.stamp(asked)
    day = max(last, workspace_settings.today()) + timedelta(days=DAYS + 1)
    zone = ZoneInfo(workspace_settings.time_zone())
    ends = datetime.combine(day, midnight(), zone).astimezone(UTC)
    return clock.stamp(min(ends, now + timedelta(days=MOST_DAYS)))


def switch_off_copies(connection: Any) -> None:
    """Revoke the links in a copy of a workspace's file, and drop their hashes: the original's go on."""
    connection.execute(
        "UPDATE share_link SET version = version + 1, revoked_at = coalesce(revoked_at, ?), pin_hash = NULL,"
        " token_hash = 'copied-' || id",
        (clock.stamp(),),
    )
