"""Notices that no event makes but a day that comes, looked for by a thread of the server at its start and each hour.

It also deletes notices that were read long ago.
"""

from collections.abc import Iterator

from erp.desk.home import leavers
from erp.desk.notices import concerned, notices
from erp.kernel import caller
from erp.kernel.caller import Caller
from erp.store import control, sql
from erp.store.hourly import Hourly
from erp.store.router import WORKSPACE


class Watch(Hourly):
    """Writes the notices that are due."""

    name = "notices"
    first_look = 20
    last_wait = 2

    def work_in(self, workspace_id: str) -> None:
        """Write the notices of a workspace, and delete old ones."""
        with caller.acting(Caller(user_id="", name="Notices", email="", workspace_id=workspace_id)):
            with control.open_workspace(workspace_id, write=False):
                is_due = bool([*_untold_leavers(workspace_id)]) or notices.has_old()
            if is_due:
                with control.open_workspace(workspace_id, write=True):
                    for employee_id, seq in _untold_leavers(workspace_id):
                        whom = [(user_id, employee_id) for user_id in concerned.holding("members.write")]
                        notices.tell("leaver_has_access", "employee", whom, seq)
                    notices.drop_old()


_UNTOLD = """
SELECT gone.id, gone.seq FROM (
    SELECT resource_id AS id, max(seq) AS seq FROM event
    WHERE resource_type = 'employee' AND type IN ('employee.created', 'employee.terminated')
        AND resource_id IN (SELECT value FROM json_each(?))
    GROUP BY resource_id) AS gone
WHERE NOT EXISTS (SELECT 1 FROM notice
    WHERE kind = 'leaver_has_access' AND resource_id = gone.id AND event_seq >= gone.seq)
"""


def _untold_leavers(workspace_id: str) -> Iterator[tuple[str, int]]:
    """The people who have left and can still sign in, of whom no notice has told, with the event of their leaving."""
    gone = sql.array(leaver.employee_id for leaver in leavers.still_active(workspace_id))
    yield from WORKSPACE.rows(_UNTOLD, (gone,))
