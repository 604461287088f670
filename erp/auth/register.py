"""Making an account, as far as the installation lets people make their own."""

from typing import Annotated, ClassVar, Literal

import falcon
from msgspec import Meta

from erp.auth import cookies, passwords, setup, users
from erp.auth.attempts import attempt
from erp.auth.sessions import Device
from erp.auth.sign_in import SignedInView, welcome
from erp.auth.users import NewUser
from erp.kernel import caller, config
from erp.kernel.caller import Caller
from erp.kernel.errors import AlreadyExists, NotFound, RateLimited, RegistrationClosed, Unavailable, WorkspaceArchived
from erp.members import joining
from erp.store import control, events
from erp.store.control import User
from erp.web.endpoint import endpoint
from erp.web.schema import View

Secret = Annotated[str, Meta(max_length=200)]


class Registration(NewUser):
    """A new user; the token of an invite makes her a member, the setup code lets the first one in."""

    EXAMPLE: ClassVar[dict[str, str]] = {
        "email": "olga@example.com",
        "password": "correct horse battery",
        "name": "Olga",
    }

    invite_token: Secret | None = None
    setup_code: Secret | None = None


class AdmissionView(View):
    """Who may make an account."""

    mode: Annotated[
        Literal["setup", "open", "invite", "closed"],
        Meta(description="`setup`: the first account is still to be made."),
    ]
    open_to_you: Annotated[
        bool, Meta(description="Whether you could, from where you are, without a code or an invite.")
    ]


def admission(*, is_local: bool) -> AdmissionView:
    """Tell who may make an account now."""
    with control.read():
        is_set_up = users.is_set_up()
    mode = config.current().registration if is_set_up else "setup"
    return AdmissionView(mode=mode, open_to_you=mode == "open" or (mode == "setup" and is_local))


def register(new: Registration, device: Device, *, is_local: bool) -> SignedInView:
    """Make an account and sign it in; whoever is the first is the instance admin."""
    users.check_password("password", new.password, new.email, new.name)
    with attempt(device.address, control.email_key(new.email)):
        with control.read():
            _admit(new, is_local)
        password_hash = passwords.hash_password(new.password)
        with control.write():
            is_first = _admit(new, is_local)
            user = users.add(new, password_hash, is_admin=is_first)
            if new.invite_token is not None:
                _join(user, new.invite_token)
            signed_in = welcome(user, device)
    for joined in signed_in.workspaces:
        events.try_to_deliver(joined.id)
    return signed_in


def _admit(new: Registration, is_local: bool) -> bool:
    """Refuse whom the installation does not let in; tell whether this is its first user."""
    if not users.is_set_up():
        if not is_local and not setup.is_code(new.setup_code):
            raise RegistrationClosed("The first account is made on the server's own computer, or with its setup code.")
        return True
    if new.setup_code is not None:
        raise RegistrationClosed("This installation is set up already; sign in.")
    mode = config.current().registration
    if mode == "closed":
        raise RegistrationClosed("Accounts are made by the administrator here; ask for one.")
    if mode == "invite" and new.invite_token is None:
        raise RegistrationClosed("Accounts are made by invite here; ask a member of your office for one.")
    if new.invite_token is not None:  # before anything tells whether the address has an account
        joining.find_for(new.invite_token, new.email)
    return False


def _join(user: User, token: str) -> None:
    with caller.acting(Caller(user_id=user.id, name=user.name, email=user.email)):
        joining.accept(token, user.id, user.email)


class Register:
    """Making an account."""

    @endpoint(access="public")
    def on_get(self, req: falcon.Request) -> AdmissionView:
        """Say who may make an account here.

        Nobody has yet (`setup`), anybody may (`open`), people with an invite, or nobody by herself (`closed`).
        """
        return admission(is_local=setup.is_local(req))

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
        """Make an account and sign in.

        The first account of an installation is its administrator's; it is made on the server's own computer, or with
        the `setupCode` of the link that the server shows when it starts. Later ones follow the installation's
        setting: open to all, by invite, or closed. An `inviteToken` makes the new user a member of the workspace
        that invited this e-mail address.
        """
        signed_in = register(body, Device.of(req), is_local=setup.is_local(req))
        cookies.give(resp, signed_in.session.token)
        return signed_in
