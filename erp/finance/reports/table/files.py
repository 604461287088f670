"""The files of a report: CSV for programs and other spreadsheets, Excel with formulas, and paper."""

from collections.abc import Iterable
from io import BytesIO

from msgspec import UNSET

from erp.finance.reports.period import FileQuery
from erp.finance.reports.table import csv_file, pdf, proof, xlsx
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


def written(report: ReportTable, format: str, query: FileQuery) -> File:
    """A report as a file, in the form that its query asks for.

    Raises:
        BadParameter: the report has more rows than such a file takes.
    """
    if format == "csv":
        content = csv_file.write(report, is_semicolon=query.separator == "semicolon")
        headers = {} if report.proof is UNSET else report.proof.headers
        return File(content, _name(report, format), FILE_TYPES[format], headers)
    check_rows(format, len(report.rows))
    return paper(report) if format == "pdf" else File(xlsx.write(report), _name(report, format), FILE_TYPES[format])


def paper(report: ReportTable) -> File:
    """A report on paper, of any length."""
    return File(pdf.write(report), _name(report, "pdf"), FILE_TYPES["pdf"])


def in_parts(reports: Iterable[ReportTable], query: FileQuery) -> File:
    """The parts of a report, at least one, as one CSV."""
    content, digests, report = BytesIO(), list[str](), None
    for report in reports:
        is_first = not content.tell()
        content.write(csv_file.write(report, is_semicolon=query.separator == "semicolon", is_first=is_first))
        digests += proof.digests(report.columns, report.rows)
    assert report is not None
    whole = proof.of(report.name, query, report.columns, digests, since=report.date_from, until=report.date_to)
    return File(content.getvalue(), _name(report, "csv"), FILE_TYPES["csv"], whole.headers)


def _name(report: ReportTable, format: str) -> str:
    days = [str(day) for day in (report.date_from, report.date_to) if day is not None]
    return f"{'-'.join([report.name.replace('_', '-'), *days])}.{format}"
