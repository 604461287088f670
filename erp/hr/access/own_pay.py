"""No one decides on their own pay: the people who do, and the exceptions for owners."""

from collections.abc import Collection

from erp.hr.access.models import Employee
from erp.kernel import caller, roles
from erp.kernel.errors import Refusal
from erp.kernel.language import Listed, Word, says
from erp.store import control, sql
from erp.store.control import Member, User

CHANGES = "payroll.write"
"""The right of owners, admins and hr, who may change another person's pay and bank account."""


class OwnPay(Refusal):
    """You cannot {action}. Ask {whom}."""

    status = 403


def is_own(employee: Employee) -> bool:
    """Whether an employee is the caller."""
    return employee.user_id == caller.current().user_id


def refuse_own(employee: Employee, action: Word, permission: str = CHANGES) -> None:
    """Refuse a change of the caller's own pay, except by an owner without another active member with the right.

    Args:
        action: the refused act, as in `change your own pay`.
        permission: the right to do it for others.

    Raises:
        OwnPay: the employee is the caller, and someone else can do it.
    """
    if is_own(employee) and not is_alone(permission):
        raise OwnPay(action=action, whom=another(permission))


def is_alone(permission: str = CHANGES) -> bool:
    """Whether the caller is an owner, and no other active member has the right; by default to decide on their pay."""
    return caller.current().role == "owner" and not _others(permission)


def refuse_paying_oneself(payee_user_ids: Collection[str], permission: str, action: Word) -> None:
    """Refuse an act on a payroll run that pays the caller, unless no one else could do it.

    Another member could with the right and no pay in the run. If the run pays everyone with the right, an owner may;
    others may only if no owner can sign in.

    Args:
        payee_user_ids: the users whom the run pays.
        permission: the right to do it.
        action: the refused act, as in `approve a payroll run with your own payslip`.

    Raises:
        OwnPay: the run pays the caller, and someone else could do it.
    """
    current = caller.current()
    if current.user_id not in payee_user_ids:
        return
    others = _others(permission)
    if others.keys() - set(payee_user_ids):
        raise OwnPay(action=action, whom=another(permission))
    if current.role != "owner" and "owner" in others.values():
        raise OwnPay(action=action, whom=Word("an owner"))


def _others(permission: str) -> dict[str, str]:
    """The roles of the other active members with a right, by user."""
    current = caller.current()
    with control.read():
        members = (
            Member.select(Member.user, Member.role)
            .join(User)
            .where(Member.workspace == current.workspace_id, Member.has_access(), User.status == "active")
            .where(sql.among(Member.role, _with_right(permission)))
        )
        return {member.user_id: member.role for member in members if member.user_id != current.user_id}


def _with_right(permission: str) -> list[roles.Role]:
    return [role for role in roles.ROLES if roles.allows(role, permission)]


def another(permission: str = CHANGES) -> str:
    """The people to ask instead, for a refusal's message."""
    others = Listed.of([roles.title(role) for role in _with_right(permission)], "or")
    return says("another {roles}", roles=others)
