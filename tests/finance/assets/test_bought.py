"""A line of a bill that becomes a fixed asset when the bill is posted."""

import pytest

from tests.finance.assets.assets import ASSETS, run, show
from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import bill, line
from tests.refusals import complaint

LAPTOP = {"inUseOn": "2026-03-10", "lifeMonths": 36}


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


def bought(office, asset, price="1500.00", **fields):
    """A bill with one line that becomes an asset."""
    return bill(office, asset_line(asset, price), issueDate="2026-03-05", supplierId=supplier(office)["id"], **fields)


def asset_line(asset, price="1500.00", **fields):
    return line(price, **{"accountId": "1500", "asset": asset, **fields})


def test_the_line_of_a_bill_becomes_an_asset_in_use(acme):
    bill = bought(acme, {**LAPTOP, "name": "Laptop", "serialNumber": "X-1"})
    (made,) = acme.ok("GET", ASSETS)
    assert (made["name"], made["cost"], made["acquiredOn"], made["status"]) == (
        "Laptop",
        "1500.00",
        "2026-03-05",
        "in_use",
    )
    assert (made["accountCode"], made["serialNumber"], made["invoiceNumber"]) == ("1500", "X-1", bill["number"])
    assert bill["lines"][0]["madeAssets"] == [{"id": made["id"], "number": made["number"]}]
    assert acme.ok("GET", f"{ASSETS}/candidates") == []
    assert run(acme, "2026-03")["total"] == "41.67"


def test_one_without_a_first_day_is_a_draft(acme):
    bill = bought(acme, {})
    (made,) = acme.ok("GET", ASSETS)
    assert (made["name"], made["status"], made["method"]) == (bill["lines"][0]["description"], "draft", "linear")


def test_a_count_makes_as_many_to_the_cent(acme):
    bill = bought(acme, {"name": "Chair", "count": 3}, "1000.00")
    assert [each["cost"] for each in acme.ok("GET", ASSETS, params={"sort": "number"})] == [
        "333.34",
        "333.33",
        "333.33",
    ]
    assert [each["number"] for each in bill["lines"][0]["madeAssets"]] == ["FA-0001", "FA-0002", "FA-0003"]


def test_a_draft_of_a_bill_makes_nothing_until_it_is_posted(acme):
    asset = {**LAPTOP, "residualValue": "100.00"}
    body = {"supplierId": supplier(acme)["id"], "issueDate": "2026-03-05", "lines": [asset_line(asset)]}
    kept = acme.ok("POST", "/finance/invoices", {"kind": "purchase_invoice", "draft": True, **body})
    shown = kept["lines"][0]["asset"]
    assert {name: value for name, value in shown.items() if value is not None} == {**asset, "method": "linear"}
    assert acme.ok("GET", ASSETS) == []
    acme.ok("PATCH", f"/finance/invoices/{kept['id']}", {"lines": kept["lines"]})
    acme.ok("POST", f"/finance/invoices/{kept['id']}/issue", {"dryRun": True})
    assert acme.ok("GET", ASSETS) == []
    acme.ok("POST", f"/finance/invoices/{kept['id']}/issue", {})
    assert [(each["status"], each["residualValue"]) for each in acme.ok("GET", ASSETS)] == [("in_use", "100.00")]
    copy = acme.ok("POST", f"/finance/invoices/{kept['id']}/duplicate", {})
    assert copy["lines"][0]["asset"] is None


def test_a_bill_in_dollars_makes_an_asset_in_the_base_currency(acme):
    bought(acme, LAPTOP, "1000.00", currency="USD", exchangeRate="0.92")
    assert [each["cost"] for each in acme.ok("GET", ASSETS)] == ["920.00"]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"accountId": "6100"}, ("lines[0].accountId", "unsuitable_account")),
        ({"accountId": None}, ("lines[0].accountId", "unsuitable_account")),
        ({"asset": {**LAPTOP, "lifeMonths": None}}, ("lines[0].asset.lifeMonths", "required")),
        ({"asset": {**LAPTOP, "inUseOn": "2026-03-04"}}, ("lines[0].asset.inUseOn", "too_early")),
        ({"asset": {**LAPTOP, "residualValue": "1500.01"}}, ("lines[0].asset.residualValue", "too_large")),
        ({"asset": {**LAPTOP, "method": "rusting"}}, ("lines[0].asset.method", "not_one_of")),
        ({"unitPrice": "0.00"}, ("lines[0].asset", "unsuitable_line")),
    ],
)
def test_a_bill_whose_asset_is_wrong_is_not_posted(acme, changes, wrong):
    lines = [{**asset_line(LAPTOP), **changes}, line("10.00")]
    body = {"kind": "purchase_invoice", "supplierId": supplier(acme)["id"], "issueDate": "2026-03-05", "lines": lines}
    assert complaint(acme.refused("POST", "/finance/invoices", body, status=422)) == wrong
    assert acme.ok("GET", "/finance/invoices") == []
    assert acme.ok("GET", ASSETS) == []


@pytest.mark.parametrize("kind", ["sales_invoice", "purchase_credit_note"])
def test_only_a_bill_makes_assets(acme, kind):
    party = {"customer": {"name": "Initech"}} if kind == "sales_invoice" else {"supplierId": supplier(acme)["id"]}
    refusal = acme.refused("POST", "/finance/invoices", {"kind": kind, "lines": [asset_line({})], **party}, status=422)
    assert complaint(refusal) == ("lines[0].asset", "not_needed")


@pytest.mark.parametrize("act", ["void", "credit"])
def test_the_bill_stays_once_the_asset_is_depreciated(acme, act):
    """BK-6: void or credit of that line is refused (409 `in_use`)."""
    bill = bought(acme, LAPTOP)
    (made,) = acme.ok("GET", ASSETS)
    posted = run(acme, "2026-03")
    refusal = acme.refused("POST", f"/finance/invoices/{bill['id']}/{act}", {}, status=409, code="in_use")
    assert made["number"] in refusal["message"]
    acme.ok("POST", f"/finance/depreciation-runs/{posted['id']}/void", {})
    acme.ok("POST", f"/finance/invoices/{bill['id']}/{act}", {})
    assert show(acme, made)["status"] == "draft"
    assert len(acme.ok("GET", ASSETS)) == 1
