"""The codes of a second factor: the app's, which change every 30 seconds, and recovery codes.

Sources: RFC 6238 for the codes of an app, each of which counts once (its section 5.2); NIST SP 800-63B for both.
"""

import secrets
from base64 import b32encode
from hmac import compare_digest

from erp.kernel import clock

SECONDS = 30
DRIFT = 1
"""The most steps of 30 seconds by which the clock of a phone may be ahead or behind."""

RECOVERY_CODES = 10


def new_secret() -> str:
    """A secret of 160 bits, in base 32, as apps take it."""
    return b32encode(secrets.token_bytes(20)).decode()


def uri(secret: str, email: str, issuer: str) -> str:
    """The address that a QR code shows to an app."""
    import pyotp  # here, because few requests need it

    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=issuer)


def step_of(secret: str, code: str, after: int) -> int | None:
    """The step of time in which an app shows a code, if that is now, and later than the step `after`."""
    import pyotp

    app, now = pyotp.TOTP(secret), int(clock.now().timestamp()) // SECONDS
    steps = range(max(after + 1, now - DRIFT), now + DRIFT + 1)
    return next((step for step in steps if compare_digest(app.generate_otp(step).encode(), code.encode())), None)


def is_of_app(code: str) -> bool:
    """Whether a code, as `tidy` gives it, is one of an app."""
    return len(code) == 6 and code.isascii() and code.isdecimal()


def tidy(typed: str) -> str:
    """A code without the blanks and hyphens that people type."""
    return "".join(letter for letter in typed if letter.isalnum()).upper()


def new_recovery_codes() -> list[str]:
    """Ten codes of 80 random bits, which need no slow hash: `ABCD-EFGH-IJKL-MNOP`."""
    made = (b32encode(secrets.token_bytes(10)).decode() for _ in range(RECOVERY_CODES))
    return ["-".join(code[at : at + 4] for at in range(0, 16, 4)) for code in made]
