"""Idempotency-Key: the first 2xx answer to a POST is kept beside its effect, and given again byte for byte."""

import json
import re
from dataclasses import dataclass
from datetime import timedelta

import falcon
import msgspec

from erp.kernel import caller, clock
from erp.kernel.errors import BadParameter, IdempotencyMismatch
from erp.store.events import digest
from erp.store.router import CONTROL, WORKSPACE, Router
from erp.web.contract import Contract
from erp.web.schema import enc_hook

KEPT = timedelta(hours=72)

_VISIBLE = re.compile(r"[!-~]{1,255}")
_FIND = "SELECT fingerprint, status, headers, body FROM idempotency WHERE user_id = ? AND key = ? AND created_at > ?"
_KEEP = (
    "INSERT INTO idempotency (user_id, key, fingerprint, status, headers, body, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_DROP_OLD = "DELETE FROM idempotency WHERE created_at <= ?"


@dataclass(frozen=True, slots=True)
class Key:
    """A caller's key, with what it stands for."""

    store: Router
    user_id: str
    key: str
    fingerprint: str


def key_of(contract: Contract, req: falcon.Request) -> Key | None:
    """The key that a request carries, if any.

    Raises:
        BadParameter: it carries one where none is taken, or one that is not 1..255 visible characters.
    """
    value = req.get_header("Idempotency-Key")
    if value is None:
        return None
    if req.method != "POST" or not (contract.takes_idempotency_key or not contract.writes):
        raise BadParameter("This endpoint takes no Idempotency-Key.")
    if not _VISIBLE.fullmatch(value):
        raise BadParameter("An Idempotency-Key has 1 to 255 visible characters.")
    if not contract.writes:
        return None  # it only computes: the same request gets the same answer anyway
    body = msgspec.json.encode(req.context.body, order="deterministic", enc_hook=enc_hook).decode()
    store = CONTROL if contract.store == "control" else WORKSPACE
    return Key(store, caller.current().user_id, value, digest(f"{req.method} {req.path}\n{body}"))


def replay(key: Key, resp: falcon.Response) -> bool:
    """Answer as the first time, when the key was used before.

    Raises:
        IdempotencyMismatch: it was used for another request.
    """
    found = key.store.rows(_FIND, (key.user_id, key.key, clock.stamp(clock.now() - KEPT)))
    if not found:
        return False
    fingerprint, status, headers, body = found[0]
    if fingerprint != key.fingerprint:
        raise IdempotencyMismatch(field="Idempotency-Key")
    resp.status = falcon.code_to_http_status(status)
    resp.set_headers(json.loads(headers))
    resp.set_header("Idempotent-Replayed", "true")
    resp.data = body
    return True


def keep(key: Key, resp: falcon.Response) -> None:
    """Keep the answer, in the transaction of its effect; forget those that are too old."""
    names = ("content-type", "etag", "location")
    headers = {name: value for name in names if (value := resp.get_header(name))}
    row = (key.user_id, key.key, key.fingerprint, resp.status_code, json.dumps(headers), resp.data, clock.stamp())
    key.store.run(_DROP_OLD, (clock.stamp(clock.now() - KEPT),))
    key.store.run(_KEEP, row)
