"""Endpoints to turn one's own two-factor sign-in on and off."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, ClassVar

import falcon
from msgspec import Meta

from erp.auth import passwords
from erp.auth.attempts import attempt
from erp.auth.sessions import Device
from erp.auth.two_factor import codes, factors
from erp.auth.two_factor.factors import AlreadyOn, NotBegun, NotOn, WrongCode
from erp.kernel import caller, qr
from erp.kernel.errors import Invalid, RateLimited
from erp.kernel.language import says
from erp.store import control
from erp.store.control import User
from erp.web.endpoint import endpoint
from erp.web.scalars import Instant
from erp.web.schema import Body, View

ISSUER = "erp"

Password = Annotated[str, Meta(max_length=1000, description="Your password, once more.")]
Code = Annotated[
    str, Meta(min_length=1, max_length=40, description="The six digits that your app shows now, or a recovery code.")
]


class TwoFactorSetup(Body):
    EXAMPLE: ClassVar[dict[str, str]] = {"password": "correct horse battery"}

    password: Password


class TwoFactorCode(Body):
    EXAMPLE: ClassVar[dict[str, str]] = {"code": "123456"}

    code: Code


class TwoFactorProof(Body):
    EXAMPLE: ClassVar[dict[str, str]] = {"password": "correct horse battery", "code": "123456"}

    password: Password
    code: Code


class TwoFactorView(View):
    """Whether you sign in with a code as well."""

    is_on: bool
    since: Instant | None
    recovery_codes_left: int

    @classmethod
    def of(cls, user_id: str) -> "TwoFactorView":
        """Show a user's two-factor sign-in."""
        factor = factors.of(user_id)
        since = factor.confirmed_at if factor is not None else None
        return cls(is_on=since is not None, since=since, recovery_codes_left=factors.codes_left(user_id))


class TwoFactorSecretView(View):
    """A secret for an app: as text, as an address, and as a QR code of that address (SVG)."""

    secret: str
    uri: str
    qr: str


class RecoveryCodesView(View):
    """Codes that each count once, for when the phone is lost. They are shown this once."""

    recovery_codes: list[str]


def _prove_password(typed: str, device: Device) -> None:
    """Check the caller's password; a wrong one counts as a failed sign-in.

    Raises:
        Invalid: it is wrong.
    """
    with attempt(device, control.email_key(caller.current().email)):
        _check_password(typed)


def _prove(proof: TwoFactorProof, device: Device) -> None:
    """Check the caller's password and use a code of theirs: one attempt, which counts as one at signing in.

    Raises:
        NotOn: they sign in without a code.
        Invalid: the password or the code is wrong.
    """
    who = caller.current()
    with control.read():
        if not factors.is_on(who.user_id):
            raise NotOn
    with attempt(device, control.email_key(who.email)):
        _check_password(proof.password)
        with control.write(), _told_of_field():
            factors.use(who.user_id, proof.code)


def _check_password(typed: str) -> None:
    with control.read():
        password_hash = User.find(caller.current().user_id).password_hash
    if not passwords.verify(password_hash, typed):
        raise Invalid.one("password", "wrong_password", says("This is not your password."))


@contextmanager
def _told_of_field() -> Iterator[None]:
    """Refuse a wrong code as a complaint about the field that has it."""
    try:
        yield
    except WrongCode as wrong:
        raise Invalid.one("code", "wrong_code", wrong.message) from None


class State:
    """The caller's two-factor sign-in."""

    @endpoint(access="user", store="control", session_only=True)
    def on_get(self) -> TwoFactorView:
        """Say whether you sign in with a code of an app as well, and how many recovery codes are left.

        It never shows the secret or the recovery codes.
        """
        return TwoFactorView.of(caller.current().user_id)


class Setup:
    @endpoint(access="user", shows_secret=True, session_only=True, refuses=(AlreadyOn, RateLimited))
    def on_post(self, body: TwoFactorSetup, req: falcon.Request) -> TwoFactorSecretView:
        """Get a new secret for an app that shows codes. Nothing changes until you confirm it with a code.

        Needs your password. The secret is shown only here, also as a QR code. Wrong passwords are slowed down as at
        sign-in (429).
        """
        _prove_password(body.password, Device.of(req))
        who = caller.current()
        with control.write():
            secret = factors.begin(who.user_id)
        uri = codes.uri(secret, who.email, ISSUER)
        return TwoFactorSecretView(secret=secret, uri=uri, qr=qr.svg(uri).decode())


class Confirm:
    @endpoint(access="user", shows_secret=True, session_only=True, refuses=(AlreadyOn, NotBegun, RateLimited))
    def on_post(self, body: TwoFactorCode, req: falcon.Request) -> RecoveryCodesView:
        """Switch two-factor sign-in on with a code of your app.

        Your other sessions end; named tokens of scripts go on. Keep the recovery codes: they are shown this once.
        """
        who = caller.current()
        with attempt(Device.of(req), control.email_key(who.email)), control.write(), _told_of_field():
            return RecoveryCodesView(recovery_codes=factors.confirm(who.user_id, body.code, who.session_id))


class RecoveryCodes:
    """Codes for when the phone is lost."""

    @endpoint(access="user", shows_secret=True, session_only=True, refuses=(NotOn, RateLimited))
    def on_post(self, body: TwoFactorProof, req: falcon.Request) -> RecoveryCodesView:
        """Get ten new recovery codes. The old ones stop working.

        Needs your password and a code. The codes are shown only here, and each works once in place of a code of the
        app.
        """
        _prove(body, Device.of(req))
        with control.write():
            return RecoveryCodesView(recovery_codes=factors.renew_codes(caller.current().user_id))


class Off:
    @endpoint(access="user", session_only=True, refuses=(NotOn, RateLimited))
    def on_post(self, body: TwoFactorProof, req: falcon.Request) -> TwoFactorView:
        """Switch two-factor sign-in off. The password and a code are needed once more.

        The secret and the recovery codes are deleted; a later setup starts with a new secret. Wrong codes are slowed
        down as at sign-in (429).
        """
        _prove(body, Device.of(req))
        user_id = caller.current().user_id
        with control.write():
            factors.remove(user_id)
            return TwoFactorView.of(user_id)
