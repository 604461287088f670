"""A report on paper: A4, portrait or landscape by its columns, with its headings on every page."""

from msgspec import UNSET

from erp.finance.reports.table.csv_file import NUMBERS
from erp.finance.reports.table.views import ReportColumn, ReportTable
from erp.finance.reports.table.wording import cell_text, days_of
from erp.kernel import clock, language
from erp.kernel.language import says
from erp.kernel.paper.pdf import TableColumn, TablePaper

_WIDTHS = {"text": 25, "date": 19, "amount": 25, "percent": 22, "count": 12, "minutes": 16}
"""Millimetres."""


def write(report: ReportTable) -> bytes:
    columns = [
        TableColumn(column.label, _WIDTHS[column.kind], is_number=_is_number(column)) for column in report.columns
    ]
    paper = TablePaper(report.heading, columns, clock.now())
    paper.head(report.title, report.office, days_of(report))
    above = None
    for row in report.rows:
        cells = [cell_text(row.cells.get(column.key), column, report.language) for column in report.columns]
        label = f"{row.code}  {row.label}" if row.code and row.code != above else row.label
        above = row.code
        paper.row(row.kind, [label, *cells], row.level)
    foot = "" if report.proof is UNSET else language.translated(report.proof.foot, report.language)
    return paper.finish(lambda number, pages: _page(report, number, pages), foot)


def _page(report: ReportTable, number: int, pages: int) -> str:
    return language.translated(says("Page {number} of {pages}", number=number, pages=pages), report.language)


def _is_number(column: ReportColumn) -> bool:
    return column.kind in NUMBERS
