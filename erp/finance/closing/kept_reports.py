"""The reports of a fiscal year, kept as files when it is closed."""

from collections.abc import Iterator, Mapping

from erp.attachments import attachments, stored
from erp.finance.assets import reports as assets
from erp.finance.assets.reports import MovementsQuery
from erp.finance.closing.fiscal_years import FiscalYearView
from erp.finance.reports import balance_sheet, profit_and_loss, trial_balance
from erp.finance.reports.balance_sheet import BalanceSheetQuery
from erp.finance.reports.profit_and_loss import ProfitAndLossQuery
from erp.finance.reports.table import files
from erp.finance.reports.table.tree import ReportTree
from erp.finance.reports.trial_balance import TrialBalanceQuery
from erp.kernel.errors import Busy
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.web.scalars import Day
from erp.web.schema import FILE_TYPES, File

Drawn = Mapping[str, File]
"""Reports on paper by the hashes of their figures."""


def draw(year: FiscalYearView) -> Drawn:
    """Draw the reports of a fiscal year, which takes seconds in a large one."""
    return {report.proof.content_hash: files.paper(report) for report in _reports(year)}


def keep(year: FiscalYearView, drawn: Drawn) -> None:
    """Keep the reports of a fiscal year on paper, each with its proof, beside any from an earlier closing.

    Raises:
        Busy: the books of the year have changed since the reports were drawn.
    """
    for report in _reports(year):
        file = drawn.get(report.proof.content_hash)
        if file is None:
            raise Busy(says("The books changed while the reports of the year were made. Close the year again."))
        _keep(year, file)


def _keep(year: FiscalYearView, file: File) -> None:
    assert isinstance(file.content, bytes)
    media_type = FILE_TYPES["pdf"]
    sha256 = stored.keep_bytes(file.content, media_type)
    attachments.link(sha256, file.name, len(file.content), media_type, ("fiscal_year", str(year.year)))


def _reports(year: FiscalYearView) -> Iterator[ReportTree]:
    first, last = (Day.fromisoformat(str(day)) for day in (year.start_date, year.end_date))
    language = workspace_settings.paper_language()
    yield balance_sheet.of(BalanceSheetQuery(date=last, language=language))
    yield profit_and_loss.of(ProfitAndLossQuery(date_from=first, date_to=last, language=language))
    yield trial_balance.tree_of(TrialBalanceQuery(date_from=first, date_to=last, language=language))
    yield assets.movements_in(MovementsQuery(year=year.year, language=language))
