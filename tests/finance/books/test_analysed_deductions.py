"""Dimensions where there is no line: allowances and charges, fees, cash discounts and write-offs."""

import pytest

from tests.finance.books.dimensions import analysed, dimension
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, credit, invoice, line, new_bill, new_invoice
from tests.finance.payments.payments import payment
from tests.refusals import complaint

CC, NIGHT = {"cc": "100"}, {"cc": "200"}
ALL = [{"from": "1", "to": "9"}]


def values(office, entry_id):
    return [codes for _, codes in analysed(office, entry_id) if codes]


def require(office, id):
    office.ok("PATCH", f"/finance/dimensions/{id}", {"requiredFor": ALL})


def entry_of(office, kind):
    return office.ok("GET", "/finance/journals", params={"kind": kind})[-1]["id"]


def test_an_allowance_and_a_charge_have_values_of_their_own(acme):
    dimension(acme, "100", "200")
    allowance = {"amount": "10.00", "accountId": "4100", "dimensions": NIGHT}
    charge = {"amount": "5.00", "accountId": "4900", "dimensions": CC}
    draft = invoice(acme, line(accountId="4100", dimensions=CC), allowances=[allowance], charges=[charge], draft=True)
    assert [draft[name][0]["dimensions"] for name in ("allowances", "charges")] == [NIGHT, CC]
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue", {})
    assert analysed(acme, issued["journalEntryId"])[1:] == [("4100", CC), ("4100", NIGHT), ("4900", CC)]
    note = credit(acme, issued, date=issued["issueDate"])
    assert sorted(str(codes) for codes in values(acme, note["journalEntryId"])) == sorted(map(str, [CC, CC, NIGHT]))


def test_a_value_that_an_allowance_lacks_is_missed_at_its_field(acme):
    require(acme, dimension(acme, "100"))
    body = new_invoice(line(dimensions=CC), allowances=[{"amount": "10.00", "accountId": "4900"}])
    missed = acme.refused("POST", "/finance/invoices", body, status=422)
    assert complaint(missed) == ("allowances[0].dimensions.cc", "dimension_required")
    body["allowances"][0]["dimensions"] = {"cc": "900"}
    unknown = acme.refused("POST", "/finance/invoices", body, status=422)
    assert complaint(unknown) == ("allowances[0].dimensions.cc", "unknown_reference")


def test_a_fee_and_a_discount_take_the_value_of_their_payment(acme):
    id = dimension(acme, "100")
    issued = invoice(acme, line(accountId="4100"))
    require(acme, id)
    body = {"invoiceId": issued["id"], "amount": "91.00", "discountAmount": "9.00", "feeAmount": "1.00"}
    missed = acme.refused("POST", "/finance/payments", body, status=422)
    assert complaint(missed) == ("dimensions.cc", "dimension_required")
    assert "line" not in missed["details"][0]["message"]
    unknown = acme.refused("POST", "/finance/payments", {**body, "dimensions": {"cc": "9"}}, status=422)
    assert complaint(unknown) == ("dimensions.cc", "unknown_reference")
    paid = acme.ok("POST", "/finance/payments", {**body, "dimensions": CC})
    assert values(acme, paid["journalEntryId"]) == [CC]
    assert values(acme, entry_of(acme, "cash_discount")) == [CC]
    assert acme.ok("GET", f"/finance/invoices/{issued['id']}")["status"] == "paid"


def test_a_discount_of_a_later_allocation_takes_the_value_that_it_names(acme):
    dimension(acme, "100")
    issued = invoice(acme, "100.00")
    paid = payment(acme, "60.00", contactId=issued["customer"]["id"])
    part = {"invoiceId": issued["id"], "amount": "60.00", "discountAmount": "3.00"}
    path = f"/finance/payments/{paid['id']}/allocations"
    acme.ok("POST", path, {"allocations": [part], "dimensions": CC})
    assert values(acme, entry_of(acme, "cash_discount")) == [CC]


def test_a_discount_without_a_value_takes_its_customers_and_its_undoing_the_same(acme):
    dimension(acme, "100", "200")
    globex = customer(acme, dimensions=NIGHT)["id"]
    issued = invoice(acme, "100.00", customerId=globex)
    paid = payment(acme, "60.00", invoiceId=issued["id"], discountAmount="3.00")
    assert values(acme, entry_of(acme, "cash_discount")) == [NIGHT]
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    entries = acme.ok("GET", "/finance/journals", params={"limit": 200})
    assert [codes for entry in entries for codes in values(acme, entry["id"])] == [NIGHT, NIGHT, NIGHT]


@pytest.mark.parametrize("side", ["sale", "purchase"])
def test_a_write_off_takes_the_value_that_it_names(acme, side):
    id = dimension(acme, "100")
    document = invoice(acme, "100.00") if side == "sale" else bill(acme, "100.00")
    require(acme, id)
    path, body = f"/finance/invoices/{document['id']}/write-off", {"category": "uncollectable", "reason": "Insolvent"}
    assert complaint(acme.refused("POST", path, body, status=422)) == ("dimensions.cc", "dimension_required")
    acme.ok("POST", path, {**body, "dimensions": CC})
    assert values(acme, entry_of(acme, "write_off")) == [CC]


def test_a_write_off_of_an_old_item_takes_the_value_of_its_contact(acme):
    dimension(acme, "200")
    globex = customer(acme, dimensions=NIGHT)["id"]
    lines = [
        {"accountId": "1100", "debit": "50.00", "contactId": globex},
        {"accountId": "1010", "credit": "50.00"},
    ]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-15", "description": "Lent", "lines": lines})
    (item,) = acme.ok("GET", "/finance/open-items", params={"contactId": globex})
    acme.ok("POST", f"/finance/open-items/{item['id']}/write-off", {"category": "uncollectable", "reason": "Gone"})
    assert values(acme, entry_of(acme, "write_off")) == [NIGHT]


def test_what_names_no_dimensions_asks_for_one_of_its_account(acme):
    require(acme, dimension(acme, "100"))
    body = {"fromAccountId": "1010", "toAccountId": "1000", "amount": "50.00", "feeAmount": "1.00"}
    missed = acme.refused("POST", "/finance/transfers", body, status=422)
    assert complaint(missed) == ("dimensions.cc", "dimension_required")
    assert missed["details"][0]["message"].endswith("Give the account one.")


def test_the_dimensions_of_a_draft_bills_charge_are_kept_when_it_changes(acme):
    dimension(acme, "100")
    draft = acme.ok("POST", "/finance/invoices", new_bill(charges=[{"amount": "5.00", "dimensions": CC}], draft=True))
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"note": "By post"})
    assert changed["charges"][0]["dimensions"] == CC
