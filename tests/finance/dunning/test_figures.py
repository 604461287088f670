"""The figures of the design: each was counted by hand before there was a program."""

import pytest

from tests.finance.dunning.reminders import (
    LETTERS,
    LEVELS,
    RATES,
    RUNS,
    amounts,
    customer,
    firm,
    germany,
    levels,
    make,
    owed,
    proposed,
)
from tests.finance.payments.payments import payment


@pytest.fixture
def office(acme, clock_at):
    clock_at("2026-08-01T09:00:00Z")
    return acme


def paid(office, invoice, amount, day):
    return payment(office, amount, date=day, invoiceId=invoice["id"])


def test_interest_and_a_lump_sum_are_added_to_what_is_open(office):
    firm(germany(office))
    owed(office, "2700.00", "2026-04-20")
    letter = proposed(office, "2026-05-31")
    assert letter["items"][0]["daysOverdue"] == 41
    assert amounts(letter, "open", "interest", "lumpSum", "fee", "total") == [
        *("2700.00", "31.15", "40.00", "0.00", "2771.15")
    ]


def test_interest_follows_the_rate_and_the_payments_of_each_day(office):
    firm(germany(office))
    invoice = owed(office, "5000.00", "2026-05-31")
    paid(office, invoice, "2000.00", "2026-07-10")
    assert amounts(proposed(office, "2026-07-31"), "open", "interest") == ["3000.00", "75.80"]


def test_consumers_owe_interest_after_the_first_letter(office):
    firm(germany(office))
    office.ok("POST", LEVELS, {"name": "Last", "daysAfter": 10, "payWithinDays": 7, "chargesInterest": True})
    first = levels(office)[0]
    office.ok("PATCH", f"{LEVELS}/{first['id']}", {"chargesLumpSum": True})
    owed(office, "595.00", "2026-05-31", customer(office, buyerKind="consumer"))
    assert amounts(make(office, "2026-07-14"), "interest", "lumpSum") == ["0.00", "0.00"]
    assert proposed(office, "2026-07-31")["interest"] == "1.90"
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"reminders": {"consumerInterestFrom": "due"}})
    assert proposed(office, "2026-07-31")["interest"] == "6.53"


def test_a_base_rate_below_zero_lowers_the_rate_and_a_leap_year_has_365_days(office):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"country": "DE"})
    office.ok("POST", RATES, {"validFrom": "2000-01-01", "rate": "-0.88"})
    firm(office)
    owed(office, "1000.00", "2024-02-10", issueDate="2024-01-02")
    assert proposed(office, "2024-03-11")["interest"] == "6.67"


def test_a_letter_in_another_currency_has_neither_fee_nor_lump_sum(office):
    firm(germany(office), fee="5.00")
    owed(office, "1000.00", "2026-02-10", currency="USD", exchangeRate="0.92")
    letter = proposed(office, "2026-03-21")
    assert amounts(letter, "interest", "fee", "lumpSum", "currency") == ["10.97", "0.00", "0.00", "USD"]


def test_a_level_falls_back_once_the_item_is_paid_and_returns_when_the_payment_is_void(office):
    germany(office)
    globex = customer(office)
    first = owed(office, "100.00", "2026-03-01", globex)
    assert [make(office, day)["level"] for day in ("2026-03-10", "2026-04-01", "2026-05-01")] == [1, 2, 3]
    owed(office, "80.00", "2026-05-10", globex)
    letter = make(office, "2026-05-20")
    assert (letter["level"], [item["level"] for item in letter["items"]]) == (3, [3, 1])

    def level():
        return office.ok("GET", f"/finance/contacts/{globex['id']}")["reminderLevel"]

    assert level() == 3
    money = paid(office, first, "100.00", "2026-06-01")
    assert level() == 1
    office.ok("POST", f"/finance/payments/{money['id']}/void", {})
    assert level() == 3


def test_credit_is_set_off_against_what_is_due_first(office):
    germany(office)
    globex = customer(office)
    for amount in ("100.00", "80.00"):
        owed(office, amount, "2026-03-01", globex)
    payment(office, "150.00", contactId=globex["id"], direction="received", date="2026-03-05")
    letter = proposed(office, "2026-03-20")
    assert amounts(letter, "credit", "open", "total") == ["150.00", "30.00", "30.00"]


def test_charges_become_an_invoice_without_tax_and_are_taken_off_the_next_letter(office):
    firm(germany(office))
    office.ok("POST", LEVELS, {"name": "Last", "daysAfter": 10, "payWithinDays": 7, "chargesInterest": True})
    owed(office, "2700.00", "2026-04-20")
    letter = make(office, "2026-05-31")
    charged = office.ok("POST", f"{LETTERS}/{letter['id']}/charge", {})
    assert charged["chargesStatus"] == "charged"
    shown = office.ok("GET", f"/finance/invoices/{charged['chargeInvoiceId']}")
    assert amounts(shown, "total", "taxTotal", "isReminderCharge", "dueDate") == ["71.15", "0.00", True, "2026-08-01"]
    entry = office.ok("GET", f"/finance/journals/{shown['journalEntryId']}")
    lines = {line["accountCode"]: (line["debit"], line["credit"]) for line in entry["lines"]}
    assert lines == {"1100": ("71.15", None), "4960": (None, "40.00"), "4970": (None, "31.15")}
    office.refused("POST", f"{LETTERS}/{letter['id']}/charge", {}, status=409, code="already_charged")
    office.refused("POST", f"{LETTERS}/{letter['id']}/undo", {"reason": "x"}, status=409, code="in_use")
    later = proposed(office, "2026-06-10")
    assert amounts(later, "interest", "charged", "total") == ["38.74", "31.15", "2707.59"]
    assert RUNS
