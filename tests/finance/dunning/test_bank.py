"""What reminders and the bank tell each other: a payment of items and charges, and one that is about to be matched."""

import pytest

from erp.finance.bank import candidates, suggestions
from tests.finance.bank.january import confirm, lines
from tests.finance.dunning.reminders import LETTERS, RUNS, amounts, customer, firm, germany, make, owed, proposal

COLUMNS = {"date": "Date", "amount": "Amount", "text": ["Text"], "party": "Party"}
MAPPING = {"columns": COLUMNS, "delimiter": ",", "decimalSign": ".", "dateFormat": "YYYY-MM-DD"}


@pytest.fixture
def office(acme, clock_at):
    clock_at("2026-08-01T09:00:00Z")
    return firm(germany(acme))


def received(office, amount, text, party="Globex"):
    """A line of a statement."""
    file = f"Date,Amount,Text,Party\n2026-06-15,{amount},{text},{party}\n"
    office.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": MAPPING})
    body = {"accountId": "1010", "file": file, "openingBalance": "0.00"}
    office.ok("POST", "/finance/bank/statements/import", body)
    (line,) = lines(office, "1010")
    return line


def test_a_receipt_of_the_total_pays_items_and_charges_in_one_step(office):
    invoice = owed(office, "2700.00", "2026-04-20", customer(office))
    letter = make(office, "2026-05-31")
    line = received(office, letter["total"], f"Thank you {letter['number']}")
    suggestion = line["suggestions"][0]
    assert suggestion["because"] == "items_and_charges"
    assert suggestion["confirm"] == {
        "items": [{"itemId": letter["items"][0]["itemId"], "amount": "2700.00"}],
        "reminderId": letter["id"],
    }
    confirm(office, line)
    shown = office.ok("GET", f"{LETTERS}/{letter['id']}")
    charge = office.ok("GET", f"/finance/invoices/{shown['chargeInvoiceId']}")
    paid = office.ok("GET", f"/finance/invoices/{invoice['id']}")
    assert (charge["total"], charge["status"], paid["status"]) == ("71.15", "paid", "paid")
    assert amounts(shown, "chargesStatus") == ["charged"]


def test_an_item_that_a_line_seems_to_pay_is_not_reminded(office, monkeypatch):
    looked = []

    class Counted(suggestions.Finder):
        def __init__(self, *given):
            super().__init__(*given)
            looked.append(self)

    monkeypatch.setattr(candidates, "Finder", Counted)
    globex = customer(office)
    invoice = owed(office, "500.00", "2026-04-20", globex)
    chosen = [{"contactId": globex["id"], "currency": "EUR"}]
    assert proposal(office, "2026-05-31")["letters"] != []
    line = received(office, "500.00", invoice["number"])
    looked.clear()
    (row,) = office.refused("POST", RUNS, {"date": "2026-05-31", "letters": chosen}, status=409, code="not_due")[
        "details"
    ]
    assert (row["field"], "seems to pay" in row["message"]) == ("letters[0]", True)
    assert office.ok("GET", "/workspace/home")["remindersToMake"] is None
    office.ok("POST", "/tasks", {"title": "Nothing to do with the bank"})
    found = proposal(office, "2026-05-31")
    assert len(looked) == 1, "lines are read once, before the write lock, until something changes"
    assert found["letters"] == []
    assert [(each["why"], each["number"]) for each in found["skipped"]] == [("payment_suggested", invoice["number"])]
    confirm(office, line, accountId="4000")
    assert office.ok("GET", "/workspace/home")["remindersToMake"] == {"letterCount": 1, "customerCount": 1}
    assert len(office.ok("POST", RUNS, {"date": "2026-05-31", "letters": chosen})["letters"]) == 1
