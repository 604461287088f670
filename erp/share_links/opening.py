"""Opening a link from outside, by the secret in the body, without signing in."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from math import ceil

from erp.auth import passwords
from erp.kernel import caller, clock, tokens
from erp.kernel.caller import Caller
from erp.kernel.errors import Busy, NotFound, RateLimited, Refusal, Unavailable
from erp.kernel.language import says
from erp.share_links import limits, links
from erp.share_links.bodies import SharedRequest
from erp.share_links.models import ShareLink
from erp.store import control, events, workspace_settings
from erp.store.connections import STORAGE_ERRORS

ACTOR = "Customer, by link"
WAIT = timedelta(minutes=15)
IN_ROW, MOST_WRONG = 5, 20
SEEN_AGAIN = timedelta(minutes=10)
"""The time within which a second look at the document does not count."""

_SECRET = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})")
_STATUS = "SELECT status FROM workspace WHERE id = ?"
_GONE = says("This link does not work, or no longer. Ask the sender for a new one.")


class PinNeeded(Refusal):
    """Enter the PIN that came with the link."""

    status = 401


class WrongPin(Refusal):
    """The PIN is wrong."""

    status = 403


@contextmanager
def opened(request: SharedRequest, address: str, request_id: str) -> Iterator[ShareLink]:
    """Act as the receiver of the link with this secret; its document counts as seen if the block ends well.

    Raises:
        NotFound: there is no such link, it has ended, or its workspace shares nothing.
        PinNeeded, WrongPin: it has a PIN, and this is not it.
        RateLimited: the link, or the address, has been tried too often.
    """
    known = limits.current()
    known.unknown.check(address)
    workspace_id, link = _find(request.secret)
    if workspace_id is None or link is None:
        known.unknown.count(address)
        raise NotFound(_GONE)
    known.requests.check(link.id)
    known.requests.count(link.id)
    who = Caller(
        user_id=link.id,
        name=ACTOR,
        email="",
        session_id=link.id,
        session_kind="share_link",
        workspace_id=workspace_id,
        request_id=request_id,
    )
    with caller.acting(who):
        if link.pin_hash is not None:
            _check_pin(workspace_id, link, request.pin)
        yield link
        _note_seen(workspace_id, link)


def _find(secret: str) -> tuple[str | None, ShareLink | None]:
    match = _SECRET.fullmatch(secret)
    rows = control.look_up(_STATUS, (match[1],)) if match else []
    if match is None or not rows or rows[0][0] in ("archived", "creating"):
        return None, None
    if rows[0][0] == "unavailable":
        raise Unavailable
    with control.open_workspace(match[1], write=False):
        link = ShareLink.find_by(token_hash=tokens.hashed(match[2]))
        is_shared = workspace_settings.current().share_links
    return match[1], link if link is not None and link.is_live and is_shared else None


def _check_pin(workspace_id: str, link: ShareLink, pin: str | None) -> None:
    """Compare a PIN, which counts as wrong, and locks, until it has been compared: many at once gain nothing."""
    if pin is None:
        raise PinNeeded
    with control.open_workspace(workspace_id, write=True):
        has_locked = _count(ShareLink.find(link.id))
    try:
        is_right = passwords.verify(link.pin_hash, pin)
    except Busy:
        with control.open_workspace(workspace_id, write=True):
            _take_back(ShareLink.find(link.id))
        raise
    with control.open_workspace(workspace_id, write=True):
        now = ShareLink.find(link.id)
        if is_right:
            now.change(wrong_pins=max(0, now.wrong_pins - 1), wrong_in_row=0, locked_until=None)
        else:
            _note_wrong(now, has_locked=has_locked)
    if not is_right:
        raise WrongPin


def _count(link: ShareLink) -> bool:
    """Count a PIN before it is compared, and say whether that locks the link.

    If the server ends before it is compared, the link waits, and does not stay closed.
    """
    seconds = 0.0
    if link.locked_until is not None:
        seconds = (clock.parse(link.locked_until) - clock.now()).total_seconds()
    if seconds > 0:
        raise RateLimited(seconds=ceil(seconds), headers={"Retry-After": str(ceil(seconds))})
    in_row = 1 if link.wrong_in_row >= IN_ROW else link.wrong_in_row + 1
    locked_until = clock.stamp(clock.now() + WAIT) if in_row >= IN_ROW else None
    link.change(wrong_pins=link.wrong_pins + 1, wrong_in_row=in_row, locked_until=locked_until)
    return locked_until is not None


def _take_back(link: ShareLink) -> None:
    """Forget a PIN that was not compared."""
    in_row = max(0, link.wrong_in_row - 1)
    locked_until = link.locked_until if in_row >= IN_ROW else None
    link.change(wrong_pins=max(0, link.wrong_pins - 1), wrong_in_row=in_row, locked_until=locked_until)


def _note_wrong(link: ShareLink, *, has_locked: bool) -> None:
    """End the link after many wrong PINs; say that it waits after several."""
    if link.wrong_pins >= MOST_WRONG and link.revoked_at is None:
        links.end(link, "wrong_pins")
    elif has_locked:
        events.write("share_link.locked", "share_link", link.id, links.event_data(link))


def _note_seen(workspace_id: str, link: ShareLink) -> None:
    """Note that the document was seen; the first time is an event."""
    now = clock.now()
    if link.last_seen_at is not None and clock.stamp(now - SEEN_AGAIN) < link.last_seen_at:
        return
    with suppress(Busy, *STORAGE_ERRORS), control.open_workspace(workspace_id, write=True):
        known = ShareLink.find(link.id)
        seen = {"last_seen_at": clock.stamp(now), "seen_count": known.seen_count + 1}
        if known.first_seen_at is None:
            known.change(first_seen_at=clock.stamp(now), **seen)
            events.write("share_link.seen", "share_link", link.id, links.event_data(link))
        else:
            known.change(**seen)
