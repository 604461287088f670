"""What contacts owe by age: credit, foreign currencies, other days, and one contact alone."""

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.payments.payments import payment
from tests.finance.reports.trees import cells, column, labelled, report


@pytest.fixture(autouse=True)
def _in_may(clock_at):
    clock_at("2026-05-10T09:00:00Z")


def owed(office, contact, amount, day, due, **fields):
    return invoice(office, amount, customerId=contact["id"], issueDate=day, dueDate=due, **fields)


def figures(row):
    return {key: value for key, value in row.items() if value != "0.00"}


def test_the_days_of_each_column_begin_where_the_one_before_ends(acme):
    contact = customer(acme, "Alster")
    for amount, due in (
        ("1", "2026-04-30"),
        ("2", "2026-04-29"),
        ("4", "2026-03-31"),
        ("8", "2026-03-30"),
        ("16", "2026-03-01"),
        ("32", "2026-02-28"),
        ("64", "2026-01-30"),
        ("128", "2026-01-29"),
        ("256", "2026-01-02"),
    ):
        owed(acme, contact, amount, "2026-01-01", due)
    row = labelled(report(acme, "aged-receivables", date="2026-04-30"), "Alster")
    assert row == {
        "not_due": "1.00",
        "days_1_30": "6.00",
        "days_31_60": "24.00",
        "days_61_90": "96.00",
        "days_over_90": "384.00",
        "credit": "0.00",
        "total": "511.00",
    }


def test_credit_that_is_not_allocated_yet_has_its_own_column(acme):
    contact = customer(acme, "Alster")
    made = owed(acme, contact, "100", "2026-04-01", "2026-04-15")
    ahead = payment(acme, "130", contactId=contact["id"], date="2026-04-10")
    before = labelled(report(acme, "aged-receivables", date="2026-04-30"), "Alster")
    assert figures(before) == {"days_1_30": "100.00", "credit": "-130.00", "total": "-30.00"}
    body = {"allocations": [{"invoiceId": made["id"], "amount": "100"}], "date": "2026-05-02"}
    acme.ok("POST", f"/finance/payments/{ahead['id']}/allocations", body)
    assert labelled(report(acme, "aged-receivables", date="2026-04-30"), "Alster") == before
    after = labelled(report(acme, "aged-receivables", date="2026-05-02"), "Alster")
    assert figures(after) == {"credit": "-30.00", "total": "-30.00"}


@pytest.mark.parametrize("day", ["2026-04-30", "2026-05-01"])
def test_the_accounts_are_tied_to_on_a_day_of_revaluation_too(acme, day):
    dollars = {"currency": "USD", "exchangeRate": "0.92"}
    owed(acme, customer(acme, "Pacific"), "1000", "2026-04-01", "2026-05-01", **dollars)
    rates = [{"currency": "USD", "rate": "0.95"}]
    made = acme.ok("POST", "/finance/revaluations", {"date": "2026-04-30", "rates": rates})
    totals = column(report(acme, "aged-receivables", date=day), "total")
    assert totals["1100"] == ("950.00" if day == "2026-04-30" else "920.00")
    assert (totals["total"], totals["difference"]) == (totals["1100"], "0.00")
    acme.ok("POST", f"/finance/revaluations/{made['id']}/void", {"reason": "Wrong rate"})
    after = column(report(acme, "aged-receivables", date="2026-05-10"), "total")
    assert (after["total"], after["difference"]) == ("920.00", "0.00")


def test_one_contact_may_be_asked_for(acme):
    alster, wien = customer(acme, "Alster"), customer(acme, "Wien")
    for contact in (alster, wien):
        owed(acme, contact, "100", "2026-04-01", "2026-05-01")
    tree = report(acme, "aged-receivables", contactId=wien["id"])
    assert [row["label"] for row in tree["rows"]] == ["Wien", "Total"]
    assert cells(tree["rows"][-1])["total"] == "100.00"
    refusal = acme.refused("GET", "/finance/reports/aged-payables", params={"contactId": "nobody"}, status=422)
    assert refusal["details"][0]["field"] == "contactId"
