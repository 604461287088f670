"""Payments: what they post, what they refuse, how they are listed and voided."""

import pytest

from erp.finance.books.models import JournalEntry, Posting
from erp.finance.payments.bodies import AllocationRelease, NewAllocations, NewPayment, PaymentVoid
from erp.store.router import WORKSPACE
from erp.system.checks import files as checking
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, status_and_due
from tests.finance.journals.journals import postings
from tests.finance.payments.payments import payment
from tests.refusals import complaint

pytestmark = pytest.mark.usefixtures("in_march")


@pytest.fixture
def in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def test_a_payment_moves_the_money_from_the_receivable_to_the_bank(acme):
    made = invoice(acme, "100.00")
    paid = payment(acme, "100.00", invoiceId=made["id"])
    assert postings(acme, paid["journalEntryId"]) == {"1010": (10_000, None), "1100": (-10_000, paid["contactId"])}
    assert status_and_due(acme, made["id"]) == ("paid", "0.00")
    assert balances(acme) == {"1010": 10_000, "4000": -10_000}


def test_a_payment_may_name_the_invoice_by_its_number(acme):
    made = invoice(acme, "100.00")
    assert made["number"] == "INV-2026-00001"
    paid = payment(acme, "100.00", invoiceId="INV-2026-00001")
    assert paid["allocations"][0]["invoiceId"] == made["id"]
    assert paid["allocations"][0]["invoiceNumber"] == "INV-2026-00001"


def test_a_payment_shows_everything_that_was_entered_and_what_it_settles(acme):
    made = invoice(acme, "60.00")
    paid = payment(
        acme,
        "100.00",
        allocations=[{"invoiceId": made["id"], "amount": "60.00"}],
        method="check",
        date="2026-03-05",
        reference="No. 77",
        note="By post",
    )
    assert paid["number"] == "PAY-2026-00001"
    assert paid["contactId"] == made["customerId"]
    assert paid["contactName"] == "Globex"
    assert (paid["allocatedAmount"], paid["unallocatedAmount"]) == ("60.00", "40.00")
    assert (paid["method"], paid["date"], paid["reference"], paid["note"]) == (
        "check",
        "2026-03-05",
        "No. 77",
        "By post",
    )
    assert (paid["status"], paid["direction"], paid["feeAmount"], paid["exchangeRate"]) == (
        "posted",
        "received",
        None,
        None,
    )
    (allocation,) = paid["allocations"]
    assert (allocation["amount"], allocation["exchangeDifference"], allocation["releasedOn"]) == ("60.00", "0.00", None)
    assert acme.ok("GET", f"/finance/payments/{paid['id']}") == paid
    assert acme.call("GET", f"/finance/payments/{paid['id']}").headers["etag"] == '"1"'


def test_a_payment_is_of_today_by_bank_transfer_to_the_bank_unless_it_says_otherwise(acme):
    paid = payment(acme, "5.00", contactId=customer(acme)["id"])
    assert (paid["date"], paid["method"]) == ("2026-03-10", "bank_transfer")
    bank = next(account for account in acme.ok("GET", "/finance/accounts") if account["code"] == "1010")
    assert paid["accountId"] == bank["id"]


def test_cash_goes_to_the_account_that_is_named_by_its_code(acme):
    paid = payment(acme, "5.00", contactId=customer(acme)["id"], method="cash", accountId="1000")
    assert postings(acme, paid["journalEntryId"])["1000"] == (500, None)


@pytest.mark.parametrize("code", ["1100", "2000", "2200", "1500", "4000", "6800", "3000"])
def test_money_is_received_only_on_an_account_that_holds_money(acme, code):
    body = {"contactId": customer(acme)["id"], "amount": "5.00", "accountId": code}
    error = acme.refused("POST", "/finance/payments", body, status=422)
    assert complaint(error) == ("accountId", "unsuitable_account")


def test_an_unknown_account_or_contact_or_invoice_is_named_by_its_field(acme):
    body = {"amount": "5.00", "contactId": customer(acme)["id"]}
    for field, value in (("accountId", "9999"), ("contactId", "nobody"), ("invoiceId", "INV-2026-09999")):
        error = acme.refused("POST", "/finance/payments", body | {field: value}, status=422, code="unknown_reference")
        assert complaint(error) == (field, "unknown_reference")


def test_a_bank_fee_is_our_cost_and_not_the_customers(acme):
    made = invoice(acme, "100.00")
    paid = payment(acme, "100.00", invoiceId=made["id"], feeAmount="1.50")
    expected = {"1010": (9_850, None), "1100": (-10_000, made["customerId"]), "6800": (150, None)}
    assert postings(acme, paid["journalEntryId"]) == expected
    assert paid["feeAmount"] == "1.50"


def test_a_fee_of_nothing_posts_nothing(acme):
    paid = payment(acme, "100.00", contactId=customer(acme)["id"], feeAmount="0.00")
    assert postings(acme, paid["journalEntryId"]).keys() == {"1010", "1100"}


@pytest.mark.parametrize("fee", ["100.00", "100.01"])
def test_a_fee_must_leave_something_of_the_money_received(acme, fee):
    body = {"contactId": customer(acme)["id"], "amount": "100.00", "feeAmount": fee}
    assert complaint(acme.refused("POST", "/finance/payments", body, status=422)) == ("feeAmount", "too_large")


def test_a_refund_of_a_credit_note_goes_out_of_the_bank_with_its_fee(acme):
    note = invoice(acme, "80.00", kind="sales_credit_note")
    paid = payment(acme, "80.00", direction="made", invoiceId=note["number"], feeAmount="0.30")
    expected = {"1010": (-8_030, None), "1100": (8_000, note["customerId"]), "6800": (30, None)}
    assert postings(acme, paid["journalEntryId"]) == expected
    assert status_and_due(acme, note["id"]) == ("paid", "0.00")
    assert owed_by(acme, note["customerId"]) == 0


def test_a_payment_to_a_supplier_lowers_what_is_payable(acme):
    supplier = customer(acme, "Initech", kind="supplier")["id"]
    paid = payment(acme, "20.00", direction="made", contactId=supplier)
    assert postings(acme, paid["journalEntryId"]) == {"1010": (-2_000, None), "2000": (2_000, supplier)}


def test_a_payment_made_to_a_customer_is_against_the_receivable(acme):
    globex = customer(acme)["id"]
    paid = payment(acme, "20.00", direction="made", contactId=globex)
    assert postings(acme, paid["journalEntryId"]) == {"1010": (-2_000, None), "1100": (2_000, globex)}


def test_a_payment_needs_a_contact_or_an_invoice(acme):
    error = acme.refused("POST", "/finance/payments", {"amount": "5.00"}, status=422)
    assert complaint(error) == ("contactId", "required")


def test_a_wrong_amount_is_named_once_also_where_it_pays_an_invoice(acme):
    body = {"amount": "5.001", "invoiceId": invoice(acme, "100.00")["id"]}
    error = acme.refused("POST", "/finance/payments", body, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("amount", "too_many_decimals")]


def test_one_invoice_or_several_but_not_both_ways_at_once(acme):
    made = invoice(acme, "100.00")
    body = {"amount": "5.00", "invoiceId": made["id"], "allocations": [{"invoiceId": made["id"], "amount": "5.00"}]}
    assert complaint(acme.refused("POST", "/finance/payments", body, status=422)) == ("invoiceId", "exactly_one")


def test_every_wrong_field_is_named_at_once(acme):
    body = {"amount": "5.00", "currency": "XXX", "accountId": "4000", "invoiceId": "INV-1"}
    error = acme.refused("POST", "/finance/payments", body, status=422, code="validation_failed")
    assert {detail["field"] for detail in error["details"]} == {"currency", "accountId", "invoiceId"}


def test_an_amount_has_no_more_decimals_than_its_currency(acme):
    body = {"contactId": customer(acme)["id"], "amount": "5.001", "feeAmount": "0.001"}
    error = acme.refused("POST", "/finance/payments", body, status=422)
    assert [(detail["field"], detail["code"]) for detail in error["details"]] == [
        ("amount", "too_many_decimals"),
        ("feeAmount", "too_many_decimals"),
    ]


@pytest.mark.parametrize("amount", ["0", "-5.00", "ten", ""])
def test_an_amount_is_above_zero(acme, amount):
    error = acme.refused("POST", "/finance/payments", {"contactId": "x", "amount": amount}, status=422)
    assert error["details"][0]["field"] == "amount"


def test_a_foreign_payment_needs_a_rate_and_one_in_the_base_currency_takes_none(acme):
    globex = customer(acme)["id"]
    foreign = {"contactId": globex, "amount": "5.00", "currency": "CHF"}
    error = acme.refused("POST", "/finance/payments", foreign, status=422)
    assert complaint(error) == ("exchangeRate", "required")
    base = {"contactId": globex, "amount": "5.00", "exchangeRate": "1.1"}
    error = acme.refused("POST", "/finance/payments", base, status=422)
    assert complaint(error) == ("exchangeRate", "not_needed")


def test_a_foreign_payment_is_posted_at_its_rate_and_keeps_the_foreign_amounts(acme):
    globex = customer(acme)["id"]
    paid = payment(acme, "10.01", contactId=globex, currency="CHF", exchangeRate="0.5", feeAmount="0.33")
    assert paid["exchangeRate"] == "0.5"
    with acme.books():
        rows = list(Posting.select().where(Posting.entry == paid["journalEntryId"]).order_by(Posting.line))
        legs = [(row.amount, row.currency, row.foreign_amount) for row in rows]
    assert legs == [(-501, "CHF", -1001), (17, "CHF", 33), (484, "CHF", 968)]


def test_an_invoice_worth_less_than_a_cent_of_the_books_is_paid_without_a_posting(acme):
    """0.01 at 0.001 is 0.00001, which the books cannot hold: neither document moves them."""
    rate = {"currency": "CHF", "exchangeRate": "0.001"}
    made = invoice(acme, "0.01", **rate)
    assert (made["journalEntryId"], made["status"], made["amountDue"]) == (None, "issued", "0.01")
    paid = payment(acme, "0.01", invoiceId=made["id"], **rate)
    assert (paid["journalEntryId"], paid["allocatedAmount"]) == (None, "0.01")
    assert paid["allocations"][0]["exchangeDifference"] == "0.00"
    assert status_and_due(acme, made["id"]) == ("paid", "0.00")
    assert (balances(acme), owed_by(acme, made["customerId"])) == ({}, 0)
    assert "entries" not in last_event(acme)[1]
    assert acme.ok("GET", "/finance/payments", params={"invoiceId": made["id"]}) == [paid]
    assert acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})["status"] == "void"
    assert status_and_due(acme, made["id"]) == ("issued", "0.01")
    assert balances(acme) == {}


def test_parts_worth_less_than_a_cent_of_the_books_add_up_to_what_the_invoice_is_worth(acme):
    """0.02 at 0.4 is 0.008, booked as 0.01; each part of 0.01 is 0.004, which is 0.00: the cent is an exchange loss."""
    rate = {"currency": "CHF", "exchangeRate": "0.4"}
    made = invoice(acme, "0.02", **rate)
    for status, due in (("partially_paid", "0.01"), ("paid", "0.00")):
        payment(acme, "0.01", invoiceId=made["id"], **rate)
        assert status_and_due(acme, made["id"]) == (status, due)
    assert balances(acme) == {"4000": -1, "6910": 1}
    assert owed_by(acme, made["customerId"]) == 0


def test_money_on_account_worth_less_than_a_cent_settles_an_invoice_later(acme):
    rate = {"currency": "CHF", "exchangeRate": "0.001"}
    made = invoice(acme, "0.01", **rate)
    paid = payment(acme, "0.01", contactId=made["customerId"], **rate)
    part = {"allocations": [{"invoiceId": made["id"], "amount": "0.01"}]}
    acme.ok("POST", f"/finance/payments/{paid['id']}/allocations", part)
    assert status_and_due(acme, made["id"]) == ("paid", "0.00")
    with acme.books():
        assert rules_broken() == []


def test_the_fee_of_a_payment_worth_nothing_is_posted_all_the_same(acme):
    note = invoice(acme, "0.01", kind="sales_credit_note", currency="CHF", exchangeRate="0.001")
    rate = {"currency": "CHF", "exchangeRate": "0.001"}
    paid = payment(acme, "0.01", direction="made", invoiceId=note["id"], feeAmount="20.00", **rate)
    assert balances(acme) == {"1010": -2, "6800": 2}
    path = f"/finance/payments/{paid['id']}/allocations/{paid['allocations'][0]['id']}/release"
    acme.ok("POST", path, {})
    part = {"allocations": [{"invoiceId": note["id"], "amount": "0.01"}]}
    acme.ok("POST", f"/finance/payments/{paid['id']}/allocations", part)
    assert status_and_due(acme, note["id"]) == ("paid", "0.00")


def rules_broken():
    """What `erp check` would find in the open file about documents."""
    return [rule.sentence for rules in checking.DOCUMENTS for rule in rules if WORKSPACE.rows(rule.query)]


def test_a_foreign_payment_too_large_for_the_books_is_refused(acme):
    body = {"contactId": customer(acme)["id"], "amount": "99999999999999.99", "currency": "CHF", "exchangeRate": "2"}
    assert complaint(acme.refused("POST", "/finance/payments", body, status=422)) == ("amount", "out_of_range")


def test_money_in_one_foreign_currency_does_not_go_to_an_account_in_another(acme):
    account = {"code": "1020", "name": "Bank in yen", "type": "asset", "subtype": "bank", "currency": "JPY"}
    acme.ok("POST", "/finance/accounts", account)
    body = {"contactId": customer(acme)["id"], "amount": "5.00", "accountId": "1020"}
    assert complaint(acme.refused("POST", "/finance/payments", body, status=422)) == ("accountId", "wrong_currency")


def test_an_unknown_currency_is_named(acme):
    body = {"contactId": customer(acme)["id"], "amount": "5.00", "currency": "XXX"}
    assert complaint(acme.refused("POST", "/finance/payments", body, status=422)) == ("currency", "unknown_currency")


def test_an_archived_contact_still_pays_what_is_open_but_nothing_on_account(acme):
    contact_id = customer(acme)["id"]
    made = invoice(acme, "10.00", customerId=contact_id)
    acme.ok("POST", f"/finance/contacts/{contact_id}/archive", {})
    body = {"contactId": contact_id, "amount": "10.00"}
    assert complaint(acme.refused("POST", "/finance/payments", body, status=422)) == ("contactId", "archived")
    assert payment(acme, **body, invoiceId=made["id"])["unallocatedAmount"] == "0.00"
    assert status_and_due(acme, made["id"]) == ("paid", "0.00")


def test_payments_are_sorted_by_number_not_by_its_text(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"numberFormats": {"payment": "P{seq}"}})
    contact_id = customer(acme)["id"]
    for _ in range(10):
        payment(acme, "1.00", contactId=contact_id)
    listed = acme.ok("GET", "/finance/payments", params={"sort": "number"})
    assert [payment["number"] for payment in listed] == [f"P{seq}" for seq in range(1, 11)]


def test_a_payment_in_a_locked_period_is_refused(acme):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-28", "reason": "Closed"})
    body = {"contactId": customer(acme)["id"], "amount": "5.00", "date": "2026-02-28"}
    acme.refused("POST", "/finance/payments", body, status=409, code="period_locked")
    assert payment(acme, **body | {"date": "2026-03-01"})["number"] == "PAY-2026-00001"


def test_a_refused_payment_takes_no_number_and_leaves_no_trace(acme):
    made = invoice(acme, "10.00")
    before = balances(acme)
    body = {"amount": "10.01", "invoiceId": made["id"]}
    acme.refused("POST", "/finance/payments", body, status=422)
    assert balances(acme) == before
    assert payment(acme, "10.00", invoiceId=made["id"])["number"] == "PAY-2026-00001"


def test_a_recorded_payment_is_one_event_with_its_entry_and_allocations(acme):
    made = invoice(acme, "10.00")
    paid = payment(acme, "10.00", invoiceId=made["id"])
    type, data = last_event(acme)
    assert type == "payment.posted"
    assert (data["number"], data["amount"], data["currency"]) == (paid["number"], "10.00", made["currency"])
    assert [each["invoiceId"] for each in data["allocations"]] == [made["id"]]
    assert [each["id"] for each in data["entries"]] == [paid["journalEntryId"]]


def test_the_documented_examples_work(acme):
    invoice(acme, "500.00")
    paid = acme.ok("POST", "/finance/payments", NewPayment.EXAMPLE)
    path = f"/finance/payments/{paid['id']}"
    acme.ok("POST", f"{path}/allocations/{paid['allocations'][0]['id']}/release", AllocationRelease.EXAMPLE)
    shown = acme.ok("POST", f"{path}/allocations", NewAllocations.EXAMPLE)
    assert shown["allocatedAmount"] == "25.00"
    assert acme.ok("POST", f"{path}/void", PaymentVoid.EXAMPLE)["status"] == "void"


def test_a_repeated_request_is_paid_once(acme):
    made = invoice(acme, "10.00")
    body, headers = {"amount": "5.00", "invoiceId": made["id"]}, {"Idempotency-Key": "one"}
    first, second = (acme.ok("POST", "/finance/payments", body, headers=headers) for _ in range(2))
    assert first == second
    assert status_and_due(acme, made["id"]) == ("partially_paid", "5.00")


def test_a_viewer_sees_payments_and_records_none(acme):
    payment(acme, "5.00", contactId=customer(acme)["id"])
    viewer = acme.colleague("viewer")
    assert len(viewer.ok("GET", "/finance/payments")) == 1
    viewer.refused("POST", "/finance/payments", {"contactId": "x", "amount": "5.00"}, status=403, code="forbidden")


def test_the_stranger_sees_no_payment_of_ours_and_pays_no_invoice(acme, stranger):
    made = invoice(acme, "10.00")
    paid = payment(acme, "5.00", invoiceId=made["id"])
    stranger.refused("GET", f"/finance/payments/{paid['id']}", status=404, code="not_found")
    body = {"amount": "5.00", "invoiceId": made["id"]}
    stranger.refused("POST", "/finance/payments", body, status=422, code="unknown_reference")
    stranger.refused("POST", f"/finance/payments/{paid['id']}/void", {}, status=404)
    assert stranger.ok("GET", "/finance/payments") == []


def test_a_voided_payment_is_mirrored_and_what_it_paid_is_due_again(acme):
    made = invoice(acme, "100.00")
    paid = payment(acme, "100.00", invoiceId=made["id"], date="2026-03-01")
    voided = acme.ok("POST", f"/finance/payments/{paid['id']}/void", {"reason": "Bounced"})
    assert (voided["status"], voided["voidReason"]) == ("void", "Bounced")
    assert (voided["allocatedAmount"], voided["unallocatedAmount"]) == ("0.00", "0.00")
    assert voided["allocations"][0]["releasedOn"] == "2026-03-10"
    assert status_and_due(acme, made["id"]) == ("issued", "100.00")
    assert balances(acme) == {"1100": 10_000, "4000": -10_000}
    with acme.books():
        mirror = JournalEntry.get(JournalEntry.reverses == paid["journalEntryId"])
        assert mirror.date.isoformat() == "2026-03-10"
    type, data = last_event(acme)
    assert (type, [each["id"] for each in data["entries"]]) == ("payment.void", [mirror.id])


def test_a_payment_is_voided_once(acme):
    paid = payment(acme, "5.00", contactId=customer(acme)["id"])
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    acme.refused("POST", f"/finance/payments/{paid['id']}/void", {}, status=409, code="invalid_transition")


def test_a_payment_is_not_voided_before_its_day(acme):
    paid = payment(acme, "5.00", contactId=customer(acme)["id"], date="2026-03-05")
    path = f"/finance/payments/{paid['id']}/void"
    error = acme.refused("POST", path, {"date": "2026-03-04"}, status=422, code="dated_too_early")
    assert error["details"][0]["field"] == "date"
    acme.ok("POST", path, {"date": "2026-03-05"})


def test_neither_document_is_voided_before_their_allocation_was_released(acme):
    """Otherwise the books would show the exchange difference on days without its cause."""
    dollars = {"issueDate": "2026-01-10", "currency": "USD", "exchangeRate": "0.9"}
    made = invoice(acme, "100.00", **dollars)
    paid = payment(acme, "50.00", invoiceId=made["id"], date="2026-01-20", exchangeRate="0.8")
    path = f"/finance/payments/{paid['id']}/allocations/{paid['allocations'][0]['id']}/release"
    acme.ok("POST", path, {"date": "2026-03-01"})
    for document in (f"/finance/payments/{paid['id']}/void", f"/finance/invoices/{made['id']}/void"):
        acme.refused("POST", document, {"date": "2026-02-28"}, status=422, code="dated_too_early")
        assert acme.ok("POST", document, {"date": "2026-03-01"})["status"] == "void"
    assert balances(acme) == {}


def test_a_payment_with_a_future_date_is_voided_on_that_date_by_default(acme):
    paid = payment(acme, "5.00", contactId=customer(acme)["id"], date="2026-03-20", allowFuture=True)
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    with acme.books():
        assert JournalEntry.get(JournalEntry.reverses == paid["journalEntryId"]).date.isoformat() == "2026-03-20"


def test_a_payment_of_a_locked_period_is_voided_in_an_open_one(acme):
    paid = payment(acme, "5.00", contactId=customer(acme)["id"], date="2026-02-05")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-28", "reason": "Closed"})
    path = f"/finance/payments/{paid['id']}/void"
    acme.refused("POST", path, {"date": "2026-02-20"}, status=409, code="period_locked")
    assert acme.ok("POST", path, {})["status"] == "void"


def test_a_stale_version_voids_nothing(acme):
    paid = payment(acme, "5.00", contactId=customer(acme)["id"])
    path, stale = f"/finance/payments/{paid['id']}/void", {"If-Match": '"7"'}
    acme.refused("POST", path, {}, status=412, code="version_mismatch", headers=stale)
    assert acme.ok("POST", path, {}, headers={"If-Match": '"1"'})["version"] == 2


def numbers(office, **params):
    return [
        int(each["number"][-1]) for each in office.ok("GET", "/finance/payments", params={"sort": "number"} | params)
    ]


def test_payments_are_found_by_every_filter(acme):
    globex, initech = customer(acme)["id"], customer(acme, "Initech")["id"]
    bill = invoice(acme, "100.00", customerId=globex)
    payment(acme, "30.00", invoiceId=bill["id"], date="2026-01-15", method="card", reference="Terminal 3")
    payment(acme, "20.00", contactId=initech, date="2026-02-15", method="cash", accountId="1000", note="50% off")
    third = payment(acme, "10.00", direction="made", contactId=globex, date="2026-03-01")
    acme.ok("POST", f"/finance/payments/{third['id']}/void", {})
    assert numbers(acme) == [1, 2, 3]
    assert numbers(acme, contactId=globex) == [1, 3]
    assert numbers(acme, invoiceId=bill["id"]) == numbers(acme, invoiceId=bill["number"]) == [1]
    assert numbers(acme, method="cash") == numbers(acme, accountId="1000") == [2]
    assert numbers(acme, direction="made") == numbers(acme, status="void") == [3]
    assert numbers(acme, dateFrom="2026-02-15", dateTo="2026-03-01") == [2, 3]
    assert numbers(acme, dateTo="2026-01-15") == [1]
    assert numbers(acme, isUnallocated="true") == [2]
    assert numbers(acme, isUnallocated="false") == [1, 3]
    assert numbers(acme, q="terminal") == numbers(acme, q="00001") == [1]
    assert numbers(acme, q="50%") == [2]
    assert numbers(acme, q="5_%") == []


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("date", [2, 3, 1]),
        ("-date", [1, 3, 2]),
        ("amount", [3, 1, 2]),
        ("-number", [3, 2, 1]),
        ("createdAt", [1, 2, 3]),
    ],
)
def test_payments_are_sorted_and_paged(acme, sort, expected):
    globex = customer(acme)["id"]
    for amount, day in (("20.00", "2026-03-03"), ("30.00", "2026-03-01"), ("10.00", "2026-03-02")):
        payment(acme, amount, contactId=globex, date=day)
    assert numbers(acme, sort=sort) == expected
    answer = acme.call("GET", "/finance/payments", params={"sort": sort, "limit": "2"}).json
    rest = numbers(acme, sort=sort, limit="2", cursor=answer["page"]["nextCursor"])
    assert [int(each["number"][-1]) for each in answer["data"]] + rest == expected


def test_payments_come_as_a_spreadsheet(acme):
    payment(acme, "12.00", contactId=customer(acme)["id"], reference="=1+1")
    answer = acme.call("GET", "/finance/payments", params={"format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "PAY-2026-00001" in answer.text
    assert "'=1+1" in answer.text
