"""What time is worth: the hourly rate that counts for a log, and the amount it makes of its minutes.

A log's own rate goes before its task's, a task's before its project's. The amount is kept on the row, so that sums
are read and not computed; whoever changes a rate calls `reprice_…` in the same transaction. What is on an invoice,
a draft included, keeps the amount it has there. Rates are minor units of the base currency for an hour.
"""

import json
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.store import workspace_settings
from erp.store.router import WORKSPACE

HIGHEST = 10**11
"""The largest rate, in minor units: sums of millions of logs of a day each stay within 64 bits."""

_REPRICE = """
UPDATE time_log
SET amount = iif(time_log.billable, (time_log.minutes * ifnull(rate, 0) + 30) / 60, 0)
FROM (
    SELECT log.id AS log_id, coalesce(log.hourly_rate, task.hourly_rate, project.hourly_rate) AS rate
    FROM time_log AS log JOIN task ON task.id = log.task_id LEFT JOIN project ON project.id = task.project_id
    WHERE log.invoice_id IS NULL AND {where}
)
WHERE time_log.id = log_id
"""


def in_force(*rates: int | None) -> int | None:
    """The rate that counts for time: the first that is set, of the log's own, its task's and its project's."""
    return next((rate for rate in rates if rate is not None), None)


def amount(minutes: int, rate: int | None, billable: bool) -> int:
    """What minutes are worth, in minor units, rounded half up; nothing when they are not billable."""
    return (minutes * rate + 30) // 60 if billable and rate is not None else 0


def read(value: Decimal | None, complaints: Complaints, field: str = "hourlyRate") -> int | None:
    """A rate that a request gives, in minor units; with a complaint when it is none of the base currency."""
    if value is None:
        return None
    rate = complaints.minor(value, workspace_settings.current().base_currency, field)
    if rate > HIGHEST:
        shown = money.text(HIGHEST, workspace_settings.current().base_currency)
        complaints.add(field, "out_of_range", f"An hour costs {shown} at most.")
    return rate


def reprice_project(project_id: str) -> None:
    """Reckon the amounts of a project's logs anew, after a change of its rate."""
    _reprice("log.project_id = ?", [project_id])


def reprice_task(task_id: str) -> None:
    """Reckon the amounts of a task's logs anew, after a change of its rate."""
    _reprice("log.task_id = ?", [task_id])


def reprice_logs(log_ids: Collection[str]) -> None:
    """Reckon the amounts of logs anew, after they were taken off an invoice: rates may have changed meanwhile."""
    _reprice("log.id IN (SELECT value FROM json_each(?))", [json.dumps(list(log_ids))])


def _reprice(where: str, parameters: Sequence[Any]) -> None:
    WORKSPACE.run(_REPRICE.format(where=where), parameters)
