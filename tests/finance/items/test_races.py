"""Many at once: what is open is settled once, and opening balances count once, whatever the order of arrival."""

import pytest

from erp.store import router
from erp.store.router import WORKSPACE
from erp.system.checks import files as checking
from tests.crowds import all_at_once
from tests.finance.books.balances import balances
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, invoice
from tests.finance.payments.payments import payment

CROWD = 16


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """All wait for their turn, however slow the machine."""
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)


@pytest.fixture
def globex(acme):
    return customer(acme)["id"]


def left(office) -> dict[str, str]:
    return {item["number"]: item["open"] for item in office.ok("GET", "/finance/open-items")}


def item_ids(office) -> dict[str, str]:
    return {item["number"]: item["id"] for item in office.ok("GET", "/finance/open-items")}


def check_is_silent(office) -> None:
    router.close_all()
    path = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def live_allocations(office) -> list[int]:
    """The amounts of the allocations that stand, in minor units."""
    with office.books():
        return [amount for (amount,) in WORKSPACE.rows("SELECT amount FROM allocation WHERE released_on IS NULL")]


def test_a_credit_is_used_once_by_all_who_allocate_it(acme, globex):
    sold = [invoice(acme, "10.00", customerId=globex) for _ in range(CROWD)]
    note = invoice(acme, "55.00", customerId=globex, kind="sales_credit_note")
    ids = item_ids(acme)
    bodies = [{"fromItemId": ids[note["number"]], "toItemId": ids[each["number"]], "amount": "10.00"} for each in sold]
    _, statuses = all_at_once(acme, [("/finance/allocations", body) for body in bodies])
    assert statuses == {201: 5, 422: 11}
    assert live_allocations(acme) == [1_000] * 5
    assert left(acme)[note["number"]] == "-5.00"
    assert len(left(acme)) == 1 + 11
    check_is_silent(acme)


def test_a_credit_note_is_repaid_once(acme, globex):
    note = invoice(acme, "55.00", customerId=globex, kind="sales_credit_note")
    repaid = [{"creditNoteId": note["id"], "amount": "55.00"}]
    body = {"contactId": globex, "direction": "made", "amount": "55.00", "settles": repaid}
    answers, statuses = all_at_once(acme, [("/finance/payments", body)] * CROWD)
    assert statuses == {201: 1, 422: CROWD - 1}
    refusals = [answer.json["error"]["details"] for answer in answers if answer.status_code == 422]
    assert {(details[0]["field"], details[0]["code"]) for details in refusals} == {("settles[0].amount", "overpayment")}
    assert left(acme) == {}
    assert balances(acme) == {"1010": -5_500, "4000": 5_500}
    check_is_silent(acme)


def test_money_on_account_is_repaid_or_allocated_but_not_both(acme, globex):
    received = payment(acme, "30.00", contactId=globex)
    sold = invoice(acme, "480.00", customerId=globex)
    ids = item_ids(acme)
    refund = {"paymentId": received["id"], "amount": "10.00"}
    ends = {"fromItemId": ids[received["number"]], "toItemId": ids[sold["number"]]}
    requests = [
        ("/finance/payments", {"contactId": globex, "direction": "made", "amount": "10.00", "settles": [refund]}),
        ("/finance/allocations", {**ends, "amount": "10.00"}),
    ] * (CROWD // 2)
    answers, statuses = all_at_once(acme, requests)
    assert statuses == {201: 3, 422: CROWD - 3}
    repaid = sum(answer.status_code == 201 for answer in answers[::2])
    assert live_allocations(acme) == [1_000] * 3
    assert left(acme) == {sold["number"]: f"{480 - 10 * (3 - repaid)}.00"}
    assert balances(acme).get("1010", 0) == 3_000 - 1_000 * repaid
    check_is_silent(acme)


def test_a_bill_is_paid_once_by_payments_and_credit_together(acme):
    owed = bill(acme, "100.00")
    meyer = owed["supplierId"]
    credits = [bill(acme, "100.00", supplierId=meyer, kind="purchase_credit_note") for _ in range(CROWD // 2)]
    ids = item_ids(acme)
    requests = [
        ("/finance/payments", {"invoiceId": owed["id"], "direction": "made", "amount": "100.00"}),
        *(
            (
                "/finance/allocations",
                {"fromItemId": ids[each["number"]], "toItemId": ids[owed["number"]], "amount": "100.00"},
            )
            for each in credits
        ),
    ]
    requests += [requests[0]] * (CROWD - len(requests))
    _, statuses = all_at_once(acme, requests)
    assert statuses == {201: 1, 422: CROWD - 1}
    assert live_allocations(acme) == [10_000]
    assert owed["number"] not in left(acme)
    check_is_silent(acme)


def test_an_allocation_of_items_is_released_by_one_of_those_who_try(acme, globex):
    sold = invoice(acme, "100.00", customerId=globex, currency="USD", exchangeRate="0.92")
    note = invoice(acme, "60.00", customerId=globex, kind="sales_credit_note", currency="USD", exchangeRate="0.95")
    ids = item_ids(acme)
    body = {"fromItemId": ids[note["number"]], "toItemId": ids[sold["number"]], "amount": "60.00"}
    made = acme.ok("POST", "/finance/allocations", body)
    before = balances(acme)
    _, statuses = all_at_once(acme, [(f"/finance/allocations/{made['id']}/release", {})] * CROWD)
    assert statuses == {200: 1, 409: CROWD - 1}
    assert left(acme) == {sold["number"]: "100.00", note["number"]: "-60.00"}
    assert before == {"1100": 3_680, "4000": -3_500, "4920": -180}
    assert balances(acme) == {"1100": 3_500, "4000": -3_500}
    check_is_silent(acme)


def test_opening_balances_that_all_send_at_once_count_once(acme, globex):
    """Each call replaces the one before, so that all of them succeed and the books begin with one."""
    old = {"accountId": "1100", "contactId": globex, "number": "R-0815", "documentDate": "2025-12-01"}
    body = {
        "date": "2025-12-31",
        "lines": [{"accountId": "1010", "debit": "100.00"}, {"accountId": "3000", "credit": "150.00"}],
        "items": [old | {"debit": "50.00"}],
    }
    _, statuses = all_at_once(acme, [("/finance/opening-balances", body)] * CROWD)
    assert statuses == {200: CROWD}
    assert balances(acme) == {"1010": 10_000, "1100": 5_000, "3000": -15_000}
    assert left(acme) == {"R-0815": "50.00"}
    with acme.books():
        standing = (
            "SELECT count(*) FROM journal_entry AS entry WHERE kind = 'opening' AND NOT EXISTS"
            " (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id)"
        )
        assert WORKSPACE.rows(standing) == [(1,)]
    check_is_silent(acme)


def test_an_old_item_is_paid_or_its_opening_balances_are_replaced(acme, globex):
    """What has been paid is not replaced, and what has been replaced is not paid."""
    old = {"accountId": "1100", "contactId": globex, "number": "R-0815", "documentDate": "2025-12-01"}
    body = {"date": "2025-12-31", "items": [old | {"debit": "50.00"}]}
    acme.ok("POST", "/finance/opening-balances", body)
    paid = {
        "contactId": globex,
        "amount": "50.00",
        "settles": [{"itemId": item_ids(acme)["R-0815"], "amount": "50.00"}],
    }
    requests = [("/finance/payments", paid), ("/finance/opening-balances", body)] * (CROWD // 2)
    answers, _ = all_at_once(acme, requests)
    payments = [answer.status_code for answer in answers[::2]]
    assert payments.count(201) <= 1
    assert set(payments) <= {201, 422}
    assert left(acme) == ({} if 201 in payments else {"R-0815": "50.00"})
    assert balances(acme).get("1100", 0) == (0 if 201 in payments else 5_000)
    check_is_silent(acme)
