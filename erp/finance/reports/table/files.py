"""The files of a report: CSV for programs and other spreadsheets, Excel with formulas, and paper."""

from collections.abc import Iterable
from io import BytesIO

from erp.finance.reports.table import csv_file, pdf, xlsx
from erp.finance.reports.table.views import ReportTable
from erp.kernel.errors import BadParameter
from erp.kernel.language import says
from erp.web.schema import FILE_TYPES, File

MOST_ROWS = {"xlsx": 50_000, "pdf": 5_000}
"""The most rows of a file: more would take minutes and much memory. CSV has any number."""


def check_rows(format: str, rows: int) -> None:
    """Check that a file can have so many rows.

    Raises:
        BadParameter: it does not.
    """
    most = MOST_ROWS.get(format, rows)
    if rows > most:
        raise BadParameter(says("format: Has at most {most} rows. Shorten the period, or choose CSV.", most=most))


def written(report: ReportTable, format: str, *, is_semicolon: bool) -> File:
    """A report as a file.

    Args:
        is_semicolon: whether a CSV has semicolons between its cells, and commas in its decimals.

    Raises:
        BadParameter: the report has more rows than such a file takes.
    """
    if format == "csv":
        return in_parts([report], is_semicolon=is_semicolon)
    check_rows(format, len(report.rows))
    content = xlsx.write(report) if format == "xlsx" else pdf.write(report)
    return File(content, _name(report, format), FILE_TYPES[format])


def in_parts(reports: Iterable[ReportTable], *, is_semicolon: bool) -> File:
    """The parts of a report as one CSV."""
    content, name = BytesIO(), ""
    for report in reports:
        content.write(csv_file.write(report, is_semicolon=is_semicolon, is_first=not name))
        name = _name(report, "csv")
    return File(content.getvalue(), name, FILE_TYPES["csv"])


def _name(report: ReportTable, format: str) -> str:
    days = [str(day) for day in (report.date_from, report.date_to) if day is not None]
    return f"{'-'.join([report.name.replace('_', '-'), *days])}.{format}"
