"""Open items of the program before: written off, recovered, and settled with less, with the tax that is in them."""

from typing import Any

import pytest

from tests.conftest import Office
from tests.finance.books.balances import balances
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.payments.payments import payment
from tests.finance.write_downs.deductions import check_is_silent, posted, split, tax_rates

TERMS = {"days": 60, "discounts": [{"percent": "2", "days": 50}]}


@pytest.fixture
def full(acme, clock_at) -> str:
    """The id of the rate of 19 %, on the last day of the month W."""
    clock_at("2026-01-31T09:00:00Z")
    rate, _ = tax_rates(acme)
    return rate


def taken_over(office: Office, *items: dict[str, Any]) -> list[dict[str, Any]]:
    """The open items of opening balances."""
    dated = [{"documentDate": "2025-12-01", "dueDate": "2025-12-15", **item} for item in items]
    office.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "items": dated})
    shown = {item["number"]: item for item in office.ok("GET", "/finance/open-items")}
    return [shown[item["number"]] for item in items]


@pytest.fixture
def r0815(acme, full) -> dict[str, Any]:
    """The old receivable of the month W: Alster owes 1,190.00 @ 19, with 2 % for paying by 20 January."""
    alster = customer(acme, name="Alster AG", paymentTerms=TERMS)["id"]
    owed = {"accountId": "1100", "contactId": alster, "number": "R-0815", "debit": "1190.00", "taxRateId": full}
    (item,) = taken_over(acme, owed)
    return item


@pytest.fixture
def m4711(acme, full) -> dict[str, Any]:
    """The old payable of the month W: 595.00 @ 19 to Meyer."""
    meyer = acme.ok("POST", "/finance/contacts", {"kind": "supplier", "name": "Meyer"})["id"]
    owed = {"accountId": "2000", "contactId": meyer, "number": "4711", "credit": "595.00", "taxRateId": full}
    (item,) = taken_over(acme, owed)
    return item


def write_off(office: Office, item: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"category": "uncollectable", "reason": "Insolvent", **fields}
    shown: dict[str, Any] = office.ok("POST", f"/finance/open-items/{item['id']}/write-off", body)
    return shown


def undo(office: Office, item: dict[str, Any], **fields: Any) -> dict[str, Any]:
    shown: dict[str, Any] = office.ok("POST", f"/finance/open-items/{item['id']}/write-off/undo", fields)
    return shown


def refused(office: Office, item: dict[str, Any], path: str = "write-off", status: int = 409) -> str:
    body = {"category": "uncollectable", "reason": "Insolvent"} if path == "write-off" else {}
    message: str = office.refused("POST", f"/finance/open-items/{item['id']}/{path}", body, status=status)["message"]
    return message


def pay(office: Office, item: dict[str, Any], amount: str, settled: str = "", **fields: Any) -> dict[str, Any]:
    """A payment that settles an old item, as much as it comes to."""
    direction = "received" if item["side"] == "receivable" else "made"
    settles = [{"itemId": item["id"], "amount": settled or amount, **fields}]
    return payment(office, amount, contactId=item["contactId"], direction=direction, settles=settles)


def shown(office: Office, item: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = office.ok("GET", f"/finance/open-items/{item['id']}")
    return found


def test_an_old_receivable_is_written_off_with_the_tax_that_is_in_it(acme, r0815):
    before = shown(acme, r0815)
    assert (before["open"], before["daysOverdue"], before["can"]) == ("1190.00", 47, ["write_off"])
    written = write_off(acme, r0815)
    (deduction,) = written["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-1190.00", "2200": "190.00", "6850": "1000.00"}
    assert split(deduction) == [("1000.00", "190.00")]
    assert (written["open"], written["daysOverdue"], written["can"]) == ("0.00", 0, ["undo_write_off"])
    assert acme.ok("GET", "/finance/open-items") == []
    assert refused(acme, r0815) == "R-0815 is fully allocated."
    (block,) = acme.ok("GET", f"/finance/contacts/{r0815['contactId']}/statement")["blocks"]
    assert [(row["kind"], row["number"], row["credit"]) for row in block["lines"]][1:] == [
        ("write_off", "R-0815", "1190.00")
    ]
    check_is_silent(acme)


def test_a_quota_of_thirty_percent_is_recovered_past_the_receivable(acme, r0815):
    write_off(acme, r0815)
    quota = pay(acme, r0815, "357.00")
    assert posted(acme, quota["journalEntryId"]) == {"1010": "357.00", "2200": "-57.00", "4950": "-300.00"}
    assert (quota["unallocatedAmount"], quota["can"]) == ("0.00", ["void"])
    (taken,) = quota["deductions"]
    assert (taken["kind"], taken["itemId"], taken["invoiceId"]) == ("recovery", r0815["id"], None)
    message = refused(acme, r0815, "write-off/undo")
    assert message == f"{quota['number']} is a recovery of 357.00 EUR on R-0815. Void the payment first."
    body = {"contactId": r0815["contactId"], "amount": "833.01"}
    body["settles"] = [{"itemId": r0815["id"], "amount": "833.01"}]
    said = acme.refused("POST", "/finance/payments", body, status=422)["details"][0]
    expected = "R-0815 has been written off. At most 833.00 EUR can be recovered."
    assert said["message"] == expected
    check_is_silent(acme)
    acme.ok("POST", f"/finance/payments/{quota['id']}/void", {})
    assert undo(acme, r0815)["open"] == "1190.00"
    assert balances(acme) == {"1100": 119_000, "3900": -119_000}
    check_is_silent(acme)


def test_a_part_is_written_off_and_the_rest_is_paid(acme, r0815):
    written = write_off(acme, r0815, amount="119.00")
    assert (written["open"], written["can"]) == ("1071.00", ["undo_write_off", "write_off"])
    assert split(written["deductions"][0]) == [("100.00", "19.00")]
    paid = pay(acme, r0815, "1071.00")
    (allocation,) = paid["allocations"]
    error = acme.refused("POST", f"/finance/allocations/{allocation['id']}/release", {}, status=409)
    assert error["message"] == "R-0815 has been written off. Reverse the write-off first."
    check_is_silent(acme)
    assert undo(acme, r0815)["open"] == "119.00"
    acme.ok("POST", f"/finance/allocations/{allocation['id']}/release", {})
    assert shown(acme, r0815)["open"] == "1190.00"
    check_is_silent(acme)


def test_the_last_write_off_takes_the_tax_that_is_left(acme, r0815):
    """Of 190.00 in tax, 33.33 takes 5.32 each time; the rest of 1,123.34 takes what is left, 179.36."""
    write_off(acme, r0815, amount="33.33")
    write_off(acme, r0815, amount="33.33")
    taken = write_off(acme, r0815)["deductions"]
    assert [split(part) for part in taken] == [[("28.01", "5.32")], [("28.01", "5.32")], [("943.98", "179.36")]]


def test_an_item_without_a_tax_rate_has_no_tax_to_correct(acme, clock_at):
    clock_at("2026-01-31T09:00:00Z")
    owed = {"accountId": "1100", "contactId": customer(acme)["id"], "number": "R-1", "debit": "1190.00"}
    (item,) = taken_over(acme, owed)
    (deduction,) = write_off(acme, item)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-1190.00", "6850": "1190.00"}
    quota = pay(acme, item, "357.00")
    assert posted(acme, quota["journalEntryId"]) == {"1010": "357.00", "4950": "-357.00"}
    check_is_silent(acme)


def test_without_correction_all_of_it_is_a_loss(acme, r0815):
    (deduction,) = write_off(acme, r0815, correctTax=False)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-1190.00", "6850": "1190.00"}
    check_is_silent(acme)


def test_an_old_payable_that_is_not_claimed_is_income(acme, m4711):
    (deduction,) = write_off(acme, m4711)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1300": "-95.00", "2000": "595.00", "4950": "-500.00"}
    paid = pay(acme, m4711, "595.00")
    assert posted(acme, paid["journalEntryId"]) == {"1010": "-595.00", "1300": "95.00", "4950": "500.00"}
    check_is_silent(acme)


def test_a_discount_on_an_old_receivable_lowers_its_tax(acme, r0815):
    """1,190.00 at 2 %: 1,166.20 is paid, 20.00 and 3.80 are taken off."""
    paid = pay(acme, r0815, "1166.20", discountAmount="23.80")
    (deduction,) = shown(acme, r0815)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-23.80", "2200": "3.80", "4050": "20.00"}
    assert (paid["unallocatedAmount"], shown(acme, r0815)["open"]) == ("0.00", "0.00")
    assert [(taken["kind"], taken["itemId"]) for taken in paid["deductions"]] == [("cash_discount", r0815["id"])]
    (allocation,) = paid["allocations"]
    error = acme.refused("POST", f"/finance/allocations/{allocation['id']}/release", {}, status=409)
    expected = f"cash discount on R-0815 is part of {paid['number']}. Remove the allocation there."
    assert error["message"] == expected
    check_is_silent(acme)
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert shown(acme, r0815)["open"] == "1190.00"
    assert balances(acme) == {"1100": 119_000, "3900": -119_000}
    check_is_silent(acme)


def test_the_discount_of_the_contacts_terms_counts_from_the_old_documents_date(acme, r0815, clock_at):
    """2 % for 50 days from 1 December: until 20 January."""
    late = pay(acme, r0815, "1166.20", discountTaken=True)
    assert late["warnings"] == ["The cash discount of 23.80 EUR was taken too late."]
    acme.ok("POST", f"/finance/payments/{late['id']}/void", {})
    body = {"contactId": r0815["contactId"], "amount": "1000.00"}
    body["settles"] = [{"itemId": r0815["id"], "amount": "1000.00", "discountTaken": True}]
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert said["field"] == "settles[0].amount"
    assert said["message"] == (
        "R-0815: 1,190.00 EUR due less 23.80 EUR cash discount is 1,166.20 EUR. Pay that amount, or "
        "enter another cash discount."
    )


def test_a_discount_is_in_time_on_its_last_day(acme, r0815, clock_at):
    clock_at("2026-01-20T09:00:00Z")
    paid = pay(acme, r0815, "1166.20", discountTaken=True)
    assert (paid["warnings"], shown(acme, r0815)["open"]) == ([], "0.00")
    check_is_silent(acme)


def test_a_payment_takes_the_discount_when_it_is_allocated_later(acme, r0815):
    paid = payment(acme, "1166.20", contactId=r0815["contactId"])
    path = f"/finance/payments/{paid['id']}/allocations"
    (said,) = acme.refused("POST", path, {}, status=422)["details"]
    assert (said["field"], said["message"]) == ("allocations", "Choose the open items that the payment pays.")
    settles = [{"itemId": r0815["id"], "amount": "1166.20", "discountAmount": "23.80"}]
    settled = acme.ok("POST", path, {"settles": settles})
    assert (settled["unallocatedAmount"], shown(acme, r0815)["open"]) == ("0.00", "0.00")
    (allocation,) = settled["allocations"]
    acme.ok("POST", f"{path}/{allocation['id']}/release", {})
    assert shown(acme, r0815)["open"] == "1190.00"
    check_is_silent(acme)


def test_a_supplier_gives_a_discount_on_an_old_bill(acme, m4711):
    pay(acme, m4711, "583.10", discountAmount="11.90")
    (deduction,) = shown(acme, m4711)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1300": "-1.90", "2000": "11.90", "5050": "-10.00"}
    check_is_silent(acme)


def test_a_contact_without_terms_offers_no_discount(acme, m4711):
    body = {"contactId": m4711["contactId"], "amount": "583.10", "direction": "made"}
    body["settles"] = [{"itemId": m4711["id"], "amount": "583.10", "discountTaken": True}]
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert (said["field"], said["message"]) == (
        "settles[0].discountTaken",
        "The payment terms of 4711 offer no cash discount. Enter its amount instead.",
    )


def test_a_small_difference_on_an_old_item_is_settled_up_to_the_limit(acme, r0815):
    body = {"contactId": r0815["contactId"], "amount": "1188.99"}
    body["settles"] = [{"itemId": r0815["id"], "amount": "1188.99", "settleDifference": True}]
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert said["message"] == "1.01 EUR exceeds the limit for small differences, 1.00."
    pay(acme, r0815, "1189.20", settleDifference=True)
    (deduction,) = shown(acme, r0815)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-0.80", "2200": "0.13", "6945": "0.67"}
    check_is_silent(acme)


def test_an_old_receivable_becomes_doubtful_and_comes_back(acme, r0815):
    write_off(acme, r0815, category="doubtful")
    assert balances(acme) == {"1150": 119_000, "3900": -119_000}
    (moved,) = acme.ok("GET", "/finance/open-items")
    assert (moved["number"], moved["dueDate"], moved["documentDate"]) == ("R-0815", "2025-12-15", "2025-12-01")
    again = acme.refused(
        "POST", f"/finance/open-items/{moved['id']}/write-off", {"category": "doubtful", "reason": "x"}, status=409
    )
    assert again["message"] == "R-0815 is already doubtful."
    (deduction,) = write_off(acme, moved)["deductions"][1:]
    assert posted(acme, deduction["journalEntryId"]) == {"1150": "-1190.00", "2200": "190.00", "6850": "1000.00"}
    expected = "R-0815 has allocations made since it became doubtful. Remove the allocations first."
    assert refused(acme, r0815, "write-off/undo") == expected
    check_is_silent(acme)
    assert undo(acme, moved)["open"] == "1190.00"
    undo(acme, moved)
    assert shown(acme, r0815)["open"] == "1190.00"
    assert balances(acme) == {"1100": 119_000, "3900": -119_000}
    check_is_silent(acme)


def test_an_old_item_in_dollars_is_written_off_at_its_own_worth(acme, full):
    """1,190.00 USD at 0.92 are 1,094.80 EUR: 920.00 and 174.80 of tax."""
    owed = {"accountId": "1100", "contactId": customer(acme)["id"], "number": "R-1", "debit": "1094.80"}
    (item,) = taken_over(acme, owed | {"currency": "USD", "foreignAmount": "1190.00", "taxRateId": full})
    (deduction,) = write_off(acme, item)["deductions"]
    assert split(deduction) == [("1000.00", "190.00")]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-1094.80", "2200": "174.80", "6850": "920.00"}
    check_is_silent(acme)


def test_only_what_is_owed_without_a_document_is_written_off_here(acme, full):
    alster = customer(acme, name="Alster AG")["id"]
    credit = {"accountId": "1100", "contactId": alster, "number": "G-1", "credit": "60.00"}
    (item,) = taken_over(acme, credit)
    assert refused(acme, item) == "G-1 is a credit. Only receivables and payables can be written off."
    issued = invoice(acme, "100.00")
    paid = payment(acme, "10.00", contactId=alster)
    by_number = {item["number"]: item for item in acme.ok("GET", "/finance/open-items")}
    expected = f"Open {issued['number']} and write it off there."
    assert refused(acme, by_number[issued["number"]]) == expected
    expected = "Only opening items and manual entries can be written off here."
    assert refused(acme, by_number[paid["number"]]) == expected
    assert refused(acme, {"id": "none"}, status=404) == "There is no such open item."


def test_the_opening_balances_stay_while_something_of_them_is_written_off(acme, r0815):
    write_off(acme, r0815)
    again = {"date": "2025-12-31", "lines": [{"accountId": "1010", "debit": "1.00"}]}
    error = acme.refused("POST", "/finance/opening-balances", again, status=409)
    assert error["message"].startswith("R-0815 is allocated to ")
    undo(acme, r0815)
    acme.ok("POST", "/finance/opening-balances", again)
    assert balances(acme) == {"1010": 100, "3900": -100}
    assert refused(acme, r0815) == "R-0815 has been reversed and has no open amount."
    check_is_silent(acme)


def test_a_rate_that_is_in_an_old_item_keeps_its_percentage(acme, r0815, full):
    error = acme.refused("PATCH", f"/finance/tax-rates/{full}", {"rate": "16"}, status=409)
    assert error["code"] == "in_use"


def test_a_locked_month_takes_no_write_off(acme, r0815):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    assert "locked" in refused(acme, r0815)


def test_what_was_posted_by_hand_is_written_off_without_tax(acme, clock_at):
    clock_at("2026-01-31T09:00:00Z")
    alster = customer(acme, name="Alster AG")["id"]
    lines = [{"accountId": "1100", "debit": "50.00", "contactId": alster}, {"accountId": "4000", "credit": "50.00"}]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-05", "description": "Claim", "lines": lines})
    (item,) = acme.ok("GET", "/finance/open-items")
    (deduction,) = write_off(acme, item)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-50.00", "6850": "50.00"}
    entry = acme.ok("GET", f"/finance/journals/{deduction['journalEntryId']}")
    error = acme.refused("POST", f"/finance/journals/{entry['id']}/reverse", {}, status=409)
    assert f"the write-off of {item['number']}" in error["message"]
    check_is_silent(acme)
