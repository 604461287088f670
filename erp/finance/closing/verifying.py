"""Checking a report again by its proof."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from erp.finance.assets import reports as assets
from erp.finance.assets.reports import MovementsQuery
from erp.finance.books import ledger
from erp.finance.reports import (
    ageing,
    balance_sheet,
    cash_flow,
    cash_forecast,
    number_gaps,
    profit_and_loss,
    project_margin,
    statements,
    trial_balance,
)
from erp.finance.reports.ageing import AgeingQuery
from erp.finance.reports.balance_sheet import BalanceSheetQuery
from erp.finance.reports.cash_flow import CashFlowQuery
from erp.finance.reports.cash_forecast import ForecastQuery
from erp.finance.reports.general_ledger import api as general_ledger
from erp.finance.reports.general_ledger.api import GeneralLedgerQuery
from erp.finance.reports.number_gaps import NumberGapsQuery
from erp.finance.reports.period import ReportDate
from erp.finance.reports.profit_and_loss import ProfitAndLossQuery
from erp.finance.reports.project_margin import MarginQuery
from erp.finance.reports.statements import StatementQuery
from erp.finance.reports.table.views import ReportName, ReportProof
from erp.finance.reports.tax import annual, details, ec_sales, oss, returns, sales_tax
from erp.finance.reports.tax.annual import AnnualQuery
from erp.finance.reports.tax.queries import TaxDaysQuery, TaxDocumentsQuery, TaxReturnQuery
from erp.finance.reports.trial_balance import TrialBalanceQuery
from erp.kernel import caller
from erp.kernel.errors import BadParameter, Invalid, UnknownReference
from erp.kernel.language import says
from erp.store import events
from erp.store.router import WORKSPACE
from erp.web import schema
from erp.web.endpoint import endpoint
from erp.web.scalars import shaped
from erp.web.schema import Body, Query, View

MOST_CHANGES = 50


class Checked(NamedTuple):
    """A report that can be made again; with `is_of_days` only entries within its days count."""

    query: type[Query]
    proof: Callable[[Any], ReportProof]
    is_of_days: bool = False


REPORTS: Mapping[ReportName, Checked] = {
    "balance-sheet": Checked(BalanceSheetQuery, lambda query: balance_sheet.of(query).proof),
    "trial-balance": Checked(TrialBalanceQuery, lambda query: trial_balance.tree_of(query).proof),
    "profit-and-loss": Checked(ProfitAndLossQuery, lambda query: profit_and_loss.of(query).proof, is_of_days=True),
    "aged-receivables": Checked(AgeingQuery, lambda query: ageing.of("receivable", query).proof),
    "aged-payables": Checked(AgeingQuery, lambda query: ageing.of("payable", query).proof),
    "cash-flow": Checked(CashFlowQuery, lambda query: cash_flow.of(query).proof),
    "cash-forecast": Checked(ForecastQuery, lambda query: cash_forecast.of(query).proof),
    "general-ledger": Checked(GeneralLedgerQuery, lambda query: general_ledger.of(query).proof),
    "tax-return": Checked(TaxReturnQuery, lambda query: returns.of(query).proof, is_of_days=True),
    "tax-documents": Checked(TaxDocumentsQuery, lambda query: details.of(query).proof, is_of_days=True),
    "ec-sales-list": Checked(TaxDaysQuery, lambda query: ec_sales.of(query).proof, is_of_days=True),
    "number-gaps": Checked(NumberGapsQuery, lambda query: number_gaps.of(query).proof),
    "oss": Checked(TaxDaysQuery, lambda query: oss.of(query).proof, is_of_days=True),
    "sales-tax": Checked(TaxDaysQuery, lambda query: sales_tax.of(query).proof, is_of_days=True),
    "annual-tax": Checked(AnnualQuery, lambda query: annual.of(query).proof),
    "asset-register": Checked(ReportDate, lambda query: assets.register_of(query).proof),
    "asset-movements": Checked(MovementsQuery, lambda query: assets.movements_in(query).proof),
    "project-margin": Checked(MarginQuery, lambda query: project_margin.of(query).proof, is_of_days=True),
    "statement": Checked(StatementQuery, lambda query: statements.tree_of(query).proof),
}
Hash = Annotated[str, shaped("^[0-9a-f]{64}$", says("Must be a SHA-256: 64 digits and small letters from a to f."))]


class ReportVerification(Body):
    """The proof of a report, as the report shows it."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "report": "profit-and-loss",
        "parameters": {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"},
        "contentHash": "0" * 64,
        "seq": 1,
        "chainHead": events.GENESIS,
    }

    report: ReportName
    content_hash: Hash
    seq: Annotated[int, Meta(ge=1, le=2**53)]
    chain_head: Hash
    parameters: Annotated[dict[str, str], Meta(description="Of its query, as the proof has them.")] = {}


class ReportChange(View):
    """An entry that was posted after the report was made."""

    entry_id: str
    number: str
    date: date


class ReportVerificationView(View):
    """The verdict about a report and about the log that it was made from."""

    is_chain_intact: Annotated[
        bool, Meta(description="Whether the log is whole and has the event of the proof, with that hash.")
    ]
    reason: Annotated[str | None, Meta(description="The first fault of the log.")]
    is_same: Annotated[bool, Meta(description="Whether the report, made now, has the same figures.")]
    changes: Annotated[
        list[ReportChange], Meta(description="Entries after the event of the proof that count in it: the first 50.")
    ]


def verify(body: ReportVerification) -> ReportVerificationView:
    """Make the report of a proof again, and verify the log; entries are named to readers of the books alone.

    Raises:
        Forbidden: the caller may not read the report.
        Invalid, BadParameter, UnknownReference: the report has no such parameters.
    """
    reads_books = caller.may("finance.read")
    if not reads_books and body.report != "project-margin":
        raise caller.refusal("finance.read")
    checked = REPORTS[body.report]
    now = checked.proof(_query(body, checked))
    verdict = events.verify(ledger.entry_hash)
    reason = verdict.reason or events.loss((body.seq, body.chain_head))
    return ReportVerificationView(
        is_chain_intact=reason is None,
        reason=reason,
        is_same=now.content_hash == body.content_hash,
        changes=[*_changes(body.seq, now.parameters, is_of_days=checked.is_of_days)] if reads_books else [],
    )


def _query(body: ReportVerification, checked: Checked) -> Query:
    try:
        return schema.decode_query(body.parameters, checked.query)
    except Invalid as invalid:
        details = [replace(complaint, field=f"parameters.{complaint.field}") for complaint in invalid.details]
        raise Invalid(details) from None


def _changes(seq: int, parameters: Mapping[str, str], *, is_of_days: bool) -> Iterator[ReportChange]:
    first = parameters.get("dateFrom", "") if is_of_days else ""
    last = parameters.get("dateTo") or parameters.get("date") or "9999"
    left = MOST_CHANGES
    for (data,) in WORKSPACE.run(_EVENTS, (seq,)):
        for entry in json.loads(data).get("entries", ()):
            for id, number, day in WORKSPACE.rows(_ENTRY, (entry["id"], first, last)):
                if not left:
                    return
                left -= 1
                yield ReportChange(entry_id=id, number=number, date=date.fromisoformat(day))


_EVENTS = "SELECT data FROM event WHERE seq > ? ORDER BY seq"
_ENTRY = "SELECT id, number, date FROM journal_entry WHERE id = ? AND date BETWEEN ? AND ?"


class Resource:
    @endpoint(permission="money.read", writes=False, refuses=(BadParameter, UnknownReference))
    def on_post(self, body: ReportVerification) -> ReportVerificationView:
        """Check a report again by its proof.

        The report is made again with its parameters and compared by the hash of its figures. The chain of the log is
        verified, with the event of the proof. A report whose days are locked stays the same. In another language, and
        after an account or a contact has been renamed, it is the same report. It needs the right to read the books, or
        for the margin of projects the right to read that.
        """
        return verify(body)
