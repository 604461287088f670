"""Voiding invoices: the number stays, and the entry is reversed."""

import pytest

from erp.finance.books.models import Posting
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.refusals import complaints

TODAY = "2026-03-10T09:00:00Z"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(TODAY)


def test_a_void_invoice_keeps_its_number_and_its_entry_is_reversed(acme):
    made = invoice(acme, issueDate="2026-03-01")
    path = f"/finance/invoices/{made['id']}"
    void = acme.ok("POST", f"{path}/void", {"reason": "Wrong customer"})
    assert (void["status"], void["number"], void["voidReason"]) == ("void", made["number"], "Wrong customer")
    assert (void["voidedAt"], void["amountDue"]) == ("2026-03-10T09:00:00.000Z", "0.00")
    assert acme.ok("GET", path) == void
    with acme.books():
        rows = Posting.select(Posting.date, Posting.amount).order_by(Posting.date, Posting.amount)
        assert [(f"{row.date}", row.amount) for row in rows] == [
            ("2026-03-01", -10_000),
            ("2026-03-01", 10_000),
            ("2026-03-10", -10_000),
            ("2026-03-10", 10_000),
        ]


def test_an_invoice_is_voided_once_and_a_draft_never(acme):
    made = invoice(acme)
    acme.ok("POST", f"/finance/invoices/{made['id']}/void")
    acme.refused("POST", f"/finance/invoices/{made['id']}/void", status=409, code="invalid_transition")
    draft = invoice(acme, draft=True)
    acme.refused("POST", f"/finance/invoices/{draft['id']}/void", status=409, code="invalid_transition")


def test_an_invoice_is_not_voided_before_its_date(acme):
    made = invoice(acme, issueDate="2026-03-15")
    path = f"/finance/invoices/{made['id']}/void"
    error = acme.refused("POST", path, {"date": "2026-03-14"}, status=422, code="dated_too_early")
    assert complaints(error) == {"date": "dated_too_early"}
    assert acme.ok("POST", path)["status"] == "void"


def test_an_invoice_that_was_paid_in_part_is_not_voided(acme):
    made = invoice(acme)
    acme.ok("POST", "/finance/payments", {"invoiceId": made["id"], "amount": "40.00", "date": "2026-03-10"})
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["amountDue"] == "60.00"
    error = acme.refused("POST", f"/finance/invoices/{made['id']}/void", status=409, code="in_use")
    assert made["number"] in error["message"]


def test_an_invoice_on_an_archived_account_is_voided_once_the_account_is_back(acme):
    made = invoice(acme, line(accountId="4100"))
    moved = [{"accountId": "4100", "debit": "100"}, {"accountId": "4000", "credit": "100"}]
    acme.ok("POST", "/finance/journals", {"date": made["issueDate"], "description": "To sales", "lines": moved})
    services = made["lines"][0]["accountId"]
    acme.ok("POST", f"/finance/accounts/{services}/archive", {})
    refusal = acme.refused("POST", f"/finance/invoices/{made['id']}/void", {}, status=422, code="account_closed")
    assert "4100" in refusal["message"]
    assert "details" not in refusal or all(detail["field"] != "accountId" for detail in refusal["details"])
    acme.ok("POST", f"/finance/accounts/{services}/unarchive", {})
    assert acme.ok("POST", f"/finance/invoices/{made['id']}/void", {})["status"] == "void"


def test_an_invoice_of_nothing_can_be_voided(acme):
    made = invoice(acme, line("0"))
    assert acme.ok("POST", f"/finance/invoices/{made['id']}/void")["status"] == "void"


def test_nothing_is_issued_or_voided_in_a_locked_period(acme):
    made = invoice(acme, issueDate="2026-01-20")
    draft = invoice(acme, issueDate="2026-01-20", draft=True)
    free = new_invoice(line("0"), issueDate="2026-01-31")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Reported"})
    acme.refused("POST", "/finance/invoices", new_invoice(issueDate="2026-01-31"), status=409, code="period_locked")
    acme.refused("POST", "/finance/invoices", free, status=409, code="period_locked")
    acme.refused("POST", f"/finance/invoices/{draft['id']}/issue", status=409, code="period_locked")
    path = f"/finance/invoices/{made['id']}/void"
    acme.refused("POST", path, {"date": "2026-01-25"}, status=409, code="period_locked")
    assert acme.ok("POST", path, {"date": "2026-02-01"})["status"] == "void"
