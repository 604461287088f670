"""Products: what is sold again and again."""

import csv
import io

import pytest

from erp.finance.products.bodies import NewProduct, ProductChange
from tests.events import events_of
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import invoice
from tests.finance.products.products import product
from tests.refusals import complaint, complaints, refuse_every_change, refuse_stale_changes


def names(office, **params):
    return [each["name"] for each in office.ok("GET", "/finance/products", params=params)]


def test_a_product_is_added(acme):
    rate = tax_rate(acme)["id"]
    body = {
        "name": "Consulting",
        "number": "C-1",
        "description": "Consulting, on site",
        "unit": "hour",
        "unitPrice": "95.125",
        "taxRateId": rate,
        "accountId": "4100",
    }
    answer = acme.call("POST", "/finance/products", body)
    made = answer.json["data"]
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/v1/finance/products/{made['id']}")
    assert made | {"accountId": "4100"} == made | body
    assert acme.ok("GET", f"/finance/accounts/{made['accountId']}")["code"] == "4100"
    assert (made["currency"], made["priceIncludesTax"], made["archivedAt"]) == ("EUR", False, None)
    assert acme.ok("GET", f"/finance/products/{made['id']}") == made
    assert events_of(acme, made["id"]) == ["product.created"]


def test_the_documented_examples_work(acme):
    made = acme.ok("POST", "/finance/products", NewProduct.EXAMPLE)
    assert acme.ok("PATCH", f"/finance/products/{made['id']}", ProductChange.EXAMPLE)["unitPrice"] == "105.00"


def test_a_name_is_enough(acme):
    made = acme.ok("POST", "/finance/products", {"name": "Travel"})
    empty = ("number", "description", "unit", "unitPrice", "taxRateId", "accountId")
    assert [made[name] for name in empty] == [None] * len(empty)


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"name": ""}, "name", "required"),
        ({"number": ""}, "number", "required"),
        ({"unitPrice": "1.1234567"}, "unitPrice", "too_many_decimals"),
        ({"currency": "XYZ"}, "currency", "unknown_currency"),
        ({"taxRateId": "nothing"}, "taxRateId", "unknown_reference"),
        ({"accountId": "nothing"}, "accountId", "unknown_reference"),
        ({"purchaseAccountId": "nothing"}, "purchaseAccountId", "unknown_reference"),
        ({"accountId": "1100"}, "accountId", "unsuitable_account"),
        ({"price": "1.00"}, "price", "unknown_field"),
        ({"archivedAt": None}, "archivedAt", "read_only"),
    ],
)
def test_a_product_that_does_not_fit_is_refused(acme, fields, field, code):
    error = acme.refused("POST", "/finance/products", {"name": "Travel"} | fields, status=422)
    assert complaint(error) == (field, code)


def test_every_complaint_about_a_product_is_made_at_once(acme):
    wrong = {"name": "Travel", "currency": "XYZ", "taxRateId": "nothing", "accountId": "1100"}
    assert complaints(acme.refused("POST", "/finance/products", wrong, status=422)) == {
        "currency": "unknown_currency",
        "taxRateId": "unknown_reference",
        "accountId": "unsuitable_account",
    }


def test_an_account_is_in_the_currency_of_the_product_or_of_the_books(acme):
    new = {"code": "4700", "name": "Sales in dollars", "type": "income", "subtype": "income", "currency": "USD"}
    acme.ok("POST", "/finance/accounts", new)
    made = product(acme, currency="USD", accountId="4700")
    assert made["currency"] == "USD"
    error = acme.refused("PATCH", f"/finance/products/{made['id']}", {"currency": None}, status=422)
    assert complaint(error) == ("accountId", "wrong_currency")


def test_a_number_belongs_to_one_product(acme):
    first, second = product(acme, number="C-1"), product(acme, number="C-2")
    path = f"/finance/products/{second['id']}"
    for verb, address, body in (("POST", "/finance/products", {"name": "X", "number": "C-1"}), ("PATCH", path, first)):
        sent = body if verb == "POST" else {"number": body["number"]}
        error = acme.refused(verb, address, sent, status=409, code="already_exists")
        assert error["details"][0]["field"] == "number"
    assert acme.ok("PATCH", path, {"number": "C-2", "name": "Same"})["name"] == "Same"
    assert acme.ok("PATCH", path, {"number": None})["number"] is None


def test_a_change_is_logged_and_null_restores_a_default(acme):
    made = product(acme, currency="USD", priceIncludesTax=True, accountId="4100")
    path = f"/finance/products/{made['id']}"
    changed = acme.ok("PATCH", path, {"unitPrice": None, "currency": None, "priceIncludesTax": None, "accountId": None})
    assert (changed["unitPrice"], changed["currency"], changed["priceIncludesTax"]) == (None, "EUR", False)
    assert (changed["accountId"], changed["unit"], changed["version"]) == (None, "hour", 2)
    assert acme.ok("PATCH", path, {"unit": "hour"})["version"] == 2
    assert events_of(acme, made["id"]) == ["product.created", "product.updated"]


def test_products_are_listed_by_name_and_found_by_their_texts(acme):
    product(acme, "Travel", number="T_1")
    product(acme, "consulting", description="Advice, 100 % on site")
    product(acme, "Books", currency="USD")
    assert names(acme) == ["Books", "Travel", "consulting"]
    assert names(acme, sort="-name") == ["consulting", "Travel", "Books"]
    assert names(acme, sort="number") == ["consulting", "Books", "Travel"]
    assert names(acme, q="t_1") == ["Travel"]
    assert names(acme, q="ADVICE") == ["consulting"]
    assert names(acme, q="tx1") == []
    assert names(acme, currency="USD") == ["Books"]
    answer = acme.call("GET", "/finance/products", params={"format": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert [row["unitPrice"] for row in rows] == ["95.00", "95.00", "95.00"]


def test_an_archived_product_is_listed_apart_and_comes_back(acme):
    made = product(acme)
    path = f"/finance/products/{made['id']}"
    assert acme.ok("POST", f"{path}/archive")["archivedAt"] is not None
    assert (names(acme), names(acme, isArchived="true")) == ([], ["Consulting"])
    acme.refused("POST", f"{path}/archive", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/unarchive")["archivedAt"] is None
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    assert names(acme) == ["Consulting"]
    kinds = ["product.created", "product.archived", "product.unarchived"]
    assert events_of(acme, made["id"]) == kinds


def test_a_product_does_not_come_back_without_its_account(acme):
    made = product(acme, accountId="4100")
    path = f"/finance/products/{made['id']}"
    error = acme.refused("POST", f"/finance/accounts/{made['accountId']}/archive", status=409, code="in_use")
    assert error["message"] == "Account 4100 is used in a product. Choose another account in the product first."
    acme.ok("POST", f"{path}/archive")
    acme.ok("POST", f"/finance/accounts/{made['accountId']}/archive")
    assert complaint(acme.refused("POST", f"{path}/unarchive", status=422)) == ("accountId", "account_closed")
    acme.ok("PATCH", path, {"accountId": None})
    assert acme.ok("POST", f"{path}/unarchive")["archivedAt"] is None


def test_an_unused_product_can_be_deleted_and_one_in_use_archived(acme):
    unused, used = product(acme, "Travel"), product(acme)
    draft = invoice(acme, {"productId": used["id"], "quantity": "1"}, draft=True)
    acme.ok("DELETE", f"/finance/products/{unused['id']}")
    path = f"/finance/products/{used['id']}"
    error = acme.refused("DELETE", path, status=409, code="in_use")
    assert error["message"] == "Consulting is used in documents and cannot be deleted. Archive the product instead."
    acme.ok("POST", f"{path}/archive")
    acme.ok("DELETE", f"/finance/invoices/{draft['id']}")
    acme.ok("DELETE", path)
    assert names(acme, isArchived="true") == []


def test_a_viewer_sees_products_and_changes_none(acme):
    made = product(acme)
    viewer = acme.colleague("viewer")
    assert viewer.ok("GET", "/finance/products") == [made]
    refuse_every_change(viewer, "/finance/products", f"/finance/products/{made['id']}", {"name": "Mine"})


def test_a_stale_change_is_refused(acme):
    refuse_stale_changes(acme, f"/finance/products/{product(acme)['id']}")
