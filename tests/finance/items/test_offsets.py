"""Offsets: what a firm owes set against what it is owed, by one entry and without a bank."""

import pytest

from erp.store import router
from tests.crowds import all_at_once
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.documents.invoices import bill, invoice, status_and_due
from tests.finance.journals.journals import posted, postings
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems
from tests.refusals import complaint

OFFSETS = "/finance/offsets"


@pytest.fixture(autouse=True)
def _in_february(clock_at):
    clock_at("2026-02-10T09:00:00Z")


@pytest.fixture
def technik(acme):
    """A firm that buys and sells."""
    return acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Technik GmbH"})["id"]


@pytest.fixture
def sold(acme, technik):
    return invoice(acme, "500.00", customerId=technik, issueDate="2026-01-05")


@pytest.fixture
def bought(acme, technik):
    return bill(acme, "300.00", supplierId=technik, issueDate="2026-01-20")


def parts(*items):
    return [{"invoiceId": document["id"], "amount": amount} for document, amount in items]


def offset(office, contact, *items, **fields):
    return office.ok("POST", OFFSETS, {"contactId": contact, "items": parts(*items), **fields})


def refused(office, contact, items, status=422, **fields):
    return office.refused("POST", OFFSETS, {"contactId": contact, "items": items, **fields}, status=status)


def items(office, **filters):
    listed = office.ok("GET", "/finance/open-items", params={"sort": "date", **filters})
    return [(item["number"], item["open"]) for item in listed]


def test_an_invoice_is_set_against_a_bill(acme, technik, sold, bought):
    """AC-5: a receivable of 500.00 and a bill of 300.00 leave 200.00."""
    made = offset(acme, technik, (sold, "300.00"), (bought, "300.00"), note="As agreed by telephone")
    assert (made["number"], made["status"], made["date"]) == ("OFF-2026-00001", "posted", "2026-02-10")
    assert (made["amount"], made["currency"], made["contactName"]) == ("300.00", "EUR", "Technik GmbH")
    settled = [(item["number"], item["side"], item["amount"]) for item in made["items"]]
    assert settled == [(sold["number"], "receivable", "300.00"), (bought["number"], "payable", "-300.00")]
    assert postings(acme, made["journalEntryId"]) == {"1100": (-30_000, technik), "2000": (30_000, technik)}
    assert status_and_due(acme, sold["id"]) == ("partially_paid", "200.00")
    assert status_and_due(acme, bought["id"]) == ("paid", "0.00")
    assert items(acme) == [(sold["number"], "200.00")]
    assert owed_by(acme, technik) == 20_000
    entry = acme.ok("GET", f"/finance/journals/{made['journalEntryId']}")
    assert (entry["kind"], entry["source"]) == ("offset", {"type": "offset", "id": made["id"]})
    type, data = last_event(acme)
    assert (type, data["number"], [item["number"] for item in data["items"]]) == (
        "offset.posted",
        "OFF-2026-00001",
        [sold["number"], bought["number"]],
    )
    assert acme.ok("GET", f"{OFFSETS}/{made['id']}") == made
    assert acme.ok("GET", OFFSETS, params={"contactId": technik, "dateTo": "2026-02-10"}) == [made]
    assert acme.ok("GET", OFFSETS, params={"status": "void", "dateFrom": "2026-02-11"}) == []
    assert problems(acme) == []


def test_an_invoice_credited_and_paid_needs_no_bank_for_the_credit(acme, technik):
    """AC-5: 952.00 with a credit note over 119.00 and a receipt of 833.00 is 0.00; no bank line of 119.00."""
    sold = invoice(acme, "952.00", customerId=technik)
    note = invoice(acme, "119.00", customerId=technik, kind="sales_credit_note")
    payment(acme, "833.00", invoiceId=sold["id"])
    ids = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    body = {"fromItemId": ids[note["number"]], "toItemId": ids[sold["number"]], "amount": "119.00"}
    acme.ok("POST", "/finance/allocations", body)
    assert items(acme) == []
    assert status_and_due(acme, sold["id"]) == ("paid", "0.00")
    assert balances(acme) == {"1010": 83_300, "4000": -83_300}


def test_credits_of_both_sides_join_in(acme, technik, sold, bought):
    """500.00 owed less a credit note of 100.00 and money on account of 100.00 against a bill of 300.00."""
    note = invoice(acme, "100.00", customerId=technik, kind="sales_credit_note")
    paid = payment(acme, "100.00", contactId=technik)
    by_hand = {"paymentId": paid["number"], "amount": "100.00"}
    body = parts((sold, "500.00"), (note, "100.00"), (bought, "300.00"))
    made = acme.ok("POST", OFFSETS, {"contactId": technik, "items": [*body, by_hand]})
    assert made["amount"] == "500.00"
    assert items(acme) == []
    assert [status_and_due(acme, each["id"])[0] for each in (sold, note, bought)] == ["paid"] * 3
    shown = acme.ok("GET", f"/finance/payments/{paid['id']}")
    assert (shown["unallocatedAmount"], shown["version"], shown["can"]) == ("0.00", 2, [])
    assert problems(acme) == []


def test_a_void_offset_opens_its_items_again(acme, technik, sold, bought):
    made = offset(acme, technik, (sold, "300.00"), (bought, "300.00"), date="2026-01-31")
    shown = acme.ok("POST", f"{OFFSETS}/{made['id']}/void", {"reason": "Not agreed", "date": "2026-02-05"})
    assert (shown["status"], shown["voidReason"], shown["can"]) == ("void", "Not agreed", [])
    assert made["can"] == ["void"]
    assert items(acme) == [(sold["number"], "500.00"), (bought["number"], "-300.00")]
    assert items(acme, asOf="2026-02-04") == [(sold["number"], "200.00")]
    assert status_and_due(acme, bought["id"]) == ("issued", "300.00")
    assert balances(acme) == {"1100": 50_000, "2000": -30_000, "4000": -50_000, "5000": 30_000}
    acme.refused("POST", f"{OFFSETS}/{made['id']}/void", {}, status=409, code="invalid_transition")
    assert problems(acme) == []
    assert offset(acme, technik, (sold, "300.00"), (bought, "300.00"))["number"] == "OFF-2026-00002"


def test_an_offset_is_not_voided_before_its_date_or_in_a_locked_period(acme, technik, sold, bought):
    made = offset(acme, technik, (sold, "300.00"), (bought, "300.00"), date="2026-01-31")
    path = f"{OFFSETS}/{made['id']}/void"
    acme.refused("POST", path, {"date": "2026-01-30"}, status=422, code="dated_too_early")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-09", "reason": "Tax return"})
    acme.refused("POST", path, {"date": "2026-02-01"}, status=409, code="period_locked")
    error = refused(acme, technik, parts((sold, "200.00"), (bought, "200.00")), date="2026-02-01")
    assert complaint(error)[1] == "nothing_left"


def test_nothing_is_offset_in_a_locked_period(acme, technik, sold, bought):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-09", "reason": "Tax return"})
    refused(acme, technik, parts((sold, "300.00"), (bought, "300.00")), status=409, date="2026-02-01")
    assert items(acme) == [(sold["number"], "500.00"), (bought["number"], "-300.00")]


def test_a_part_of_an_offset_is_not_released_by_itself(acme, technik, sold, bought):
    paid = payment(acme, "300.00", contactId=technik)
    named = [*parts((sold, "400.00"), (bought, "300.00")), {"paymentId": paid["id"], "amount": "100.00"}]
    made = acme.ok("POST", OFFSETS, {"contactId": technik, "items": named})
    ((allocation,), number) = acme.ok("GET", f"/finance/payments/{paid['id']}")["allocations"], made["number"]
    said = f"This allocation is part of offset {number}. Void the offset instead."
    for path in (
        f"/finance/allocations/{allocation['id']}/release",
        f"/finance/payments/{paid['id']}/allocations/{allocation['id']}/release",
        f"/finance/payments/{paid['id']}/void",
    ):
        assert acme.refused("POST", path, {}, status=409, code="invalid_transition")["message"] == said
    error = acme.refused("POST", f"/finance/journals/{made['journalEntryId']}/reverse", {}, status=409)
    assert error["message"] == f"This entry belongs to offset {number}. Void the offset instead."
    acme.ok("POST", f"{OFFSETS}/{made['id']}/void", {})
    assert acme.ok("GET", f"/finance/payments/{paid['id']}")["can"] == ["allocate", "void"]
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert problems(acme) == []


def test_dollars_that_are_worth_other_amounts_leave_a_realised_difference(acme, technik):
    """1,000.00 USD owed at 0.92 against a bill of 1,000.00 USD at 0.95: 950.00 of debt for 920.00, a gain of 30.00."""
    dollars = {"currency": "USD", "issueDate": "2026-01-22"}
    sold = invoice(acme, "1000.00", customerId=technik, exchangeRate="0.92", **dollars)
    bought = bill(acme, "1000.00", supplierId=technik, exchangeRate="0.95", **dollars)
    made = offset(acme, technik, (sold, "1000.00"), (bought, "1000.00"))
    assert posted(acme, made["journalEntryId"]) == {"1100": -92_000, "2000": 95_000, "4920": -3_000}
    assert items(acme) == []
    assert balances(acme) == {"4000": -92_000, "4920": -3_000, "5000": 95_000}
    assert problems(acme) == []
    acme.ok("POST", f"{OFFSETS}/{made['id']}/void", {})
    assert balances(acme) == {"1100": 92_000, "2000": -95_000, "4000": -92_000, "5000": 95_000}
    assert problems(acme) == []


@pytest.mark.parametrize(
    ("changed", "field", "code"),
    [
        ([{"amount": "299.99"}, {}], "items", "unbalanced"),
        ([{"amount": "500.01"}, {}], "items[0].amount", "too_large"),
        ([{"amount": "0.001"}, {}], "items[0].amount", "too_many_decimals"),
        ([{"invoiceId": "INV-1999-00001"}, {}], "items[0].invoiceId", "unknown_reference"),
        ([{"paymentId": "PAY-2026-00001"}, {}], "items[0]", "exactly_one"),
        ([{"invoiceId": None}, {}], "items[0]", "exactly_one"),
        ([{}, {}, {}], "items[2].invoiceId", "repeated"),
    ],
)
def test_what_does_not_fit_is_refused(acme, technik, sold, bought, changed, field, code):
    bodies = [*parts((sold, "300.00"), (bought, "300.00"), (sold, "1.00"))]
    bodies = [{k: v for k, v in (body | change).items() if v} for body, change in zip(bodies, changed, strict=False)]
    assert complaint(refused(acme, technik, bodies)) == (field, code)
    assert items(acme) == [(sold["number"], "500.00"), (bought["number"], "-300.00")]


def test_items_of_other_contacts_and_currencies_do_not_join_in(acme, technik, bought):
    other = invoice(acme, "300.00")
    error = refused(acme, technik, parts((other, "300.00"), (bought, "300.00")))
    assert complaint(error) == ("items[0].invoiceId", "wrong_contact")
    dollars = invoice(acme, "300.00", customerId=technik, currency="USD", exchangeRate="0.92")
    error = refused(acme, technik, parts((dollars, "300.00"), (bought, "300.00")))
    assert complaint(error) == ("items[1].invoiceId", "wrong_currency")
    draft = invoice(acme, "300.00", customerId=technik, draft=True)
    error = refused(acme, technik, parts((draft, "300.00"), (bought, "300.00")))
    assert complaint(error) == ("items[0].invoiceId", "nothing_left")


def test_items_of_one_account_are_allocated_instead(acme, technik, sold):
    note = invoice(acme, "100.00", customerId=technik, kind="sales_credit_note")
    error = refused(acme, technik, parts((sold, "100.00"), (note, "100.00")))
    assert complaint(error) == ("items", "same_account")


def test_an_offset_is_not_dated_before_its_items(acme, technik, sold, bought):
    error = refused(acme, technik, parts((sold, "300.00"), (bought, "300.00")), date="2026-01-19")
    assert error["code"] == "dated_too_early"
    assert offset(acme, technik, (sold, "300.00"), (bought, "300.00"), date="2026-01-20")["date"] == "2026-01-20"


def test_one_of_sixteen_who_try_at_once_uses_a_credit(acme, technik, sold, bought, monkeypatch):
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)
    body = {"contactId": technik, "items": parts((sold, "300.00"), (bought, "300.00"))}
    _, statuses = all_at_once(acme, [(OFFSETS, body)] * 16)
    assert statuses == {201: 1, 422: 15}
    assert items(acme) == [(sold["number"], "200.00")]
    (made,) = acme.ok("GET", OFFSETS)
    _, statuses = all_at_once(acme, [(f"{OFFSETS}/{made['id']}/void", {})] * 16)
    assert statuses == {200: 1, 409: 15}
    assert owed_by(acme, technik) == 20_000
    assert problems(acme) == []


def test_a_deposit_is_not_offset_as_its_tax_is_due_when_it_is_paid(acme, technik, bought):
    asked = invoice(acme, "300.00", customerId=technik, kind="deposit_invoice", issueDate="2026-01-05")
    error = refused(acme, technik, parts((asked, "300.00"), (bought, "300.00")))
    assert complaint(error) == ("items[0].invoiceId", "deposit")
    assert items(acme) == [(asked["number"], "300.00"), (bought["number"], "-300.00")]


def test_a_doubtful_invoice_is_offset_where_it_stands(acme, technik, sold, bought):
    body = {"category": "doubtful", "reason": "Insolvent"}
    acme.ok("POST", f"/finance/invoices/{sold['id']}/write-off", body)
    offset(acme, technik, (sold, "300.00"), (bought, "300.00"))
    assert items(acme) == [(sold["number"], "200.00")]
    assert balances(acme)["1150"] == 20_000
    assert problems(acme) == []
