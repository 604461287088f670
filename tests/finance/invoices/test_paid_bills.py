"""Bills that have been paid already, and the tax that their paper says."""

import pytest

from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import line, new_bill, new_invoice
from tests.refusals import complaint


@pytest.mark.parametrize("is_draft", [False, True])
def test_a_bill_that_is_paid_already_is_posted_with_its_payment(acme, is_draft):
    body = new_bill("119.00", issueDate="2026-01-08", supplierNumber="T-1")
    accounts = {one["code"]: one for one in acme.ok("GET", "/finance/accounts")}
    (till,) = [code for code, one in accounts.items() if one["subtype"] == "cash"]
    if is_draft:
        draft = acme.ok("POST", "/finance/invoices", body | {"draft": True})
        bill = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue", {"paidFromAccountId": till})
    else:
        shown = acme.ok("POST", "/finance/invoices", body | {"paidFromAccountId": till, "dryRun": True})
        assert (len(shown["entries"]), shown["amountDue"]) == (2, "0.00")
        bill = acme.ok("POST", "/finance/invoices", body | {"paidFromAccountId": till})
    assert (bill["status"], bill["amountDue"], bill["amountPaid"]) == ("paid", "0.00", "119.00")
    (payment,) = acme.ok("GET", "/finance/payments")
    assert (payment["direction"], payment["amount"], payment["date"], payment["method"]) == (
        "made",
        "119.00",
        "2026-01-08",
        "cash",
    )
    assert payment["accountCode"] == till


def test_only_a_posted_bill_has_been_paid_from_an_account_of_money(acme):
    def refused(body):
        return complaint(acme.refused("POST", "/finance/invoices", body, status=422))

    globex, meyer = customer(acme)["id"], supplier(acme)["id"]
    assert refused(new_invoice(customerId=globex, paidFromAccountId="1000")) == ("paidFromAccountId", "not_needed")
    bill = new_bill(supplierId=meyer, paidFromAccountId="1000")
    assert refused(bill | {"draft": True}) == ("paidFromAccountId", "not_applicable")
    assert refused(bill | {"paidFromAccountId": "nothing"}) == ("paidFromAccountId", "unknown_reference")
    assert refused(bill | {"paidFromAccountId": "6400"})[0] == "paidFromAccountId"
    assert acme.ok("GET", "/finance/invoices") == []


def test_a_printed_tax_is_marked_when_rounding_of_its_lines_does_not_explain_it(acme):
    """100.10 at 19 % is 19.02: a line explains 0.02, two lines explain 0.04."""
    rate = tax_rate(acme, "19")["id"]

    def marked(amount, *prices):
        lines = [line(price, taxRateId=rate) for price in prices]
        body = new_bill(*lines, printedTax=[{"taxRateId": rate, "amount": amount}], supplierId=meyer)
        warnings = acme.ok("POST", "/finance/invoices/preview", body)["warnings"]
        return [(one["field"], one["code"]) for one in warnings]

    meyer = supplier(acme)["id"]
    assert marked("19.04", "100.10") == marked("19.00", "100.10") == []
    assert marked("19.05", "100.10") == marked("18.99", "100.10") == [("printedTax[0].amount", "off_the_paper")]
    assert marked("19.06", "50.05", "50.05") == []
    assert marked("19.07", "50.05", "50.05") == [("printedTax[0].amount", "off_the_paper")]
