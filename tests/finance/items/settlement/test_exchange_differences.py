"""Settling at another rate than that of the invoice: the difference is posted, and no cent is left over."""

import pytest

from erp.finance.books.models import Allocation, JournalEntry, OpenItem
from erp.finance.items import settlement
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, status_and_due
from tests.finance.items.settlement.settling import FOREIGN, allocate, release
from tests.finance.journals.journals import postings
from tests.finance.payments.payments import payment


def test_an_exchange_gain_is_posted_when_the_currency_rose(acme):
    """The figures are those of a published case: 20.00 booked at 45.263, paid at 50."""
    bill = invoice(acme, "20.00", **FOREIGN, exchangeRate="45.263", issueDate="2026-03-01")
    assert balances(acme) == {"1100": 90_526, "4000": -90_526}
    paid = payment(acme, "20.00", invoiceId=bill["id"], exchangeRate="50", date="2026-03-05")
    assert paid["allocations"][0]["exchangeDifference"] == "94.74"
    assert balances(acme) == {"1010": 100_000, "4000": -90_526, "4920": -9_474}
    with acme.books():
        gain = JournalEntry.get(JournalEntry.kind == "exchange_difference")
        assert (gain.source_type, gain.source_id) == ("allocation", paid["allocations"][0]["id"])
        assert gain.date.isoformat() == "2026-03-05"
    assert postings(acme, gain.id) == {"1100": (9_474, bill["customerId"]), "4920": (-9_474, None)}
    assert [each["id"] for each in last_event(acme)[1]["entries"]] == [paid["journalEntryId"], gain.id]


def test_an_exchange_loss_is_posted_when_the_currency_fell(acme):
    bill = invoice(acme, "20.00", **FOREIGN, exchangeRate="1.5")
    paid = payment(acme, "20.00", invoiceId=bill["id"], exchangeRate="1.25")
    assert paid["allocations"][0]["exchangeDifference"] == "-5.00"
    assert balances(acme) == {"1010": 2_500, "4000": -3_000, "6910": 500}


def test_a_refund_at_a_higher_rate_is_a_loss(acme):
    note = invoice(acme, "20.00", kind="sales_credit_note", **FOREIGN, exchangeRate="1.25")
    paid = payment(acme, "20.00", direction="made", invoiceId=note["id"], exchangeRate="1.5")
    assert paid["allocations"][0]["exchangeDifference"] == "-5.00"
    assert balances(acme) == {"1010": -3_000, "4000": 2_500, "6910": 500}


@pytest.mark.parametrize(
    ("total", "parts", "books"),
    [
        ("100.00", ["33.50", "33.50", "33.00"], {"1010": 3_334, "4000": -3_333, "4920": -1}),
        ("30.00", ["10.00", "10.00", "10.00"], {"1010": 999, "4000": -1_000, "6910": 1}),
    ],
)
def test_no_cent_stays_on_an_invoice_that_is_paid_in_parts(acme, total, parts, books):
    bill = invoice(acme, total, **FOREIGN, exchangeRate="0.333333")
    for amount in parts:
        payment(acme, amount, invoiceId=bill["id"], exchangeRate="0.333333")
    assert status_and_due(acme, bill["id"]) == ("paid", "0.00")
    assert balances(acme) == books


def test_no_cent_stays_on_a_payment_that_is_allocated_in_parts(acme):
    globex = customer(acme)["id"]
    bills = [invoice(acme, "10.00", customerId=globex, **FOREIGN, exchangeRate="1") for _ in range(3)]
    paid = payment(acme, "30.00", contactId=globex, **FOREIGN, exchangeRate="0.333333")
    for bill in bills:
        allocate(acme, paid, (bill["id"], "10.00"))
    assert owed_by(acme, globex) == 0
    with acme.books():
        bases = [each.from_base for each in Allocation.select().order_by(Allocation.id)]
    assert bases == [333, 333, 334]


@pytest.mark.parametrize(
    ("owed", "expected"), [(1, 3), (-1, -3)], ids=["received for an invoice", "made for a credit note"]
)
def test_more_base_currency_than_booked_is_a_gain_only_where_money_comes_in(owed, expected):
    assert settlement.gain(OpenItem(amount=owed), 103, 100) == expected


def test_a_release_takes_the_exchange_difference_back(acme):
    bill = invoice(acme, "20.00", **FOREIGN, exchangeRate="1.5", issueDate="2026-03-01")
    paid = payment(acme, "20.00", invoiceId=bill["id"], exchangeRate="1.25", date="2026-03-01")
    release(acme, paid, date="2026-03-08")
    assert balances(acme) == {"1010": 2_500, "1100": 500, "4000": -3_000}
    with acme.books():
        gain = JournalEntry.get(JournalEntry.kind == "exchange_difference")
        mirror = JournalEntry.get(JournalEntry.reverses == gain.id)
        assert mirror.date.isoformat() == "2026-03-08"
    assert [each["id"] for each in last_event(acme)[1]["entries"]] == [mirror.id]


def test_voiding_a_payment_takes_its_exchange_differences_back(acme):
    globex = customer(acme)["id"]
    bills = [invoice(acme, "10.00", customerId=globex, **FOREIGN, exchangeRate=rate) for rate in ("1.5", "1.1")]
    parts = [{"invoiceId": bill["id"], "amount": "10.00"} for bill in bills]
    paid = payment(acme, "20.00", allocations=parts, exchangeRate="1.25")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert balances(acme) == {"1100": 2_600, "4000": -2_600}
    assert len(last_event(acme)[1]["entries"]) == 3
