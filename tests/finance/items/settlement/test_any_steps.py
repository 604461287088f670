"""Whatever is paid, allocated, released and voided, the books say what is due."""

from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.finance.books.models import OpenItem
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.finance.payments.models import Payment
from erp.kernel import money
from erp.store.router import WORKSPACE
from tests.conftest import examples
from tests.finance.books.balances import owed_by
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, status_and_due
from tests.finance.items.settlement.settling import allocate, release
from tests.finance.payments.payments import payment


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


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
            assert owed == sum(bill.due for bill in bills) - sum(map(settlement.remaining, credits))


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
