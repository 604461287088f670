"""A year of 2,000 documents: every report says what its raw postings come to, and how long each takes."""

import time
from collections.abc import Callable
from datetime import date

import pytest

from erp.system.checks import files as checking
from tests.bench.figures import Figures
from tests.conftest import Office
from tests.finance.reports.test_reports_tie import Books, check_all, spans

FIRST = date(2025, 4, 1)
ROUNDS = 667
"""In each, three documents are issued, and some of them are paid, credited or void."""


@pytest.mark.bench("year")
def test_a_year_of_documents_ties(figures: Figures, acme: Office, clock_at: Callable[[str], None]):
    clock_at("2026-03-31T18:00:00Z")
    start = time.perf_counter()
    books = Books(acme, 1, first=FIRST, rounds=ROUNDS)
    seconds = time.perf_counter() - start
    made = f"{len(books.documents)} documents and {len(books.postings)} postings"
    figures.tell("year", f"{made} in {seconds:.0f} s, without a network")
    check_all(books, spans(books))
    file = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(file).problems == []
