"""Notices that no event makes but a day that comes, looked for by a thread of the server at its start and each hour.

It also deletes notices that were read long ago.
"""

from collections.abc import Iterator

from erp.desk.home import ending, leavers
from erp.desk.notices import concerned, notices
from erp.desk.notices.kinds import KINDS
from erp.kernel import caller
from erp.kernel.caller import Caller
from erp.store import control, sql, workspace_settings
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
                is_due = bool([*_untold(workspace_id)]) or notices.has_old()
            if is_due:
                with control.open_workspace(workspace_id, write=True):
                    for kind, resource_type, id, seq in _untold(workspace_id):
                        whom = [(user_id, id) for user_id in concerned.holding(KINDS[kind].permission)]
                        notices.tell(kind, resource_type, whom, seq)
                    notices.drop_old()


_LEAVERS = """
SELECT gone.id, gone.seq FROM (
    SELECT resource_id AS id, max(seq) AS seq FROM event
    WHERE resource_type = 'employee' AND type IN ('employee.created', 'employee.terminated')
        AND resource_id IN (SELECT value FROM json_each(?))
    GROUP BY resource_id) AS gone
WHERE NOT EXISTS (SELECT 1 FROM notice
    WHERE kind = 'leaver_has_access' AND resource_id = gone.id AND event_seq >= gone.seq)
"""
_REMINDERS = f"""
SELECT kind, of_type, due.id, max(seq) FROM (
    SELECT 'document_expiring' AS kind, 'employee_document' AS of_type, document.id, {ending.REMINDED_ON} AS since
    FROM employee_document AS document JOIN employee AS person ON person.id = employee_id WHERE {ending.IS_EXPIRING}
    UNION ALL
    SELECT 'probation_ending', 'employee', id, {ending.PROBATION_SOON_ON} FROM employee
    WHERE {ending.IS_PROBATION_ENDING}
) AS due JOIN event ON event.resource_type = of_type AND event.resource_id = due.id
    AND event.type IN (SELECT value FROM json_each(:types))
WHERE NOT EXISTS (SELECT 1 FROM notice WHERE notice.kind = due.kind AND notice.resource_id = due.id
    AND date(notice.created_at, '+1 day') >= since)
GROUP BY kind, due.id
"""
"""Reminders that have begun and have not been told since; a day's grace is for the zone of the office."""


def _untold(workspace_id: str) -> Iterator[tuple[str, str, str, int]]:
    """Notices that are due: kind, type and id of the record, and the newest event that the kind has words for."""
    gone = sql.array(leaver.employee_id for leaver in leavers.still_active(workspace_id))
    for id, seq in WORKSPACE.rows(_LEAVERS, (gone,)):
        yield "leaver_has_access", "employee", id, seq
    types = [type for kind in ("document_expiring", "probation_ending") for type in KINDS[kind].says]
    yield from WORKSPACE.rows(_REMINDERS, {"today": workspace_settings.today().isoformat(), "types": sql.array(types)})
