"""The time logs that an invoice bills: which line bills which, and how they are free to be billed again.

A log names its line by the invoice and the line's place. Both file and rules keep a billed log as it is.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from erp.kernel import clock
from erp.projects import rates
from erp.store.router import WORKSPACE


class BilledLog(NamedTuple):
    """A time log, and the part of its line's net that it is worth in minor units."""

    id: str
    amount: int


def of_invoice(invoice_id: str) -> dict[int, list[str]]:
    """The ids of the logs that an invoice bills, by the place of their line."""
    found: dict[int, list[str]] = {}
    for place, id in WORKSPACE.rows(_OF_INVOICE, (invoice_id,)):
        found.setdefault(place, []).append(id)
    return found


def bill(invoice_id: str, lines: Sequence[Sequence[BilledLog]]) -> None:
    """Put logs on the lines of a draft, in the order of these; their amounts are fixed from then on."""
    now = clock.stamp()
    billed = [(invoice_id, place, log.amount, now, log.id) for place, logs in enumerate(lines) for log in logs]
    WORKSPACE.run_many(_BILL, billed)


def follow(invoice_id: str, places: Mapping[int, int]) -> int:
    """Take the logs along to the new places of their lines.

    Args:
        places: where each line that is still there has gone; the logs of others are free.

    Returns:
        How many logs are free again.
    """
    freed = _free(invoice_id, list(places))
    WORKSPACE.run(_MOVE, (json.dumps(places), invoice_id))
    return freed


def free(invoice_id: str) -> int:
    """Free all logs of an invoice; how many."""
    return _free(invoice_id, [])


_OF_INVOICE = "SELECT invoice_line, id FROM time_log WHERE invoice_id = ? ORDER BY invoice_line, date, id"
_BILL = (
    "UPDATE time_log SET invoice_id = ?, invoice_line = ?, amount = ?, version = version + 1, updated_at = ?"
    " WHERE id = ?"
)
_MOVE = "UPDATE time_log SET invoice_line = json_extract(?, '$.\"' || invoice_line || '\"') WHERE invoice_id = ?"
_FREE = (
    "UPDATE time_log SET invoice_id = NULL, invoice_line = NULL, version = version + 1, updated_at = ?"
    " WHERE invoice_id = ? AND invoice_line NOT IN (SELECT value FROM json_each(?)) RETURNING id"
)


def _free(invoice_id: str, staying: Sequence[int]) -> int:
    """Free the logs of all lines but those at the places that stay; rates may have changed since they were billed."""
    freed = [id for (id,) in WORKSPACE.rows(_FREE, (clock.stamp(), invoice_id, json.dumps(staying)))]
    if freed:
        rates.reprice_logs(freed)
    return len(freed)
