"""Registration, as far as the installation allows it: the first user, by invite, or open to all."""

from typing import Annotated, ClassVar, Literal

import falcon
from msgspec import Meta

from erp.auth import cookies, passwords, setup, users
from erp.auth.attempts import attempt
from erp.auth.sessions import Device
from erp.auth.sign_in import SignedIn, SignedInView, open_session
from erp.auth.users import NewUser
from erp.kernel import caller, config, language
from erp.kernel.caller import Caller
from erp.kernel.errors import AlreadyExists, NotFound, RateLimited, RegistrationClosed, Unavailable, WorkspaceArchived
from erp.kernel.language import says
from erp.members import joining
from erp.store import control, events
from erp.store.control import Member, User
from erp.web.cookies import has_session
from erp.web.endpoint import endpoint
from erp.web.scalars import Instant
from erp.web.schema import Body, View

Secret = Annotated[str, Meta(max_length=200)]


class Registration(NewUser):
    """A new user. An `inviteToken` makes them a member of a workspace; the first user may need the `setupCode`."""

    EXAMPLE: ClassVar[dict[str, str]] = {
        "email": "olga@example.com",
        "password": "correct horse battery",
        "name": "Olga",
    }

    invite_token: Secret | None = None
    setup_code: Secret | None = None


class SetupCode(Body):
    """The secret of the set-up link."""

    EXAMPLE: ClassVar[dict[str, str]] = {"setupCode": "Zk3…"}

    setup_code: Secret


class SetupPreviewView(View):
    """The expiry of a set-up link."""

    expires_at: Instant


class RegistrationModeView(View):
    """The way to register here."""

    mode: Annotated[
        Literal["setup", "open", "invite", "closed"],
        Meta(description="`setup`: there is no user yet."),
    ]
    is_open_to_you: Annotated[
        bool, Meta(description="Whether you can register from this computer without a code or an invite.")
    ]
    has_session: Annotated[
        bool, Meta(description="Whether your browser presents a session, so that `GET /auth/session` is worth asking.")
    ]


def registration_mode(*, is_local: bool, has_session: bool) -> RegistrationModeView:
    """The present way to register."""
    with control.read():
        is_set_up = users.is_set_up()
    mode = config.current().registration if is_set_up else "setup"
    is_open_to_you = mode == "open" or (mode == "setup" and is_local)
    return RegistrationModeView(mode=mode, is_open_to_you=is_open_to_you, has_session=has_session)


ALREADY_SET_UP = says("This server already has an administrator. Sign in instead.")
SPENT = says("This set-up link no longer works: it works for 30 minutes. Restart the server to get a new one.")


def preview_setup(code: str) -> SetupPreviewView:
    """Look at the set-up link with this code.

    Raises:
        RegistrationClosed: the installation has a user, or this is not the code of this start, or it has expired.
    """
    with control.read():
        if users.is_set_up():
            raise RegistrationClosed(ALREADY_SET_UP)
    if not setup.is_code(code):
        raise RegistrationClosed(SPENT)
    return SetupPreviewView(expires_at=setup.expires_at())


def register(new: Registration, device: Device, locale: str, *, is_local: bool) -> SignedIn:
    """Add a user and open a session for them; the first user becomes the instance admin."""
    users.check_password("password", new.password, new.email, new.name, *_invited_to(new.invite_token))
    with attempt(device, control.email_key(new.email), signs_in=True):
        with control.read():
            _admit(new, is_local)
        password_hash = passwords.hash_password(new.password)
        with control.write():
            is_first = _admit(new, is_local)
            user = users.add(new, password_hash, is_admin=is_first, locale=locale)
            member = None if new.invite_token is None else _join(user, new.invite_token)
            signed_in = open_session(user, device)
    if member is not None:
        events.try_to_deliver(member.workspace_id)
    return signed_in


def _invited_to(token: str | None) -> list[str]:
    """The name of the workspace that an invite is for; whether the invite can be used is judged later."""
    if token is None:
        return []
    with control.read():
        return joining.workspace_names(token)


def _admit(new: Registration, is_local: bool) -> bool:
    """Refuse a registration that the installation does not allow; return whether this is its first user."""
    if not users.is_set_up():
        if not is_local and not setup.is_code(new.setup_code):
            raise RegistrationClosed(
                says("Create the first user on the server's own computer, or with its setup code.")
            )
        return True
    if new.setup_code is not None:
        raise RegistrationClosed(ALREADY_SET_UP)
    mode = config.current().registration
    if mode == "closed":
        raise RegistrationClosed(says("Registration is closed. Ask a server administrator to add you."))
    if mode == "invite" and new.invite_token is None:
        raise RegistrationClosed(says("Registration is by invite only. Ask a member of your workspace for an invite."))
    if new.invite_token is not None:  # before any answer reveals whether the address has a user
        joining.find_for(new.invite_token, new.email)
    return False


def _join(user: User, token: str) -> Member:
    with caller.acting(Caller(user_id=user.id, name=user.name, email=user.email)):
        return joining.accept(token, user.id, user.email)


class Register:
    @endpoint(access="public")
    def on_get(self, req: falcon.Request) -> RegistrationModeView:
        """Show who can register here.

        `setup`: there is no user yet. `open`: anyone. `invite`: people with an invite. `closed`: no one; an
        administrator adds users.
        """
        return registration_mode(is_local=setup.is_local(req), has_session=has_session(req))

    @endpoint(
        access="public",
        status=201,
        shows_secret=True,
        refuses=(
            RegistrationClosed,
            AlreadyExists,
            RateLimited,
            NotFound,
            joining.InviteForAnother,
            joining.AlreadyMember,
            WorkspaceArchived,
            Unavailable,
            *joining.SPENT.values(),
        ),
    )
    def on_post(self, body: Registration, req: falcon.Request, resp: falcon.Response) -> SignedInView:
        """Register as a new user and sign in.

        The first user of an installation becomes its administrator. They register on the server's own computer, or
        with the `setupCode` of the link that the server shows when it starts. After that the installation's setting
        applies: open to all, by invite, or closed. An `inviteToken` makes the new user a member of the workspace
        that invited this e-mail address. Their language is the one that the request asks for (`Accept-Language`), as
        far as there are texts in it.
        """
        locale = language.accepted(req.get_header("Accept-Language")) or language.ENGLISH
        signed_in = register(body, Device.of(req), locale, is_local=setup.is_local(req))
        cookies.give(req, resp, signed_in.token, signed_in.marks)
        return SignedInView.of(signed_in)


class Preview:
    @endpoint(access="public", writes=False, refuses=(RegistrationClosed,))
    def on_post(self, body: SetupCode) -> SetupPreviewView:
        """Check the code of a set-up link.

        It is the part of the link after the `=`, and works until the server has its first user, for 30 minutes.
        """
        return preview_setup(body.setup_code)
