"""The totals of an invoice while it is being typed."""

import pytest

from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import lacking, line, new_bill, new_invoice
from tests.finance.products.products import product

PREVIEW = "/finance/invoices/preview"


def test_an_empty_editor_comes_to_nothing_and_asks_for_a_customer_and_a_line(acme):
    shown = acme.ok("POST", PREVIEW, {})
    assert (shown["total"], shown["lines"], shown["currency"]) == ("0.00", [], "EUR")
    assert lacking(acme, {}) == {"customerId": "required", "lines": "required"}


def test_totals_are_of_the_lines_that_are_complete_and_the_others_say_what_they_lack(acme):
    """2 × 100.00 and 20 % of it; the other lines count nothing yet."""
    rate = tax_rate(acme, "20")["id"]
    typed = [
        line("100.00", "2", taxRateId=rate),
        {"description": "Tra"},
        {"description": "", "quantity": "1", "unitPrice": "5.00", "taxRateId": rate},
        {"quantity": "0", "description": "Travel", "unitPrice": "9.00"},
        {},
    ]
    shown = acme.ok("POST", PREVIEW, {"lines": typed})
    assert (shown["subtotal"], shown["taxTotal"], shown["total"]) == ("205.00", "41.00", "246.00")
    assert [each["net"] for each in shown["lines"]] == ["200.00", "0.00", "5.00", "0.00", "0.00"]
    assert [{detail["field"]: detail["code"] for detail in each["details"]} for each in shown["lines"]] == [
        {},
        {"lines[1].quantity": "required", "lines[1].unitPrice": "required"},
        {"lines[2].description": "required"},
        {"lines[3].quantity": "zero"},
        {"lines[4].quantity": "required", "lines[4].description": "required", "lines[4].unitPrice": "required"},
    ]
    assert [detail["field"] for detail in shown["details"]] == ["customerId"]
    assert shown["details"][0]["message"] == "Choose a contact (customer), or create a new one."


def test_the_discounts_of_the_payment_terms_say_until_when_they_take_how_much_off(acme):
    """2 % of 1,177.98 is 23.5596, and 1 % is 11.7798."""
    terms = {"days": 30, "discounts": [{"percent": "2", "days": 8}, {"percent": "1", "days": 14}]}
    shown = acme.ok("POST", PREVIEW, new_invoice("1177.98", issueDate="2026-11-21", paymentTerms=terms))
    offers = [(each["until"], each["amount"], each["amountToPay"]) for each in shown["cashDiscounts"]]
    assert offers == [("2026-11-29", "23.56", "1154.42"), ("2026-12-05", "11.78", "1166.20")]


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("customerId", new_invoice("50.00", customerId="gone")),
        ("lines[0].taxRateId", new_invoice(line("80.00", taxRateId="gone"))),
        ("lines[1].productId", new_invoice("1.00", {"productId": "gone", "quantity": "1"})),
        ("lines[1].productId", new_invoice("1.00", {"productId": "gone"})),
        ("lines[0].accountId", new_invoice(line("80.00", accountId="gone"))),
        ("lines[0].projectId", new_invoice(line("80.00", projectId="gone"))),
        ("projectId", new_invoice("80.00", projectId="gone")),
        ("charges[0].taxRateId", new_invoice("80.00", charges=[{"amount": "1.00", "taxRateId": "gone"}])),
        ("depositIds[0]", new_invoice("80.00", kind="final_invoice", depositIds=["gone"])),
    ],
)
def test_an_id_that_does_not_exist_is_refused_at_its_field(acme, field, body):
    error = acme.refused("POST", PREVIEW, body, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [(field, "unknown_reference")]


def test_a_line_takes_its_price_from_its_product_once_it_has_a_quantity(acme):
    made = product(acme, unitPrice="95.00")["id"]
    assert lacking(acme, new_invoice({"productId": made})) == {"lines[0].quantity": "required"}
    shown = acme.ok("POST", PREVIEW, new_invoice({"productId": made, "quantity": "2"}))
    assert (shown["total"], shown["lines"][0]["details"]) == ("190.00", [])


@pytest.mark.parametrize("discount", [{"amount": "5.00"}, {"percent": "10"}, {}])
def test_a_discount_on_nothing_yet_is_no_failure(acme, discount):
    for count in (0, 1):
        assert acme.ok("POST", PREVIEW, {"lines": [{}] * count, "discount": discount})["subtotal"] == "0.00"


def test_a_foreign_currency_without_a_rate_is_totalled_in_itself(acme):
    body = new_invoice("50.00", currency="USD", customerId=customer(acme)["id"])
    shown = acme.ok("POST", PREVIEW, body)
    assert (shown["total"], shown["currency"], shown["exchangeRate"]) == ("50.00", "USD", None)
    assert lacking(acme, body) == {"exchangeRate": "required"}


def test_a_bill_asks_for_its_supplier_and_shows_its_total_beside_a_tax_that_is_too_far(acme):
    rate = tax_rate(acme, "20")["id"]
    body = new_bill(line("100.00", taxRateId=rate), printedTax=[{"taxRateId": rate, "amount": "25.00"}])
    del body["supplier"]
    shown = acme.ok("POST", PREVIEW, body)
    assert shown["netTotal"] == "100.00"
    assert lacking(acme, body) == {"supplierId": "required", "printedTax[0].amount": "too_far"}


def test_a_final_invoice_that_is_just_begun_asks_for_its_deposits(acme):
    assert lacking(acme, {"kind": "final_invoice", "lines": [line()]}) == {
        "customerId": "required",
        "depositIds": "required",
    }


def test_nonsense_is_refused(acme):
    body = {"lines": [{"quantity": "two", "unitPrice": True, "colour": "red"}]}
    refused = acme.refused("POST", PREVIEW, body, status=422, code="validation_failed")
    assert {detail["field"] for detail in refused["details"]} == {
        "lines[0].quantity",
        "lines[0].unitPrice",
        "lines[0].colour",
    }


def test_nothing_is_written(acme):
    before = acme.ok("GET", "/workspace/events?limit=1")
    acme.ok("POST", PREVIEW, new_invoice())
    assert acme.ok("GET", "/workspace/events?limit=1") == before
    assert acme.ok("GET", "/finance/contacts") == []
