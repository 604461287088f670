"""A report as CSV: a line for each row, headings and sums included, under the labels of the columns."""

from collections.abc import Iterator

from erp.finance.reports.table.views import ReportRow, ReportTable
from erp.web.csv_list import cell

NUMBERS = ("amount", "percent", "count", "minutes")


def write(report: ReportTable, *, is_semicolon: bool, is_first: bool = True) -> bytes:
    """Write the file; a byte order mark tells a spreadsheet that it is UTF-8.

    Args:
        is_semicolon: whether there are semicolons between cells, and commas in decimals.
        is_first: whether it begins the file, and so has the headings.
    """
    separator = ";" if is_semicolon else ","
    head = ["kind", "level", "code", report.heading, *(column.label for column in report.columns)]
    heads = [[_text(text) for text in head]] if is_first else []
    lines = [*heads, *(list(_cells(report, row, is_semicolon)) for row in report.rows)]
    text = "".join(separator.join(line) + "\r\n" for line in lines)
    return text.encode("utf-8-sig" if is_semicolon and is_first else "utf-8")


def _cells(report: ReportTable, row: ReportRow, is_semicolon: bool) -> Iterator[str]:
    yield from (_text(row.kind), str(row.level), _text(row.code), _text(row.label))
    for column in report.columns:
        shown = row.cells.get(column.key)
        if shown is None or shown.value is None:
            yield ""
        elif column.kind not in NUMBERS:
            yield _text(shown.value)
        else:
            yield shown.value.replace(".", ",") if is_semicolon else shown.value


def _text(text: str | None) -> str:
    """A text in quotes, even if it looks like a number: a code of `0650` keeps its zero."""
    return '"' + cell(text).replace('"', '""') + '"' if text else ""
