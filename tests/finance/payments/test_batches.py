"""Several payments at once: all or none."""

import pytest

from tests.events import last_event
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, status_and_due
from tests.finance.journals.journals import entry_count
from tests.refusals import complaint, complaints


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def batch(office, *payments, **options):
    return office.ok("POST", "/finance/payments/batch", {"payments": list(payments)}, **options)["payments"]


def refused(office, *payments):
    return office.refused("POST", "/finance/payments/batch", {"payments": list(payments)}, status=422)


def numbers(office):
    return sorted(each["number"] for each in office.ok("GET", "/finance/payments"))


def test_payments_are_recorded_together_in_their_order(acme):
    first, second = invoice(acme), invoice(acme, "50.00")
    before = acme.ok("GET", "/workspace/events/verify")["events"]
    made = batch(
        acme,
        {"invoiceId": first["id"], "amount": "60.00"},
        {"invoiceId": second["number"], "amount": "50.00", "method": "cash"},
        {"invoiceId": first["id"], "amount": "40.00"},
    )
    assert [each["number"] for each in made] == ["PAY-2026-00001", "PAY-2026-00002", "PAY-2026-00003"]
    assert [each["amount"] for each in made] == ["60.00", "50.00", "40.00"]
    assert status_and_due(acme, first["id"]) == status_and_due(acme, second["id"]) == ("paid", "0.00")
    assert made == [acme.ok("GET", f"/finance/payments/{each['id']}") for each in made]
    assert acme.ok("GET", "/workspace/events/verify")["events"] == before + 3
    assert last_event(acme)[0] == "payment.posted"


def test_a_dry_run_adds_them_up_and_records_none(acme):
    first, second = invoice(acme), invoice(acme, "50.00")
    rows = [{"invoiceId": each["id"], "amount": "50.00"} for each in (first, second)]
    asked = {"payments": rows, "dryRun": True}
    tried = acme.ok("POST", "/finance/payments/batch", asked)
    assert tried["sums"] == [{"direction": "received", "currency": "EUR", "amount": "100.00"}]
    assert [each["number"] for each in tried["payments"]] == ["PAY-2026-00001", "PAY-2026-00002"]
    assert (numbers(acme), status_and_due(acme, first["id"])) == ([], ("issued", "100.00"))
    assert batch(acme, *rows)[0]["number"] == "PAY-2026-00001"


def test_a_wrong_row_leaves_none_of_them(acme):
    made, globex = invoice(acme), customer(acme, "Initech")["id"]
    entries = entry_count(acme)
    error = refused(
        acme,
        {"invoiceId": made["id"], "amount": "60.00"},
        {"contactId": globex, "amount": "5.00", "accountId": "4000"},
        {"invoiceId": made["id"], "amount": "60.00"},
        {"contactId": "nobody", "amount": "5.001"},
        {"amount": "5.00"},
    )
    assert complaints(error) == {
        "payments[1].accountId": "unsuitable_account",
        "payments[2].amount": "overpayment",
        "payments[3].contactId": "unknown_reference",
        "payments[4].contactId": "required",
    }
    assert (numbers(acme), entry_count(acme)) == ([], entries)
    assert status_and_due(acme, made["id"]) == ("issued", "100.00")
    (only,) = batch(acme, {"invoiceId": made["id"], "amount": "60.00"})
    assert only["number"] == "PAY-2026-00001"


def test_a_locked_day_is_said_of_its_row(acme):
    globex = customer(acme)["id"]
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    error = refused(
        acme,
        {"contactId": globex, "amount": "5.00"},
        {"contactId": globex, "amount": "5.00", "date": "2026-01-31"},
    )
    assert complaint(error) == ("payments[1].date", "period_locked")
    assert error["details"][0]["message"] == "The books are locked through 31 Jan 2026. Use a later date."
    assert numbers(acme) == []


def test_a_row_that_cannot_be_read_is_named(acme):
    globex = customer(acme)["id"]
    error = refused(acme, {"contactId": globex, "amount": "5.00"}, {"contactId": globex, "amount": "0"})
    assert complaint(error) == ("payments[1].amount", "not_positive")


@pytest.mark.parametrize(("count", "code"), [(0, "too_few"), (201, "too_many")])
def test_a_batch_has_up_to_200_payments(acme, count, code):
    error = refused(acme, *[{"contactId": "nobody", "amount": "1.00"}] * count)
    assert ("payments", code) in {(each["field"], each["code"]) for each in error["details"]}


def test_200_payments_are_recorded_at_once(acme):
    globex = customer(acme)["id"]
    made = batch(acme, *[{"contactId": globex, "amount": "1.00"}] * 200)
    assert made[-1]["number"] == "PAY-2026-00200"
    assert acme.ok("GET", f"/finance/contacts/{globex}")["unallocatedCredit"] == "200.00"


def test_a_batch_that_is_sent_again_records_nothing_more(acme):
    body = {"contactId": customer(acme)["id"], "amount": "1.00"}
    key = {"Idempotency-Key": "batch-1"}
    assert batch(acme, body, headers=key) == batch(acme, body, headers=key)
    assert numbers(acme) == ["PAY-2026-00001"]


def test_a_viewer_records_nothing(acme):
    body = {"payments": [{"contactId": customer(acme)["id"], "amount": "1.00"}]}
    acme.colleague("viewer").refused("POST", "/finance/payments/batch", body, status=403, code="forbidden")
