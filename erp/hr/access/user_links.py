"""Linking: whoever accepts an invite gets the employee record that bears the invite's e-mail address.

The address of an account is proved by nothing; that of an invite is, by whoever handed it over. So a record is
linked when an invite is accepted, and at no other time, unless somebody with the right names the user. The record of
somebody whose user was left behind in another installation, from which the workspace was brought, is free as well.
"""

from collections.abc import Mapping
from typing import Any

from erp.hr.access.models import Employee
from erp.hr.access.people import status
from erp.members import people
from erp.store import control, events, workspace_settings
from erp.store.control import Invite


def on_joined(told: Mapping[str, Any]) -> None:
    """Link whoever joined, as the log tells it, to her employee record; within the workspace's transaction.

    She is linked to none if she has one already, or if several bear the address.
    """
    with control.read():
        invite = Invite.find_or_none(told["inviteId"])
    if invite is None or Employee.get_or_none(Employee.user_id == told["userId"]) is not None:
        return
    today = workspace_settings.today()
    free = Employee.user_id.is_null() | Employee.user_id.in_(people.left_behind())
    found = [
        employee
        for employee in Employee.select().where(free)
        if (employee.email or "").casefold() == invite.email_key and status(employee, today) != "terminated"
    ]
    if len(found) == 1:
        found[0].change(user_id=told["userId"])
        facts = {"name": found[0].name, "userId": told["userId"], "inviteId": invite.id}
        events.write("employee.linked", "employee", found[0].id, facts)
