"""The reports of a fiscal year, kept as files when it is closed."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from erp.attachments import attachments, stored
from erp.finance.assets import reports as assets
from erp.finance.assets.reports import MovementsQuery
from erp.finance.closing.fiscal_years import FiscalYearView
from erp.finance.reports import balance_sheet, profit_and_loss, trial_balance
from erp.finance.reports.balance_sheet import BalanceSheetQuery
from erp.finance.reports.profit_and_loss import ProfitAndLossQuery
from erp.finance.reports.table.tree import ReportTree
from erp.finance.reports.trial_balance import TrialBalanceQuery
from erp.store import workspace_settings
from erp.web import schema
from erp.web.schema import FILE_TYPES, File, Query


def keep(year: FiscalYearView) -> None:
    """Keep the reports of a fiscal year on paper, each with its proof, beside any from an earlier closing."""
    for file in _files(year):
        assert isinstance(file.content, bytes)
        media_type = FILE_TYPES["pdf"]
        sha256 = stored.keep_bytes(file.content, media_type)
        attachments.link(sha256, file.name, len(file.content), media_type, ("fiscal_year", str(year.year)))


def _files(year: FiscalYearView) -> Iterator[File]:
    days = {"date": year.end_date, "dateFrom": year.start_date, "dateTo": year.end_date, "year": year.year}
    for names, kind, of in _REPORTS:
        parameters = {name: str(days[name]) for name in names} | {"language": workspace_settings.paper_language()}
        query = schema.decode_query(parameters, kind)
        yield of(query).file("pdf", query)


_DAYS = ("dateFrom", "dateTo")
_REPORTS: Sequence[tuple[Sequence[str], type[Query], Callable[[Any], ReportTree]]] = (
    (("date",), BalanceSheetQuery, balance_sheet.of),
    (_DAYS, ProfitAndLossQuery, profit_and_loss.of),
    (_DAYS, TrialBalanceQuery, trial_balance.tree_of),
    (("year",), MovementsQuery, assets.movements_in),
)
"""The parameters, the query and the making of each report."""
