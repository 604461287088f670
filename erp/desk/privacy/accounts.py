"""The user's side of an erasure: their membership here, and their account once no other workspace needs it."""

from erp.hr.access.models import Employee
from erp.kernel import caller
from erp.kernel.errors import Refusal
from erp.members import members, people
from erp.store import control, events
from erp.store.control import Invite, Member, PasswordReset, Preference, RecoveryCode, SecondFactor, Session, User

_ADDRESS = "{id}@erased.invalid"
"""An address that no mail reaches. Source: RFC 2606."""


class OwnErasure(Refusal):
    """You cannot erase yourself. Ask another owner or admin."""

    status = 403


def check(user_id: str) -> None:
    """Refuse to erase a user who must stay.

    Raises:
        OwnErasure: it is the caller.
        Forbidden: their role is above the caller's own.
        LastOwner: no owner would be left.
    """
    with control.read():
        member = _member(user_id)
        if member is not None:
            members.check_removal(member)
    if user_id == caller.current().user_id:
        raise OwnErasure


def employee_of(user_id: str) -> Employee | None:
    """The employee record of a user."""
    employee: Employee | None = Employee.find_by(user_id=user_id)
    return employee


def values(user_id: str | None) -> set[str]:
    """The name and the e-mail address of a user."""
    if user_id is None:
        return set()
    with control.read():
        user = User.find_or_none(user_id)
    return set() if user is None else {user.name, user.email}


def stays(user_id: str) -> bool:
    """Whether the account stays after the user has left this workspace: another one, or the installation, needs it."""
    elsewhere = (Member.user == user_id) & (Member.workspace != caller.current().workspace_id)
    with control.read():
        user = User.find_or_none(user_id)
        return user is not None and (user.is_instance_admin or bool(Member.select().where(elsewhere).exists()))


def remove(user_id: str, alias: str) -> None:
    """End the membership of a user, and empty the account unless it stays."""
    leaves_account = stays(user_id)
    with control.write():
        member = _member(user_id)
        if member is not None:
            members.remove(member.id)
        user = User.find_or_none(user_id)
        if user is not None:
            here = Invite.workspace == caller.current().workspace_id
            Invite.delete().where(here, Invite.email_key == user.email_key).execute()
            if not leaves_account:
                _empty(user, alias)
    events.deliver_here(str(caller.current().workspace_id))
    people.give_alias(user_id, alias)


def _empty(user: User, alias: str) -> None:
    for table in (Session, PasswordReset, RecoveryCode):
        table.delete().where(table.user == user.id).execute()
    for own in (SecondFactor, Preference):
        own.delete().where(own.id == user.id).execute()
    address = _ADDRESS.format(id=user.id)
    user.change(name=alias, email=address, email_key=address, time_zone=None, password_hash="", status="disabled")


def _member(user_id: str) -> Member | None:
    member: Member | None = Member.find_by(workspace_id=caller.current().workspace_id, user_id=user_id)
    return member
