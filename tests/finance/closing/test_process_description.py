"""The description of how the books are kept, for an auditor."""

import io
from zipfile import ZipFile

import pypdf
import pytest

from tests.finance.journals.journals import entry

PATH = "/finance/fiscal-years/2026/process-description"


@pytest.fixture
def office(acme, clock_at):
    clock_at("2026-03-10T09:00:00Z")
    entry(acme, "100.00", day="2026-01-05", debit="1010", credit="4000")
    return acme


def described(office, language="en"):
    answer = office.call("GET", f"{PATH}?format=md&language={language}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    return answer.text


def test_it_follows_the_settings_and_the_log(office):
    text = described(office)
    assert "Journal entries posted in this year: 1." in text
    assert "Bills need no approval" in text
    assert "The books are not locked." in text
    assert "Tax is rounded on each document" in text
    assert "- Invoices: INV-{year}-{seq:5}\n" in text
    change = {"billApproval": True, "taxRounding": "line", "taxBasis": [{"since": "2026-02-01", "basis": "cash"}]}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", change)
    office.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "January"})
    office.colleague("viewer")
    text = described(office)
    assert "Payment runs pay only bills that someone" in text
    assert "locked through 2026-01-31" in text
    assert "the lock was moved in this year: 1." in text
    assert "Tax is rounded on each line" in text
    assert "- From 2026-02-01: when payment is received" in text
    assert "- Owner: 1\n- Viewer: 1\n" in text
    newest = office.ok("GET", "/workspace/events?limit=1&sort=-seq")[0]
    assert f"event {newest['seq']} with the hash {newest['hash']}" in text


def test_it_is_markdown_and_paper_in_both_languages(office):
    assert described(office, "de").startswith("# Verfahrensdokumentation 2026: ")
    heads = [line for line in described(office).splitlines() if line.startswith("## ")]
    assert len(heads) == 10
    content = office.call("GET", f"{PATH}?language=de").content
    text = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    assert "Unveränderbarkeit" in text
    assert "Belegeingang" in text


def test_a_year_without_books_has_none(office):
    office.refused("GET", "/finance/fiscal-years/1999/process-description", status=404, code="not_found")


def test_the_auditors_export_has_it(office):
    content = office.call("GET", "/finance/fiscal-years/2026/auditor-export?files=false").content
    with ZipFile(io.BytesIO(content)) as export:
        assert export.read("Verfahrensdokumentation.md").decode() == described(office, "de")
