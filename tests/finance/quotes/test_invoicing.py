"""Invoices of accepted quotes: shares, lines, the rest, deposits; together exactly what was accepted."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import credit
from tests.finance.payments.payments import payment
from tests.finance.quotes.quotes import accepted, act, again, issued, line, refused
from tests.finance.soundness import problems
from tests.refusals import complaints

TENTH = {"percent": "10"}


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def standard(acme):
    return acme.once(tax_rate, "19")["id"]


@pytest.fixture
def quote(acme, standard):
    """Ten days at 960.00 less 10 %, accepted."""
    return accepted(acme, line(taxRateId=standard), discount=TENTH, reference="Order 7")


def sums(invoice):
    return invoice["netTotal"], invoice["taxTotal"], invoice["total"]


def bar(office, quote):
    now = again(office, quote)
    return now["status"], now["invoicedNet"], now["draftNet"], now["leftNet"]


def nets(invoice):
    return [each["netAfterDiscount"] for each in invoice["lines"]]


def issue(office, invoice, **body):
    return office.ok("POST", f"/finance/invoices/{invoice['id']}/issue", body)


def test_a_share_and_then_the_rest_are_all_of_the_quote(acme, quote):
    tried = act(acme, quote, "invoice", share="40", dryRun=True)
    assert (sums(tried), tried["leftNet"]) == (("3456.00", "656.64", "4112.64"), "5184.00")
    assert bar(acme, quote) == ("accepted", "0.00", "0.00", "8640.00")
    first = act(acme, quote, "invoice", share="40")
    assert sums(first) == ("3456.00", "656.64", "4112.64")
    (shown,) = first["lines"]
    assert (shown["quantity"], shown["unit"], shown["unitPrice"]) == ("4", "day", "960.00")
    assert (first["status"], first["discount"], first["reference"]) == (
        "draft",
        {"percent": "10", "amount": None},
        "Order 7",
    )
    assert (first["quoteId"], first["quoteNumber"]) == (quote["id"], quote["number"])
    assert bar(acme, quote) == ("partly_invoiced", "0.00", "3456.00", "5184.00")
    issue(acme, first)
    assert bar(acme, quote) == ("partly_invoiced", "3456.00", "0.00", "5184.00")
    refused(acme, quote, "reopen", "in_use")
    rest = act(acme, quote, "invoice", rest=True)
    assert sums(rest) == ("5184.00", "984.96", "6168.96")
    assert bar(acme, quote) == ("invoiced", "3456.00", "5184.00", "0.00")
    error = refused(acme, quote, "invoice", "above_quote", 422, share="1")
    assert "0.00 EUR of QUO-2026-00001 is left" in error["message"]
    assert "86.40 EUR" in error["message"]
    assert complaints(error) == {"share": "above_quote"}
    error = refused(acme, quote, "invoice", "above_quote", 422, rest=True, force=True)
    assert complaints(error) == {"rest": "above_quote"}
    refused(acme, quote, "close", "invalid_transition", reason="x")
    assert [each["id"] for each in acme.ok("GET", f"/finance/invoices?quoteId={quote['number']}")] == [
        rest["id"],
        first["id"],
    ]
    listed = acme.ok("GET", f"/finance/invoices?quoteId={quote['id']}")
    assert {each["quoteNumber"] for each in listed} == {quote["number"]}
    acme.refused("GET", "/finance/invoices?quoteId=QUO-1", status=422)
    above = act(acme, quote, "invoice", share="1", force=True)
    assert above["netTotal"] == "86.40"
    assert again(acme, quote)["isAbove"] is True
    assert [each["id"] for each in again(acme, quote)["invoices"]] == [first["id"], rest["id"], above["id"]]
    assert problems(acme) == []


def test_what_is_deleted_voided_or_credited_can_be_invoiced_again(acme, quote):
    draft = act(acme, quote, "invoice", share="100")
    assert bar(acme, quote)[3] == "0.00"
    acme.ok("DELETE", f"/finance/invoices/{draft['id']}")
    assert bar(acme, quote) == ("accepted", "0.00", "0.00", "8640.00")
    voided = issue(acme, act(acme, quote, "invoice", rest=True))
    acme.ok("POST", f"/finance/invoices/{voided['id']}/void", {"reason": "Wrong"})
    assert bar(acme, quote)[3] == "8640.00"
    bill = issue(acme, act(acme, quote, "invoice", share="50"))
    note = credit(acme, bill, {"lineId": bill["lines"][0]["id"], "quantity": "1"})
    assert bar(acme, quote) == ("partly_invoiced", "3456.00", "0.00", "5184.00")
    rest = act(acme, quote, "invoice", share="60")
    assert rest["netTotal"] == "5184.00"
    acme.ok("POST", f"/finance/invoices/{note['id']}/void", {})
    assert again(acme, quote)["isAbove"] is True
    assert problems(acme) == []


def test_thirds_are_rounded_line_by_line_and_the_rest_takes_the_last_cent(acme, standard):
    reduced = tax_rate(acme, "7")["id"]
    quote = accepted(
        acme,
        line("33.33", "3", taxRateId=standard),
        line("50.01", "1", taxRateId=reduced),
        discount=TENTH,
    )
    assert [each["acceptedNet"] for each in quote["lines"]] == ["89.99", "45.01"]
    bills = [act(acme, quote, "invoice", share="33.333333") for _ in range(2)]
    assert [each["leftQuantity"] for each in again(acme, quote)["lines"]] == ["1", "0.333333"]
    bills.append(act(acme, quote, "invoice", rest=True))
    assert [nets(bill) for bill in bills] == [["30.00", "15.00"], ["30.00", "15.00"], ["29.99", "15.01"]]
    for bill in bills:
        assert [tax["amount"] for tax in bill["taxBreakdown"]] == ["5.70", "1.05"]
    assert bar(acme, quote)[3] == "0.00"
    again_by_share = accepted(acme, line("33.33", "3"), discount=TENTH)
    thirds = [act(acme, again_by_share, "invoice", share="33.333333")["netTotal"] for _ in range(3)]
    assert thirds == ["30.00", "30.00", "29.99"]


def of_two_lines_and_a_charge(office, rate):
    """Ten days and a setup with travel, less 30.00 for loyalty, accepted."""
    charge = {"description": "Travel", "amount": "100.00", "taxRateId": rate}
    discount = {"description": "Loyalty", "amount": "30.00", "taxRateId": rate}
    return accepted(
        office,
        line(taxRateId=rate, accountId="4100", projectId=None),
        line("99.00", "3", taxRateId=rate, description="Setup", discount={"amount": "7.00"}),
        charges=[charge],
        allowances=[discount],
    )


def wrong_lines_are_refused(office, quote):
    """Each where it is, and more than is left of one unless it is forced."""
    days, setup = (each["id"] for each in quote["lines"])
    too_much = [{"lineId": days, "quantity": "6.5"}]
    refused(office, quote, "invoice", "above_quote", 422, lines=too_much)
    assert act(office, quote, "invoice", lines=too_much, force=True, dryRun=True)["isAbove"] is True
    wanted = [("x", "1"), (days, "-1"), (setup, "1"), (setup, "1")]
    lines = [{"lineId": id, "quantity": quantity} for id, quantity in wanted]
    error = refused(office, quote, "invoice", "validation_failed", 422, lines=lines)
    assert complaints(error) == {
        "lines[0].lineId": "unknown_reference",
        "lines[1].quantity": "wrong_sign",
        "lines[3].lineId": "repeated",
    }


def test_lines_are_invoiced_by_quantity_and_charges_as_lines(acme, standard):
    quote = of_two_lines_and_a_charge(acme, standard)
    assert quote["acceptedNet"] == "9960.00"
    days, setup = (each["id"] for each in quote["lines"])
    wanted = [{"lineId": days, "quantity": "4"}, {"lineId": setup, "quantity": "1"}]
    bill = act(acme, quote, "invoice", lines=wanted)
    assert nets(bill) == ["3840.00", "96.67"]
    first, second = bill["lines"]
    assert (first["quantity"], first["unitPrice"], first["accountCode"]) == ("4", "960.00", "4100")
    assert (second["quantity"], second["unitPrice"], second["unit"]) == ("1", "96.67", None)
    wrong_lines_are_refused(acme, quote)
    travel = act(acme, quote, "invoice", lines=[{"lineId": quote["charges"][0]["id"], "quantity": "0.5"}])
    assert [(each["description"], each["net"]) for each in travel["lines"]] == [("Travel", "50.00")]
    rest = act(acme, quote, "invoice", rest=True)
    assert nets(rest) == ["5760.00", "193.33", "-30.00", "50.00"]
    assert bar(acme, quote)[3] == "0.00"
    for body in ({}, {"share": "1", "rest": True}, {"share": "0"}, {"kind": "deposit_invoice", "rest": True}):
        refused(acme, quote, "invoice", "validation_failed", 422, **body)


def test_a_deposit_uses_nothing_up_and_the_final_invoice_bills_all_that_is_left(acme, quote):
    deposit = act(acme, quote, "invoice", kind="deposit_invoice", share="30")
    assert sums(deposit) == ("2592.00", "492.48", "3084.48")
    assert deposit["lines"][0]["description"] == "Deposit of 30 % on quote QUO-2026-00001"
    now = again(acme, quote)
    assert (now["status"], now["leftNet"], now["depositNet"]) == ("accepted", "8640.00", "2592.00")
    refused(acme, quote, "invoice", "deposit_open", rest=True)
    refused(acme, quote, "invoice", "above_quote", 422, kind="deposit_invoice", share="71")
    error = refused(acme, quote, "invoice", "validation_failed", 422, kind="final_invoice")
    assert complaints(error) == {"depositIds[0]": "invoice_draft"}
    deposit = issue(acme, deposit)
    payment(acme, "3084.48", invoiceId=deposit["id"], date="2026-03-02")
    final = act(acme, quote, "invoice", kind="final_invoice")
    assert (sums(final), final["amountDue"]) == (("8640.00", "1641.60", "10281.60"), "7197.12")
    assert (final["kind"], final["depositTotal"]) == ("final_invoice", "3084.48")
    assert issue(acme, final)["amountDue"] == "7197.12"
    assert bar(acme, quote) == ("invoiced", "8640.00", "0.00", "0.00")
    refused(acme, quote, "invoice", "above_quote", 422, kind="final_invoice")
    assert problems(acme) == []


def test_a_draft_that_is_changed_by_hand_counts_as_it_stands(acme, quote):
    draft = act(acme, quote, "invoice", share="40")
    line_id = draft["lines"][0]["id"]
    changed = [line(quantity="5", id=line_id, taxRateId=draft["lines"][0]["taxRateId"])]
    path = f"/finance/invoices/{draft['id']}"
    acme.ok("PATCH", path, {"lines": changed})
    assert bar(acme, quote) == ("partly_invoiced", "0.00", "4320.00", "4320.00")
    assert again(acme, quote)["lines"][0]["leftNet"] == "4320.00"
    acme.ok("PATCH", path, {"lines": [line(quantity="20")]})
    now = again(acme, quote)
    assert (now["isAbove"], now["leftNet"], now["status"]) == (True, "0.00", "invoiced")
    assert problems(acme) == []


def test_a_quote_in_another_currency_or_with_tax_in_its_prices_is_invoiced_in_its_terms(acme, standard):
    far = accepted(acme, line("100.00", "2"), currency="USD")
    refused(acme, far, "invoice", "validation_failed", 422, rest=True)
    bill = act(acme, far, "invoice", share="50", exchangeRate="0.9")
    assert (bill["currency"], bill["exchangeRate"], bill["netTotal"]) == ("USD", "0.9", "100.00")
    error = acme.refused(
        "PATCH", f"/finance/invoices/{bill['id']}", {"currency": "EUR", "exchangeRate": None}, status=422
    )
    assert complaints(error) == {"currency": "of_quote"}
    gross = accepted(acme, line("119.00", "3", taxRateId=standard), pricesIncludeTax=True)
    assert (gross["acceptedNet"], gross["acceptedTotal"]) == ("300.00", "357.00")
    bill = act(acme, gross, "invoice", share="33.333333")
    assert (bill["pricesIncludeTax"], bill["total"], bill["lines"][0]["unitPrice"]) == (True, "119.00", "119.00")
    rest = act(acme, gross, "invoice", rest=True)
    assert (rest["netTotal"], bar(acme, gross)[3]) == ("200.00", "0.00")


def test_of_two_at_once_that_are_more_than_the_quote_one_is_refused(acme, quote):
    start = Barrier(2)

    def attempt(_):
        start.wait()
        return acme.call("POST", f"/finance/quotes/{quote['id']}/invoice", {"share": "60"})

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(attempt, range(2)))
    assert sorted(answer.status_code for answer in answers) == [201, 422]
    (refusal,) = [answer.json["error"] for answer in answers if answer.status_code == 422]
    assert refusal["code"] == "above_quote"


def test_a_locked_period_binds_the_invoice_and_not_the_quote(acme, quote):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-03-02", "reason": "The year is filed"})
    out = issued(acme, issueDate="2026-03-01")
    draft = act(acme, act(acme, out, "accept"), "invoice", rest=True)
    acme.refused("POST", f"/finance/invoices/{draft['id']}/issue", {}, status=409, code="period_locked")
