"""Tables of the auditor's export as CSV: UTF-8, semicolons, text in quotes, decimal commas and German dates.

Text that a spreadsheet would run as a formula has an apostrophe before it, as in all other CSV files.
"""

from collections.abc import Iterable, Sequence
from typing import IO, Any

from erp.finance.closing.auditing.tables import Column, Table
from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.store import names
from erp.web import csv_list


class Sheet:
    """A table while it is written; `decimals` are the most decimals in a column of amounts."""

    def __init__(self, table: Table, base: str) -> None:
        self.table, self.base = table, base
        names = [column.name for column in table.columns]
        self._currency = names.index(table.currency) if table.currency else None
        self.decimals = dict.fromkeys(names, DIGITS[base])
        self.count = 0

    def write(self, file: IO[str], rows: Iterable[Sequence[Any]]) -> None:
        """Write the names of the columns and the rows."""
        file.write(";".join(f'"{column.name}"' for column in self.table.columns) + "\r\n")
        for row in rows:
            own = row[self._currency] if self._currency is not None else None
            cells = (self._cell(column, value, own) for column, value in zip(self.table.columns, row, strict=True))
            file.write(";".join(cells) + "\r\n")
            self.count += 1

    def _cell(self, column: Column, value: Any, own: str | None) -> str:
        if value is None:
            return ""
        match column.kind:
            case "text":
                return text(value)
            case "user":
                return text(names.of_user(value) or value)
            case "date":
                year, month, day = str(value).split("-")
                return f"{day}.{month}.{year}"
            case "money" | "base":
                currency = own if own and column.kind == "money" else self.base
                self.decimals[column.name] = max(self.decimals[column.name], DIGITS[currency])
                return money.text(value, currency).replace(".", ",")
            case "micro":
                return money.plain(value).replace(".", ",")
            case "rate":
                return money.plain(value, money.RATE_SCALE).replace(".", ",")
        return str(value)


def text(value: object) -> str:
    """Text in quotes, on one line."""
    flat = csv_list.cell(" ".join(str(value).split())).replace('"', '""')
    return f'"{flat}"'
