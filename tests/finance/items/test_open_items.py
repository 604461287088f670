"""Open items: every posting to a receivable or payable, what is left of it on each day, and settling two of them."""

import csv
import io

import pytest

from erp.store import router
from erp.system.checks import files as checking
from tests.conftest import Office
from tests.events import last_event
from tests.finance.books.balances import balances
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, status_and_due
from tests.finance.payments.payments import payment
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-31T09:00:00Z")


def items(office: Office, **filters: str) -> list[tuple[str, str]]:
    """The open items with what is open of each, in the order of their dates."""
    listed = office.ok("GET", "/finance/open-items", params={"sort": "date", **filters})
    return [(item["number"], item["open"]) for item in listed]


def item_id(office: Office, number: str, **filters: str) -> str:
    listed = office.ok("GET", "/finance/open-items", params={"q": number, **filters})
    (found,) = [item["id"] for item in listed if item["number"] == number]
    return str(found)


def entry(office: Office, contact_id: str, amount: str, against: str = "6850", **fields: str) -> str:
    """An entry by hand that credits a receivable, or debits it when below zero; its number."""
    sides = ("debit", "credit") if not amount.startswith("-") else ("credit", "debit")
    lines = [
        {"accountId": against, sides[0]: amount.lstrip("-")},
        {"accountId": "1100", sides[1]: amount.lstrip("-"), "contactId": contact_id},
    ]
    made = office.ok(
        "POST", "/finance/journals", {"date": "2026-03-20", "description": "By hand", "lines": lines} | fields
    )
    return str(made["number"])


def allocation(office: Office, source: str, target: str, amount: str, **fields: str) -> dict[str, str]:
    body = {"fromItemId": item_id(office, source), "toItemId": item_id(office, target), "amount": amount}
    made: dict[str, str] = office.ok("POST", "/finance/allocations", body | fields)
    return made


def check_is_silent(office: Office) -> None:
    router.close_all()
    path = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_every_posting_to_a_receivable_is_an_item(acme):
    globex = customer(acme)["id"]
    bill = invoice(acme, "100.00", customerId=globex, issueDate="2026-03-01", dueDate="2026-03-15")
    invoice(acme, "40.00", customerId=globex, issueDate="2026-03-02", kind="sales_credit_note", dueDate="2026-04-02")
    payment(acme, "30.00", contactId=globex, date="2026-03-03")
    by_hand = entry(acme, globex, "5.00")
    assert items(acme) == [
        ("INV-2026-00001", "100.00"),
        ("CN-2026-00001", "-40.00"),
        ("PAY-2026-00001", "-30.00"),
        (by_hand, "-5.00"),
    ]
    first, note, *_ = acme.ok("GET", "/finance/open-items", params={"sort": "date"})
    assert (first["documentType"], first["documentId"], first["side"]) == ("invoice", bill["id"], "receivable")
    assert (first["dueDate"], first["daysOverdue"], first["baseAmount"]) == ("2026-03-15", 16, "100.00")
    assert (note["dueDate"], note["daysOverdue"]) == ("2026-03-02", 0)  # a credit is due on its own date
    assert acme.ok("GET", f"/finance/contacts/{globex}")["balance"] == "25.00"
    check_is_silent(acme)


def test_a_refund_uses_up_the_credit_that_it_repays(acme):
    """AC-0: a receipt of 5,200.00 pays 5,124.16, and 75.84 is repaid."""
    bill = invoice(acme, "5124.16", issueDate="2026-03-01")
    receipt = payment(acme, "5200.00", allocations=[{"invoiceId": bill["id"], "amount": "5124.16"}], date="2026-03-02")
    credit = [{"paymentId": receipt["id"], "amount": "75.84"}]
    body = {"contactId": bill["customerId"], "amount": "75.84", "direction": "made", "settles": credit}
    refund = acme.ok("POST", "/finance/payments", body | {"date": "2026-03-05"})
    assert (refund["unallocatedAmount"], refund["allocations"][0]["paymentNumber"]) == ("0.00", receipt["number"])
    receipt = acme.ok("GET", f"/finance/payments/{receipt['id']}")
    assert (receipt["unallocatedAmount"], receipt["allocatedAmount"]) == ("0.00", "5200.00")
    assert items(acme) == []
    contact = acme.ok("GET", f"/finance/contacts/{bill['customerId']}")
    assert (contact["balance"], contact["unallocatedCredit"]) == ("0.00", "0.00")
    other = invoice(acme, "75.84", customerId=bill["customerId"])
    path, parts = f"/finance/payments/{receipt['id']}/allocations", [{"invoiceId": other["id"], "amount": "75.84"}]
    error = acme.refused("POST", path, {"allocations": parts}, status=422)
    assert error["details"][0]["message"] == f"{receipt['number']} is fully allocated."
    check_is_silent(acme)


def test_a_refund_of_a_credit_note_settles_it(acme):
    """AC-5: an invoice of 119.00 of which 150.00 were received, 31.00 repaid."""
    note = invoice(acme, "31.00", kind="sales_credit_note")
    body = {"direction": "made", "amount": "31.00", "settles": [{"creditNoteId": note["number"], "amount": "31.00"}]}
    acme.ok("POST", "/finance/payments", body)
    assert status_and_due(acme, note["id"]) == ("paid", "0.00")
    assert items(acme) == []


@pytest.mark.parametrize(
    ("credit", "field", "code"),
    [
        ({"paymentId": "PAY-2026-00001", "amount": "30.01"}, "settles[0].amount", "overpayment"),
        ({"paymentId": "PAY-2026-00099", "amount": "1.00"}, "settles[0].paymentId", "unknown_reference"),
        ({"amount": "1.00"}, "settles[0]", "exactly_one"),
        ({"paymentId": "PAY-2026-00001", "creditNoteId": "CN-1", "amount": "1.00"}, "settles[0]", "exactly_one"),
    ],
)
def test_no_more_than_is_left_of_a_credit_is_repaid(acme, credit, field, code):
    paid = payment(acme, "30.00", contactId=customer(acme)["id"])
    body = {"contactId": paid["contactId"], "amount": "50.00", "direction": "made", "settles": [credit]}
    error = acme.refused("POST", "/finance/payments", body, status=422)
    assert complaint(error) == (field, code)


def test_an_invoice_is_named_in_the_allocations_where_credits_are_repaid_too(acme):
    bill = invoice(acme, "30.00")
    body = {"invoiceId": bill["id"], "amount": "30.00", "settles": [{"paymentId": "PAY-1", "amount": "1.00"}]}
    assert complaint(acme.refused("POST", "/finance/payments", body, status=422)) == ("invoiceId", "exactly_one")


def test_money_received_does_not_repay_money_received(acme):
    paid = payment(acme, "30.00", contactId=customer(acme)["id"])
    credit = [{"paymentId": paid["id"], "amount": "30.00"}]
    error = acme.refused("POST", "/finance/payments", {"amount": "30.00", "settles": credit}, status=422)
    assert complaint(error) == ("settles[0].paymentId", "wrong_direction")


def test_a_void_payment_is_not_repaid(acme):
    paid = payment(acme, "30.00", contactId=customer(acme)["id"])
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    body = {"direction": "made", "amount": "30.00", "settles": [{"paymentId": paid["id"], "amount": "30.00"}]}
    error = acme.refused("POST", "/finance/payments", body, status=422)
    assert complaint(error) == ("settles[0].paymentId", "payment_void")


def test_a_void_refund_gives_the_credit_back(acme):
    paid = payment(acme, "30.00", contactId=customer(acme)["id"])
    body = {"direction": "made", "amount": "30.00", "settles": [{"paymentId": paid["id"], "amount": "30.00"}]}
    refund = acme.ok("POST", "/finance/payments", body)
    acme.ok("POST", f"/finance/payments/{refund['id']}/void", {})
    assert items(acme) == [(paid["number"], "-30.00")]
    check_is_silent(acme)


def test_a_bad_debt_booked_by_hand_closes_the_invoice_it_is_for(acme):
    bill = invoice(acme, "100.00", issueDate="2026-03-01", dueDate="2026-03-10")
    by_hand = entry(acme, bill["customerId"], "100.00")
    before = balances(acme)
    made = allocation(acme, by_hand, bill["number"], "100.00", date="2026-03-25")
    assert (made["fromNumber"], made["toNumber"], made["amount"]) == (by_hand, bill["number"], "100.00")
    assert status_and_due(acme, bill["id"]) == ("paid", "0.00")
    assert balances(acme) == before
    assert last_event(acme)[0] == "allocation.created"
    assert items(acme) == []
    assert items(acme, asOf="2026-03-24") == [(bill["number"], "100.00"), (by_hand, "-100.00")]
    assert acme.ok("GET", f"/finance/allocations/{made['id']}") == made
    acme.ok("POST", f"/finance/allocations/{made['id']}/release", {"date": "2026-03-30"})
    assert items(acme, asOf="2026-03-29") == []
    assert items(acme) == [(bill["number"], "100.00"), (by_hand, "-100.00")]
    assert last_event(acme)[0] == "allocation.released"
    acme.refused("POST", f"/finance/allocations/{made['id']}/release", {}, status=409, code="invalid_transition")
    check_is_silent(acme)


def test_a_receivable_taken_over_by_hand_is_paid_without_phantom_credit(acme):
    globex = customer(acme)["id"]
    old = entry(acme, globex, "-1190.00", "3900")
    paid = payment(acme, "1190.00", contactId=globex)
    allocation(acme, paid["number"], old, "1190.00")
    contact = acme.ok("GET", f"/finance/contacts/{globex}")
    assert (contact["balance"], contact["overdue"], contact["unallocatedCredit"]) == ("0.00", "0.00", "0.00")
    paid = acme.ok("GET", f"/finance/payments/{paid['id']}")
    assert (paid["unallocatedAmount"], paid["version"], paid["allocations"][0]["invoiceId"]) == ("0.00", 2, None)
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert items(acme) == [(old, "1190.00")]
    check_is_silent(acme)


def test_an_entry_whose_line_is_settled_is_reversed_only_after_its_release(acme):
    bill = invoice(acme, "100.00")
    by_hand = entry(acme, bill["customerId"], "100.00")
    made = allocation(acme, by_hand, bill["number"], "100.00")
    entry_id = acme.ok("GET", "/finance/journals", params={"q": by_hand})[0]["id"]
    error = acme.refused("POST", f"/finance/journals/{entry_id}/reverse", {}, status=409)
    assert (error["code"], error["message"]) == (
        "still_settled",
        f"{by_hand} is allocated to {bill['number']}. Remove the allocation first.",
    )
    acme.ok("POST", f"/finance/allocations/{made['id']}/release", {})
    acme.ok("POST", f"/finance/journals/{entry_id}/reverse", {})
    assert items(acme) == [(bill["number"], "100.00")]
    check_is_silent(acme)


def test_what_was_reversed_stays_so(acme):
    by_hand = entry(acme, customer(acme)["id"], "100.00")
    entry_id = acme.ok("GET", "/finance/journals", params={"q": by_hand})[0]["id"]
    acme.ok("POST", f"/finance/journals/{entry_id}/reverse", {})
    with acme.books():
        ((id,),) = router.WORKSPACE.rows("SELECT id FROM allocation")
    acme.refused("POST", f"/finance/allocations/{id}/release", {}, status=409, code="invalid_transition")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"toItemId": "PAY-2026-00001"}, "same_side"),
        ({"toItemId": "INV-2026-00002"}, "wrong_contact"),
        ({"toItemId": "INV-2026-00003"}, "wrong_currency"),
        ({"amount": "30.01"}, "too_large"),
        ({"amount": "0.001"}, "too_many_decimals"),
    ],
)
def test_items_that_do_not_fit_are_not_linked(acme, change, code):
    globex = customer(acme)["id"]
    invoice(acme, "100.00", customerId=globex)
    invoice(acme, "100.00")
    invoice(acme, "100.00", customerId=globex, currency="CHF", exchangeRate="1.1")
    payment(acme, "30.00", contactId=globex)
    by_hand = entry(acme, globex, "30.00")
    names = {"fromItemId": by_hand, "toItemId": "INV-2026-00001"} | change
    body = {"amount": "30.00"} | {
        name: item_id(acme, value) if name.endswith("Id") else value for name, value in names.items()
    }
    error = acme.refused("POST", "/finance/allocations", body, status=422)
    assert complaint(error)[1] == code


def test_nothing_is_taken_from_a_closed_item(acme):
    bill = invoice(acme, "100.00")
    id = item_id(acme, bill["number"])
    payment(acme, "100.00", invoiceId=bill["id"])
    by_hand = item_id(acme, entry(acme, bill["customerId"], "100.00"))
    body = {"fromItemId": by_hand, "toItemId": id, "amount": "100.00"}
    error = acme.refused("POST", "/finance/allocations", body, status=422)
    assert error["details"][0]["message"] == "INV-2026-00001 is fully allocated."


def test_an_exchange_difference_is_posted_to_the_account_of_the_items(acme):
    """1,000.00 USD at 0.92 are settled by an entry at 0.95: a gain of 30.00."""
    bill = invoice(acme, "1000.00", currency="USD", exchangeRate="0.92")
    foreign = {"currency": "USD", "foreignAmount": "1000.00"}
    lines = [
        {"accountId": "1010", "debit": "950.00"},
        {"accountId": "1100", "credit": "950.00", "contactId": bill["customerId"], **foreign},
    ]
    made = acme.ok("POST", "/finance/journals", {"date": "2026-03-31", "description": "Received", "lines": lines})
    linked = allocation(acme, made["number"], bill["number"], "1000.00")
    assert (linked["exchangeDifference"], linked["currency"]) == ("30.00", "USD")
    assert balances(acme) == {"1010": 95_000, "4000": -92_000, "4920": -3_000}
    check_is_silent(acme)


def test_a_document_worth_nothing_in_the_books_is_an_item_all_the_same(acme):
    globex = customer(acme)["id"]
    weak = {"currency": "IRR", "exchangeRate": "0.00002", "customerId": globex}
    bill = invoice(acme, "100.00", **weak)
    assert bill["journalEntryId"] is None
    (item,) = acme.ok("GET", "/finance/open-items")
    assert (item["open"], item["openBase"], item["entryId"]) == ("100.00", "0.00", None)
    paid = payment(acme, "100.00", invoiceId=bill["id"], exchangeRate="0.00002")
    assert (paid["journalEntryId"], paid["unallocatedAmount"], items(acme)) == (None, "0.00", [])
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    acme.ok("POST", f"/finance/invoices/{bill['id']}/void", {})
    assert items(acme) == []
    check_is_silent(acme)


def test_open_items_are_found_by_contact_side_currency_and_due_date(acme):
    globex = customer(acme, name="Globex")["id"]
    invoice(acme, "1.00", customerId=globex, issueDate="2026-03-01", dueDate="2026-03-15")
    initech = customer(acme, name="Initech")["id"]
    invoice(
        acme,
        "2.00",
        customerId=initech,
        issueDate="2026-03-02",
        dueDate="2026-04-15",
        currency="CHF",
        exchangeRate="1.1",
    )
    assert items(acme, contactId=globex) == [("INV-2026-00001", "1.00")]
    assert items(acme, currency="CHF") == [("INV-2026-00002", "2.00")]
    assert items(acme, due="2026-03-15") == [("INV-2026-00001", "1.00")]
    assert items(acme, isOverdue="true") == [("INV-2026-00001", "1.00")]
    assert items(acme, isOverdue="true", asOf="2026-03-15") == []
    assert items(acme, side="payable") == []
    assert items(acme, q="glob") == [("INV-2026-00001", "1.00")]
    sheet = acme.call("GET", "/finance/open-items", params={"format": "csv", "sort": "-date"}).text
    assert [row["openBase"] for row in csv.DictReader(io.StringIO(sheet))] == ["2.20", "1.00"]


def test_what_was_released_is_not_settled_again_before_its_release(acme):
    """In between it would have been settled twice."""
    bill = invoice(acme, "100.00", issueDate="2026-03-01")
    paid = payment(acme, "100.00", invoiceId=bill["id"], date="2026-03-02")
    path = f"/finance/payments/{paid['id']}/allocations"
    acme.ok("POST", f"{path}/{paid['allocations'][0]['id']}/release", {"date": "2026-03-20"})
    again = {"allocations": [{"invoiceId": bill["id"], "amount": "100.00"}]}
    error = acme.refused("POST", path, {**again, "date": "2026-03-19"}, status=422, code="dated_too_early")
    assert "or before the last removed allocation" in error["message"]
    acme.ok("POST", path, {**again, "date": "2026-03-20"})
    assert items(acme, asOf="2026-03-19") == items(acme, asOf="2026-03-20") == []
    assert items(acme, asOf="2026-03-01") == [(bill["number"], "100.00")]
    check_is_silent(acme)


def test_a_due_date_that_is_moved_moves_the_item(acme):
    bill = invoice(acme, "1.00", issueDate="2026-03-01", dueDate="2026-03-15")
    acme.ok("PATCH", f"/finance/invoices/{bill['id']}", {"dueDate": "2026-04-30"})
    assert [item["dueDate"] for item in acme.ok("GET", "/finance/open-items")] == ["2026-04-30"]
    assert items(acme, isOverdue="true") == []
    check_is_silent(acme)


def test_an_entry_is_not_reversed_before_what_settled_it_was_released(acme):
    """Otherwise more than all of it would have been used up on the days between."""
    globex = customer(acme)["id"]
    bill = invoice(acme, "100.00", customerId=globex, issueDate="2026-03-01")
    by_hand = entry(acme, globex, "40.00", date="2026-03-05")
    settled = allocation(acme, by_hand, bill["number"], "40.00", date="2026-03-06")
    (id,) = [each["id"] for each in acme.ok("GET", "/finance/journals") if each["number"] == by_hand]
    acme.refused("POST", f"/finance/journals/{id}/reverse", {"date": "2026-03-05"}, status=409, code="still_settled")
    acme.ok("POST", f"/finance/allocations/{settled['id']}/release", {"date": "2026-03-20"})
    error = acme.refused("POST", f"/finance/journals/{id}/reverse", {"date": "2026-03-19"}, status=422)
    assert error["message"] == "A reversal cannot be dated before 20 Mar 2026."
    acme.ok("POST", f"/finance/journals/{id}/reverse", {"date": "2026-03-20"})
    assert items(acme, asOf="2026-03-19") == [(bill["number"], "60.00")]
    assert items(acme, asOf="2026-03-20") == [(bill["number"], "100.00")]
    check_is_silent(acme)


def test_what_is_void_stays_so_also_where_it_was_worth_nothing(acme):
    paid = payment(acme, "1", contactId=customer(acme)["id"], currency="JPY", exchangeRate="0.0033", date="2026-03-01")
    assert paid["journalEntryId"] is None
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    with acme.books():
        ((reversal,),) = router.WORKSPACE.rows("SELECT id FROM allocation")
    error = acme.refused("POST", f"/finance/allocations/{reversal}/release", {}, status=409)
    assert error["message"] == f"{paid['number']} has already been reversed."
    assert items(acme) == []
