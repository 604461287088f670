"""Writing off: what nobody will pay, small differences, what is doubtful, and what is received all the same."""

from typing import Any

import pytest

from tests.conftest import Office
from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.payments.payments import payment
from tests.finance.write_downs.deductions import check_is_silent, posted, split, tax_rates, undo, write_off


@pytest.fixture(autouse=True)
def _on_the_last_of_january(clock_at):
    clock_at("2026-01-31T09:00:00Z")


@pytest.fixture
def r4(acme: Office):
    """R4 of the month W: 500.00 @ 19 to Pleite."""
    full, _ = tax_rates(acme)
    return invoice(acme, line("500.00", taxRateId=full), customer={"name": "Pleite"}, issueDate="2026-01-05")


def shown(office: Office, document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = office.ok("GET", f"/finance/invoices/{document['id']}")
    return found


def test_a_bad_debt_leaves_the_receivable_with_its_tax(acme, r4):
    written = write_off(acme, r4)
    (deduction,) = written["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-595.00", "2200": "95.00", "6850": "500.00"}
    assert (written["status"], written["amountDue"], written["isOverdue"]) == ("written_off", "0.00", False)
    assert (written["amountPaid"], written["amountDeducted"]) == ("0.00", "595.00")
    assert (deduction["kind"], deduction["date"], deduction["reason"]) == ("uncollectable", "2026-01-31", "Insolvent")
    (listed,) = acme.ok("GET", "/finance/invoices", params={"status": "written_off"})
    assert (listed["amountPaid"], listed["amountDeducted"], listed["amountDue"]) == ("0.00", "595.00", "0.00")
    assert acme.ok("GET", "/finance/open-items") == []
    check_is_silent(acme)


def test_a_quota_is_recovered_past_the_receivable(acme, r4):
    write_off(acme, r4)
    quota = payment(acme, "178.50", invoiceId=r4["id"])
    assert posted(acme, quota["journalEntryId"]) == {"1010": "178.50", "2200": "-28.50", "4950": "-150.00"}
    assert (quota["allocatedAmount"], quota["unallocatedAmount"], quota["can"]) == ("178.50", "0.00", ["void"])
    after = shown(acme, r4)
    assert (after["status"], after["amountDue"]) == ("written_off", "0.00")
    assert split(after["deductions"][-1]) == [("150.00", "28.50")]
    check_is_silent(acme)


def test_no_more_is_recovered_than_was_written_off(acme, r4):
    write_off(acme, r4)
    payment(acme, "178.50", invoiceId=r4["id"])
    body = {"invoiceId": r4["id"], "amount": "416.51"}
    (said,) = acme.refused("POST", "/finance/payments", body, status=422)["details"]
    assert said["message"] == ("INV-2026-00001 has been written off. At most 416.50 EUR can be recovered.")
    rest = payment(acme, "416.50", invoiceId=r4["id"])
    assert posted(acme, rest["journalEntryId"]) == {"1010": "416.50", "2200": "-66.50", "4950": "-350.00"}


def test_a_recovery_stands_before_the_undoing(acme, r4):
    write_off(acme, r4)
    quota = payment(acme, "178.50", invoiceId=r4["id"])
    refusal = acme.refused("POST", f"/finance/invoices/{r4['id']}/write-off/undo", {}, status=409)
    assert refusal["message"] == (
        "PAY-2026-00001 is a recovery of 178.50 EUR on INV-2026-00001. Void the payment first."
    )
    acme.ok("POST", f"/finance/payments/{quota['id']}/void", {})
    after = undo(acme, r4)
    assert (after["status"], after["amountDue"], after["amountDeducted"]) == ("issued", "595.00", "0.00")
    assert "write_off" in after["can"]
    assert "undo_write_off" not in after["can"]
    check_is_silent(acme)


def test_without_tax_all_of_it_is_a_loss_and_all_of_a_recovery_is_income(acme, r4):
    (deduction,) = write_off(acme, r4, correctTax=False)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-595.00", "6850": "595.00"}
    quota = payment(acme, "178.50", invoiceId=r4["id"])
    assert posted(acme, quota["journalEntryId"]) == {"1010": "178.50", "4950": "-178.50"}
    check_is_silent(acme)


def test_a_part_is_written_off_and_the_rest_is_paid(acme, r4):
    written = write_off(acme, r4, amount="119.00")
    assert (written["status"], written["amountDue"]) == ("partially_paid", "476.00")
    payment(acme, "476.00", invoiceId=r4["id"])
    after = shown(acme, r4)
    assert (after["status"], after["amountPaid"], after["amountDeducted"]) == ("written_off", "476.00", "119.00")
    check_is_silent(acme)


def test_a_doubtful_receivable_is_moved_and_paid_there(acme, r4):
    moved = write_off(acme, r4, category="doubtful")
    assert (moved["status"], moved["amountDue"]) == ("issued", "595.00")
    (deduction,) = moved["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-595.00", "1150": "595.00"}
    (item,) = acme.ok("GET", "/finance/open-items")
    assert (item["number"], item["open"], item["dueDate"]) == ("INV-2026-00001", "595.00", r4["dueDate"])
    paid = payment(acme, "200.00", invoiceId=r4["id"])
    assert posted(acme, paid["journalEntryId"]) == {"1010": "200.00", "1150": "-200.00"}
    assert shown(acme, r4)["amountDue"] == "395.00"
    refusal = acme.refused("POST", f"/finance/invoices/{r4['id']}/write-off/undo", {}, status=409)
    assert "Remove the allocations first" in refusal["message"]
    check_is_silent(acme)


def test_what_was_doubtful_is_written_off_or_comes_back(acme, r4):
    write_off(acme, r4, category="doubtful")
    written = write_off(acme, r4)
    assert written["status"] == "written_off"
    entry = written["deductions"][-1]["journalEntryId"]
    assert posted(acme, entry) == {"1150": "-595.00", "2200": "95.00", "6850": "500.00"}
    undo(acme, r4)
    after = undo(acme, r4)
    assert (after["status"], after["amountDue"]) == ("issued", "595.00")
    paid = payment(acme, "595.00", invoiceId=r4["id"])
    assert posted(acme, paid["journalEntryId"]) == {"1010": "595.00", "1100": "-595.00"}
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    acme.ok("POST", f"/finance/invoices/{r4['id']}/void", {})
    check_is_silent(acme)


def test_a_small_difference_has_its_own_account_and_limit(acme, r4):
    payment(acme, "594.20", invoiceId=r4["id"])
    (deduction,) = write_off(acme, r4, category="small_difference")["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1100": "-0.80", "2200": "0.13", "6945": "0.67"}
    assert shown(acme, r4)["status"] == "paid"
    other = invoice(acme, "500.00")
    body = {"category": "small_difference", "reason": "x", "amount": "1.01"}
    (said,) = acme.refused("POST", f"/finance/invoices/{other['id']}/write-off", body, status=422)["details"]
    assert said["message"] == "1.01 EUR exceeds the limit for small differences, 1.00."
    check_is_silent(acme)


def test_a_bill_that_nobody_asks_for_is_income(acme):
    full, _ = tax_rates(acme)
    owed = bill(acme, line("100.00", taxRateId=full))
    (deduction,) = write_off(acme, owed)["deductions"]
    assert posted(acme, deduction["journalEntryId"]) == {"1300": "-19.00", "2000": "119.00", "4950": "-100.00"}
    paid = payment(acme, "119.00", invoiceId=owed["id"], direction="made")
    assert posted(acme, paid["journalEntryId"]) == {"1010": "-119.00", "1300": "19.00", "4950": "100.00"}
    check_is_silent(acme)


def test_a_foreign_invoice_is_written_off_at_its_own_rate(acme):
    dollars = invoice(acme, "1000.00", currency="USD", exchangeRate="0.92")
    (part,) = write_off(acme, dollars, amount="333.33")["deductions"]
    assert posted(acme, part["journalEntryId"]) == {"1100": "-306.66", "6850": "306.66"}
    rest = write_off(acme, dollars)["deductions"][-1]
    assert posted(acme, rest["journalEntryId"]) == {"1100": "-613.34", "6850": "613.34"}
    check_is_silent(acme)


def test_what_is_written_off_is_not_voided_or_credited_before_it_is_undone(acme, r4):
    write_off(acme, r4)
    for act in ("void", "credit"):
        refusal = acme.refused("POST", f"/finance/invoices/{r4['id']}/{act}", {}, status=409)
        assert refusal["message"].startswith("INV-2026-00001 has been written off. Reverse the write-off first")
    undo(acme, r4)
    acme.ok("POST", f"/finance/invoices/{r4['id']}/void", {})
    check_is_silent(acme)


def test_what_is_left_to_credit_is_less_what_was_written_off(acme, r4):
    write_off(acme, r4, amount="119.00")
    note = credit(acme, r4)
    assert (note["netTotal"], note["taxTotal"], note["total"]) == ("400.00", "76.00", "476.00")
    assert shown(acme, r4)["status"] == "written_off"
    check_is_silent(acme)


def test_the_entry_of_a_write_off_is_undone_by_its_invoice_alone(acme, r4):
    (deduction,) = write_off(acme, r4)["deductions"]
    refusal = acme.refused("POST", f"/finance/journals/{deduction['journalEntryId']}/reverse", {}, status=409)
    assert "the write-off of INV-2026-00001" in refusal["message"]


def test_a_locked_month_takes_no_write_off(acme, r4):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    body = {"category": "uncollectable", "reason": "Insolvent", "date": "2026-01-31"}
    acme.refused("POST", f"/finance/invoices/{r4['id']}/write-off", body, status=409)
    assert shown(acme, r4)["amountDue"] == "595.00"


def test_what_became_doubtful_does_not_come_back_before_something_of_it_was_released(acme, r4):
    write_off(acme, r4, category="doubtful", date="2026-01-10")
    paid = payment(acme, "200.00", invoiceId=r4["id"], date="2026-01-15")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {"date": "2026-01-20"})
    body = {"date": "2026-01-19"}
    acme.refused("POST", f"/finance/invoices/{r4['id']}/write-off/undo", body, status=422, code="dated_too_early")
    undo(acme, r4, date="2026-01-20")
    then = acme.ok("GET", "/finance/open-items", params={"asOf": "2026-01-16"})
    assert [(item["number"], item["open"]) for item in then] == [("INV-2026-00001", "395.00")]
    check_is_silent(acme)


def test_what_settled_a_document_from_either_side_stays_while_it_is_written_off(acme, r4):
    paid = payment(acme, "590.00", contactId=r4["customerId"])
    ids = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    used = {"fromItemId": ids[r4["number"]], "toItemId": ids[paid["number"]], "amount": "590.00"}
    made = acme.ok("POST", "/finance/allocations", used)
    write_off(acme, r4)
    for path in (f"/finance/allocations/{made['id']}/release", f"/finance/payments/{paid['id']}/void"):
        refusal = acme.refused("POST", path, {}, status=409, code="invalid_transition")
        assert refusal["message"] == "INV-2026-00001 has been written off. Reverse the write-off first."
    check_is_silent(acme)


def test_a_credit_note_leaves_the_tax_of_a_line_whose_net_was_written_off(acme):
    """0.03 @ 19 (0.04) and 5.00 @ 7 (5.35): of 4.04, the first gets 0.03 without tax, the second 4.01 with 0.26."""
    full, reduced = tax_rates(acme)
    lines = line("0.03", taxRateId=full), line("5.00", taxRateId=reduced)
    sold = invoice(acme, *lines, issueDate="2026-01-05")
    (deduction,) = write_off(acme, sold, amount="4.04")["deductions"]
    assert split(deduction) == [("0.03", "0.00"), ("3.75", "0.26")]
    note = credit(acme, sold)
    assert (note["netTotal"], note["taxTotal"], note["total"]) == ("1.25", "0.09", "1.34")
    (item,) = acme.ok("GET", "/finance/open-items")
    assert (item["number"], item["open"]) == (sold["number"], "0.01")
    check_is_silent(acme)
