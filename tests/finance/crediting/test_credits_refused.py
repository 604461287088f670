"""What cannot be credited, or not any more, or not twice."""

from erp.finance.documents.models import Invoice
from erp.store import router
from tests.crowds import all_at_once
from tests.finance.books.balances import balances
from tests.finance.crediting.credits import of_line, refused, taxes
from tests.finance.documents.invoices import credit, invoice, line
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems
from tests.refusals import complaint, complaints


def test_a_refunded_credit_note_and_a_credited_invoice_are_not_voided(acme):
    made = invoice(acme, "100.00")
    paid = payment(acme, "100.00", invoiceId=made["id"])
    note = credit(acme, made)
    acme.ok("POST", f"/finance/payments/{paid['id']}/void", {})
    error = acme.refused("POST", f"/finance/invoices/{made['id']}/void", {}, status=409, code="in_use")
    assert error["message"] == f"{note['number']} corrects {made['number']}. Void {note['number']} first."
    payment(acme, "40.00", direction="made", invoiceId=note["id"])
    acme.refused("POST", f"/finance/invoices/{note['id']}/void", {}, status=409, code="in_use")


def test_only_issued_invoices_are_credited(acme):
    draft = invoice(acme, draft=True)
    note = invoice(acme, kind="sales_credit_note")
    void = invoice(acme)
    acme.ok("POST", f"/finance/invoices/{void['id']}/void", {})
    lost = invoice(acme)
    with acme.books(write=True):
        Invoice.find(lost["id"]).change(status="written_off")
    for document in (draft, note, void, lost):
        refused(acme, document, status=409, code="invalid_transition")
    acme.refused("POST", "/finance/invoices/nothing/credit", {}, status=404, code="not_found")


def test_every_wrong_field_is_named(acme, r1):
    error = refused(
        acme,
        r1,
        {"lineId": "another", "amount": "1.00"},
        of_line(r1, 0),
        of_line(r1, 1, amount="1.00", quantity="1"),
        of_line(r1, 1, amount="-1.00"),
        of_line(r1, 1, amount="2.00"),
        date="2026-01-04",
    )
    assert complaints(error) == {
        "date": "too_early",
        "lines[0].lineId": "unknown_reference",
        "lines[1]": "exactly_one",
        "lines[2]": "exactly_one",
        "lines[3].amount": "wrong_sign",
        "lines[4].lineId": "repeated",
    }
    assert complaint(refused(acme, r1, of_line(r1, 0, amount="0"))) == ("lines[0].amount", "wrong_sign")
    assert complaint(refused(acme, r1, of_line(r1, 0, amount="0.001"))) == ("lines[0].amount", "too_many_decimals")
    refused(acme, r1, date="2026-02-02", code="date_in_future")
    assert credit(acme, r1, date="2026-02-02", allowFuture=True)["issueDate"] == "2026-02-02"


def test_nothing_is_credited_in_a_locked_period(acme, r1):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-20", "reason": "Filed"})
    refused(acme, r1, date="2026-01-20", status=409, code="period_locked")
    assert credit(acme, r1, date="2026-01-21")["issueDate"] == "2026-01-21"


def test_a_returned_item_can_only_be_credited_together_with_others_of_its_rate(acme, standard, reduced):
    made = invoice(
        acme, line("100.00", taxRateId=standard), line("30.00", "-1", taxRateId=standard), line(taxRateId=reduced)
    )
    assert complaint(refused(acme, made, of_line(made, 0, amount="71.00"))) == ("lines", "too_large")
    assert complaint(refused(acme, made, of_line(made, 1, quantity="-1"))) == ("lines", "too_large")
    assert credit(acme, made, of_line(made, 0, amount="70.00"))["total"] == "83.30"
    assert taxes(credit(acme, made)) == {("19", "0.00", "0.00"), ("7", "100.00", "7.00")}
    assert balances(acme) == {}


def test_no_more_is_credited_than_an_invoice_with_a_negative_rate_comes_to(acme, standard, reduced):
    made = invoice(acme, line("100.00", taxRateId=standard), line("-90.00", taxRateId=reduced))
    error = refused(acme, made, of_line(made, 0, quantity="1"))
    assert error["details"][0]["message"] == "At most 22.70 EUR can be credited, the remaining amount."
    assert credit(acme, made)["total"] == "22.70"


def test_a_repeated_request_credits_once_and_a_stale_one_not_at_all(acme, r1):
    path, body = f"/finance/invoices/{r1['id']}/credit", {"lines": [of_line(r1, 0, amount="600.00")]}
    first = acme.call("POST", path, body, headers={"Idempotency-Key": "a"})
    again = acme.call("POST", path, body, headers={"Idempotency-Key": "a"})
    note = first.json["data"]
    assert (first.status_code, again.json["data"]) == (201, note)
    assert first.headers["Location"] == f"/api/v1/finance/invoices/{note['id']}"
    assert acme.ok("GET", f"/finance/invoices/{note['id']}") == note
    acme.refused("POST", path, {}, status=412, code="version_mismatch", headers={"If-Match": '"1"'})
    assert acme.call("POST", path, {}, headers={"If-Match": '"2"'}).status_code == 201


def test_two_at_once_never_credit_more_than_is_left(acme, r1, monkeypatch):
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)
    body = {"lines": [of_line(r1, 1, amount="60.00")]}
    answers, statuses = all_at_once(acme, [(f"/finance/invoices/{r1['id']}/credit", body)] * 8)
    assert statuses == {201: 3, 422: 5}
    errors = [answer.json["error"]["details"][0] for answer in answers if answer.status_code == 422]
    assert {each["message"] for each in errors} == {"Remaining to correct on line 2, Consulting: 20.00 EUR."}
    assert problems(acme) == []
