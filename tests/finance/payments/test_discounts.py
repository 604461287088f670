"""Cash discounts and small differences at payment: what is taken off, its tax, and what takes it back."""

from typing import Any

import pytest

from tests.conftest import Office
from tests.finance.documents.invoices import bill, credit, invoice, line, status_and_due
from tests.finance.payments.payments import payment
from tests.finance.write_downs.deductions import check_is_silent, posted, split, tax_rates

TERMS = {"days": 14, "discounts": [{"percent": "2", "days": 14}]}


@pytest.fixture(autouse=True)
def _on_the_nineteenth(clock_at):
    clock_at("2026-01-19T09:00:00Z")


@pytest.fixture
def r1(acme: Office):
    """R1 of the month W: 1,000.00 @ 19 and 200.00 @ 7 to Alster, 2 % until 19 January."""
    full, reduced = tax_rates(acme)
    lines = line("1000.00", taxRateId=full), line("200.00", taxRateId=reduced)
    return invoice(acme, *lines, customer={"name": "Alster"}, issueDate="2026-01-05", paymentTerms=TERMS)


def taken(office: Office, document: dict[str, Any]) -> dict[str, Any]:
    """The only deduction of an invoice."""
    found: dict[str, Any]
    (found,) = office.ok("GET", f"/finance/invoices/{document['id']}")["deductions"]
    return found


def test_the_invoice_offers_its_discount_while_it_is_in_time(acme, r1, clock_at):
    offer = {"percent": "2", "amount": "28.08", "amountToPay": "1375.92", "until": "2026-01-19"}
    assert r1["cashDiscount"] == offer
    clock_at("2026-01-20T09:00:00Z")
    assert acme.ok("GET", f"/finance/invoices/{r1['id']}")["cashDiscount"] is None
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"discountGraceDays": 3})
    assert acme.ok("GET", f"/finance/invoices/{r1['id']}")["cashDiscount"] == offer


def test_a_discount_closes_the_invoice_with_tax_at_each_rate(acme, r1):
    paid = payment(acme, "1375.92", invoiceId=r1["id"], discountTaken=True)
    deduction = taken(acme, r1)
    assert (deduction["kind"], deduction["amount"]) == ("cash_discount", "28.08")
    assert split(deduction) == [("20.00", "3.80"), ("4.00", "0.28")]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-28.08", "2200": "4.08", "4050": "24.00"}
    shown = acme.ok("GET", f"/finance/invoices/{r1['id']}")
    assert (shown["status"], shown["amountPaid"], shown["amountDeducted"]) == ("paid", "1375.92", "28.08")
    assert (paid["unallocatedAmount"], paid["warnings"]) == ("0.00", [])
    assert [(item["kind"], item["amount"]) for item in paid["deductions"]] == [("cash_discount", "28.08")]
    (block,) = acme.ok("GET", f"/finance/contacts/{r1['customerId']}/statement")["blocks"]
    assert [(row["kind"], row["number"], row["credit"]) for row in block["lines"]] == [
        ("invoice", "INV-2026-00001", "0.00"),
        ("payment", "PAY-2026-00001", "1375.92"),
        ("cash_discount", "INV-2026-00001", "28.08"),
    ]
    assert block["closing"] == "0.00"
    check_is_silent(acme)


def test_a_discount_at_one_rate(acme):
    full, _ = tax_rates(acme)
    owed = invoice(acme, line("1000.00", taxRateId=full), paymentTerms=TERMS)
    payment(acme, "1166.20", invoiceId=owed["id"], discountTaken=True)
    assert split(taken(acme, owed)) == [("20.00", "3.80")]
    assert status_and_due(acme, owed["id"]) == ("paid", "0.00")


def test_a_supplier_gives_a_discount(acme):
    full, _ = tax_rates(acme)
    owed = bill(acme, line("1000.00", taxRateId=full), paymentTerms=TERMS)
    payment(acme, "1166.20", invoiceId=owed["id"], discountTaken=True, direction="made")
    deduction = taken(acme, owed)
    assert posted(acme, deduction["journalEntryId"]) == {"1300": "-3.80", "2000": "23.80", "5050": "-20.00"}
    assert status_and_due(acme, owed["id"]) == ("paid", "0.00")
    check_is_silent(acme)


def test_a_discount_on_reverse_charge_lowers_the_tax_both_ways(acme):
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "13b", "rate": "19", "category": "AE"})["id"]
    owed = bill(acme, line("240.00", taxRateId=rate), paymentTerms=TERMS)
    payment(acme, "235.20", invoiceId=owed["id"], discountTaken=True, direction="made")
    deduction = taken(acme, owed)
    assert posted(acme, deduction["journalEntryId"]) == {
        "1300": "-0.91",
        "2000": "4.80",
        "2200": "0.91",
        "5050": "-4.80",
    }
    check_is_silent(acme)


def test_a_discount_of_another_amount_or_on_a_part_says_the_amount(acme, r1):
    paid = payment(
        acme,
        "700.00",
        contactId=r1["customerId"],
        allocations=[{"invoiceId": r1["id"], "amount": "700.00", "discountAmount": "2.00"}],
    )
    assert status_and_due(acme, r1["id"]) == ("partially_paid", "702.00")
    # 2.00 by 1,190.00 to 214.00: 1.70 @ 19 and 0.30 @ 7
    assert split(taken(acme, r1)) == [("1.43", "0.27"), ("0.28", "0.02")]
    assert paid["unallocatedAmount"] == "0.00"
    check_is_silent(acme)


def test_the_percent_is_of_what_was_due_and_closes_the_invoice(acme, r1):
    body = {"invoiceId": r1["id"], "amount": "1375.90", "discountTaken": True}
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert said["field"] == "amount"
    assert said["message"] == (
        "INV-2026-00001: 1,404.00 EUR due less 28.08 EUR cash discount is 1,375.92 EUR. Pay that "
        "amount, or enter another cash discount."
    )
    payment(acme, "1375.90", invoiceId=r1["id"], discountTaken=True, settleDifference=True)
    deductions = acme.ok("GET", f"/finance/invoices/{r1['id']}")["deductions"]
    assert [(item["kind"], item["amount"]) for item in deductions] == [
        ("cash_discount", "28.08"),
        ("small_difference", "0.02"),
    ]
    assert status_and_due(acme, r1["id"]) == ("paid", "0.00")
    check_is_silent(acme)


def test_a_discount_that_is_taken_too_late_is_a_warning(acme, r1, clock_at):
    clock_at("2026-01-25T09:00:00Z")
    paid = payment(acme, "1375.92", invoiceId=r1["id"], discountTaken=True)
    assert paid["warnings"] == ["The cash discount of 28.08 EUR was taken too late."]
    assert status_and_due(acme, r1["id"]) == ("paid", "0.00")
    in_time = payment(acme, "1.00", contactId=r1["customerId"], date="2026-01-19")
    assert in_time["warnings"] == []


def test_terms_without_a_discount_offer_none(acme):
    owed = invoice(acme, "100.00")
    body = {"invoiceId": owed["id"], "amount": "98.00", "discountTaken": True}
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert (said["field"], said["message"]) == (
        "discountTaken",
        "The payment terms of INV-2026-00001 offer no cash discount. Enter its amount instead.",
    )


def test_no_more_is_taken_off_than_is_due(acme, r1):
    body = {"invoiceId": r1["id"], "amount": "1400.00", "discountAmount": "4.01"}
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert said["code"] == "overpayment"


@pytest.mark.parametrize("act", ["release", "void"])
def test_a_payment_that_is_taken_back_takes_its_discount_back(acme, r1, act):
    paid = payment(acme, "1375.92", invoiceId=r1["id"], discountTaken=True)
    path = f"/finance/payments/{paid['id']}"
    if act == "release":
        path += f"/allocations/{paid['allocations'][0]['id']}"
    shown = acme.ok("POST", f"{path}/{act}", {})
    assert shown["deductions"][0]["undoneOn"] == "2026-01-19"
    assert status_and_due(acme, r1["id"]) == ("issued", "1404.00")
    payment(acme, "1404.00", invoiceId=r1["id"])
    assert status_and_due(acme, r1["id"]) == ("paid", "0.00")
    check_is_silent(acme)


def test_a_credit_that_waits_takes_the_discount_by_its_own_date(acme, r1, clock_at):
    paid = payment(acme, "1375.92", contactId=r1["customerId"])
    clock_at("2026-01-28T09:00:00Z")
    body = {"allocations": [{"invoiceId": r1["id"], "amount": "1375.92", "discountTaken": True}]}
    shown = acme.ok("POST", f"/finance/payments/{paid['id']}/allocations", body)
    assert (shown["deductions"][0]["isLate"], shown["deductions"][0]["date"]) == (False, "2026-01-19")
    check_is_silent(acme)


def test_neither_allocation_is_released_without_the_other(acme, r1):
    paid = payment(acme, "1375.92", invoiceId=r1["id"], discountTaken=True)
    id = paid["allocations"][0]["id"]
    refusal = acme.refused("POST", f"/finance/allocations/{id}/release", {}, status=409)
    assert refusal["message"] == (
        "cash discount on INV-2026-00001 is part of PAY-2026-00001. Remove the allocation there."
    )


def test_a_small_difference_closes_what_is_paid_a_little_short(acme, r1):
    payment(acme, "1403.50", invoiceId=r1["id"], settleDifference=True)
    # 0.50 by 1,190.00 to 214.00: 0.42 @ 19 and 0.08 @ 7
    assert split(taken(acme, r1)) == [("0.35", "0.07"), ("0.07", "0.01")]
    assert status_and_due(acme, r1["id"]) == ("paid", "0.00")
    check_is_silent(acme)


def test_a_difference_above_the_limit_stays_due(acme, r1):
    body = {"invoiceId": r1["id"], "amount": "1402.99", "settleDifference": True}
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert said["field"] == "settleDifference"
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"smallDifferenceLimit": "1.01"})
    payment(acme, "1402.99", invoiceId=r1["id"], settleDifference=True)
    assert status_and_due(acme, r1["id"]) == ("paid", "0.00")


def test_a_foreign_discount_takes_the_rest_of_what_the_invoice_is_worth(acme):
    owed = invoice(acme, "1000.00", currency="USD", exchangeRate="0.92", paymentTerms=TERMS)
    paid = payment(acme, "980.00", invoiceId=owed["id"], exchangeRate="0.95", discountTaken=True)
    assert posted(acme, taken(acme, owed)["journalEntryId"]) == {"1100": "-18.40", "4050": "18.40"}
    assert paid["allocations"][0]["exchangeDifference"] == "29.40"
    check_is_silent(acme)


def test_what_is_left_to_credit_is_less_the_discount(acme, r1):
    payment(acme, "1375.92", invoiceId=r1["id"], discountTaken=True)
    note = credit(acme, r1)
    assert (note["netTotal"], note["taxTotal"], note["total"]) == ("1176.00", "199.92", "1375.92")
    check_is_silent(acme)


@pytest.mark.parametrize("act", ["release", "void"])
def test_a_payment_with_a_discount_stays_once_the_rest_was_written_off(acme, r1, act):
    part = {"invoiceId": r1["id"], "amount": "1000.00", "discountAmount": "20.00"}
    paid = payment(acme, "1000.00", contactId=r1["customerId"], allocations=[part])
    body = {"category": "uncollectable", "reason": "Insolvent"}
    acme.ok("POST", f"/finance/invoices/{r1['id']}/write-off", body)
    path = f"/finance/payments/{paid['id']}"
    if act == "release":
        path += f"/allocations/{paid['allocations'][0]['id']}"
    refusal = acme.refused("POST", f"{path}/{act}", {}, status=409, code="invalid_transition")
    assert refusal["message"] == "INV-2026-00001 has been written off. Reverse the write-off first."
    assert status_and_due(acme, r1["id"]) == ("written_off", "0.00")
    check_is_silent(acme)
