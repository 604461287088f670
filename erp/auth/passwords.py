"""Passwords: the rules for new ones, hashing, and a limit on simultaneous hashing.

A password is taken exactly as typed, except for Unicode NFC, so that the same keys on another system still match.
Hashing is expensive on purpose: if every request could wait for it, a flood of wrong passwords would occupy all
worker threads. So only two requests wait, briefly, and the others are refused at once.
"""

import os
import sys
import unicodedata
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from secrets import token_bytes

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from erp.auth import guessable
from erp.kernel.language import Sentence, says
from erp.kernel.slots import Slots

MIN_LENGTH = 10
MAX_LENGTH = 128


# Source: OWASP password storage cheat sheet, argon2id with 19 MiB. 16 ms; the library's default takes 64 MiB.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def _random_hash(hasher: PasswordHasher) -> str:
    """A hash that no password has; it is random, because computing one would delay every start."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (b64encode(token_bytes(length)).decode() for length in (hasher.salt_len, hasher.hash_len))
    return f"$argon2id$v=19${cost}${salt.rstrip('=')}${digest.rstrip('=')}"


_UNKNOWN_USER = _random_hash(_HASHER)
"""So that an unknown user takes as long as a known one."""

PLACES = max(1, (os.cpu_count() or 1) // 2)

slot = Slots(PLACES, refusal=says("Many people are signing in right now. Try again in a second.")).take
"""Hold one of the process's slots for hashing; `hash_password` and `verify` take one themselves."""


def _step_back() -> None:
    """Let the threads that answer requests go first. Only on Linux does a thread have a priority of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, 0, 10)


_BACKGROUND = ThreadPoolExecutor(PLACES, "hashing", _step_back)


def hash_password(password: str) -> str:
    """Hash a password for storage, with its parameters and salt."""
    with slot():
        return _BACKGROUND.submit(_HASHER.hash, _nfc(password)).result()


def verify(password_hash: str | None, password: str) -> bool:
    """Whether a password matches a stored hash. `None` (no such user) takes as long and never matches."""
    with slot():
        try:
            compared = _UNKNOWN_USER if password_hash is None else password_hash
            return _BACKGROUND.submit(_HASHER.verify, compared, _nfc(password)).result()
        except VerifyMismatchError:
            return False


def needs_rehash(password_hash: str) -> bool:
    """Whether a stored hash was made with parameters other than today's."""
    return _HASHER.check_needs_rehash(password_hash)


def weakness(password: str, *personal: str) -> tuple[str, Sentence] | None:
    """The `(code, message)` of a weak new password; `None` if it is good enough.

    Args:
        personal: the user's e-mail address, their name, and the names of their workspaces.
    """
    typed = _nfc(password)
    if len(typed) < MIN_LENGTH:
        return "too_short", says("Must have at least {least} characters.", least=MIN_LENGTH)
    if len(typed) > MAX_LENGTH:
        return "too_long", says("Must have at most {most} characters.", most=MAX_LENGTH)
    reason = guessable.why(typed, [_nfc(text) for text in personal])
    return None if reason is None else ("too_guessable", reason)


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
