"""Settling invoices: what fits, what it leaves due, exchange differences, and taking it back."""

import csv
import io
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.finance.books.models import Allocation, JournalEntry, OpenItem
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.finance.payments.models import Payment
from erp.kernel import money
from erp.store.router import WORKSPACE
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer
from tests.finance.documents.deductions import write_off
from tests.finance.documents.invoices import invoice, status_and_due
from tests.finance.journals.journals import postings
from tests.finance.payments.payments import payment
from tests.refusals import complaint

FOREIGN = {"currency": "CHF"}


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def allocate(office, payment, *parts, **fields):
    allocations = [{"invoiceId": invoice_id, "amount": amount} for invoice_id, amount in parts]
    return office.ok("POST", f"/finance/payments/{payment['id']}/allocations", {"allocations": allocations, **fields})


def release(office, payment, place=0, **fields):
    allocation = payment["allocations"][place]
    return office.ok("POST", f"/finance/payments/{payment['id']}/allocations/{allocation['id']}/release", fields)


def refused(office, amount, *parts, **fields):
    """The complaint about a payment that is to settle these parts."""
    allocations = [{"invoiceId": invoice_id, "amount": part} for invoice_id, part in parts]
    body = {"amount": amount, "allocations": allocations, **fields}
    (only,) = office.refused("POST", "/finance/payments", body, status=422, code="validation_failed")["details"]
    return only["field"], only["code"], only["message"]


def test_an_invoice_is_partially_paid_then_paid_and_back_again(acme):
    made = invoice(acme, "100.00")
    first = payment(acme, "30.00", invoiceId=made["id"])
    assert status_and_due(acme, made["id"]) == ("partially_paid", "70.00")
    second = payment(acme, "70.00", invoiceId=made["id"])
    assert status_and_due(acme, made["id"]) == ("paid", "0.00")
    release(acme, first)
    assert status_and_due(acme, made["id"]) == ("partially_paid", "30.00")
    release(acme, second)
    assert status_and_due(acme, made["id"]) == ("issued", "100.00")


def test_a_payment_settles_several_invoices_and_keeps_the_rest_as_credit(acme):
    globex = customer(acme)["id"]
    bills = [invoice(acme, "10.00", customerId=globex), invoice(acme, "20.00", customerId=globex)]
    paid = payment(
        acme, "50.00", allocations=[{"invoiceId": bill["number"], "amount": bill["total"]} for bill in bills]
    )
    assert [status_and_due(acme, bill["id"])[0] for bill in bills] == ["paid", "paid"]
    assert (paid["allocatedAmount"], paid["unallocatedAmount"]) == ("30.00", "20.00")
    assert owed_by(acme, globex) == -2_000


def test_money_on_account_pays_a_later_invoice_without_a_posting(acme):
    globex = customer(acme)["id"]
    paid = payment(acme, "50.00", contactId=globex)
    bill = invoice(acme, "50.00", customerId=globex)
    before = balances(acme)
    paid = allocate(acme, paid, (bill["number"], "50.00"))
    assert (paid["unallocatedAmount"], paid["version"]) == ("0.00", 2)
    assert status_and_due(acme, bill["id"]) == ("paid", "0.00")
    assert balances(acme) == before
    type, data = last_event(acme)
    assert (type, data["allocations"][0]["amount"], "entries" in data) == ("payment.allocated", "50.00", False)


def test_more_than_is_due_is_refused_and_says_how_much_is_due(acme):
    globex = customer(acme)["id"]
    first, second = invoice(acme, "10.00", customerId=globex), invoice(acme, "100.00", customerId=globex)
    payment(acme, "40.00", invoiceId=second["id"])
    field, code, message = refused(acme, "500.00", (first["id"], "10.00"), (second["id"], "60.01"))
    assert (field, code) == ("allocations[1].amount", "overpayment")
    assert "INV-2026-00002 has 60.00" in message
    error = acme.refused("POST", "/finance/payments", {"amount": "60.01", "invoiceId": second["id"]}, status=422)
    assert complaint(error) == ("amount", "overpayment")
    assert status_and_due(acme, second["id"]) == ("partially_paid", "60.00")


def test_the_same_invoice_twice_counts_together(acme):
    bill = invoice(acme, "100.00")
    field, code, _ = refused(acme, "200.00", (bill["id"], "60.00"), (bill["number"], "40.01"))
    assert (field, code) == ("allocations[1].amount", "overpayment")
    parts = [{"invoiceId": bill["id"], "amount": "60.00"}, {"invoiceId": bill["number"], "amount": "40.00"}]
    payment(acme, "200.00", allocations=parts)
    assert status_and_due(acme, bill["id"]) == ("paid", "0.00")


def test_no_more_is_allocated_than_was_paid(acme):
    globex = customer(acme)["id"]
    parts = [(invoice(acme, "30.00", customerId=globex)["id"], "30.00") for _ in range(2)]
    field, code, message = refused(acme, "50.00", *parts)
    assert (field, code) == ("allocations", "over_allocated")
    assert "60.00" in message
    assert "50.00" in message
    paid = payment(acme, "50.00", allocations=[{"invoiceId": parts[0][0], "amount": "30.00"}])
    body = {"allocations": [{"invoiceId": parts[1][0], "amount": "20.01"}]}
    error = acme.refused("POST", f"/finance/payments/{paid['id']}/allocations", body, status=422)
    assert complaint(error) == ("allocations", "over_allocated")
    assert "20.00 of the payment is left" in error["details"][0]["message"]


def test_a_draft_is_not_paid(acme):
    draft = invoice(acme, "10.00", draft=True)
    assert refused(acme, "10.00", (draft["id"], "10.00"))[:2] == ("allocations[0].invoiceId", "invoice_draft")


def test_a_void_invoice_is_not_paid(acme):
    bill = invoice(acme, "10.00")
    acme.ok("POST", f"/finance/invoices/{bill['id']}/void", {})
    field, code, message = refused(acme, "10.00", (bill["id"], "10.00"))
    assert (field, code) == ("allocations[0].invoiceId", "invoice_void")
    assert bill["number"] in message


def test_an_invoice_that_was_written_off_is_neither_settled_nor_released(acme):
    bill = invoice(acme, "10.00")
    paid = payment(acme, "4.00", invoiceId=bill["id"])
    rest = payment(acme, "6.00", contactId=bill["customerId"])
    write_off(acme, bill)
    assert refused(acme, "7.00", (bill["id"], "6.00"))[:2] == ("allocations[0].invoiceId", "written_off_apart")
    body = {"allocations": [{"invoiceId": bill["id"], "amount": "6.00"}]}
    error = acme.refused("POST", f"/finance/payments/{rest['id']}/allocations", body, status=422)
    assert complaint(error) == ("allocations[0].invoiceId", "invoice_written_off")
    path = f"/finance/payments/{paid['id']}"
    allocation = paid["allocations"][0]["id"]
    acme.refused("POST", f"{path}/allocations/{allocation}/release", {}, status=409, code="invalid_transition")
    acme.refused("POST", f"{path}/void", {}, status=409, code="invalid_transition")


def test_an_invoice_paid_in_full_takes_no_more(acme):
    bill = invoice(acme, "10.00")
    payment(acme, "10.00", invoiceId=bill["id"])
    field, code, message = refused(acme, "1.00", (bill["id"], "1.00"))
    assert (field, code) == ("allocations[0].amount", "overpayment")
    assert "has 0.00" in message


def test_another_contacts_invoice_is_not_paid(acme):
    globex, bill = customer(acme)["id"], invoice(acme, "10.00", customerId=customer(acme, "Initech")["id"])
    field, code, message = refused(acme, "10.00", (bill["id"], "10.00"), contactId=globex)
    assert (field, code) == ("allocations[0].invoiceId", "wrong_contact")
    assert "Initech" in message
    assert "10.00" in message


def test_two_contacts_do_not_share_a_payment(acme):
    bills = [invoice(acme, "10.00", customerId=customer(acme, name)["id"]) for name in ("Globex", "Initech")]
    field, code, _ = refused(acme, "20.00", *((bill["id"], "10.00") for bill in bills))
    assert (field, code) == ("allocations[1].invoiceId", "wrong_contact")


def test_an_invoice_in_another_currency_is_not_paid(acme):
    bill = invoice(acme, "10.00", **FOREIGN, exchangeRate="1.1")
    field, code, message = refused(acme, "10.00", (bill["id"], "10.00"), currency="EUR")
    assert (field, code) == ("allocations[0].invoiceId", "wrong_currency")
    assert "CHF" in message


@pytest.mark.parametrize(("kind", "direction"), [("sales_invoice", "made"), ("sales_credit_note", "received")])
def test_a_document_is_settled_by_a_payment_in_its_direction_alone(acme, kind, direction):
    document = invoice(acme, "10.00", kind=kind)
    field, code, message = refused(acme, "10.00", (document["id"], "10.00"), direction=direction)
    assert (field, code) == ("allocations[0].invoiceId", "wrong_direction")
    assert document["number"] in message


def test_money_paid_to_a_supplier_does_not_settle_a_sales_document(acme):
    both = customer(acme, kind="supplier")["id"]
    paid = payment(acme, "10.00", direction="made", contactId=both)
    acme.ok("PATCH", f"/finance/contacts/{both}", {"kind": "both"})
    note = invoice(acme, "10.00", customerId=both, kind="sales_credit_note")
    body = {"allocations": [{"invoiceId": note["id"], "amount": "10.00"}]}
    error = acme.refused("POST", f"/finance/payments/{paid['id']}/allocations", body, status=422)
    assert complaint(error) == ("allocations[0].invoiceId", "wrong_type")


def test_every_impossible_allocation_is_named_at_once(acme):
    globex = customer(acme)["id"]
    good, draft = invoice(acme, "10.00", customerId=globex), invoice(acme, "10.00", customerId=globex, draft=True)
    parts = [{"invoiceId": each, "amount": "11.00"} for each in (good["id"], draft["id"])]
    error = acme.refused("POST", "/finance/payments", {"amount": "22.00", "allocations": parts}, status=422)
    assert [detail["field"] for detail in error["details"]] == ["allocations[0].amount", "allocations[1].invoiceId"]


def test_an_allocation_is_dated_by_the_later_document(acme):
    globex = customer(acme)["id"]
    bill = invoice(acme, "10.00", customerId=globex, issueDate="2026-03-05")
    early, late = (payment(acme, "5.00", invoiceId=bill["id"], date=day) for day in ("2026-03-01", "2026-03-09"))
    assert [each["allocations"][0]["date"] for each in (early, late)] == ["2026-03-05", "2026-03-09"]


def test_a_later_allocation_is_of_today_or_the_day_it_says_but_not_before_its_documents(acme):
    globex = customer(acme)["id"]
    bill = invoice(acme, "10.00", customerId=globex, issueDate="2026-03-05")
    paid = payment(acme, "10.00", contactId=globex, date="2026-03-01")
    body = {"allocations": [{"invoiceId": bill["id"], "amount": "1.00"}], "date": "2026-03-04"}
    path = f"/finance/payments/{paid['id']}/allocations"
    error = acme.refused("POST", path, body, status=422, code="dated_too_early")
    assert error["details"][0]["field"] == "date"
    allocate(acme, paid, (bill["id"], "1.00"), date="2026-03-06")
    shown = allocate(acme, paid, (bill["id"], "1.00"))
    assert [each["date"] for each in shown["allocations"]] == ["2026-03-06", "2026-03-10"]


def test_nothing_is_allocated_or_released_in_a_locked_period(acme):
    globex = customer(acme)["id"]
    bill = invoice(acme, "10.00", customerId=globex, issueDate="2026-02-01")
    paid = payment(acme, "10.00", contactId=globex, date="2026-02-01")
    settled = payment(acme, "2.00", invoiceId=bill["id"], date="2026-02-01")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-28", "reason": "Closed"})
    path = f"/finance/payments/{paid['id']}/allocations"
    body = {"allocations": [{"invoiceId": bill["id"], "amount": "1.00"}], "date": "2026-02-10"}
    acme.refused("POST", path, body, status=409, code="period_locked")
    path = f"/finance/payments/{settled['id']}/allocations/{settled['allocations'][0]['id']}/release"
    acme.refused("POST", path, {"date": "2026-02-10"}, status=409, code="period_locked")
    acme.ok("POST", path, {})


def test_a_void_payment_settles_nothing_more(acme):
    bill = invoice(acme, "10.00")
    paid = payment(acme, "10.00", contactId=bill["customerId"])
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    body = {"allocations": [{"invoiceId": bill["id"], "amount": "1.00"}]}
    path = f"/finance/payments/{paid['id']}/allocations"
    acme.refused("POST", path, body, status=409, code="invalid_transition")


def test_an_allocation_is_released_once_and_not_before_its_day(acme):
    bill = invoice(acme, "10.00")
    paid = payment(acme, "10.00", invoiceId=bill["id"])
    path = f"/finance/payments/{paid['id']}/allocations/{paid['allocations'][0]['id']}/release"
    error = acme.refused("POST", path, {"date": "2026-03-09"}, status=422, code="dated_too_early")
    assert error["details"][0]["field"] == "date"
    shown = acme.ok("POST", path, {})
    assert shown["allocations"][0]["releasedOn"] == "2026-03-10"
    assert (shown["allocatedAmount"], shown["version"]) == ("0.00", 2)
    assert last_event(acme)[0] == "allocation.released"
    acme.refused("POST", path, {}, status=409, code="invalid_transition")


def test_an_allocation_is_found_under_its_own_payment_alone(acme):
    bill = invoice(acme, "10.00")
    first, second = payment(acme, "5.00", invoiceId=bill["id"]), payment(acme, "5.00", invoiceId=bill["id"])
    path = f"/finance/payments/{first['id']}/allocations/{second['allocations'][0]['id']}/release"
    acme.refused("POST", path, {}, status=404, code="not_found")


def test_what_is_released_can_settle_another_invoice(acme):
    globex = customer(acme)["id"]
    wrong, right = invoice(acme, "10.00", customerId=globex), invoice(acme, "10.00", customerId=globex)
    paid = payment(acme, "10.00", invoiceId=wrong["id"])
    paid = allocate(acme, release(acme, paid), (right["id"], "10.00"))
    assert [status_and_due(acme, each["id"])[0] for each in (wrong, right)] == ["issued", "paid"]
    assert [each["invoiceId"] for each in paid["allocations"] if each["releasedOn"] is None] == [right["id"]]


def test_an_exchange_gain_is_posted_when_the_currency_rose(acme):
    """The figures are those of a published case: 20.00 booked at 45.263, paid at 50."""
    bill = invoice(acme, "20.00", **FOREIGN, exchangeRate="45.263", issueDate="2026-03-01")
    assert balances(acme) == {"1100": 90_526, "4000": -90_526}
    paid = payment(acme, "20.00", invoiceId=bill["id"], exchangeRate="50", date="2026-03-05")
    assert paid["allocations"][0]["exchangeDifference"] == "94.74"
    assert balances(acme) == {"1010": 100_000, "4000": -90_526, "4920": -9_474}
    with acme.books():
        gain = JournalEntry.get(JournalEntry.kind == "exchange_difference")
        assert (gain.source_type, gain.source_id) == ("allocation", paid["allocations"][0]["id"])
        assert gain.date.isoformat() == "2026-03-05"
    assert postings(acme, gain.id) == {"1100": (9_474, bill["customerId"]), "4920": (-9_474, None)}
    assert [each["id"] for each in last_event(acme)[1]["entries"]] == [paid["journalEntryId"], gain.id]


def test_an_exchange_loss_is_posted_when_the_currency_fell(acme):
    bill = invoice(acme, "20.00", **FOREIGN, exchangeRate="1.5")
    paid = payment(acme, "20.00", invoiceId=bill["id"], exchangeRate="1.25")
    assert paid["allocations"][0]["exchangeDifference"] == "-5.00"
    assert balances(acme) == {"1010": 2_500, "4000": -3_000, "6910": 500}


def test_a_refund_at_a_higher_rate_is_a_loss(acme):
    note = invoice(acme, "20.00", kind="sales_credit_note", **FOREIGN, exchangeRate="1.25")
    paid = payment(acme, "20.00", direction="made", invoiceId=note["id"], exchangeRate="1.5")
    assert paid["allocations"][0]["exchangeDifference"] == "-5.00"
    assert balances(acme) == {"1010": -3_000, "4000": 2_500, "6910": 500}


@pytest.mark.parametrize(
    ("total", "parts", "books"),
    [
        ("100.00", ["33.50", "33.50", "33.00"], {"1010": 3_334, "4000": -3_333, "4920": -1}),
        ("30.00", ["10.00", "10.00", "10.00"], {"1010": 999, "4000": -1_000, "6910": 1}),
    ],
)
def test_no_cent_stays_on_an_invoice_that_is_paid_in_parts(acme, total, parts, books):
    bill = invoice(acme, total, **FOREIGN, exchangeRate="0.333333")
    for amount in parts:
        payment(acme, amount, invoiceId=bill["id"], exchangeRate="0.333333")
    assert status_and_due(acme, bill["id"]) == ("paid", "0.00")
    assert balances(acme) == books


def test_no_cent_stays_on_a_payment_that_is_allocated_in_parts(acme):
    globex = customer(acme)["id"]
    bills = [invoice(acme, "10.00", customerId=globex, **FOREIGN, exchangeRate="1") for _ in range(3)]
    paid = payment(acme, "30.00", contactId=globex, **FOREIGN, exchangeRate="0.333333")
    for bill in bills:
        allocate(acme, paid, (bill["id"], "10.00"))
    assert owed_by(acme, globex) == 0
    with acme.books():
        bases = [each.from_base for each in Allocation.select().order_by(Allocation.id)]
    assert bases == [333, 333, 334]


@pytest.mark.parametrize(
    ("owed", "expected"), [(1, 3), (-1, -3)], ids=["received for an invoice", "made for a credit note"]
)
def test_more_base_currency_than_booked_is_a_gain_only_where_money_comes_in(owed, expected):
    assert settlement.gain(OpenItem(amount=owed), 103, 100) == expected


def test_a_release_takes_the_exchange_difference_back(acme):
    bill = invoice(acme, "20.00", **FOREIGN, exchangeRate="1.5", issueDate="2026-03-01")
    paid = payment(acme, "20.00", invoiceId=bill["id"], exchangeRate="1.25", date="2026-03-01")
    release(acme, paid, date="2026-03-08")
    assert balances(acme) == {"1010": 2_500, "1100": 500, "4000": -3_000}
    with acme.books():
        gain = JournalEntry.get(JournalEntry.kind == "exchange_difference")
        mirror = JournalEntry.get(JournalEntry.reverses == gain.id)
        assert mirror.date.isoformat() == "2026-03-08"
    assert [each["id"] for each in last_event(acme)[1]["entries"]] == [mirror.id]


def test_voiding_a_payment_takes_its_exchange_differences_back(acme):
    globex = customer(acme)["id"]
    bills = [invoice(acme, "10.00", customerId=globex, **FOREIGN, exchangeRate=rate) for rate in ("1.5", "1.1")]
    parts = [{"invoiceId": bill["id"], "amount": "10.00"} for bill in bills]
    paid = payment(acme, "20.00", allocations=parts, exchangeRate="1.25")
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    assert balances(acme) == {"1100": 2_600, "4000": -2_600}
    assert len(last_event(acme)[1]["entries"]) == 3


def test_a_credit_note_settles_an_invoice_without_money(acme):
    globex = customer(acme)["id"]
    bill = invoice(acme, "100.00", customerId=globex, **FOREIGN, exchangeRate="1.5")
    note = invoice(acme, "40.00", customerId=globex, kind="sales_credit_note", **FOREIGN, exchangeRate="1.25")
    with acme.books(write=True):
        source, target = settlement.item_of(note["id"]), settlement.item_of(bill["id"])
        allocation, entries = settlement.allocate(source, target, 4_000, target.date)
        assert (allocation.from_base, allocation.to_base, len(entries)) == (5_000, 6_000, 1)
    assert status_and_due(acme, bill["id"]) == ("partially_paid", "60.00")
    assert status_and_due(acme, note["id"]) == ("paid", "0.00")
    assert balances(acme) == {"1100": 9_000, "4000": -10_000, "6910": 1_000}
    with acme.books(write=True):
        settlement.release(allocation, target.date)
    assert status_and_due(acme, note["id"]) == ("issued", "40.00")
    assert balances(acme) == {"1100": 10_000, "4000": -10_000}


def test_a_rule_that_asks_for_too_much_is_stopped_by_the_books(acme):
    bill = invoice(acme, "10.00")
    paid = payment(acme, "5.00", contactId=bill["customerId"])
    with acme.books(write=True):
        source, target = settlement.item_of(paid["id"]), settlement.item_of(bill["id"])
        with pytest.raises(settlement.TooMuch, match=r"has 5\.00 EUR left"):
            settlement.allocate(source, target, 501, target.date)
    large = payment(acme, "20.00", contactId=bill["customerId"])
    with acme.books(write=True):
        source, target = settlement.item_of(large["id"]), settlement.item_of(bill["id"])
        with pytest.raises(settlement.TooMuch, match=r"has 10\.00 EUR left"):
            settlement.allocate(source, target, 1_001, target.date)
        settlement.allocate(source, target, 1_000, target.date)
        with pytest.raises(settlement.NothingLeft, match="Nothing is left of INV-2026-00001"):
            settlement.allocate(source, target, 1, target.date)


class Till:
    """One contact's invoices and payments, on which random steps are taken as far as they are possible."""

    def __init__(self, office, foreign):
        self.office = office
        self.foreign = foreign
        self.contact_id = customer(office)["id"]
        self.invoices = []
        self.payments = []

    def currency(self, rate):
        return {"currency": "CHF", "exchangeRate": rate} if self.foreign else {}

    def invoice(self, amount, rate):
        issued = invoice(self.office, amount_text(amount), customerId=self.contact_id, **self.currency(rate))
        self.invoices.append(issued["id"])

    def pay(self, amount, rate, place):
        parts = []
        if self.invoices:
            invoice_id, due = self.open_invoice(place)
            parts = [{"invoiceId": invoice_id, "amount": amount_text(min(amount, due))}] if due else []
        fields = {"contactId": self.contact_id, "allocations": parts, **self.currency(rate)}
        self.payments.append(payment(self.office, amount_text(amount), **fields)["id"])

    def allocate(self, amount, place, payment_place):
        payment = self.payment(payment_place)
        if not self.invoices or payment is None or payment["status"] == "void":
            return
        invoice_id, due = self.open_invoice(place)
        amount = min(amount, due, cents(payment["unallocatedAmount"]))
        if amount:
            allocate(self.office, payment, (invoice_id, amount_text(amount)))

    def release(self, place, payment_place):
        payment = self.payment(payment_place)
        live = [i for i, each in enumerate(payment["allocations"]) if not each["releasedOn"]] if payment else []
        if live:
            release(self.office, payment, live[place % len(live)])

    def void(self, payment_place):
        payment = self.payment(payment_place)
        if payment is not None and payment["status"] == "posted":
            self.office.ok("POST", f"/finance/payments/{payment['id']}/void", {})

    def payment(self, place):
        if not self.payments:
            return None
        return self.office.ok("GET", f"/finance/payments/{self.payments[place % len(self.payments)]}")

    def open_invoice(self, place):
        invoice_id = self.invoices[place % len(self.invoices)]
        return invoice_id, cents(status_and_due(self.office, invoice_id)[1])


def amount_text(amount):
    return money.text(amount, "CHF")


def cents(shown):
    return money.minor(Decimal(shown), "CHF")


AMOUNTS = st.integers(100, 20_000)
RATES = st.sampled_from(["0.333333", "1", "1.0837", "45.263", "0.0571"])
PLACES = st.integers(0, 9)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("invoice"), AMOUNTS, RATES),
        st.tuples(st.just("pay"), AMOUNTS, RATES, PLACES),
        st.tuples(st.just("allocate"), AMOUNTS, PLACES, PLACES),
        st.tuples(st.just("release"), PLACES, PLACES),
        st.tuples(st.just("void"), PLACES),
    ),
    min_size=3,
    max_size=20,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(foreign=st.booleans(), steps=STEPS)
def test_whatever_is_paid_released_and_voided_the_books_say_what_is_due(acme, foreign, steps):
    till = Till(acme, foreign)
    till.invoice(10_000, "0.333333")
    for name, *given_with in steps:
        getattr(till, name)(*given_with)
    owed = owed_by(acme, till.contact_id)
    with acme.books():
        assert WORKSPACE.rows("SELECT sum(amount) FROM posting") == [(0,)]
        bills = [Invoice.find(id) for id in till.invoices]
        payments = [Payment.find(id) for id in till.payments]
        for bill in bills:
            check_invoice(bill)
        credits = [settlement.item_of(payment.id) for payment in payments if payment.status == "posted"]
        for credit in credits:
            check_credit(credit)
        assert owed == sum(settlement.item_of(bill.id).open_base for bill in bills) + sum(c.open_base for c in credits)
        if not foreign:
            assert owed == sum(bill.due for bill in bills) - sum(map(settlement.left, credits))


def check_invoice(bill):
    """Paid is what the live allocations say, the status follows, and the base currency left fits what is due."""
    item, live = settlement.item_of(bill.id), settlement.live_allocations(bill.id)
    made = [*OpenItem.fetch("SELECT id FROM allocation WHERE to_item_id = ?", item.id)]
    assert bill.amount_paid == sum(each.amount for each in live) <= bill.total
    assert item.open == bill.due
    assert bill.status == ("paid" if not bill.due else "partially_paid" if live else "issued")
    assert item.open_base or bill.status == "paid" or len(made) > 1
    assert item.open_base == 0 or bill.status != "paid"
    exact = Decimal(bill.base_total) * bill.due / bill.total
    assert abs(item.open_base - exact) <= len(made)


def check_credit(item):
    """What a payment has left: nothing in the base currency once all of it is allocated."""
    live = settlement.live_allocations(item.document_id)
    assert item.open == item.amount + sum(each.amount for each in live)
    assert item.open_base == item.base_amount + sum(each.from_base for each in live)
    assert item.open_base == 0 or item.open != 0


def shown(office, invoice_id):
    """What an invoice shows, as the list does too."""
    names = ("status", "amountPaid", "amountCredited", "amountDue", "isOverdue", "daysOverdue")
    whole = office.ok("GET", f"/finance/invoices/{invoice_id}")
    (row,) = [each for each in office.ok("GET", "/finance/invoices") if each["id"] == invoice_id]
    assert row == {name: whole[name] for name in row}
    sheet = office.call("GET", "/finance/invoices", params={"format": "csv", "sort": "number"}).text
    (cells,) = [row for row in csv.DictReader(io.StringIO(sheet)) if row["id"] == invoice_id]
    assert [cells[name] for name in names[:4]] == [whole[name] for name in names[:4]]
    return tuple(whole[name] for name in names)


def found(office, **params):
    return [each["id"] for each in office.ok("GET", "/finance/invoices", params=params)]


def amounts_of(office, contact_id):
    contact = office.ok("GET", f"/finance/contacts/{contact_id}")
    return contact["balance"], contact["overdue"], contact["unallocatedCredit"]


def test_a_payment_dated_next_week_pays_nothing_before_its_day(acme, clock_at):
    bill = invoice(acme, "100.00", issueDate="2026-03-01", dueDate="2026-03-08")
    payment(acme, "30.00", invoiceId=bill["id"])
    payment(acme, "70.00", invoiceId=bill["id"], date="2026-03-12")
    assert shown(acme, bill["id"]) == ("partially_paid", "30.00", "0.00", "70.00", True, 2)
    assert amounts_of(acme, bill["customerId"]) == ("70.00", "70.00", "0.00")
    for params in ({"status": "partially_paid"}, {"isOverdue": "true"}, {"status": "issued,partially_paid"}):
        assert found(acme, **params) == [bill["id"]], params
    assert found(acme, status="paid") == found(acme, isOverdue="false") == []
    clock_at("2026-03-12T09:00:00Z")
    assert shown(acme, bill["id"]) == ("paid", "100.00", "0.00", "0.00", False, 0)
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "0.00")
    assert found(acme, status="paid") == found(acme, isOverdue="false") == [bill["id"]]
    assert found(acme, status="partially_paid") == found(acme, isOverdue="true") == []


def test_what_a_later_payment_settles_is_not_settled_twice(acme):
    bill = invoice(acme, "100.00")
    later = payment(acme, "100.00", invoiceId=bill["id"], date="2026-03-12")
    assert shown(acme, bill["id"])[:4] == ("issued", "0.00", "0.00", "100.00")
    field, code, message = refused(acme, "100.00", (bill["id"], "100.00"))
    assert (field, code) == ("allocations[0].amount", "overpayment")
    assert "has 0.00" in message
    assert "Payments dated later than today are counted." in message
    acme.ok("POST", f"/finance/payments/{later['id']}/void", {})
    payment(acme, "100.00", invoiceId=bill["id"])
    assert shown(acme, bill["id"])[:4] == ("paid", "100.00", "0.00", "0.00")


def test_money_of_today_allocated_next_week_is_credit_until_then(acme, clock_at):
    bill = invoice(acme, "100.00", issueDate="2026-03-01", dueDate="2026-03-08")
    paid = payment(acme, "100.00", contactId=bill["customerId"])
    paid = allocate(acme, paid, (bill["id"], "100.00"), date="2026-03-12")
    assert (paid["allocatedAmount"], paid["unallocatedAmount"]) == ("100.00", "0.00")
    assert shown(acme, bill["id"])[:4] == ("issued", "0.00", "0.00", "100.00")
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "100.00")  # overdue is net of credit that is due
    clock_at("2026-03-12T09:00:00Z")
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "0.00")


def test_an_invoice_dated_next_week_is_owed_from_then(acme, clock_at):
    bill = invoice(acme, "100.00", issueDate="2026-03-12")
    assert amounts_of(acme, bill["customerId"]) == ("0.00", "0.00", "0.00")
    clock_at("2026-03-12T09:00:00Z")
    assert amounts_of(acme, bill["customerId"]) == ("100.00", "0.00", "0.00")


def test_a_credit_note_paid_back_next_week_is_credit_until_then(acme, clock_at):
    note = invoice(acme, "100.00", kind="sales_credit_note")
    payment(acme, "40.00", direction="made", invoiceId=note["id"])
    assert amounts_of(acme, note["customerId"]) == ("-60.00", "0.00", "60.00")
    payment(acme, "60.00", direction="made", invoiceId=note["id"], date="2026-03-12")
    assert shown(acme, note["id"]) == ("partially_paid", "40.00", "0.00", "60.00", False, 0)
    assert amounts_of(acme, note["customerId"]) == ("-60.00", "0.00", "60.00")
    clock_at("2026-03-12T09:00:00Z")
    assert shown(acme, note["id"])[0] == "paid"
    assert amounts_of(acme, note["customerId"]) == ("0.00", "0.00", "0.00")


def test_a_count_of_the_list_counts_what_is_shown(acme):
    bill = invoice(acme, "100.00")
    payment(acme, "100.00", invoiceId=bill["id"], date="2026-03-12")
    for status, total in (("issued", 1), ("paid", 0)):
        answer = acme.call("GET", "/finance/invoices", params={"status": status, "total": "true"})
        assert answer.json["page"]["total"] == total
