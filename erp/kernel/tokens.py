"""Secrets that are shown once: session tokens, invites, reset links. Only their SHA-256 is stored."""

import hashlib
import secrets

PREFIX = "erp_"


def make() -> str:
    """Make a token of 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """The stored hash of a token. Above 112 bits of entropy it needs no salt (OWASP ASVS 5, 6.5.2)."""
    return hashlib.sha256(token.encode()).hexdigest()
