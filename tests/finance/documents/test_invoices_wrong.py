"""What is refused in an invoice, and how it is named."""

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.refusals import complaints


def wrong(office, body, path="/finance/invoices"):
    return complaints(office.refused("POST", path, body, status=422))


WRONG = {
    "customerId": "unknown_reference",
    "dueDate": "too_early",
    "exchangeRate": "not_needed",
    "discount.amount": "too_many_decimals",
    "roundingAmount": "too_many_decimals",
    "projectId": "unknown_reference",
    "lines[0].discount": "exactly_one",
    "lines[0].accountId": "unknown_reference",
    "lines[1].charge.amount": "too_many_decimals",
    "lines[1].taxRateId": "unknown_reference",
    "lines[2].accountId": "account_closed",
    "lines[2].projectId": "unknown_reference",
    "lines[2].taskId": "unknown_reference",
    "lines[2].discount": "exactly_one",
    "lines[3].accountId": "unsuitable_account",
    "allowances[0]": "exactly_one",
    "allowances[1].amount": "too_many_decimals",
    "allowances[1].taxRateId": "unknown_reference",
    "charges[0]": "exactly_one",
    "charges[0].accountId": "unknown_reference",
}
"""The codes of the complaints about a document with something wrong in every field."""


def test_every_wrong_field_is_named_at_once(acme):
    acme.ok("POST", "/finance/accounts/", {"code": "4999", "name": "Old", "type": "income", "subtype": "income"})
    old = next(each for each in acme.ok("GET", "/finance/accounts") if each["code"] == "4999")
    acme.ok("POST", f"/finance/accounts/{old['id']}/archive")
    body = new_invoice(
        line("1.00", discount={"percent": "1", "amount": "1"}, accountId="none"),
        line("1.00", charge="0.001", taxRateId="none"),
        line("1.00", accountId="4999", projectId="none", taskId="none", discount={}),
        line("1.00", accountId="1100"),
        customerId="nobody",
        issueDate="2026-03-10",
        dueDate="2026-03-09",
        exchangeRate="1",
        discount={"amount": "0.001"},
        roundingAmount="0.001",
        allowances=[{"description": "Neither"}, {"amount": "0.001", "taxRateId": "none"}],
        charges=[{"amount": "1", "percent": "1", "accountId": "none"}],
        projectId="none",
    )
    expected = dict(WRONG)
    unknown = {field: code for field, code in expected.items() if code == "unknown_reference"}
    previewed = acme.refused("POST", "/finance/invoices/preview", body, status=422)
    assert {each["field"]: each["code"] for each in previewed["details"]} == unknown
    assert wrong(acme, body) == {"dueDate": expected.pop("dueDate")}
    body |= {"dueDate": "2026-03-20"}
    assert wrong(acme, body) == expected
    assert wrong(acme, body | {"draft": True}) == expected


def test_values_of_the_wrong_form_are_named_at_once(acme):
    body = {
        "customer": {"name": "", "kind": "supplier"},
        "kind": "estimate",
        "currency": "euro",
        "exchangeRate": "0",
        "lines": [line("1.0000001", "0"), line("1.00", priceBaseQuantity="0", charge={"percent": "101"})],
        "discount": {"percent": "-1"},
    }
    assert wrong(acme, body) == {
        "customer.name": "required",
        "customer.kind": "not_one_of",
        "kind": "not_one_of",
        "currency": "bad_format",
        "exchangeRate": "not_positive",
        "lines[0].quantity": "zero",
        "lines[0].unitPrice": "too_many_decimals",
        "lines[1].priceBaseQuantity": "not_positive",
        "lines[1].charge": "out_of_range",
        "discount.percent": "negative",
    }


@pytest.mark.parametrize(
    "field",
    [
        "number",
        "status",
        "total",
        "taxTotal",
        "amountDue",
        "amountPaid",
        "journalEntryId",
        "issuedAt",
        "createdByUserId",
    ],
)
def test_what_the_program_computes_is_refused_in_a_request(acme, field):
    assert wrong(acme, new_invoice(**{field: "1"})) == {field: "read_only"}


@pytest.mark.parametrize("field", ["net", "tax", "gross", "timeLogIds", "id"])
def test_what_the_program_computes_of_a_line_is_refused(acme, field):
    assert wrong(acme, new_invoice(line(**{field: "1"}))) == {f"lines[0].{field}": "read_only"}


@pytest.mark.parametrize("draft", [False, True])
def test_an_invoice_has_between_1_and_500_lines(acme, draft):
    assert wrong(acme, {"customer": {"name": "Globex"}, "draft": draft}) == {"lines": "required"}
    for count in (0, 501):
        body = {"customer": {"name": "Globex"}, "lines": [line("1.00")] * count, "draft": draft}
        assert list(wrong(acme, body)) == ["lines"]


def test_an_invoice_of_500_lines_is_issued(acme):
    made = invoice(acme, *[line("0.01")] * 500)
    assert (len(made["lines"]), made["total"]) == (500, "5.00")


def test_there_is_exactly_one_customer(acme):
    both = new_invoice(customer={"name": "Initech"}, customerId=customer(acme)["id"])
    assert wrong(acme, both) == {"customerId": "exactly_one"}
    assert wrong(acme, {"lines": [line()]}) == {"customerId": "exactly_one"}


def test_a_supplier_or_an_archived_customer_is_refused(acme):
    supplier = acme.ok("POST", "/finance/contacts", {"kind": "supplier", "name": "Paper Ltd"})["id"]
    assert wrong(acme, new_invoice(customerId=supplier)) == {"customerId": "wrong_kind"}
    gone = customer(acme)["id"]
    acme.ok("POST", f"/finance/contacts/{gone}/archive")
    assert wrong(acme, new_invoice(customerId=gone)) == {"customerId": "archived"}


def test_a_new_customer_is_checked_like_any_contact(acme):
    body = new_invoice(customer={"name": "Initech", "currency": "XXX", "defaultTaxRateId": "none"}, currency="EUR")
    body["lines"][0]["taxRateId"] = None
    assert wrong(acme, body) == {
        "customer.currency": "unknown_currency",
        "customer.defaultTaxRateId": "unknown_reference",
    }
    assert wrong(acme, new_invoice(customer={"name": "Initech", "currency": "XXX"})) == {
        "customer.currency": "unknown_currency"
    }
    assert acme.ok("GET", "/finance/contacts") == []


def test_a_foreign_invoice_needs_a_rate_and_one_of_the_books_takes_none(acme):
    assert wrong(acme, new_invoice(currency="USD")) == {"exchangeRate": "required"}
    assert wrong(acme, new_invoice(currency="EUR", exchangeRate="1")) == {"exchangeRate": "not_needed"}
    assert wrong(acme, new_invoice(currency="XXX")) == {"currency": "unknown_currency"}


def test_amounts_have_the_decimals_of_their_currency(acme):
    yen = {"currency": "JPY", "exchangeRate": "0.006"}
    assert wrong(acme, new_invoice(line("1", discount={"amount": "0.5"}), **yen)) == {
        "lines[0].discount.amount": "too_many_decimals"
    }
    assert invoice(acme, line("0.5", "3"), **yen)["total"] == "2"


def test_a_line_goes_to_an_account_in_the_currency_of_the_document_or_of_the_books(acme):
    account = {"code": "4020", "name": "Sales in dollars", "type": "income", "subtype": "income", "currency": "USD"}
    acme.ok("POST", "/finance/accounts", account)
    body = new_invoice(line(accountId="4020"), charges=[{"amount": "1", "accountId": "4020"}])
    wrong_accounts = {"lines[0].accountId": "wrong_currency", "charges[0].accountId": "wrong_currency"}
    assert wrong(acme, body) == wrong_accounts
    assert wrong(acme, body | {"currency": "JPY", "exchangeRate": "0.006"}) == wrong_accounts
    acme.ok("POST", "/finance/invoices", body | {"currency": "USD", "exchangeRate": "0.9"})


def test_a_discount_has_up_to_six_decimals_and_a_tax_rate_up_to_four(acme):
    finest = {"percent": "12.345678"}
    shown = invoice(acme, line("1000", discount=finest), discount=finest)
    assert (shown["discount"], shown["lines"][0]["discount"]["percent"]) == ({**finest, "amount": None}, "12.345678")
    assert shown["lines"][0]["net"] == "876.54"
    for part in ({"discount": {"percent": "1.2345678"}}, {"allowances": [{"percent": "1.2345678"}]}):
        assert set(wrong(acme, new_invoice(**part)).values()) == {"too_many_decimals"}
    rate = {"name": "Fine", "rate": "7.12345"}
    acme.refused("POST", "/finance/tax-rates", rate, status=422)


@pytest.mark.parametrize(
    "body",
    [
        new_invoice(line("999999999999", "1000")),
        new_invoice(line("90000000000000", discount={"amount": "1"}), charges=[{"amount": "90000000000000"}]),
        new_invoice(line("90000000000"), currency="USD", exchangeRate="999999"),
    ],
    ids=["line", "sum", "converted"],
)
def test_nothing_is_larger_than_the_books_hold(acme, body):
    assert set(wrong(acme, body).values()) == {"out_of_range"}


def test_a_negative_invoice_is_to_be_a_credit_note(acme):
    error = acme.refused("POST", "/finance/invoices", new_invoice(line("-1.00")), status=422, code="negative_total")
    assert "sales_credit_note" in error["message"]
    note = new_invoice(line("-1.00"), kind="sales_credit_note")
    acme.refused("POST", "/finance/invoices", note, status=422, code="negative_total")


def test_a_refused_invoice_leaves_nothing_behind(acme):
    acme.refused("POST", "/finance/invoices", new_invoice(line("-1.00")), status=422)
    assert acme.ok("GET", "/finance/contacts") == []
    assert acme.ok("GET", "/finance/invoices") == []


def test_a_single_unknown_reference_has_its_own_code(acme):
    body = new_invoice(line(taxRateId="none"))
    error = acme.refused("POST", "/finance/invoices", body, status=422, code="unknown_reference")
    assert complaints(error) == {"lines[0].taxRateId": "unknown_reference"}


def test_records_of_another_workspace_are_unknown(acme, stranger):
    theirs = customer(stranger)["id"]
    assert wrong(acme, new_invoice(customerId=theirs)) == {"customerId": "unknown_reference"}
    made = invoice(stranger)
    acme.refused("GET", f"/finance/invoices/{made['id']}", status=404, code="not_found")
    acme.refused("POST", f"/finance/invoices/{made['id']}/void", status=404, code="not_found")
