"""Whether a reader has an answer already: a weak ETag, known before any work is done.

It covers everything that the answer to a GET can depend on: the workspace's file and the control file, whichever
program wrote them; the caller with their role, language and time zone; the address with its query, the media type
that is accepted; and the day. A day begins, in every time zone, with a quarter of an hour in UTC, so the tag names the
quarter. An answer that shows the exact time, such as the minutes of a running timer, gets no tag: it asks the clock.

A record's ETag is its version, which says nothing of what its view takes from others (names, the day, rights), so a
version alone never answers 304. A reader who sends `If-None-Match` gets the version with this state beside it.
"""

import hashlib
from operator import attrgetter
from typing import Any

import msgspec
from falcon import HTTP_304, MEDIA_JSON, Request, Response

from erp.kernel import caller, clock, config
from erp.kernel.caller import Caller
from erp.kernel.errors import Busy
from erp.store import control
from erp.store.connections import STORAGE_ERRORS
from erp.store.router import CONTROL, WORKSPACE
from erp.web.contract import Contract

QUARTER = 900
"""Seconds."""

OWN = ("request_id", "if_match", "match_checked")
"""Fields of a caller that belong to one request."""

_WHO = attrgetter(*(name for name in Caller.__struct_fields__ if name not in OWN))


def has_state(contract: Contract) -> bool:
    """Whether the answers of an endpoint get a tag: a GET in a workspace, except files and secrets."""
    is_read = contract.function.__name__ == "on_get" and not contract.writes
    return is_read and contract.access == "workspace" and contract.shape != "file" and not contract.shows_secret


def state_of(req: Request) -> str | None:
    """A digest of everything that the answer to this GET depends on; call it before anything is read.

    None where a file cannot be read: the endpoint refuses, if it needs that file.
    """
    try:
        return _state(req)
    except (Busy, *STORAGE_ERRORS):
        return None


def _state(req: Request) -> str:
    who = caller.current()
    assert who.workspace_id is not None
    workspace = control.workspace_path(who.workspace_id)
    parts: list[Any] = [*_WHO(who), CONTROL.state(config.current().control_path), WORKSPACE.state(workspace)]
    parts += [req.path, req.query_string, req.env.get("HTTP_ACCEPT"), req.env.get("HTTP_ACCEPT_LANGUAGE")]
    parts.append(int(clock.now().timestamp()) // QUARTER)
    return hashlib.blake2b(msgspec.json.encode(parts), digest_size=12).hexdigest()


def is_held(req: Request, resp: Response, state: str) -> bool:
    """Whether the reader has the answer already, which is then a 304."""
    for tag in req.if_none_match or () if "HTTP_IF_NONE_MATCH" in req.env else ():
        if tag.rpartition("-")[2] == state:
            resp.status = HTTP_304
            resp.set_header("ETag", f'W/"{tag}"')
            resp.append_header("Vary", "Accept-Encoding")
            return True
    clock.ASKED.exactly = False
    return False


def give_no_tag() -> None:
    """Give the answer to this GET no tag, because the request is made for its work."""
    clock.ASKED.exactly = True


def mark(req: Request, resp: Response, state: str) -> None:
    """Give an answer its tag, unless it shows the instant, is a table, or has a tag of its own."""
    if clock.ASKED.exactly or resp.content_type != MEDIA_JSON:
        return
    tag = resp.get_header("ETag")
    if tag is None:
        resp.set_header("ETag", f'W/"{state}"')
    elif "HTTP_IF_NONE_MATCH" in req.env and not tag.startswith("W/"):
        resp.set_header("ETag", f'W/"{tag.strip(chr(34))}-{state}"')
