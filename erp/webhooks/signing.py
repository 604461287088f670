"""Secrets and signatures as Standard Webhooks has them (standardwebhooks.com, specification 1.0)."""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable

PREFIX = "whsec_"


def make_secret() -> str:
    """A new secret of 256 random bits; the standard asks for 192 to 512."""
    return PREFIX + b64encode(secrets.token_bytes(32)).decode()


def signatures(keys: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """The signatures of a message by each secret, as the header `webhook-signature` has them."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{b64encode(_digest(key, signed)).decode()}" for key in keys)


def _digest(key: str, signed: bytes) -> bytes:
    return hmac.digest(b64decode(key.removeprefix(PREFIX)), signed, "sha256")
