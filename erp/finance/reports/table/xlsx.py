"""A report as an Excel file: amounts are numbers, and computed cells are formulas with their values."""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from erp.finance.reports.table.views import ReportCell, ReportColumn, ReportProof, ReportRow, ReportTable
from erp.finance.reports.table.wording import days_of
from erp.kernel.currencies import DIGITS

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format

HEAD_ROWS = 5
"""The title, the office, the days, an empty row, and the headings."""

_BEFORE = 2
"""The columns before the report's own: the code and the label."""

_UNITS = {"percent": 100, "minutes": 24 * 60}
"""The value that is 1 in Excel: 100 per cent, and the minutes of a day."""

_WIDTHS = {"text": 26, "date": 12, "amount": 15, "percent": 10, "count": 8, "minutes": 10}


def write(report: ReportTable) -> bytes:
    """Write the file: the sheet of the report, and the one of its proof.

    The library is loaded here and not at the start, since few requests need it.
    """
    from xlsxwriter import Workbook

    content = BytesIO()
    # Names of contacts and accounts stay text, even if they look like a formula, a number or an address.
    as_they_are = {"strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}
    with Workbook(content, {"in_memory": True, **as_they_are}) as book:
        _Sheet(report, book).write()
        if report.proof is not UNSET:
            _write_proof(report.proof, book)
    return content.getvalue()


def _write_proof(proof: ReportProof, book: "Workbook") -> None:
    """Write the sheet with the proof: a name and a value in each row."""
    sheet = book.add_worksheet("Proof")
    sheet.set_column(0, 0, 18)
    sheet.set_column(1, 1, 70)
    values = msgspec.to_builtins(proof)
    parameters = {f"parameters.{name}": value for name, value in values.pop("parameters").items()}
    for number, (name, value) in enumerate({**values, **parameters}.items()):
        sheet.write_string(number, 0, name)
        sheet.write_string(number, 1, str(value))


class _Sheet:
    """The sheet of a report."""

    def __init__(self, report: ReportTable, book: "Workbook") -> None:
        self.report, self._book = report, book
        self._sheet = book.add_worksheet(report.title[:31].translate(str.maketrans("", "", "[]:*?/\\")))
        self._places = {column.key: index for index, column in enumerate(report.columns, _BEFORE)}
        self._formats: dict[tuple[str, int, bool], Format] = {}

    def write(self) -> None:
        """Write the headings and the rows."""
        self._sheet.freeze_panes(HEAD_ROWS, 0)
        for index, width in enumerate((10, 42, *(_WIDTHS[column.kind] for column in self.report.columns))):
            self._sheet.set_column(index, index, width)
        self._sheet.write_string(0, 0, self.report.title, self._book.add_format({"bold": True, "font_size": 14}))
        self._sheet.write_string(1, 0, self.report.office)
        self._sheet.write_string(2, 0, days_of(self.report))
        labels = ("", self.report.heading, *(column.label for column in self.report.columns))
        self._sheet.write_row(HEAD_ROWS - 1, 0, labels, self._format(is_bold=True))
        for number, row in enumerate(self.report.rows, HEAD_ROWS):
            self._row(row, number)

    def _row(self, row: ReportRow, number: int) -> None:
        is_bold = row.kind != "line"
        self._sheet.write_string(number, 0, row.code or "", self._format(is_bold=is_bold))
        self._sheet.write_string(number, 1, row.label, self._format(indent=row.level, is_bold=is_bold))
        for column in self.report.columns:
            cell = row.cells.get(column.key)
            if cell is not None and cell.value is not None:
                self._cell(cell, cell.value, column, row, number)

    def _cell(self, cell: ReportCell, shown: str, column: ReportColumn, row: ReportRow, number: int) -> None:
        index, form = self._places[column.key], self._format(self._figure(column, cell), is_bold=row.kind != "line")
        if column.kind == "text":
            self._sheet.write_string(number, index, shown, form)
        elif column.kind == "date":
            self._sheet.write_datetime(number, index, date.fromisoformat(shown), form)
        else:
            value = Decimal(shown) / _UNITS.get(column.kind, 1)
            formula = self._formula(column, row, number)
            if formula:
                self._sheet.write_formula(number, index, f"={formula}", form, value)
            else:
                self._sheet.write_number(number, index, value, form)

    def _format(self, figure: str = "", indent: int = 0, *, is_bold: bool = False) -> "Format":
        key = figure, indent, is_bold
        if key not in self._formats:
            self._formats[key] = self._book.add_format({"num_format": figure, "indent": indent, "bold": is_bold})
        return self._formats[key]

    def _figure(self, column: ReportColumn, cell: ReportCell) -> str:
        """The number format of a figure in Excel."""
        if column.kind != "amount":
            return {"date": "yyyy-mm-dd", "percent": "0.00%", "count": "0", "minutes": "[h]:mm", "text": ""}[
                column.kind
            ]
        digits = DIGITS[cell.currency or self.report.currency]
        unit = f' "{cell.currency}"' if cell.currency else ""
        return f"#,##0{'.' if digits else ''}{'0' * digits}{unit}"

    def _formula(self, column: ReportColumn, row: ReportRow, number: int) -> str:
        """The formula of a cell: other columns of its row, or other rows of its column."""
        from xlsxwriter.utility import xl_rowcol_to_cell

        if not any(key in row.cells for key in (*column.adds, *column.subtracts)):
            rows = ([index + HEAD_ROWS for index in places] for places in (row.adds, row.subtracts))
            of_column = self._places[column.key]
            parts = (_summed(of_column, numbers, sign) for numbers, sign in zip(rows, "+-", strict=True))
            return "".join(chain.from_iterable(parts)).removeprefix("+")
        added, subtracted = (
            [xl_rowcol_to_cell(number, self._places[key]) for key in keys] for keys in _sides(column, row)
        )
        amount = "".join(["+".join(added), *(f"-{cell}" for cell in subtracted)])
        if column.percent_of is None:
            return amount
        whole = xl_rowcol_to_cell(number, self._places[column.percent_of])
        return f'IF({whole}=0,"",({amount})/ABS({whole}))'


def _sides(column: ReportColumn, row: ReportRow) -> tuple[list[str], list[str]]:
    """The columns that a computed cell adds and subtracts."""
    turned = column.turns and row.is_expense
    return (column.subtracts, column.adds) if turned else (column.adds, column.subtracts)


def _summed(column: int, rows: Sequence[int], sign: str) -> Iterator[str]:
    """Cells of a column as parts of a formula, those that follow each other as one."""
    from xlsxwriter.utility import xl_range

    for first, last in _runs(rows):
        cells = xl_range(first, column, last, column)
        yield f"{sign}{cells}" if first == last else f"{sign}SUM({cells})"


def _runs(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for row in rows:
        if first is None or last is None or row != last + 1:
            if first is not None and last is not None:
                yield first, last
            first = row
        last = row
    if first is not None and last is not None:
        yield first, last
