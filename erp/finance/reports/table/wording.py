"""The words around a report on paper and in a spreadsheet: its days, and numbers in a language's format."""

from datetime import date

from erp.finance.reports.table.views import ReportCell, ReportColumn, ReportTable
from erp.kernel import countries, language
from erp.kernel.language import says


def days_of(report: ReportTable) -> str:
    """The days of a report, in its language."""
    since, until = report.date_from, report.date_to
    if since and until:
        sentence = says("{first} to {last}, in {currency}", first=since, last=until, currency=report.currency)
    elif until:
        sentence = says("As at {day}, in {currency}", day=until, currency=report.currency)
    else:
        sentence = says("All days, in {currency}", currency=report.currency)
    return language.translated(sentence, report.language)


def cell_text(cell: ReportCell | None, column: ReportColumn, tongue: str) -> str:
    """A printed cell: `1,250.00`, `1.250,00` or `1,000.00 USD`, `7:30` of time, and dates in a language's format."""
    if cell is None or cell.value is None:
        return ""
    if column.kind == "date":
        return countries.date_text(date.fromisoformat(cell.value), "DE" if tongue == "de" else None)
    if column.kind == "amount":
        return f"{language.grouped(cell.value, tongue)}{f' {cell.currency}' if cell.currency else ''}"
    if column.kind == "minutes":
        return "{}:{:02}".format(*divmod(int(cell.value), 60))
    return f"{language.grouped(cell.value, tongue)} %" if column.kind == "percent" else cell.value
