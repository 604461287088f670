"""Many at once: what is due is paid once, what is paid is spent once, whatever the order of arrival."""

import pytest

from erp.finance.books.models import Allocation
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.store import router
from erp.store.router import WORKSPACE
from tests.crowds import all_at_once
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.payments.payments import payment

CROWD = 50


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """All wait for their turn, however slow the machine."""
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)


def test_fifty_pay_one_invoice_at_once_and_as_many_pass_as_it_has_due(acme):
    bill = invoice(acme, "305.00")
    body = {"invoiceId": bill["id"], "amount": "10.00"}
    answers, statuses = all_at_once(acme, [("/finance/payments", body)] * CROWD)
    assert statuses == {201: 30, 422: 20}
    refusals = [answer.json["error"]["details"] for answer in answers if answer.status_code == 422]
    assert {(details[0]["field"], details[0]["code"]) for details in refusals} == {("amount", "overpayment")}
    with acme.books():
        paid = Invoice.find(bill["id"])
        assert (paid.amount_paid, paid.status) == (30_000, "partially_paid")
        assert WORKSPACE.rows("SELECT sum(amount) FROM posting") == [(0,)]
        assert WORKSPACE.rows("SELECT min(seq), max(seq), count(DISTINCT seq) FROM payment") == [(1, 30, 30)]
        assert WORKSPACE.rows("SELECT min(seq), max(seq), count(DISTINCT seq) FROM journal_entry") == [(1, 31, 31)]
    assert owed_by(acme, bill["customerId"]) == 500
    assert balances(acme) == {"1010": 30_000, "1100": 500, "4000": -30_500}


def test_money_on_account_is_spent_once_by_all_who_allocate_it(acme):
    globex = customer(acme)["id"]
    bills = [invoice(acme, "10.00", customerId=globex)["id"] for _ in range(20)]
    paid = payment(acme, "70.00", contactId=globex)
    path = f"/finance/payments/{paid['id']}/allocations"
    _, statuses = all_at_once(
        acme, [(path, {"allocations": [{"invoiceId": bill, "amount": "10.00"}]}) for bill in bills]
    )
    assert statuses == {200: 7, 422: 13}
    with acme.books():
        assert settlement.remaining(settlement.item_of(paid["id"])) == 0
        assert Invoice.select().where(Invoice.status == "paid").count() == Allocation.select().count() == 7


def test_a_payment_is_voided_by_one_of_those_who_try(acme):
    bill = invoice(acme, "10.00")
    paid = payment(acme, "10.00", invoiceId=bill["id"])
    _, statuses = all_at_once(acme, [(f"/finance/payments/{paid['id']}/void", {})] * 20)
    assert statuses == {200: 1, 409: 19}
    assert balances(acme) == {"1100": 1_000, "4000": -1_000}


def test_an_allocation_is_released_by_one_of_those_who_try(acme):
    bill = invoice(acme, "10.00", currency="CHF", exchangeRate="1.5")
    paid = payment(acme, "10.00", invoiceId=bill["id"], exchangeRate="1.25")
    path = f"/finance/payments/{paid['id']}/allocations/{paid['allocations'][0]['id']}/release"
    _, statuses = all_at_once(acme, [(path, {})] * 20)
    assert statuses == {200: 1, 409: 19}
    assert balances(acme) == {"1010": 1_250, "1100": 250, "4000": -1_500}
