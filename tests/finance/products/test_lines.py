"""What lines of documents take from products."""

import pytest

from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import credit, invoice, line, new_bill, new_invoice
from tests.finance.products.products import product
from tests.refusals import complaint, complaints


def of(product, quantity="2", **fields):
    """The body of a line that names a product."""
    return {"productId": product["id"], "quantity": quantity, **fields}


TAKEN = ("description", "unit", "unitPrice", "taxRateId", "accountId")


def test_a_line_takes_from_its_product_what_it_leaves_out(acme):
    full = product(acme, description="Advice", taxRateId=tax_rate(acme, "19")["id"], accountId="4100")
    made = invoice(acme, of(full))
    (taken,) = made["lines"]
    assert [taken[name] for name in TAKEN] == ["Advice", "hour", "95.00", full["taxRateId"], full["accountId"]]
    assert (taken["productId"], taken["net"], made["taxTotal"], made["total"]) == (
        full["id"],
        "190.00",
        "36.10",
        "226.10",
    )


def test_what_a_line_says_itself_comes_first(acme):
    full = product(acme, description="Advice", taxRateId=tax_rate(acme, "19")["id"], accountId="4100")
    own = {"description": "Talk", "unit": "day", "unitPrice": "500.00", "taxRateId": None, "accountId": "4000"}
    (said,) = invoice(acme, of(full, **own))["lines"]
    shown = {name: said[name] for name in TAKEN} | {"accountId": "4000"}
    assert shown == own
    assert said["accountId"] != full["accountId"]


def test_a_product_without_a_text_rate_or_account_leaves_the_defaults(acme):
    rate = tax_rate(acme, "7", isDefault=True)["id"]
    plain = product(acme, "Books", unit=None)
    (taken,) = invoice(acme, of(plain))["lines"]
    default = invoice(acme, line())["lines"][0]["accountId"]
    assert [taken[name] for name in TAKEN] == ["Books", None, "95.00", rate, default]


def test_a_product_is_named_by_its_number_too(acme):
    made = product(acme, number="C-1")
    shown = invoice(acme, {"productId": "C-1", "quantity": "1"})
    assert (shown["lines"][0]["productId"], shown["total"]) == (made["id"], "95.00")


def test_a_line_keeps_its_own_copy(acme):
    made = product(acme)
    draft, issued = invoice(acme, of(made), draft=True), invoice(acme, of(made))
    path = f"/finance/products/{made['id']}"
    acme.ok("PATCH", path, {"unitPrice": "120.00", "description": "Advice", "unit": "day", "accountId": "4100"})
    acme.ok("POST", f"{path}/archive")
    copy = acme.ok("POST", f"/finance/invoices/{issued['id']}/duplicate")
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"note": "Thank you."})
    later = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue", {})
    now = acme.ok("GET", f"/finance/invoices/{issued['id']}")
    for document in (copy, changed, later, now):
        (kept,) = document["lines"]
        assert [kept[name] for name in (*TAKEN, "productId")] == [
            issued["lines"][0][name] for name in (*TAKEN, "productId")
        ]


def test_lines_that_replace_those_of_a_draft_take_what_the_product_is_now(acme):
    made = product(acme)
    draft = invoice(acme, of(made), draft=True)
    acme.ok("PATCH", f"/finance/products/{made['id']}", {"unitPrice": "120.00"})
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"lines": [of(made)]})
    assert (changed["lines"][0]["unitPrice"], changed["total"]) == ("120.00", "240.00")


def test_a_preview_takes_from_products_too(acme):
    made = product(acme)
    assert acme.ok("POST", "/finance/invoices/preview", new_invoice(of(made)))["total"] == "190.00"


def test_a_credit_note_names_the_product_that_it_credits(acme):
    made = product(acme)
    note = credit(acme, invoice(acme, of(made)))
    assert note["lines"][0]["productId"] == made["id"]


def test_a_line_says_what_neither_it_nor_a_product_knows(acme):
    archived, priceless, dear = (
        product(acme, "Old"),
        product(acme, "Gift", unitPrice=None),
        product(acme, currency="USD"),
    )
    acme.ok("POST", f"/finance/products/{archived['id']}/archive")
    gross = product(acme, "Book", priceIncludesTax=True)
    body = new_invoice(
        {"quantity": "1"},
        {"quantity": "1", "productId": "nothing"},
        of(archived),
        of(priceless),
        of(dear),
        of(gross),
        of(dear, unitPrice="80.00"),
        line(accountId="nothing"),
    )
    error = acme.refused("POST", "/finance/invoices", body, status=422)
    assert complaints(error) == {
        "lines[0].description": "required",
        "lines[0].unitPrice": "required",
        "lines[1].productId": "unknown_reference",
        "lines[2].productId": "archived",
        "lines[3].unitPrice": "required",
        "lines[4].unitPrice": "wrong_currency",
        "lines[5].unitPrice": "wrong_price",
        "lines[7].accountId": "unknown_reference",
    }
    said = {detail["field"]: detail["message"] for detail in error["details"]}
    assert said["lines[4].unitPrice"] == "The price of Consulting is in USD. Enter a price in EUR."
    assert said["lines[5].unitPrice"] == (
        "The price of Book includes tax, but the document's prices do not. Enter a price."
    )


@pytest.mark.parametrize("currency", ["USD", None])
def test_a_price_fits_the_currency_of_the_document_or_of_its_customer(acme, currency):
    made = product(acme, currency="USD", unitPrice="100.00")
    own = {} if currency is None else {"currency": currency}
    globex = customer(acme, **({} if currency else {"currency": "USD"}))["id"]
    shown = invoice(acme, of(made), customerId=globex, exchangeRate="0.9", **own)
    assert (shown["currency"], shown["total"]) == ("USD", "200.00")


def test_a_price_with_tax_serves_a_document_whose_prices_include_it(acme):
    made = product(acme, unitPrice="119.00", priceIncludesTax=True, taxRateId=tax_rate(acme, "19")["id"])
    shown = invoice(acme, of(made, "1"), pricesIncludeTax=True)
    assert (shown["netTotal"], shown["taxTotal"], shown["total"]) == ("100.00", "19.00", "119.00")


def test_a_line_of_a_bill_takes_the_purchase_price_tax_and_account(acme):
    sold, bought = tax_rate(acme, "19", side="sale")["id"], tax_rate(acme, "7", side="purchase")["id"]
    of_purchase = {"purchasePrice": "60.00", "purchaseTaxRateId": bought, "purchaseAccountId": "6400"}
    made = product(acme, taxRateId=sold, accountId="4100", **of_purchase)
    assert {name: made[name] for name in of_purchase} == of_purchase | {"purchaseAccountId": made["purchaseAccountId"]}
    body = new_bill(of(made, "1"), supplierId=supplier(acme)["id"])
    shown = acme.ok("POST", "/finance/invoices/preview", body)["lines"][0]
    assert (shown["net"], shown["tax"], shown["accountCode"]) == ("60.00", "4.20", "6400")
    assert (shown["accountBecause"], shown["taxRateId"]) == ("product", bought)
    (taken,) = acme.ok("POST", "/finance/invoices", body)["lines"]
    assert [taken[name] for name in TAKEN] == ["Consulting", "hour", "60.00", bought, made["purchaseAccountId"]]
    assert invoice(acme, of(made))["lines"][0]["unitPrice"] == "95.00"


def test_a_bill_takes_nothing_that_is_meant_for_sales_alone(acme):
    """The tax of sales serves where it fits bills as well."""
    of_sales, of_both = tax_rate(acme, "19", side="sale")["id"], tax_rate(acme, "7", side="both")["id"]
    made, both = product(acme, accountId="4100", taxRateId=of_sales), product(acme, taxRateId=of_both)
    meyer = supplier(acme)["id"]
    body = new_bill(of(made), of(made, unitPrice="60.00"), of(both, unitPrice="60.00"), supplierId=meyer)
    shown = acme.ok("POST", "/finance/invoices/preview", body)["lines"]
    assert [[(each["field"], each["code"]) for each in one["details"]] for one in shown] == [
        [("lines[0].unitPrice", "required")],
        [],
        [],
    ]
    assert [one["accountBecause"] for one in shown] == ["default"] * 3
    assert [one["taxRateId"] for one in shown[1:]] == [None, of_both]


def test_only_an_unknown_product_is_named_as_such(acme):
    body = new_invoice({"productId": "nothing", "quantity": "1"})
    error = acme.refused("POST", "/finance/invoices", body, status=422, code="unknown_reference")
    assert complaint(error) == ("lines[0].productId", "unknown_reference")
