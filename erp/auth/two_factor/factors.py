"""The second factor of a user: setting it up, confirming, using and removing it."""

from erp.auth import sessions, users
from erp.auth.attempts import Undecided
from erp.auth.two_factor import codes
from erp.kernel import caller, clock, tokens
from erp.kernel.errors import Conflict, Forbidden, NotFound, Refusal
from erp.kernel.language import says
from erp.store import control
from erp.store.control import RecoveryCode, SecondFactor, Session, User
from erp.web.strict_json import clean


class SecondFactorNeeded(Undecided):
    """Enter the verification code of your app as well, or a recovery code."""

    status = 401


class WrongCode(Refusal):
    """This code is wrong, or it was used before. An app shows a new one every 30 seconds."""

    status = 401


class AlreadyOn(Conflict):
    """Two-factor sign-in is already turned on. Turn it off first."""


class NotOn(Conflict):
    """Two-factor sign-in is not turned on."""


class NotBegun(Conflict):
    """Create a new setup key, then confirm it with a verification code of your app."""


def of(user_id: str) -> SecondFactor | None:
    """The second factor of a user, confirmed or not."""
    return SecondFactor.find_or_none(user_id)


def is_on(user_id: str) -> bool:
    """Whether a user signs in with a second factor."""
    factor = of(user_id)
    return factor is not None and factor.confirmed_at is not None


def codes_left(user_id: str) -> int:
    """The number of unused recovery codes of a user."""
    unused = (RecoveryCode.user == user_id) & RecoveryCode.used_at.is_null()
    return RecoveryCode.select().where(unused).count()


def begin(user_id: str) -> str:
    """Give a user a new secret, which counts once it is confirmed.

    Raises:
        AlreadyOn: they have confirmed one.
    """
    factor, secret = of(user_id), codes.new_secret()
    if factor is None:
        SecondFactor.add(id=user_id, secret=secret)
    elif factor.confirmed_at is not None:
        raise AlreadyOn
    else:
        factor.change(secret=secret)
    return secret


def confirm(user_id: str, typed: str, session_id: str) -> list[str]:
    """Switch the second factor on, and end the user's other sessions.

    Returns:
        The recovery codes.

    Raises:
        AlreadyOn: it is on.
        NotBegun: there is no secret to confirm.
        WrongCode: an app with the secret shows another code.
    """
    factor = of(user_id)
    if factor is None:
        raise NotBegun
    if factor.confirmed_at is not None:
        raise AlreadyOn
    step = codes.step_of(factor.secret, codes.tidy(typed), factor.last_step)
    if step is None:
        raise WrongCode
    factor.change(confirmed_at=clock.stamp(), last_step=step)
    sessions.end(user_id, Session.id != session_id)
    return renew_codes(user_id)


def use(user_id: str, typed: str | None) -> None:
    """Take a code of a user who signs in, in the control file open for writing; each code counts once.

    Raises:
        SecondFactorNeeded: they need one.
        WrongCode: it is not theirs, or was used.
    """
    factor = of(user_id)
    if factor is None or factor.confirmed_at is None:
        return
    if not typed:
        raise SecondFactorNeeded
    code = codes.tidy(typed)
    if codes.is_of_app(code):
        _use_code_of_app(factor, code)
    else:
        _use_recovery_code(user_id, code)


def _use_code_of_app(factor: SecondFactor, code: str) -> None:
    step = codes.step_of(factor.secret, code, factor.last_step)
    if step is None:
        raise WrongCode
    factor.change(last_step=step)


def _use_recovery_code(user_id: str, code: str) -> None:
    unused: RecoveryCode | None = RecoveryCode.get_or_none(
        RecoveryCode.user == user_id, RecoveryCode.code_hash == tokens.hashed(code), RecoveryCode.used_at.is_null()
    )
    if unused is None:
        raise WrongCode
    unused.change(used_at=clock.stamp())


def renew_codes(user_id: str) -> list[str]:
    """Replace the recovery codes; the old ones stop working."""
    made = codes.new_recovery_codes()
    RecoveryCode.delete().where(RecoveryCode.user == user_id).execute()
    for code in made:
        RecoveryCode.add(user=user_id, code_hash=tokens.hashed(codes.tidy(code)))
    return made


def remove(user_id: str) -> None:
    """Remove the second factor and its codes."""
    RecoveryCode.delete().where(RecoveryCode.user == user_id).execute()
    SecondFactor.delete().where(SecondFactor.id == user_id).execute()


def reset(user: User) -> None:
    """Remove the second factor of a user who has lost it, and end their sessions.

    Raises:
        NotOn: they sign in without one.
    """
    if not is_on(user.id):
        raise NotOn
    remove(user.id)
    sessions.end(user.id)


def reset_by_admin(id: str) -> User:
    """As `reset`, by an instance admin.

    Raises:
        NotFound: there is no such user.
        Forbidden: the user is another instance admin.
        NotOn: they sign in without a second factor.
    """
    user = User.find(id)
    if user.is_instance_admin and user.id != caller.current().user_id:
        raise Forbidden(
            says(
                "The two-factor sign-in of another server administrator can only be reset on the server: "
                "erp user reset-two-factor."
            )
        )
    reset(user)
    return user


def reset_by_email(email: str) -> None:
    """As `reset`, from the command line.

    Raises:
        NotFound: no user has this e-mail address.
        NotOn: they sign in without a second factor.
    """
    with control.write():
        user = users.find_by_email(clean(email))
        if user is None:
            raise NotFound(says("No user has this e-mail address."))
        reset(user)
