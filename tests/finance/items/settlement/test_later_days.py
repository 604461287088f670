"""Documents dated ahead settle nothing, and are not owed, before their day."""

import csv
import io

from tests.finance.documents.invoices import invoice
from tests.finance.items.settlement.settling import allocate, refused
from tests.finance.payments.payments import payment


def shown(office, invoice_id):
    """What an invoice shows, as the list does too."""
    names = ("status", "amountPaid", "amountCredited", "amountDue", "isOverdue", "daysOverdue")
    whole = office.ok("GET", f"/finance/invoices/{invoice_id}")
    (row,) = [each for each in office.ok("GET", "/finance/invoices") if each["id"] == invoice_id]
    assert row == {name: whole[name] for name in row}
    sheet = office.call("GET", "/finance/invoices", params={"format": "csv", "sort": "number"}).text
    (cells,) = [row for row in csv.DictReader(io.StringIO(sheet)) if row["id"] == invoice_id]
    assert [cells[name] for name in names[:4]] == [whole[name] for name in names[:4]]
    return tuple(whole[name] for name in names)


def found(office, **params):
    return [each["id"] for each in office.ok("GET", "/finance/invoices", params=params)]


def amounts_of(office, contact_id):
    contact = office.ok("GET", f"/finance/contacts/{contact_id}")
    return contact["balance"], contact["overdue"], contact["unallocatedCredit"]


def test_a_payment_dated_next_week_pays_nothing_before_its_day(acme, clock_at):
    bill = invoice(acme, "100.00", issueDate="2026-03-01", dueDate="2026-03-08")
    payment(acme, "30.00", invoiceId=bill["id"])
    payment(acme, "70.00", invoiceId=bill["id"], date="2026-03-12")
    assert shown(acme, bill["id"]) == ("partially_paid", "30.00", "0.00", "70.00", True, 2)
    assert amounts_of(acme, bill["customerId"]) == ("70.00", "70.00", "0.00")
    for params in ({"status": "partially_paid"}, {"isOverdue": "true"}, {"status": "issued,partially_paid"}):
        assert found(acme, **params) == [bill["id"]], params
    assert found(acme, status="paid") == found(acme, isOverdue="false") == []
    clock_at("2026-03-12T09:00:00Z")
    assert shown(acme, bill["id"]) == ("paid", "100.00", "0.00", "0.00", False, 0)
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "0.00")
    assert found(acme, status="paid") == found(acme, isOverdue="false") == [bill["id"]]
    assert found(acme, status="partially_paid") == found(acme, isOverdue="true") == []


def test_what_a_later_payment_settles_is_not_settled_twice(acme):
    bill = invoice(acme, "100.00")
    later = payment(acme, "100.00", invoiceId=bill["id"], date="2026-03-12")
    assert shown(acme, bill["id"])[:4] == ("issued", "0.00", "0.00", "100.00")
    field, code, message = refused(acme, "100.00", (bill["id"], "100.00"))
    assert (field, code) == ("allocations[0].amount", "overpayment")
    assert "more than the 0.00 EUR open" in message
    assert "including payments dated in the future." in message
    acme.ok("POST", f"/finance/payments/{later['id']}/void", {})
    payment(acme, "100.00", invoiceId=bill["id"])
    assert shown(acme, bill["id"])[:4] == ("paid", "100.00", "0.00", "0.00")


def test_money_of_today_allocated_next_week_is_credit_until_then(acme, clock_at):
    bill = invoice(acme, "100.00", issueDate="2026-03-01", dueDate="2026-03-08")
    paid = payment(acme, "100.00", contactId=bill["customerId"])
    paid = allocate(acme, paid, (bill["id"], "100.00"), date="2026-03-12")
    assert (paid["allocatedAmount"], paid["unallocatedAmount"]) == ("100.00", "0.00")
    assert shown(acme, bill["id"])[:4] == ("issued", "0.00", "0.00", "100.00")
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "100.00")  # overdue is net of credit that is due
    clock_at("2026-03-12T09:00:00Z")
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "0.00")


def test_an_invoice_dated_next_week_is_owed_from_then(acme, clock_at):
    bill = invoice(acme, "100.00", issueDate="2026-03-12")
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "0.00")
    clock_at("2026-03-12T09:00:00Z")
    assert amounts_of(acme, bill["customerId"]) == ("100.00", "0.00", "0.00")


def test_a_credit_note_paid_back_next_week_is_credit_until_then(acme, clock_at):
    note = invoice(acme, "100.00", kind="sales_credit_note")
    payment(acme, "40.00", direction="made", invoiceId=note["id"])
    assert amounts_of(acme, note["customerId"]) == ("-60.00", "0.00", "60.00")
    payment(acme, "60.00", direction="made", invoiceId=note["id"], date="2026-03-12")
    assert shown(acme, note["id"]) == ("partially_paid", "40.00", "0.00", "60.00", False, 0)
    assert amounts_of(acme, note["customerId"]) == ("-60.00", "0.00", "60.00")
    clock_at("2026-03-12T09:00:00Z")
    assert shown(acme, note["id"])[0] == "paid"
    assert amounts_of(acme, note["customerId"]) == ("0.00", "0.00", "0.00")


def test_a_count_of_the_list_counts_what_is_shown(acme):
    bill = invoice(acme, "100.00")
    payment(acme, "100.00", invoiceId=bill["id"], date="2026-03-12")
    for status, total in (("issued", 1), ("paid", 0)):
        answer = acme.call("GET", "/finance/invoices", params={"status": status, "total": "true"})
        assert answer.json["page"]["total"] == total
