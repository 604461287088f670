"""What was invoiced, received and paid in each month, and the cash at its end."""

import csv
import io

import pytest

from tests.finance.documents.invoices import bill, credit, invoice
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment

SERIES = "/finance/reports/series"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def months(office, **params):
    """The figures of each month that is not empty."""
    shown = office.ok("GET", SERIES, params={**params})["months"]
    figures = {month.pop("month"): tuple(month[name] for name in FIGURES) for month in shown}
    return {month: row for month, row in figures.items() if row[:3] != ("0.00", "0.00", "0.00")}


FIGURES = ("invoiced", "received", "paid", "cash")


def test_without_a_period_it_shows_twelve_months_until_this_one(acme):
    shown = acme.ok("GET", SERIES)
    assert shown["currency"] == "EUR"
    assert [month["month"] for month in shown["months"]] == [
        *(f"2025-{number:02}" for number in range(4, 13)),
        *("2026-01", "2026-02", "2026-03"),
    ]
    assert {tuple(month[name] for name in FIGURES) for month in shown["months"]} == {("0.00",) * 4}


def test_it_shows_what_was_invoiced_received_and_paid(acme):
    first = invoice(acme, "1000.00", issueDate="2026-01-10", dueDate="2026-02-01")
    invoice(acme, "500.00", issueDate="2026-02-10", dueDate="2026-03-01")
    invoice(acme, "70.00", draft=True)
    credit(acme, first, {"lineId": first["lines"][0]["id"], "amount": "200.00"}, date="2026-02-15")
    owed = bill(acme, "300.00", issueDate="2026-01-20", dueDate="2026-02-20")
    payment(acme, "600.00", direction="received", contactId=first["customerId"], date="2026-02-01")
    payment(acme, "300.00", direction="made", contactId=owed["supplierId"], date="2026-03-02")
    assert months(acme) == {
        "2026-01": ("1000.00", "0.00", "0.00", "0.00"),
        "2026-02": ("300.00", "600.00", "0.00", "600.00"),  # 500.00 less the credit note of 200.00
        "2026-03": ("0.00", "0.00", "300.00", "300.00"),
    }


def test_cash_carries_on_from_before_the_first_month_and_through_empty_ones(acme):
    entry(acme, "900.00", day="2025-01-02", debit="1010", credit="3000")
    entry(acme, "50.00", day="2026-02-02", debit="6100", credit="1010")
    shown = acme.ok("GET", SERIES, params={"from": "2026-01", "to": "2026-03"})["months"]
    assert [(month["received"], month["paid"], month["cash"]) for month in shown] == [
        ("0.00", "0.00", "900.00"),
        ("0.00", "50.00", "850.00"),
        ("0.00", "0.00", "850.00"),
    ]


def test_a_month_counts_its_last_day_and_not_the_next(acme):
    entry(acme, "10.00", day="2026-01-31", debit="1010", credit="3000")
    entry(acme, "20.00", day="2026-02-01", debit="1010", credit="3000")
    assert months(acme, **{"from": "2026-01", "to": "2026-01"}) == {"2026-01": ("0.00", "10.00", "0.00", "10.00")}


def test_what_is_reversed_is_taken_off_in_the_month_of_the_reversal(acme):
    sold = invoice(acme, "1000.00", issueDate="2026-01-10", dueDate="2026-02-01")
    received = payment(acme, "400.00", direction="received", contactId=sold["customerId"], date="2026-01-20")
    acme.ok("POST", f"/finance/payments/{received['id']}/void", {"reason": "Bounced", "date": "2026-02-03"})
    acme.ok("POST", f"/finance/invoices/{sold['id']}/void", {"reason": "Wrong customer", "date": "2026-02-04"})
    assert months(acme) == {
        "2026-01": ("1000.00", "400.00", "0.00", "400.00"),
        "2026-02": ("-1000.00", "-400.00", "0.00", "0.00"),
    }


def test_money_moved_between_own_accounts_is_neither_received_nor_paid(acme):
    entry(acme, "900.00", day="2026-01-02", debit="1010", credit="3000")
    accounts = {account["code"]: account["id"] for account in acme.ok("GET", "/finance/accounts")}
    move = {"fromAccountId": accounts["1010"], "toAccountId": accounts["1000"], "amount": "100.00"}
    acme.ok("POST", "/finance/transfers", {**move, "date": "2026-02-02"})
    assert months(acme) == {"2026-01": ("0.00", "900.00", "0.00", "900.00")}
    assert acme.ok("GET", SERIES)["months"][-1]["cash"] == "900.00"


def test_it_is_a_table_for_a_spreadsheet(acme):
    entry(acme, "10.00", day="2026-03-01", debit="1010", credit="3000")
    answer = acme.call("GET", SERIES, params={"from": "2026-03", "format": "csv"})
    assert list(csv.DictReader(io.StringIO(answer.text))) == [
        {"month": "2026-03", "invoiced": "0.00", "received": "10.00", "paid": "0.00", "cash": "10.00"}
    ]


@pytest.mark.parametrize("wrong", ["from=2026-04&to=2026-03", "from=2020-01&to=2025-01", "from=2026", "to=2026-13"])
def test_a_period_that_cannot_be_is_refused(acme, wrong):
    acme.refused("GET", f"{SERIES}?{wrong}", status=400, code="bad_parameter")


def test_sixty_months_are_not_too_many(acme):
    assert len(acme.ok("GET", f"{SERIES}?from=2020-01&to=2024-12")["months"]) == 60
