"""Idempotency-Key: the first 2xx answer to a POST is stored with its effect, and repeated byte for byte."""

import json
import re
from datetime import timedelta

import falcon
import msgspec

from erp.kernel import caller, clock
from erp.kernel.errors import BadParameter, IdempotencyMismatch
from erp.kernel.language import says
from erp.store.events import digest
from erp.store.router import CONTROL, WORKSPACE, Router
from erp.web.contract import Contract
from erp.web.schema import enc_hook

LIFETIME = timedelta(hours=72)

_VISIBLE = re.compile(r"[!-~]{1,255}")
_FIND = "SELECT fingerprint, status, headers, body FROM idempotency WHERE user_id = ? AND key = ? AND created_at > ?"
_KEEP = (
    "INSERT INTO idempotency (user_id, key, fingerprint, status, headers, body, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_DROP_OLD = "DELETE FROM idempotency WHERE created_at <= ?"


class Key(msgspec.Struct, frozen=True):
    """A caller's key, with the fingerprint of its request."""

    store: Router
    user_id: str
    key: str
    fingerprint: str


def key_of(contract: Contract, req: falcon.Request) -> Key | None:
    """The key that a request carries, if any.

    Raises:
        BadParameter: the endpoint takes no key, or the key does not have 1 to 255 visible characters.
    """
    value = req.env.get("HTTP_IDEMPOTENCY_KEY")
    if value is None:
        return None
    if req.method != "POST" or not (contract.takes_idempotency_key or not contract.writes):
        raise BadParameter(says("This endpoint does not take an Idempotency-Key."))
    if not _VISIBLE.fullmatch(value):
        raise BadParameter(says("An Idempotency-Key must have 1 to 255 visible characters."))
    if not contract.writes:
        return None  # it only computes: the same request gets the same answer without a key
    body = msgspec.json.encode(req.context.body, order="deterministic", enc_hook=enc_hook).decode()
    store = CONTROL if contract.store == "control" else WORKSPACE
    return Key(store, caller.current().user_id, value, digest(f"{req.method} {req.path}\n{body}"))


def replay(key: Key, resp: falcon.Response) -> bool:
    """Repeat the first answer if the key has been used before, and return whether it has.

    Raises:
        IdempotencyMismatch: it has been used for a different request.
    """
    rows = key.store.rows(_FIND, (key.user_id, key.key, clock.stamp(clock.now() - LIFETIME)))
    if not rows:
        return False
    fingerprint, status, headers, body = rows[0]
    if fingerprint != key.fingerprint:
        raise IdempotencyMismatch(field="Idempotency-Key")
    resp.status = falcon.code_to_http_status(status)
    resp.set_headers(json.loads(headers))
    resp.set_header("Idempotent-Replayed", "true")
    resp.data = body
    return True


def keep(key: Key, resp: falcon.Response) -> None:
    """Store the answer in the transaction of its effect, and delete answers that are too old."""
    names = ("content-type", "etag", "location")
    headers = {name: value for name in names if (value := resp.get_header(name))}
    row = (key.user_id, key.key, key.fingerprint, resp.status_code, json.dumps(headers), resp.data, clock.stamp())
    key.store.run(_DROP_OLD, (clock.stamp(clock.now() - LIFETIME),))
    key.store.run(_KEEP, row)
