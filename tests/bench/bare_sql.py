"""The bare SQL transaction of a change: the rows that the last one wrote, written again under new ids."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from erp.store.connections import connect, sqlite3
from erp.store.records import new_id

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""The rows of one change by their tables."""
Statement = tuple[str, Sequence[Any]]

COUNT = "UPDATE number_counter SET last = number_counter.last + 1 WHERE series = ? AND fiscal_year = ? RETURNING last"
USE = "UPDATE open_item SET open = open - ?, open_base = open_base - ? WHERE id = ?"
SETTLE = (
    "UPDATE invoice SET amount_paid = amount_paid + ?, status = 'partially_paid', version = version + 1, updated_at = ?"
    " WHERE id = (SELECT document_id FROM open_item WHERE id = ?)"
)
ISSUED = ("status", "number", "fiscal_year", "seq", "journal_entry_id", "issued_at")
DRAFT = {**dict.fromkeys(ISSUED), "status": "draft"}
ENTRY = {"journal_entry": "id", "posting": "entry_id", "open_item": "entry_id"}
PARTS = {"invoice": ("invoice_line", "invoice_tax"), "payment": (), "journal_entry": ()}
SERIES = {"invoice": ("salesInvoice", "journal"), "payment": ("payment", "journal"), "journal_entry": ("journal",)}


class Replay:
    """The last change of a file, written again and again into a copy with the house's pragmas.

    The change is an invoice, a payment that settles invoices in part, or a journal entry.
    """

    def __init__(self, source: Path, copy: Path, synchronous: str = "FULL") -> None:
        original, target = sqlite3.connect(f"file:{source}?mode=ro", uri=True), sqlite3.connect(copy)
        original.backup(target)
        original.close()
        target.close()
        self._connection = connect(copy)
        self._connection.execute(f"PRAGMA synchronous = {synchronous}")
        (self._event,) = self._select("SELECT * FROM event ORDER BY seq DESC LIMIT 1")
        self._kind = kind = str(self._event["resource_type"])
        self._rows: Rows = {"event": [self._event], kind: self._of(kind, "id", self._event["resource_id"])}
        (record,) = self._rows[kind]
        self._rows |= {table: self._of(table, f"{kind}_id", record["id"]) for table in PARTS[kind]}
        entry_id = record["id" if kind == "journal_entry" else "journal_entry_id"]
        self._rows |= {table: self._of(table, key, entry_id) for table, key in ENTRY.items()}
        if kind == "payment":
            self._rows["allocation"] = self._of("allocation", "from_item_id", self._rows["open_item"][0]["id"])
        self._turns = 0

    def milliseconds(self, number: int) -> float:
        """The median time of `number` transactions."""
        return statistics.median(self._timed(list(self._statements())) for _ in range(number))

    def close(self) -> None:
        """Close the copy."""
        self._connection.close()

    def _timed(self, statements: list[Statement]) -> float:
        run = self._connection.execute
        began = time.perf_counter()
        run("BEGIN IMMEDIATE")
        for sql, parameters in statements:
            run(sql, parameters).fetchall()
        run("COMMIT")
        return (time.perf_counter() - began) * 1000

    def _statements(self) -> Iterator[Statement]:
        """What the change writes in this turn: its numbers, its rows with the sealed entry, and its event."""
        self._turns += 1
        ids = {row["id"]: new_id() for rows in self._rows.values() for row in rows if "id" in row}
        rows = {table: [self._next(row, ids) for row in rows] for table, rows in self._rows.items()}
        (record,) = rows[self._kind]
        for series in SERIES[self._kind]:
            yield COUNT, (series, record["fiscal_year"])
        yield from WRITTEN[self._kind](rows, record)
        yield from _inserts(rows, "event")

    def _next(self, row: Row, ids: dict[str, str]) -> Row:
        """The row as it would be in this turn: under new ids, with the next number."""
        row_now = {column: ids.get(value, value) if isinstance(value, str) else value for column, value in row.items()}
        if "open" in row:
            row_now |= {"open": row["amount"], "open_base": row["base_amount"]}
        if "seq" in row:
            row_now["seq"] = row["seq"] + self._turns
            if "number" in row:
                row_now["number"] = f"{row['number'][:-5]}{row_now['seq']:05}"
        if "previous_hash" in row:
            row_now |= {"previous_hash": self._hash(self._turns - 1), "hash": self._hash(self._turns)}
        return row_now

    def _hash(self, turn: int) -> str:
        return f"{turn:064}" if turn else str(self._event["hash"])

    def _of(self, table: str, column: str, value: str) -> list[Row]:
        return self._select(f"SELECT * FROM {table} WHERE {column} = ?", value)

    def _select(self, sql: str, *parameters: str) -> list[Row]:
        cursor = self._connection.execute(sql, parameters)
        columns = [column for column, *_ in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor]


def _invoice(rows: Rows, invoice: Row) -> Iterator[Statement]:
    """A draft with its parts, its entry, then the issue."""
    yield _insert("invoice", invoice | DRAFT)
    yield from _inserts(rows, *PARTS["invoice"], *ENTRY)
    issued = ", ".join(f"{column} = ?" for column in ISSUED)
    yield f"UPDATE invoice SET {issued} WHERE id = ?", [invoice[column] for column in (*ISSUED, "id")]


def _payment(rows: Rows, payment: Row) -> Iterator[Statement]:
    """Its entry, the payment, then what it settles."""
    yield from _inserts(rows, *ENTRY)
    yield _insert("payment", payment)
    for allocation in rows["allocation"]:
        for end, sign in (("from", -1), ("to", 1)):
            base = sign * allocation[f"{end}_base"]
            yield USE, (sign * allocation["amount"], base, allocation[f"{end}_item_id"])
        yield SETTLE, (allocation["amount"], payment["updated_at"], allocation["to_item_id"])
        yield _insert("allocation", allocation)


def _journal_entry(rows: Rows, _: Row) -> Iterator[Statement]:
    yield from _inserts(rows, *ENTRY)


WRITTEN: dict[str, Callable[[Rows, Row], Iterator[Statement]]] = {
    "invoice": _invoice,
    "payment": _payment,
    "journal_entry": _journal_entry,
}


def _inserts(rows: Rows, *tables: str) -> Iterator[Statement]:
    for table in tables:
        for row in rows[table]:
            yield _insert(table, row)


def _insert(table: str, row: Row) -> Statement:
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values())
