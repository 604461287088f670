"""Fixed assets: adding and changing them, from bills and from a file of old ones."""

import pytest

from tests.events import last_event
from tests.finance.assets.assets import ASSETS, asset, dispose, draft, new_asset, run, show
from tests.finance.books.balances import balances
from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import bill, credit, line
from tests.refusals import complaint, complaints


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


def equipment(office, *prices, **fields):
    """A bill over things for account 1500."""
    return bill(office, *(line(price, accountId="1500") for price in prices), issueDate="2026-03-05", **fields)


def test_a_new_asset_is_a_draft_until_it_is_in_use(acme):
    made = draft(acme)
    assert (made["number"], made["status"], made["bookValue"]) == ("FA-0001", "draft", "1500.00")
    assert (made["accountCode"], made["method"], made["lifeMonths"]) == ("1500", "linear", 36)
    assert made["can"] == ["activate", "delete"]
    assert last_event(acme)[0] == "asset.created"
    used = acme.ok("POST", f"{ASSETS}/{made['id']}/activate")
    assert (used["status"], used["can"]) == ("in_use", ["changeLife", "delete", "dispose"])
    assert last_event(acme)[0] == "asset.in_use"
    acme.refused("POST", f"{ASSETS}/{made['id']}/activate", status=409, code="invalid_transition")
    assert balances(acme) == {}


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"inUseOn": None}, {"inUseOn": "required"}),
        ({"lifeMonths": None}, {"lifeMonths": "required"}),
        ({"method": "declining"}, {"decliningPercent": "required"}),
        ({"method": "pool", "inUseOn": None, "lifeMonths": None}, {"inUseOn": "required"}),
    ],
)
def test_an_asset_is_in_use_only_with_all_that_depreciation_needs(acme, fields, wrong):
    made = draft(acme, **fields)
    assert complaints(acme.refused("POST", f"{ASSETS}/{made['id']}/activate", status=422)) == wrong


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"accountId": "1010"}, ("accountId", "unsuitable_account")),
        ({"residualValue": "1500.01"}, ("residualValue", "too_large")),
        ({"openingAccumulated": "100.00"}, ("openingDate", "required")),
        ({"inUseOn": "2026-01-11"}, ("inUseOn", "too_early")),
        ({"projectId": "none"}, ("projectId", "unknown_reference")),
        ({"employeeId": "none"}, ("employeeId", "unknown_reference")),
        ({"cost": None}, ("cost", "required")),
        ({"count": 2}, ("count", "not_needed")),
        ({"method": "declining", "decliningPercent": "0"}, ("decliningPercent", "not_positive")),
        ({"method": "pool", "residualValue": "1.00"}, ("residualValue", "not_needed")),
        (
            {"openingAccumulated": "1400.00", "openingDate": "2026-02-01", "residualValue": "200.00"},
            ("openingAccumulated", "too_large"),
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_field(acme, fields, wrong):
    assert complaint(acme.refused("POST", ASSETS, new_asset(**fields), status=422)) == wrong


def test_what_depreciation_rests_on_stays_once_it_is_posted(acme):
    made = asset(acme)
    path = f"{ASSETS}/{made['id']}"
    acme.ok("PATCH", path, {"cost": "1800.00", "lifeMonths": 60})
    assert complaint(acme.refused("PATCH", path, {"lifeMonths": None}, status=422)) == ("lifeMonths", "required")
    run(acme, "2026-01")
    changes = {
        "cost": "1500.00",
        "acquiredOn": "2026-01-01",
        "inUseOn": "2026-02-01",
        "method": "immediate",
        "lifeMonths": 12,
        "residualValue": "1.00",
    }
    for name, value in changes.items():
        acme.refused("PATCH", path, {name: value}, status=409, code="in_use")
    shown = acme.ok("PATCH", path, {"location": "Berlin", "serialNumber": "X-1"})
    assert (shown["location"], shown["serialNumber"], shown["cost"]) == ("Berlin", "X-1", "1800.00")
    assert last_event(acme)[0] == "asset.updated"
    acme.refused("DELETE", path, status=409, code="in_use")


def test_an_asset_of_which_nothing_is_posted_can_be_deleted(acme):
    made = draft(acme)
    acme.ok("DELETE", f"{ASSETS}/{made['id']}")
    assert acme.ok("GET", ASSETS) == []
    gone = dispose(acme, asset(acme, accountId="1500"), "2026-06-15")
    acme.refused("DELETE", f"{ASSETS}/{gone['id']}", status=409, code="in_use")


def test_a_shorter_life_spreads_the_rest(acme):
    """BK-6: 6,000.00 over 60 months; the life cut to 48 after month 25: 3,500.00 over 23 months, 152.17."""
    made = asset(acme, "6000.00", lifeMonths=60, acquiredOn="2024-06-01", inUseOn="2024-06-01")
    path = f"{ASSETS}/{made['id']}/life"
    run(acme, "2026-05")
    body = {"lifeMonths": 48, "from": "2026-07", "reason": "It wears out"}
    acme.refused("POST", path, {**body, "from": "2026-05"}, status=409, code="month_before_last_run")
    assert complaint(acme.refused("POST", path, {**body, "lifeMonths": 25}, status=422)) == ("lifeMonths", "too_small")
    changed = acme.ok("POST", path, body)
    assert changed["lifeMonths"] == 48
    assert changed["lives"] == [{"fromMonth": "2026-07", "lifeMonths": 48, "reason": "It wears out"}]
    assert last_event(acme)[1]["monthsBefore"] == 60
    months = {month["month"]: month["depreciation"] for month in show(acme, made)["months"]}
    assert (months["2026-06"], months["2026-07"], len(months)) == ("100.00", "152.17", 48)
    land = asset(acme, method="none", lifeMonths=None)
    refusal = acme.refused("POST", f"{ASSETS}/{land['id']}/life", {**body, "lifeMonths": 12}, status=422)
    assert complaint(refusal) == ("lifeMonths", "not_needed")


def test_assets_are_found_by_their_fields(acme):
    laptop = asset(acme)
    phone = asset(acme, "500.00", name="Phone", method="immediate", serialNumber="IMEI 12")
    desk = draft(acme, name="Desk", location="Berlin")
    run(acme, "2026-01")

    def found(**params):
        return [each["name"] for each in acme.ok("GET", ASSETS, params=params)]

    assert found() == ["Desk", "Phone", "Laptop"]
    assert found(status="draft") == [desk["name"]]
    assert found(isFullyDepreciated="true") == [phone["name"]]
    assert found(isFullyDepreciated="false", status="in_use") == [laptop["name"]]
    assert found(q="imei") == ["Phone"]
    assert found(q="berlin") == ["Desk"]
    assert found(accountId="1590") == []
    assert found(accountId="1500", sort="name") == ["Desk", "Laptop", "Phone"]


def test_a_line_of_a_bill_becomes_an_asset(acme):
    bought = equipment(acme, "1200.00", "90.00")
    bill(acme, line("50.00"), issueDate="2026-03-05")
    lines = acme.ok("GET", f"{ASSETS}/candidates")
    assert [(each["invoiceNumber"], each["accountCode"], each["cost"]) for each in lines] == [
        (bought["number"], "1500", "1200.00"),
        (bought["number"], "1500", "90.00"),
    ]
    source = {name: lines[0][name] for name in ("invoiceId", "lineId")}
    made = acme.ok("POST", ASSETS, {"fromLine": source, "inUseOn": "2026-03-10", "lifeMonths": 12})
    assert (made["name"], made["cost"], made["acquiredOn"]) == ("Consulting", "1200.00", "2026-03-05")
    assert (made["invoiceId"], made["invoiceNumber"]) == (bought["id"], bought["number"])
    assert [each["cost"] for each in acme.ok("GET", f"{ASSETS}/candidates")] == ["90.00"]
    acme.refused("POST", ASSETS, {"fromLine": source}, status=409, code="in_use")
    wrong = {"invoiceId": bought["id"], "lineId": "none"}
    refusal = acme.refused("POST", ASSETS, {"fromLine": wrong}, status=422)
    assert complaint(refusal) == ("fromLine.lineId", "unsuitable_line")


def test_a_line_is_split_into_equal_assets_to_the_cent(acme):
    """BK-6: a count of 3 is three assets, by largest remainder."""
    equipment(acme, "1000.00")
    (candidate,) = acme.ok("GET", f"{ASSETS}/candidates")
    source = {name: candidate[name] for name in ("invoiceId", "lineId")}
    made = acme.ok("POST", ASSETS, {"fromLine": source, "count": 3, "name": "Chair"})
    assert [each["cost"] for each in made["items"]] == ["333.34", "333.33", "333.33"]


def test_a_line_is_not_split_into_assets_without_cost(acme):
    equipment(acme, "1.00")
    (candidate,) = acme.ok("GET", f"{ASSETS}/candidates")
    source = {name: candidate[name] for name in ("invoiceId", "lineId")}
    refusal = acme.refused("POST", ASSETS, {"fromLine": source, "count": 101}, status=422)
    assert complaint(refusal) == ("count", "too_large")


def test_the_account_of_an_asset_stays_an_account_for_assets(acme):
    """Otherwise the register could no longer be compared with the ledger."""
    account_id = draft(acme)["accountId"]
    change = {"subtype": "current_asset"}
    refusal = acme.refused("PATCH", f"/finance/accounts/{account_id}", change, status=409, code="in_use")
    assert "subtype" in refusal["message"].lower()


def test_the_account_where_depreciation_is_collected_stays_one_for_assets(acme):
    """Otherwise the first depreciation would make the books unsound."""
    accounts = {account["code"]: account["id"] for account in acme.ok("GET", "/finance/accounts")}
    change = {"subtype": "other_asset"}
    acme.refused("PATCH", f"/finance/accounts/{accounts['1590']}", change, status=409, code="in_use")


def test_the_accounts_of_assets_in_use_are_not_archived(installation):
    """Otherwise no depreciation of any asset could be posted."""
    office = installation.office("Olga", chartTemplate="gb", country="GB")
    desk = draft(office, accountId="0040")
    codes = {account["code"]: account["id"] for account in office.ok("GET", "/finance/accounts")}
    for code in ("0040", "0041"):
        office.refused("POST", f"/finance/accounts/{codes[code]}/archive", {}, status=409, code="in_use")
    office.ok("DELETE", f"{ASSETS}/{desk['id']}")
    for code in ("0040", "0041"):
        office.ok("POST", f"/finance/accounts/{codes[code]}/archive", {})


def test_tax_that_is_not_deducted_is_part_of_the_cost(acme):
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "20 %", "rate": "20", "category": "S"})
    half = line("1000.00", accountId="1500", taxRateId=rate["id"], deductibleTaxPercent="50")
    bill(acme, half, issueDate="2026-03-05")
    (candidate,) = acme.ok("GET", f"{ASSETS}/candidates")
    assert candidate["cost"] == "1100.00"
    assert balances(acme)["1500"] == 110_000


def test_a_discount_as_a_line_lowers_the_assets_of_its_bill(acme):
    """300.00 less for 1,000.00 and 500.00: 200.00 and 100.00."""
    bought = equipment(acme, "1000.00", "500.00", "-300.00")
    found = acme.ok("GET", f"{ASSETS}/candidates")
    assert [candidate["cost"] for candidate in found] == ["800.00", "400.00"]
    made = acme.ok("POST", ASSETS, {"fromLine": {name: found[0][name] for name in ("invoiceId", "lineId")}})
    assert made["cost"] == "800.00"
    assert [candidate["cost"] for candidate in acme.ok("GET", f"{ASSETS}/candidates")] == ["400.00"]
    discount = {"invoiceId": bought["id"], "lineId": bought["lines"][2]["id"]}
    refusal = acme.refused("POST", ASSETS, {"fromLine": discount}, status=422)
    assert complaint(refusal) == ("fromLine.lineId", "unsuitable_line")
    assert balances(acme)["1500"] == 120_000


def test_a_bill_in_dollars_costs_its_value_in_the_base_currency(acme):
    equipment(acme, "1000.00", currency="USD", exchangeRate="0.92")
    (candidate,) = acme.ok("GET", f"{ASSETS}/candidates")
    assert (candidate["cost"], candidate["currency"]) == ("920.00", "EUR")


@pytest.mark.parametrize("act", ["void", "credit"])
def test_the_bill_of_an_asset_that_is_depreciated_stays(acme, act):
    bought = equipment(acme, "1200.00", supplierId=supplier(acme)["id"])
    (candidate,) = acme.ok("GET", f"{ASSETS}/candidates")
    source = {name: candidate[name] for name in ("invoiceId", "lineId")}
    made = acme.ok("POST", ASSETS, {"fromLine": source, "inUseOn": "2026-03-10", "lifeMonths": 12})
    acme.ok("POST", f"{ASSETS}/{made['id']}/activate")
    posted = run(acme, "2026-03")
    refusal = acme.refused("POST", f"/finance/invoices/{bought['id']}/{act}", {}, status=409, code="in_use")
    assert made["number"] in refusal["message"]
    acme.ok("POST", f"/finance/depreciation-runs/{posted['id']}/void", {})
    acme.ok("POST", f"/finance/invoices/{bought['id']}/{act}", {})
    assert last_event(acme)[1]["withdrawnAssets"] == 1
    assert show(acme, made)["status"] == "draft"
    acme.refused("POST", "/finance/depreciation-runs", {"month": "2026-03"}, status=409, code="nothing_to_post")


@pytest.mark.parametrize("act", ["void", "credit"])
def test_a_draft_without_its_bill_is_not_put_in_use(acme, act):
    bought = equipment(acme, "1200.00", supplierId=supplier(acme)["id"])
    source = {"invoiceId": bought["id"], "lineId": bought["lines"][0]["id"]}
    made = acme.ok("POST", ASSETS, {"fromLine": source, "inUseOn": "2026-03-10", "lifeMonths": 12})
    acme.ok("POST", f"/finance/invoices/{bought['id']}/{act}", {})
    refusal = acme.refused("POST", f"{ASSETS}/{made['id']}/activate", status=409, code="invalid_transition")
    assert made["number"] in refusal["message"]


def test_a_credit_note_that_lowered_an_asset_stays(acme):
    """Its cost is the line without the credit: with the note void, the ledger would hold more than the asset."""
    bought = equipment(acme, "1200.00", supplierId=supplier(acme)["id"])
    note = credit(acme, bought, {"lineId": bought["lines"][0]["id"], "amount": "200.00"})
    source = {"invoiceId": bought["id"], "lineId": bought["lines"][0]["id"]}
    made = acme.ok("POST", ASSETS, {"fromLine": source, "inUseOn": "2026-03-10", "lifeMonths": 12})
    assert made["cost"] == "1000.00"
    acme.ok("POST", f"{ASSETS}/{made['id']}/activate")
    posted = run(acme, "2026-03")
    refusal = acme.refused("POST", f"/finance/invoices/{note['id']}/void", {}, status=409, code="in_use")
    assert made["number"] in refusal["message"]
    acme.ok("POST", f"/finance/depreciation-runs/{posted['id']}/void", {})
    acme.ok("POST", f"/finance/invoices/{note['id']}/void", {})
    assert show(acme, made)["status"] == "draft"


def test_a_line_that_is_credited_whole_is_no_candidate(acme):
    bought = equipment(acme, "1200.00", "90.00")
    credit(acme, bought, {"lineId": bought["lines"][0]["id"], "quantity": "1"})
    assert [each["cost"] for each in acme.ok("GET", f"{ASSETS}/candidates")] == ["90.00"]
    credit(acme, bought, {"lineId": bought["lines"][1]["id"], "amount": "30.00"})
    assert [each["cost"] for each in acme.ok("GET", f"{ASSETS}/candidates")] == ["60.00"]


def test_equal_assets_of_one_file_are_as_many_assets(acme):
    headings, chair = "name,accountId,cost,acquiredOn,inUseOn,serialNumber\n", "Chair,1500,900.00,2024-01-01,2024-01-01"
    acme.ok("POST", f"{ASSETS}/import", {"csv": f"{headings}{chair},\n{chair},\n".replace("inUseOn", "openingDate")})
    assert len(acme.ok("GET", ASSETS)) == 2
    other = f"{headings}{chair},B-17\n".replace("inUseOn", "openingDate")
    acme.ok("POST", f"{ASSETS}/import", {"csv": other})
    refusal = acme.refused("POST", f"{ASSETS}/import", {"csv": other}, status=422)
    assert complaint(refusal) == ("rows[2].name", "duplicate")


def test_old_assets_come_from_a_file_and_post_nothing(acme):
    csv = (
        "name,accountId,cost,acquiredOn,inUseOn,lifeMonths,openingAccumulated,openingDate\n"
        "Press,1500,6000.00,2023-12-01,2023-12-01,60,2500.00,2025-12-31\n"
        "Van,1500,24000.00,2024-01-01,2024-01-01,72,8000.00,2025-12-31\n"
    )
    assert acme.ok("POST", f"{ASSETS}/import", {"csv": csv, "dryRun": True}) == {"rows": 2, "dryRun": True}
    assert acme.ok("GET", ASSETS) == []
    acme.ok("POST", f"{ASSETS}/import", {"csv": csv})
    press = acme.ok("GET", ASSETS, params={"q": "Press"})[0]
    assert (press["status"], press["accumulated"], press["bookValue"]) == ("in_use", "2500.00", "3500.00")
    assert balances(acme) == {}
    assert show(acme, press)["months"][0] == {
        "month": "2026-01",
        "depreciation": "100.00",
        "accumulated": "2600.00",
        "bookValue": "3400.00",
        "isPosted": False,
    }
    again = acme.refused("POST", f"{ASSETS}/import", {"csv": csv}, status=422)
    assert complaints(again) == {f"rows[{row}].name": "duplicate" for row in (2, 3)}
    wrong = acme.refused("POST", f"{ASSETS}/import", {"csv": csv.replace("1500", "1010")}, status=422)
    assert complaints(wrong) == {f"rows[{row}].accountId": "unsuitable_account" for row in (2, 3)}
