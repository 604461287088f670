"""The time logs that an invoice bills: which line bills which, and freeing them to be billed again.

A log names its line by the invoice and the position of the line. Triggers of the file protect a billed log.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from erp.kernel import clock
from erp.projects import rates
from erp.store import recorded, sql
from erp.store.router import WORKSPACE


class BilledLog(NamedTuple):
    """A time log, its part of the line's net in minor units, and its part of the billed minutes."""

    id: str
    amount: int
    minutes: int


class LineTime(NamedTuple):
    """The ids of the logs that a line bills, and the minutes that were logged."""

    ids: Sequence[str]
    minutes: int


NO_TIME = LineTime((), 0)


def of_invoice(invoice_id: str) -> dict[int, LineTime]:
    """The logs that an invoice bills, by the position of their line."""
    return {position: time for (_, position), time in of_invoices([invoice_id]).items()}


def of_invoices(invoice_ids: Sequence[str]) -> dict[tuple[str, int], LineTime]:
    """The logs that invoices bill, by the invoice and the position of their line."""
    logs: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for invoice_id, position, id, minutes in WORKSPACE.rows(_OF_INVOICES, (sql.array(invoice_ids),)):
        logs.setdefault((invoice_id, position), []).append((id, minutes))
    return {
        line: LineTime([id for id, _ in of_line], sum(minutes for _, minutes in of_line))
        for line, of_line in logs.items()
    }


def bill(invoice_id: str, lines: Sequence[Sequence[BilledLog]]) -> None:
    """Put the logs of each line on a draft; from then on their amounts are fixed."""
    now = clock.stamp()
    rows = [
        (invoice_id, position, log.amount, log.minutes, now, log.id)
        for position, logs in enumerate(lines)
        for log in logs
    ]
    WORKSPACE.run_many(_BILL, rows)
    for *_, id in rows:
        recorded.note("time_log", id, {"invoice_id": invoice_id})


def move(invoice_id: str, positions: Mapping[int, int]) -> int:
    """Move the logs to the new positions of their lines.

    Args:
        invoice_id: a draft.
        positions: the new position of each line that remains, by its old one; logs of other lines are freed.

    Returns:
        The number of freed logs.
    """
    freed = _free(invoice_id, list(positions))
    WORKSPACE.run(_MOVE, {"positions": json.dumps(positions), "invoice_id": invoice_id})
    return freed


def free(invoice_id: str) -> int:
    """Free all logs of an invoice; returns their number."""
    return _free(invoice_id, [])


_OF_INVOICES = (
    "SELECT invoice_id, invoice_line, id, minutes FROM time_log WHERE invoice_id IN (SELECT value FROM json_each(?))"
    " ORDER BY invoice_id, invoice_line, date, id"
)
_BILL = (
    "UPDATE time_log SET invoice_id = ?, invoice_line = ?, amount = ?, billed_minutes = ?, version = version + 1,"
    " updated_at = ? WHERE id = ?"
)
_MOVED = sql.json_text(":positions", "'$.\"' || invoice_line || '\"'")
_MOVE = f"UPDATE time_log SET invoice_line = {_MOVED} WHERE invoice_id = :invoice_id"
_FREE = (
    "UPDATE time_log SET invoice_id = NULL, invoice_line = NULL, billed_minutes = NULL, version = version + 1,"
    " updated_at = ? WHERE invoice_id = ? AND invoice_line NOT IN (SELECT value FROM json_each(?)) RETURNING id"
)


def _free(invoice_id: str, remaining: Sequence[int]) -> int:
    """Free the logs of all lines but those at these positions; they take today's rates again."""
    freed = [id for (id,) in WORKSPACE.rows(_FREE, (clock.stamp(), invoice_id, sql.array(remaining)))]
    for id in freed:
        recorded.note("time_log", id, {"invoice_id": None})
    if freed:
        rates.reprice_logs(freed)
    return len(freed)
