"""Confirming bank lines with dimensions, a project, tax in the fee, and what is left for the contact."""

import pytest

from tests.finance.bank.january import camt, confirm, entry, lines, statement
from tests.finance.books.dimensions import analysed, dimension
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import posted
from tests.projects.projects import plan as project

CC = {"cc": "100"}


@pytest.fixture(autouse=True)
def _in_april(clock_at):
    clock_at("2026-04-01T09:00:00Z")


def line_of(office, amount, words="Rent", closing="0.00"):
    opening = f"{float(closing) - float(amount):.2f}"
    statement(office, camt(entry(amount, words), opening=opening, closing=closing), account="1010")
    return lines(office, "1010")[-1]


def item_of(office, document):
    items = office.ok("GET", "/finance/open-items", params={"contactId": document["customer"]["id"]})
    return next(each["id"] for each in items if each["number"] == document["number"])


def test_a_line_is_posted_with_dimensions_and_a_project(acme):
    dimension(acme, "100")
    harbour, rate = project(acme)["id"], tax_rate(acme, "19")["id"]
    line = line_of(acme, "-119.00")
    done = confirm(acme, line, accountId="6100", taxRateId=rate, dimensions=CC, projectId=harbour)
    entry_id = done["matches"][0]["entryId"]
    assert analysed(acme, entry_id)[:2] == [("1010", {}), ("6100", CC)]
    shown = acme.ok("GET", f"/finance/journals/{entry_id}")["lines"]
    assert [(each["accountCode"], each["debit"], each["projectId"]) for each in shown[1:]] == [
        ("6100", "100.00", harbour),
        (shown[2]["accountCode"], "19.00", None),
    ]


def test_a_rule_posts_with_its_dimensions_and_project(acme):
    dimension(acme, "100")
    harbour = project(acme)["id"]
    rule = {"text": "Rent", "accountId": "6100", "dimensions": CC, "projectId": harbour}
    made = acme.ok("POST", "/finance/bank/rules", rule)
    assert (made["dimensions"], made["projectId"]) == (CC, harbour)
    line = line_of(acme, "-119.00")
    assert line["suggestions"][0]["confirm"]["dimensions"] == CC
    done = confirm(acme, line)
    assert ("6100", CC) in analysed(acme, done["matches"][0]["entryId"])
    wrong = {**rule, "dimensions": {"cc": "999"}}
    error = acme.refused("POST", "/finance/bank/rules", wrong, status=422)
    assert [detail["field"] for detail in error["details"]] == ["dimensions.cc"]


def test_a_fee_has_tax_and_dimensions_and_the_rest_stays_the_contacts_credit(acme):
    dimension(acme, "100")
    rate, alster = tax_rate(acme, "19")["id"], customer(acme)["id"]
    document = invoice(acme, "100.00", customerId=alster, issueDate="2026-03-01")
    line = line_of(acme, "138.10", words="Money", closing="138.10")
    items = [{"itemId": item_of(acme, document), "amount": "100.00"}]
    fee = {"feeAmount": "11.90", "feeTaxRateId": rate, "dimensions": CC}
    done = confirm(acme, line, items=items, contactId=alster, **fee)
    entry_id = done["matches"][0]["entryId"]
    amounts = posted(acme, entry_id)
    assert sorted(amounts.values()) == [-15_000, 190, 1_000, 13_810]
    assert [codes for _, codes in analysed(acme, entry_id) if codes] == [CC]
    assert acme.ok("GET", f"/finance/contacts/{alster}")["unallocatedCredit"] == "50.00"
    assert acme.ok("GET", f"/finance/invoices/{document['id']}")["status"] == "paid"


def test_items_of_more_than_the_line_and_its_fee_do_not_add_up(acme):
    document = invoice(acme, "100.00", issueDate="2026-03-01")
    line = line_of(acme, "90.00", words="Money", closing="90.00")
    items = [{"itemId": item_of(acme, document), "amount": "100.00"}]
    path = f"/finance/bank/lines/{line['id']}/confirm"
    error = acme.refused("POST", path, {"items": items}, status=422, code="does_not_add_up")
    assert error["params"]["difference"] == "10.00 EUR"
    acme.refused("POST", path, {"items": items, "feeAmount": "9.99"}, status=422, code="does_not_add_up")
    confirm(acme, line, items=items, feeAmount="10.00")
