"""The value of time: the hourly rate of a log, and its amount.

A log's own rate takes precedence over its task's, a task's over its project's. The amount is stored on the row, so
that sums are read and not computed; code that changes a rate calls `reprice_…` in the same transaction. Time on an
invoice, drafts included, keeps its amount. Rates are minor units of the base currency for an hour.

A project or a task has its present rate, and past ones for time dated before a day (`PastRate`).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.days import ONE_DAY
from erp.kernel.language import Digits, says
from erp.projects.models import PastRate
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

HIGHEST = 10**11
"""The largest rate, in minor units: sums of millions of logs of a day each stay within 64 bits."""

Owner = Literal["project", "task"]
"""A table of records with hourly rates."""


def dated(owner: Owner, day: str) -> str:
    """SQL: the rate of a row of a table for time of a day, which is SQL as well."""
    past = f"FROM past_rate WHERE past_rate.{owner}_id = {owner}.id AND until > {day}"
    return (
        f"CASE WHEN EXISTS (SELECT 1 {past}) THEN (SELECT past_rate.hourly_rate {past} ORDER BY until LIMIT 1)"
        f" ELSE {owner}.hourly_rate END"
    )


OF_LOG = f"coalesce(log.hourly_rate, {dated('task', 'log.date')}, {dated('project', 'log.date')})"
"""SQL: the rate of a time log `log` of a `task` and its `project`, which may be null."""

_REPRICE = f"""
UPDATE time_log
SET amount = CASE WHEN time_log.is_billable THEN (time_log.minutes * coalesce(rate, 0) + 30) / 60 ELSE 0 END
FROM (
    SELECT log.id AS log_id, {OF_LOG} AS rate
    FROM time_log AS log JOIN task ON task.id = log.task_id LEFT JOIN project ON project.id = task.project_id
    WHERE log.invoice_id IS NULL AND {{where}}
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


def on_day(owner: Owner, id: str, present: int | None, day: date) -> int | None:
    """The rate of a project or a task for time of a day."""
    past = WORKSPACE.memo(f"rates of {id}", lambda: WORKSPACE.rows(_PAST.format(owner=owner), (id,)))
    return next((rate for until, rate in past if day.isoformat() < until), present)


_PAST = "SELECT until, hourly_rate FROM past_rate WHERE {owner}_id = ? ORDER BY until"


def first_day(sent: date | UnsetType, values: Mapping[str, Any], *, known: bool) -> date | None:
    """The day on which a new rate begins; None where there is none, or it is the first and counts for all time.

    Args:
        sent: the day that a request names.
        values: the columns that it changes.
        known: whether a rate has been in force.
    """
    if sent is not UNSET:
        return sent
    return workspace_settings.today() if "hourly_rate" in values and known else None


def begin(owner: Owner, id: str, present: int | None, day: date) -> None:
    """Keep the rate in force before a day as a past one, because another rate begins; call it before the change."""
    before = on_day(owner, id, present, day - ONE_DAY)
    column = PastRate.project if owner == "project" else PastRate.task_id
    for later in PastRate.select().where(column == id, PastRate.until >= day):
        later.delete_instance()
    PastRate.add(**{f"{owner}_id": id}, until=day, hourly_rate=before)
    WORKSPACE.forget(f"rates of {id}")


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
