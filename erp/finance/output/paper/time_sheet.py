"""The time sheet of an invoice: the time that each line bills, whose hours add up to the quantity of the line."""

import io
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.documents.models import Invoice
from erp.finance.documents.store import LineRow
from erp.finance.output.paper.wording import Wording
from erp.kernel import money
from erp.members import people
from erp.store.router import WORKSPACE
from erp.web.csv_list import quoted

HUNDREDTH = money.MICRO // 100


class TimeRow(NamedTuple):
    """A time log on the sheet; hours are millionths, of what is billed."""

    date: str
    person: str
    task: str
    note: str | None
    minutes: int
    hours: int


class TimeBlock(NamedTuple):
    """The time of a line, and its quantity as the sum."""

    position: int
    title: str
    rows: Sequence[TimeRow]
    quantity: int


_LOGS = """
SELECT log.invoice_line, log.date, log.user_id, task.key || ' ' || task.title, log.note, log.minutes,
    coalesce(log.billed_minutes, log.minutes)
FROM time_log AS log JOIN task ON task.id = log.task_id WHERE log.invoice_id = ?
ORDER BY log.invoice_line, log.date, log.id
"""


def of(invoice: Invoice, lines: Sequence[LineRow]) -> list[TimeBlock]:
    """The time of each line that bills any, in the order of the lines."""
    logs: dict[int, list[tuple[str, str, str, str | None, int, int]]] = {}
    for position, *log in WORKSPACE.rows(_LOGS, (invoice.id,)):
        logs.setdefault(position, []).append(tuple(log))
    names = people.names({user_id for of_line in logs.values() for _, user_id, *_ in of_line})
    blocks = []
    for line in lines:
        of_line = logs.get(line.position, [])
        if of_line:
            shares = _spread(line.quantity, [billed for *_, billed in of_line])
            rows = [
                TimeRow(day, names.get(user_id, user_id), task, note, minutes, share)
                for (day, user_id, task, note, minutes, _), share in zip(of_line, shares, strict=True)
            ]
            blocks.append(TimeBlock(line.position + 1, line.description, rows, line.quantity))
    return blocks


def _spread(quantity: int, minutes: Sequence[int]) -> list[int]:
    """A quantity in millionths by the billed minutes of its logs, to two places unless it has more."""
    unit = 1 if quantity % HUNDREDTH else HUNDREDTH
    return [share * unit for share in money.spread(quantity // unit, minutes)]


def blocks(invoice: Invoice, lines: Sequence[LineRow], words: Wording) -> list[TimeBlock]:
    """The same with days as the reader writes them."""
    return [
        block._replace(rows=[row._replace(date=words.day(date.fromisoformat(row.date))) for row in block.rows])
        for block in of(invoice, lines)
    ]


def hours_text(hours: int) -> str:
    """Hours with two decimals, or more where they have them."""
    text = money.plain(hours)
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals.ljust(2, '0')}"


def as_csv(found: Sequence[TimeBlock]) -> bytes:
    """The time sheet as a table, with a row for each log."""
    text = io.StringIO()
    text.write("position,date,person,task,note,loggedMinutes,hours\r\n")
    for row in _cells(found):
        text.write(",".join(map(quoted, row)) + "\r\n")
    return text.getvalue().encode()


def _cells(found: Sequence[TimeBlock]) -> Iterator[Sequence[object]]:
    for block in found:
        for row in block.rows:
            yield block.position, row.date, row.person, row.task, row.note, row.minutes, hours_text(row.hours)
