"""The value of time: the hourly rate of a log, and its amount.

A log's own rate takes precedence over its task's, a task's over its project's. The amount is stored on the row, so
that sums are read and not computed; code that changes a rate calls `reprice_…` in the same transaction. Time on an
invoice, drafts included, keeps its amount. Rates are minor units of the base currency for an hour.
"""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.language import Digits, says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

HIGHEST = 10**11
"""The largest rate, in minor units: sums of millions of logs of a day each stay within 64 bits."""

_REPRICE = """
UPDATE time_log
SET amount = CASE WHEN time_log.is_billable THEN (time_log.minutes * coalesce(rate, 0) + 30) / 60 ELSE 0 END
FROM (
    SELECT log.id AS log_id, coalesce(log.hourly_rate, task.hourly_rate, project.hourly_rate) AS rate
    FROM time_log AS log JOIN task ON task.id = log.task_id LEFT JOIN project ON project.id = task.project_id
    WHERE log.invoice_id IS NULL AND {where}
) AS priced
WHERE time_log.id = log_id
"""


def in_force(*rates: int | None) -> int | None:
    """The rate in force: the first that is set, of the log's own, its task's and its project's."""
    return next((rate for rate in rates if rate is not None), None)


def amount(minutes: int, rate: int | None, billable: bool) -> int:
    """The value of minutes, in minor units, rounded half up; 0 when not billable."""
    return (minutes * rate + 30) // 60 if billable and rate is not None else 0


def read(value: Decimal | None, complaints: Complaints, field: str = "hourlyRate") -> int | None:
    """A rate from a request, in minor units; complains where it does not fit the base currency."""
    if value is None:
        return None
    rate = complaints.minor(value, workspace_settings.current().base_currency, field)
    if rate > HIGHEST:
        shown = Digits(money.text(HIGHEST, workspace_settings.current().base_currency))
        complaints.add(field, "out_of_range", says("Must be at most {shown} per hour.", shown=shown))
    return rate


def reprice_project(project_id: str) -> None:
    """Recompute the amounts of a project's logs after its rate has changed."""
    _reprice("log.project_id = ?", [project_id])


def reprice_task(task_id: str) -> None:
    """Recompute the amounts of a task's logs after its rate has changed."""
    _reprice("log.task_id = ?", [task_id])


def reprice_logs(log_ids: Collection[str]) -> None:
    """Recompute the amounts of logs taken off an invoice: rates may have changed in the meantime."""
    _reprice("log.id IN (SELECT value FROM json_each(?))", [sql.array(log_ids)])


def _reprice(where: str, parameters: Sequence[Any]) -> None:
    WORKSPACE.run(_REPRICE.format(where=where), parameters)
