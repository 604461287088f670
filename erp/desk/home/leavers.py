"""People whose employment has ended, and who can still sign in to the workspace."""

from typing import Annotated

from msgspec import Meta

from erp.desk.home.waiting import MOST, Waiting
from erp.kernel import caller, clock
from erp.kernel.roles import Role
from erp.store import control, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day
from erp.web.schema import View


class LeaverWithAccessView(View):
    """A former employee who is still an active member."""

    employee_id: str
    employee_name: str
    last_day: Annotated[Day, Meta(description="Of the employment.")]
    member_id: str
    role: Role


class LeaversWithAccess(Waiting):
    """Former employees who are still active members, those gone for longest at the top."""

    items: list[LeaverWithAccessView]


_LEFT = """
SELECT id, name, termination_date, user_id FROM employee
WHERE user_id IS NOT NULL AND termination_date < ? ORDER BY termination_date, id
"""
_ACTIVE = f"""
SELECT m.user_id, m.id, m.role FROM member AS m JOIN "user" ON "user".id = m.user_id
WHERE m.workspace_id = ? AND {control.MAY_ENTER} AND "user".status = 'active'
    AND m.user_id IN (SELECT value FROM json_each(?))
"""


def with_access() -> LeaversWithAccess | None:
    """The leavers whose access is still on; None for a caller who could not end it, or may not see employees."""
    if not (caller.may("members.write") and caller.may("employees.read")):
        return None
    items = still_active(caller.current().workspace_id)
    return LeaversWithAccess(total=len(items), items=items[:MOST])


def still_active(workspace_id: str | None) -> list[LeaverWithAccessView]:
    """Everyone who has left the open workspace's office and is still an active member, those gone for longest first."""
    left = WORKSPACE.rows(_LEFT, (workspace_settings.today().isoformat(),))
    asked = (workspace_id, clock.stamp(), sql.array(user_id for *_, user_id in left))
    active = {user_id: member for user_id, *member in control.look_up(_ACTIVE, asked)} if left else {}
    return [
        LeaverWithAccessView(id, name, Day.read(last_day), *active[user_id])
        for id, name, last_day, user_id in left
        if user_id in active
    ]
