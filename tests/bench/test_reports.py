"""How long reports take as the books grow: profit and loss, ledgers, tax returns, and what contacts owe."""

from collections.abc import Mapping

import pytest

from tests.bench.figures import Figures
from tests.bench.load import Load
from tests.bench.measuring import failures, in_turns, p50
from tests.bench.offices import Books, Desk

POSTINGS_OF_A_DOCUMENT = 4
LIMIT = 100
"""How many milliseconds a report of whole months may take in books of a million postings."""
MONTH, YEAR = "dateFrom=2025-03-01&dateTo=2025-03-31", "dateFrom=2025-01-01&dateTo=2025-12-31"
REPORTS = {
    "profit and loss of a year by month": f"profit-and-loss?{YEAR}&columns=month",
    "profit and loss of five years": "profit-and-loss?dateFrom=2021-01-01&dateTo=2025-12-31&columns=year",
    "trial balance of a month": f"trial-balance?{MONTH}&tree=true",
    "first page of the general ledger of a month": f"general-ledger?{MONTH}&limit=50",
    "cash flow of a year": f"cash-flow?{YEAR}",
    "tax return of a month": f"tax?{MONTH}&form=generic",
}


@pytest.mark.bench("reports")
@pytest.mark.parametrize("postings", [10_000, 100_000, 1_000_000])
def test_reports_of_whole_months(figures: Figures, desk: Desk, postings: int):
    office = desk.workspace(f"Documents with {postings} postings")
    office.seed_documents(postings // POSTINGS_OF_A_DOCUMENT)
    _measure(figures, office, REPORTS, f"at {postings:,} postings")


AGES = {
    "what customers owe, by age": "aged-receivables?date=2025-12-31",
    "the same as at a day years ago": "aged-receivables?date=2023-06-30",
}


@pytest.mark.bench("reports")
def test_what_customers_owe(figures: Figures, desk: Desk):
    office = desk.workspace("Owed")
    office.seed_items(100_000)
    _measure(figures, office, AGES, "of 100,000 documents, one in ten unpaid")


def _measure(figures: Figures, office: Books, reports: Mapping[str, str], of_what: str) -> None:
    port = office.desk.server.port
    outcomes = in_turns(*(Load(port, [office.get(f"/finance/reports/{path}")]) for path in reports.values()))
    assert failures(*outcomes) == 0
    for name, outcome in zip(reports, outcomes, strict=True):
        figures.within("reports", p50(outcome), LIMIT, f"{name} {of_what}")
