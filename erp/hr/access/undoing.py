"""Undoing a decision on someone's leave or attendance: by who decided, soon, or by those who may write it."""

from datetime import timedelta

from erp.hr.access import people
from erp.kernel import caller, clock
from erp.kernel.errors import Forbidden, InvalidTransition
from erp.kernel.language import says

UNDOABLE = timedelta(hours=24)


def check(employee_id: str, status: str, decided_by: str | None, decided_at: str | None, permission: str) -> None:
    """Refuse to undo a decision.

    Args:
        permission: the right to undo any decision on the employee's records.

    Raises:
        InvalidTransition: it is neither approved nor rejected.
        Forbidden: another person decided, or too long ago, and the caller lacks the right.
    """
    if status not in ("approved", "rejected") or decided_at is None:
        raise InvalidTransition(says("There is no decision to undo."))
    is_fresh = clock.now() - clock.parse(decided_at) <= UNDOABLE
    if people.own_id() != employee_id or caller.current().role == "owner":
        if people.may_for(employee_id, permission):
            return
        if decided_by == caller.current().user_id and is_fresh:
            return
    raise Forbidden(says("Only the person who decided can undo this, within 24 hours. Ask HR."))
