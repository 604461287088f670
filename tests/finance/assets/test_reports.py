"""The register and the movements of fixed assets: figures, ties to the ledger, and files."""

import pytest

from tests.finance.assets.assets import ASSETS, asset, dispose, run
from tests.finance.documents.invoices import bill, line
from tests.finance.journals.journals import entry
from tests.finance.reports.trees import cells, labelled, report, sheet

MOVED = [
    "cost_opening",
    "additions",
    "disposals",
    "cost_closing",
    "accumulated_opening",
    "depreciation",
    "accumulated_disposals",
    "accumulated_closing",
    "book_opening",
    "book_closing",
]


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


def buy(office, price, day="2026-01-12", **fields):
    """An asset in use that was bought with a bill."""
    bill(office, line(price, accountId="1500", description=fields.pop("name", "Laptop")), issueDate=day)
    (candidate,) = office.ok("GET", f"{ASSETS}/candidates")
    source = {name: candidate[name] for name in ("invoiceId", "lineId")}
    made = office.ok("POST", ASSETS, {"fromLine": source, "inUseOn": day, "lifeMonths": 36, **fields})
    return office.ok("POST", f"{ASSETS}/{made['id']}/activate")


def differences(office, day):
    """The difference of each account that is compared with the ledger."""
    tree = report(office, "asset-register", date=day)
    return {row["code"]: row["cells"]["difference"]["value"] for row in tree["rows"] if "difference" in row["cells"]}


def test_the_register_has_each_asset_and_ties_to_the_ledger(acme):
    laptop = buy(acme, "1500.00")
    buy(acme, "900.00", "2026-02-03", name="Desk", method="pool", lifeMonths=None)
    run(acme, "2026-06")
    tree = report(acme, "asset-register", date="2026-06-30")
    shown = labelled(tree, "Laptop")
    assert shown == {
        "acquired_on": "2026-01-12",
        "cost": "1500.00",
        "accumulated": "250.00",
        "book_value": "1250.00",
    }
    assert labelled(tree, "All assets")["book_value"] == "2060.00"
    assert [row["link"] for row in tree["rows"] if row["code"] == laptop["number"]] == [
        f"/api/v1/finance/assets/{laptop['id']}"
    ]
    for day in ("2026-01-11", "2026-01-12", "2026-02-28", "2026-06-29", "2026-06-30", "2026-07-10"):
        assert set(differences(acme, day).values()) <= {"0.00"}, day
    assert differences(acme, "2026-06-30") == {"1500": "0.00", "1590": "0.00"}


def test_the_register_ties_after_a_disposal_and_tells_what_has_no_asset(acme):
    laptop = buy(acme, "1500.00")
    run(acme, "2026-05")
    dispose(acme, laptop, "2026-06-15")
    assert differences(acme, "2026-06-14") == {"1500": "0.00", "1590": "0.00"}
    assert differences(acme, "2026-06-15") == {}
    entry(acme, "70.00", debit="1500", credit="3000", day="2026-06-20")
    assert differences(acme, "2026-06-20") == {"1500": "70.00"}


def test_an_account_that_is_written_down_itself_ties_too(installation):
    office = installation.office("Olga", country="DE", chartTemplate="de-skr04")
    asset(office, accountId="0650")
    entry(office, "1500.00", debit="0650", credit="2900", day="2026-01-12")
    run(office, "2026-06")
    assert differences(office, "2026-06-30") == {"0650": "0.00"}


def test_old_assets_tie_to_the_opening_balances(acme):
    old = {"acquiredOn": "2023-12-01", "inUseOn": "2023-12-01", "lifeMonths": 60}
    asset(acme, "6000.00", openingAccumulated="2500.00", openingDate="2025-12-31", **old)
    lines = [{"accountId": "1500", "debit": "6000.00"}, {"accountId": "1590", "credit": "2500.00"}]
    acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "lines": lines})
    run(acme, "2026-03")
    assert differences(acme, "2025-12-31") == {"1500": "0.00", "1590": "0.00"}
    assert differences(acme, "2026-03-31") == {"1500": "0.00", "1590": "0.00"}
    total = labelled(report(acme, "asset-movements", year="2026"), "All assets")
    assert [total[column] for column in ("cost_opening", "accumulated_opening", "depreciation")] == [
        "6000.00",
        "2500.00",
        "300.00",
    ]


def test_movements_of_a_year_go_from_one_balance_to_the_next(acme):
    """AC-21 and BK-6: bought and sold in one year stands in both."""
    buy(acme, "3600.00", "2025-07-01")
    laptop = buy(acme, "1500.00")
    run(acme, "2026-06")
    dispose(acme, laptop, "2026-06-30")
    before = labelled(report(acme, "asset-movements", year="2025"), "All assets")
    tree = report(acme, "asset-movements", year="2026")
    total = labelled(tree, "All assets")
    assert [total[column] for column in MOVED] == [
        "3600.00",
        "1500.00",
        "1500.00",
        "3600.00",
        "0.00",
        "1450.00",
        "250.00",
        "1200.00",
        "3600.00",
        "2400.00",
    ]
    assert (before["additions"], before["cost_closing"]) == ("3600.00", "3600.00")
    register = labelled(report(acme, "asset-register", date="2026-12-31"), "All assets")
    assert (register["cost"], register["accumulated"]) == (total["cost_closing"], total["accumulated_closing"])
    assert [cells(row) == total for row in tree["rows"] if row["code"] == "1500"] == [True]


@pytest.mark.parametrize(("name", "params"), [("asset-register", {}), ("asset-movements", {"year": "2026"})])
@pytest.mark.parametrize("language", ["en", "de"])
def test_both_reports_are_files(acme, name, params, language):
    buy(acme, "1500.00")
    run(acme, "2026-06")
    path = f"/finance/reports/{name}"
    csv = acme.call("GET", path, params={**params, "format": "csv", "language": language})
    assert csv.status_code == 200
    assert "1500.00" in csv.text
    assert ("Anlagen" in csv.text or "Abschreibung" in csv.text) == (language == "de")
    xlsx = acme.call("GET", path, params={**params, "format": "xlsx", "language": language})
    assert 1500.0 in [value for row in sheet(xlsx.content) for value in row]
    pdf = acme.call("GET", path, params={**params, "format": "pdf", "language": language})
    assert pdf.content.startswith(b"%PDF")


def test_the_check_list_of_the_year_asks_for_assets_and_depreciation(acme, clock_at):
    buy(acme, "1500.00", "2025-03-01")
    bill(acme, line("200.00", accountId="1500"), issueDate="2025-11-05")
    run(acme, "2025-10")
    entry(acme, "70.00", debit="1500", credit="3000", day="2025-12-20")

    def findings(day):
        found = acme.ok("GET", "/finance/periods/check-list", params={"date": day})["findings"]
        return {
            each["kind"]: (each["count"], each["amount"])
            for each in found
            if "asset" in each["kind"] or "depr" in each["kind"]
        }

    assert findings("2025-11-30") == {}
    assert findings("2025-12-31") == {
        "lines_without_asset": (1, "200.00"),
        "depreciation_missing": (2, "83.34"),
        "asset_register_differs": (1, "270.00"),
    }
    assert findings("2026-06-30") == findings("2025-12-31")
    run(acme, "2025-12")
    assert "depreciation_missing" not in findings("2025-12-31")
    year = acme.ok("GET", "/finance/fiscal-years/2025")
    assert {"lines_without_asset", "asset_register_differs"} <= {each["kind"] for each in year["findings"]}


def test_home_asks_for_depreciation_and_for_assets(acme):
    assert acme.ok("GET", "/workspace/home")["depreciationDue"] is None
    bill(acme, line("200.00", accountId="1500"), issueDate="2026-05-05")
    asset(acme)
    home = acme.ok("GET", "/workspace/home")
    assert home["depreciationDue"] == {
        "month": "2026-06",
        "assetCount": 1,
        "currency": "EUR",
        "amount": "250.00",
    }
    assert home["linesWithoutAsset"]["total"] == 1
    assert home["linesWithoutAsset"]["items"][0]["cost"] == "200.00"
    run(acme, "2026-06")
    assert acme.ok("GET", "/workspace/home")["depreciationDue"] is None
    assert acme.colleague("viewer").ok("GET", "/workspace/home")["linesWithoutAsset"] is None


def test_assets_are_found_by_the_search(acme):
    made = asset(acme, serialNumber="SN 4711")
    for text in ("laptop", "4711", "FA-1", made["number"]):
        (hit,) = [each for each in acme.ok("GET", "/workspace/search", params={"q": text}) if each["type"] == "asset"]
        assert (hit["id"], hit["title"], hit["number"], hit["amount"]) == (made["id"], "Laptop", "FA-0001", "1500.00")
