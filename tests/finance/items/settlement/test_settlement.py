"""Settling invoices: what fits, what it leaves due, and taking it back."""

import pytest

from erp.finance.items import settlement
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, status_and_due
from tests.finance.items.settlement.settling import FOREIGN, allocate, refused, release
from tests.finance.payments.payments import payment
from tests.finance.write_downs.deductions import write_off
from tests.refusals import complaint


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
    assert "more than the 60.00 EUR open on INV-2026-00002" in message
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
    assert "more than the 20.00 left of the payment" in error["details"][0]["message"]


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
    assert "more than the 0.00 EUR open" in message


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


def test_a_later_allocation_is_of_its_documents_or_the_day_it_says_but_not_before_them(acme):
    globex = customer(acme)["id"]
    bill = invoice(acme, "10.00", customerId=globex, issueDate="2026-03-05")
    paid = payment(acme, "10.00", contactId=globex, date="2026-03-01")
    body = {"allocations": [{"invoiceId": bill["id"], "amount": "1.00"}], "date": "2026-03-04"}
    path = f"/finance/payments/{paid['id']}/allocations"
    error = acme.refused("POST", path, body, status=422, code="dated_too_early")
    assert error["details"][0]["field"] == "date"
    allocate(acme, paid, (bill["id"], "1.00"), date="2026-03-06")
    shown = allocate(acme, paid, (bill["id"], "1.00"))
    assert [each["date"] for each in shown["allocations"]] == ["2026-03-06", "2026-03-05"]


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
        with pytest.raises(settlement.TooMuch, match=r"Open on .*: 5\.00 EUR"):
            settlement.allocate(source, target, 501, target.date)
    large = payment(acme, "20.00", contactId=bill["customerId"])
    with acme.books(write=True):
        source, target = settlement.item_of(large["id"]), settlement.item_of(bill["id"])
        with pytest.raises(settlement.TooMuch, match=r"Open on .*: 10\.00 EUR"):
            settlement.allocate(source, target, 1_001, target.date)
        settlement.allocate(source, target, 1_000, target.date)
        with pytest.raises(settlement.NothingLeft, match="INV-2026-00001 is fully allocated"):
            settlement.allocate(source, target, 1, target.date)
