"""Linking: a user who accepts an invite gets the employee record with the invite's e-mail address.

A user's address is not verified; the person who hands over an invite vouches for it. So a record is linked only when an
invite is accepted, or when someone with the right names the user. A record is also free if its user stayed in the
installation that the workspace came from.
"""

from collections.abc import Mapping
from typing import Any

from erp.hr.access.models import Employee
from erp.hr.access.people import status
from erp.members import people
from erp.store import control, events, sql, workspace_settings
from erp.store.control import Invite


def on_joined(data: Mapping[str, Any]) -> None:
    """Link a new member to their employee record, within the workspace's transaction.

    No record is linked if the user has one already, or if several have the address.

    Args:
        data: of the event `member.joined`.
    """
    with control.read():
        invite = Invite.find_or_none(data["inviteId"])
    if invite is None or Employee.find_by(user_id=data["userId"]) is not None:
        return
    employees = _unlinked(invite.email_key)
    if len(employees) == 1:
        (employee,) = employees
        employee.change(user_id=data["userId"])
        event_data = {"name": employee.name, "userId": data["userId"], "inviteId": invite.id}
        events.write("employee.linked", "employee", employee.id, event_data)


def _unlinked(email_key: str) -> list[Employee]:
    """Current and future employees with an e-mail address and no user here."""
    today = workspace_settings.today()
    free = Employee.user_id.is_null() | sql.among(Employee.user_id, people.left_behind())
    return [
        employee
        for employee in Employee.select().where(free)
        if (employee.email or "").casefold() == email_key and status(employee, today) != "terminated"
    ]
