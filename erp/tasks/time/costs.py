"""The cost of time: an hour's rate of the person on the day, times the minutes.

A log follows the rates of its person until its week is approved; then it keeps its own. Rates are worked out by human
resources, which lies above this room: the program hands them over in `source` when it starts.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from erp.kernel import caller
from erp.store import sql
from erp.store.router import WORKSPACE


class CostSpan(NamedTuple):
    """The cost of an hour of a user from a first to a last day, in minor units of the base currency."""

    user_id: str
    first: str
    last: str
    rate: int


source: Callable[[], Sequence[CostSpan]] = list
"""The present rates of everyone who has any."""

SPANS = """
SELECT json_extract(value, '$[0]') AS person_id, json_extract(value, '$[1]') AS first_day,
    json_extract(value, '$[2]') AS last_day, CAST(json_extract(value, '$[3]') AS BIGINT) AS rate
FROM json_each(:cost_spans)"""
"""SQL: the rates as rows; see `parameters`."""

RATE = f"""coalesce(time_log.cost_rate, (
    SELECT rate FROM ({SPANS}) AS span
    WHERE person_id = time_log.user_id AND time_log.date BETWEEN first_day AND last_day))"""
"""SQL: the cost of an hour of a row of `time_log`; null for people without a rate on the day."""


def cost(rate: str) -> str:
    """SQL: the cost of a row of `time_log` at a rate, which is SQL as well; rounded half up."""
    return f"coalesce(time_log.cost, (time_log.minutes * ({rate}) + 30) / 60)"


COST = cost(RATE)


def parameters() -> dict[str, Any]:
    """The parameters of `SPANS`."""
    return {"cost_spans": sql.array(source())}


def shown() -> dict[str, Any]:
    """The same for an answer: none at all without the right to see costs."""
    return parameters() if caller.may("cost.read") else {}


def keep(user_ids: Collection[str]) -> None:
    """Let the logs of people's approved weeks that have no cost of their own keep the present one."""
    spans = [span for span in source() if span.user_id in user_ids] if user_ids else []
    if spans:
        WORKSPACE.run(_KEEP, {"user_ids": sql.array(user_ids), "cost_spans": sql.array(spans)})


def release(user_id: str, first: str, last: str) -> None:
    """Let the logs of a reopened week follow the rates again."""
    WORKSPACE.run(_RELEASE, (user_id, first, last))


_KEEP = f"""
UPDATE time_log SET cost_rate = {RATE}, cost = {COST}
WHERE user_id IN (SELECT value FROM json_each(:user_ids)) AND cost_rate IS NULL AND {RATE} IS NOT NULL AND EXISTS (
    SELECT 1 FROM time_week WHERE time_week.user_id = time_log.user_id
    AND time_log.date BETWEEN date_from AND date_to AND status = 'approved')
"""
_RELEASE = "UPDATE time_log SET cost_rate = NULL, cost = NULL WHERE user_id = ? AND date BETWEEN ? AND ?"
