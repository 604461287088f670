"""The bare SQL transaction of an invoice: the rows of the last one, written again under new ids."""

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from erp.store.connections import connect, sqlite3
from erp.store.records import new_id

Row = dict[str, Any]
Statement = tuple[str, Sequence[Any]]

COUNT = "UPDATE number_counter SET last = number_counter.last + 1 WHERE series = ? AND fiscal_year = ? RETURNING last"
ISSUED = ("status", "number", "fiscal_year", "seq", "journal_entry_id", "issued_at")
DRAFT = {**dict.fromkeys(ISSUED), "status": "draft"}
PARTS = ("invoice_line", "invoice_tax")
ENTRY = {"journal_entry": "id", "posting": "entry_id", "entry_seal": "entry_id"}


class Replay:
    """The last invoice of a file, written again and again into a copy with the house's pragmas."""

    def __init__(self, source: Path, copy: Path) -> None:
        original, target = sqlite3.connect(f"file:{source}?mode=ro", uri=True), sqlite3.connect(copy)
        original.backup(target)
        original.close()
        target.close()
        self._connection = connect(copy)
        (self._invoice,) = self._rows("SELECT * FROM invoice ORDER BY seq DESC LIMIT 1")
        (self._event,) = self._rows("SELECT * FROM event ORDER BY seq DESC LIMIT 1")
        assert self._event["resource_id"] == self._invoice["id"], "the last change of the file is no invoice"
        self._rest = {table: self._of(table, "invoice_id", self._invoice["id"]) for table in PARTS}
        entry_id = self._invoice["journal_entry_id"]
        self._rest |= {table: self._of(table, key, entry_id) for table, key in ENTRY.items()}
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
        """What an invoice writes: numbers, a draft with its parts, the sealed entry, the issue, the event."""
        self._turns += 1
        own = [self._invoice["id"], self._event["id"], self._invoice["journal_entry_id"]]
        own += [row["id"] for table in PARTS for row in self._rest[table]]
        ids = {id: new_id() for id in own}
        invoice = self._next(self._invoice, ids)
        yield COUNT, ("salesInvoice", invoice["fiscal_year"])
        yield COUNT, ("journal", invoice["fiscal_year"])
        yield _insert("invoice", invoice | DRAFT)
        for table, rows in self._rest.items():
            for row in rows:
                yield _insert(table, self._next(row, ids))
        issued = ", ".join(f"{column} = ?" for column in ISSUED)
        yield f"UPDATE invoice SET {issued} WHERE id = ?", [invoice[column] for column in (*ISSUED, "id")]
        yield _insert("event", self._next(self._event, ids))

    def _next(self, row: Row, ids: dict[str, str]) -> Row:
        """The row as it would be in this turn: under new ids, with the next number."""
        row_now = {column: ids.get(value, value) if isinstance(value, str) else value for column, value in row.items()}
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
        return self._rows(f"SELECT * FROM {table} WHERE {column} = ?", value)

    def _rows(self, sql: str, *parameters: str) -> list[Row]:
        cursor = self._connection.execute(sql, parameters)
        columns = [column for column, *_ in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor]


def _insert(table: str, row: Row) -> Statement:
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values())
