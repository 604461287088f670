"""No one decides on their own pay: the people who do, and the exceptions for owners."""

from collections.abc import Collection, Mapping

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
    return caller.current().role == "owner" and holders(permission).keys() <= {caller.current().user_id}


def refuse_paying_oneself(payee_user_ids: Collection[str], permission: str, action: Word) -> None:
    """Refuse an act on a payroll run that pays the caller, unless `permitted` names them.

    Args:
        payee_user_ids: the users whom the run pays.
        permission: the right to do it.
        action: the refused act, as in `approve a payroll run with your own payslip`.

    Raises:
        OwnPay: the run pays the caller, and someone else could do it.
    """
    me = caller.current().user_id
    if me not in payee_user_ids:
        return
    users = permitted(payee_user_ids, holders(permission))
    if me not in users:
        raise OwnPay(action=action, whom=Word("an owner") if users & set(payee_user_ids) else another(permission))


def permitted(payee_user_ids: Collection[str], roles_of: Mapping[str, str]) -> set[str]:
    """The users who may act on a payroll run: those whom it does not pay.

    If the run pays everyone with the right, the owners may; all others may only if no owner can sign in.

    Args:
        payee_user_ids: the users whom the run pays.
        roles_of: the `holders` of the right.
    """
    unpaid = roles_of.keys() - set(payee_user_ids)
    owners = {user_id for user_id, role in roles_of.items() if role == "owner"}
    return unpaid or owners or set(roles_of)


def holders(permission: str) -> dict[str, str]:
    """The roles of the active members with a right, by user."""
    with control.read():
        members = (
            Member.select(Member.user, Member.role)
            .join(User)
            .where(Member.workspace == caller.current().workspace_id, Member.has_access(), User.status == "active")
            .where(sql.among(Member.role, _with_right(permission)))
        )
        return {member.user_id: member.role for member in members}


def _with_right(permission: str) -> list[roles.Role]:
    return [role for role in roles.ROLES if roles.allows(role, permission)]


def another(permission: str = CHANGES) -> str:
    """The people to ask instead, for a refusal's message."""
    others = Listed.of([roles.title(role) for role in _with_right(permission)], "or")
    return says("another {roles}", roles=others)
