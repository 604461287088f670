"""Every report bears a proof, by which it and the log that it was made from can be checked again."""

import csv
import io
import json

import pypdf
import pytest
from python_calamine import CalamineWorkbook

from erp.finance.reports.table.views import ReportProof
from erp.kernel.language import translated
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import entry
from tests.finance.reports.trees import JANUARY

REPORTS = {
    "balance-sheet": {"date": "2026-01-31"},
    "trial-balance": JANUARY,
    "profit-and-loss": JANUARY,
    "aged-receivables": {"date": "2026-01-31"},
    "aged-payables": {"date": "2026-01-31"},
    "cash-flow": JANUARY,
    "cash-forecast": {"date": "2026-01-31"},
    "general-ledger": JANUARY,
    "tax-return": JANUARY,
    "tax-documents": JANUARY,
    "ec-sales-list": JANUARY,
    "oss": JANUARY,
    "sales-tax": JANUARY,
    "project-margin": JANUARY,
    "asset-register": {"date": "2026-01-31"},
}
ADDRESSES = {"tax-return": "tax"}


@pytest.fixture
def books(acme, clock_at):
    clock_at("2026-02-10T09:00:00Z")
    entry(acme, "1250.50", day="2026-01-05", debit="1010", credit="4000")
    invoice(acme, "300.00", customerId=customer(acme, "Alster")["id"], issueDate="2026-01-06")
    return acme


def fetched(office, name, **params):
    path = f"/finance/reports/{ADDRESSES.get(name, name)}"
    answer = office.call("GET", path, params={**REPORTS[name], **params})
    assert answer.status_code == 200, answer.text
    return answer


def proof_of(office, name, **params):
    return fetched(office, name, **params).json["data"]["proof"]


def verified(office, proof):
    return office.ok("POST", "/finance/reports/verify", {name: proof[name] for name in proof if name != "madeAt"})


def head(office):
    return office.ok("GET", "/workspace/events?limit=1&sort=-seq")[0]


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_bears_the_head_of_the_chain_and_can_be_checked_again(books, name):
    proof, newest = proof_of(books, name), head(books)
    assert (proof["report"], proof["seq"], proof["chainHead"]) == (name, newest["seq"], newest["hash"])
    assert proof["parameters"].items() >= REPORTS[name].items()
    assert verified(books, proof) == {"isChainIntact": True, "reason": None, "isSame": True, "changes": []}


@pytest.mark.parametrize("name", ["balance-sheet", "trial-balance", "profit-and-loss", "cash-flow", "general-ledger"])
def test_an_entry_within_its_days_changes_it_and_is_named(books, name):
    proof = proof_of(books, name)
    entry(books, "7.00", day="2026-02-01", debit="1010", credit="4000")
    assert verified(books, proof)["isSame"]
    late = entry(books, "7.00", day="2026-01-31", debit="1010", credit="4000")
    shown = verified(books, proof)
    assert (shown["isChainIntact"], shown["isSame"]) == (True, False)
    assert shown["changes"] == [{"entryId": late["id"], "number": late["number"], "date": "2026-01-31"}]


def test_without_days_the_proof_has_the_days_that_were_shown(books, clock_at):
    answer = books.ok("GET", "/finance/reports/balance-sheet")
    assert answer["proof"]["parameters"] == {"date": "2026-02-10"}
    clock_at("2026-03-10T09:00:00Z")
    entry(books, "7.00", day="2026-03-01", debit="1010", credit="4000")
    assert verified(books, answer["proof"])["isSame"]


@pytest.mark.parametrize("name", REPORTS)
def test_it_is_the_same_in_another_language_and_after_things_are_renamed(books, name):
    proof = proof_of(books, name)
    for account in books.ok("GET", "/finance/accounts"):
        if account["code"] in ("1010", "4000"):
            books.ok("PATCH", f"/finance/accounts/{account['id']}", {"name": f"New {account['name']}"})
    (alster,) = books.ok("GET", "/finance/contacts")
    books.ok("PATCH", f"/finance/contacts/{alster['id']}", {"name": "Zebra"})
    assert proof_of(books, name, language="de")["contentHash"] == proof["contentHash"]
    assert verified(books, proof)["isSame"]


@pytest.mark.parametrize("name", REPORTS)
def test_a_locked_range_stays_the_same(books, name):
    books.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "January"})
    proof = proof_of(books, name)
    entry(books, "7.00", day="2026-02-02", debit="1010", credit="4000")
    invoice(books, "80.00", issueDate="2026-02-03")
    shown = verified(books, proof)
    assert (shown["isSame"], shown["changes"]) == (True, [])


def test_every_file_bears_the_same_proof(books):
    proof = proof_of(books, "profit-and-loss")
    del proof["madeAt"]
    header = json.loads(fetched(books, "profit-and-loss", format="csv").headers["X-Report-Proof"])
    assert proof.items() <= header.items()
    book = CalamineWorkbook.from_filelike(io.BytesIO(fetched(books, "profit-and-loss", format="xlsx").content))
    assert book.sheet_names[1] == "Proof"
    rows = {row[0]: row[1] for row in book.get_sheet_by_name("Proof").to_python()}
    assert (rows["contentHash"], rows["chainHead"], rows["seq"]) == (
        *(proof["contentHash"], proof["chainHead"]),
        str(proof["seq"]),
    )
    assert rows["parameters.dateFrom"] == "2026-01-01"
    content = fetched(books, "general-ledger", format="pdf", language="de").content
    foot = f"Stand: Ereignis {proof['seq']} · {proof['chainHead'][:12]}…"
    assert all(foot in page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)


def test_the_movements_of_a_year_are_checked_with_their_year(books):
    proof = books.ok("GET", "/finance/reports/asset-movements")["proof"]
    assert proof["parameters"] == {"year": "2026"}
    assert verified(books, proof)["isSame"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_foot_has_the_event_and_its_hash_as_they_are_even_of_digits_alone(language):
    digits = "5546003" * 9 + "1"
    proof = ReportProof(
        report="statement", parameters={}, seq=12345, chain_head=digits, content_hash=digits, made_at="2026-01-01"
    )
    assert "12345 · 554600355460…" in translated(proof.foot, language)


@pytest.mark.parametrize("name", ["balance-sheet", "trial-balance", "general-ledger"])
def test_a_table_that_is_written_row_by_row_bears_it_too(books, name):
    answer = fetched(books, name, format="csv")
    assert list(csv.reader(io.StringIO(answer.text)))
    proof = json.loads(answer.headers["X-Report-Proof"])
    assert proof["contentHash"] == proof_of(books, name)["contentHash"]
    assert verified(books, proof)["isSame"]


def test_a_statement_of_a_contact_is_checked_with_its_contact(books):
    (alster,) = books.ok("GET", "/finance/contacts")
    answer = books.call("GET", f"/finance/contacts/{alster['id']}/statement?format=csv&separator=semicolon")
    proof = json.loads(answer.headers["X-Report-Proof"])
    assert proof["parameters"] == {"contactId": alster["id"], "dateTo": "2026-02-10"}
    assert verified(books, proof)["isSame"]
    invoice(books, "1.00", customerId=alster["id"], issueDate="2026-02-01")
    assert not verified(books, proof)["isSame"]


def test_a_page_of_the_ledger_is_checked_as_a_page(books):
    first = books.ok("GET", "/finance/reports/general-ledger", params={**JANUARY, "limit": 1})
    second = books.ok(
        "GET", "/finance/reports/general-ledger", params={**JANUARY, "limit": 1, "cursor": first["nextCursor"]}
    )
    hashes = {shown["proof"]["contentHash"] for shown in (first, second)}
    assert len(hashes | {proof_of(books, "general-ledger")["contentHash"]}) == 3
    assert all(verified(books, shown["proof"])["isSame"] for shown in (first, second))


def test_a_head_that_the_log_does_not_have_and_an_altered_log_are_told(books):
    proof = proof_of(books, "balance-sheet")
    shown = verified(books, {**proof, "chainHead": "0" * 64})
    assert (shown["isChainIntact"], shown["isSame"]) == (False, True)
    assert shown["reason"]
    assert not verified(books, {**proof, "seq": proof["seq"] + 1})["isChainIntact"]
    assert not verified(books, {**proof, "contentHash": "1" * 64})["isSame"]


def test_wrong_parameters_are_refused(books):
    proof = proof_of(books, "balance-sheet")
    del proof["madeAt"]
    body = {**proof, "parameters": {"date": "2026-02-30"}}
    error = books.refused("POST", "/finance/reports/verify", body, status=422)
    assert [detail["field"] for detail in error["details"]] == ["parameters.date"]
    error = books.refused("POST", "/finance/reports/verify", {**proof, "seq": 0}, status=422)
    assert [(detail["field"], detail["code"]) for detail in error["details"]] == [("seq", "out_of_range")]
    body = {**proof, "report": "weather"}
    error = books.refused("POST", "/finance/reports/verify", body, status=422)
    assert [detail["field"] for detail in error["details"]] == ["report"]
