"""The tax rates that a new office has: each names the place and the kind, and counts in the boxes of that kind."""

import pytest

from tests.conftest import Installation, Office
from tests.finance.contacts.contacts import customer, supplier
from tests.finance.documents.invoices import bill, invoice, let_bills_go_by_default, line
from tests.finance.reports.trees import cells, report

MARCH = {"dateFrom": "2026-03-01", "dateTo": "2026-03-31"}
SOLD = {
    "EU: Leistung an Firma (Kunde schuldet)": {"21": ("100.00",)},
    "Inland: Steuerschuldnerschaft des Kunden (§ 13b)": {"60": ("100.00",)},
    "Drittland: Leistung (nicht steuerbar)": {"45": ("100.00",)},
}
BOUGHT = {
    "EU: Leistung, § 13b 19 %": {"46/47": ("100.00", "19.00"), "67": ("19.00",)},
    "Drittland: Leistung, § 13b 19 %": {"84/85": ("100.00", "19.00"), "67": ("19.00",)},
    "Inland: Leistung, § 13b 19 % (Bau u. a.)": {"84/85": ("100.00", "19.00"), "67": ("19.00",)},
    "Innergemeinschaftlicher Erwerb 7 %": {"93": ("100.00", "7.00"), "61": ("7.00",)},
    "Innergemeinschaftlicher Erwerb 19 %": {"89": ("100.00", "19.00"), "61": ("19.00",)},
}
ACCOUNTS = {
    "de-skr04": ["4336", "4337", "4338", "5923", "5925", "5920", "5425", "5425"],
    "de-skr03": ["8336", "8337", "8338", "3123", "3125", "3120", "3425", "3425"],
}


def german(installation: Installation, chart: str = "de-skr04") -> Office:
    return installation.office("Olga", chartTemplate=chart, country="DE", vatId="DE136695976")


def boxes(office: Office) -> dict[str, tuple[str, ...]]:
    """The boxes of March that are not empty, without the sum."""
    rows = [row for row in report(office, "tax", **MARCH)["rows"] if row["code"] and "box" in str(row["cells"])]
    shown = {row["code"]: tuple(cells(row)[key] for key in ("base", "tax") if key in cells(row)) for row in rows}
    return {code: own for code, own in shown.items() if code != "83" and any(value != "0.00" for value in own)}


@pytest.fixture
def _march(clock_at):
    clock_at("2026-03-20T09:00:00Z")


@pytest.mark.usefixtures("_march")
@pytest.mark.parametrize("chart", ACCOUNTS)
def test_each_stock_rate_of_germany_posts_and_counts_as_it_is_named(installation: Installation, chart: str) -> None:
    office = german(installation, chart)
    rates = {rate["name"]: rate["id"] for rate in office.ok("GET", "/finance/tax-rates", params={"limit": "100"})}
    firm = customer(office, "Wien", vatId="ATU12345675")["id"]
    posted = []
    before: dict[str, tuple[str, ...]] = {}
    for name, expected in (SOLD | BOUGHT).items():
        own = line("100.00", taxRateId=rates[name])
        made = invoice(office, own, customerId=firm) if name in SOLD else bill(office, own)
        posted.append(made["lines"][0]["accountCode"])
        assert boxes(office) == before | expected, name
        office.ok("POST", f"/finance/invoices/{made['id']}/void", {"reason": "Next"})
        assert boxes(office) == before, name
    assert posted == ACCOUNTS[chart]


@pytest.mark.usefixtures("_march")
def test_what_a_german_firm_owes_tax_for_is_not_in_the_ec_sales_list(installation: Installation) -> None:
    office = german(installation)
    rates = {rate["taxTag"]: rate["id"] for rate in office.ok("GET", "/finance/tax-rates") if rate["rate"] == "0"}
    for tag, vat_id in (("reverse_charge", "DE123456788"), ("eu_services", "ATU12345675")):
        invoice(office, line("100.00", taxRateId=rates[tag]), customer={"name": tag, "vatId": vat_id})
    assert [row["label"] for row in report(office, "ec-sales-list", **MARCH)["rows"]] == ["ATU12345675", "Total"]


@pytest.mark.parametrize("chart", ["at", "ch", "fr", "gb", "de-skr04", "de-skr03"])
def test_no_stock_rate_leaves_open_who_owes_the_tax(installation: Installation, chart: str) -> None:
    office = installation.office("Olga", chartTemplate=chart, country=chart[:2].upper())
    owed = [rate for rate in office.ok("GET", "/finance/tax-rates") if rate["category"] == "AE"]
    assert owed
    assert all(rate["taxTag"] for rate in owed)
    kinds = [(rate["taxTag"], rate["rate"]) for rate in owed]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.usefixtures("_march")
def test_services_from_abroad_count_in_the_boxes_of_the_united_kingdom(installation: Installation) -> None:
    """Tax of 20.00 owed and reclaimed; what is bought abroad counts as sold, too."""
    office = let_bills_go_by_default(installation.office("Olga", chartTemplate="gb", country="GB"))
    rates = office.ok("GET", "/finance/tax-rates")
    (rate,) = [row for row in rates if row["taxTag"] == "third_country_services"]
    bill(office, line("100.00", taxRateId=rate["id"]), supplierId=supplier(office)["id"])
    expected = {"1": ("20.00",), "3": ("20.00",), "4": ("20.00",), "6": ("100.00",), "7": ("100.00",)}
    assert boxes(office) == expected


@pytest.mark.usefixtures("_march")
def test_a_greek_number_has_the_prefix_of_the_ec_sales_list_wherever_it_is_entered(installation: Installation) -> None:
    office = german(installation)
    greek = customer(
        office, "OTE", vatId="GR 094019245", address={"city": "Athina", "postalCode": "151 81", "country": "GR"}
    )
    assert (greek["vatId"], greek["address"]["country"]) == ("EL094019245", "GR")
    (rate,) = [row for row in office.ok("GET", "/finance/tax-rates") if (row["category"], row["rate"]) == ("K", "0")]
    invoice(office, line("100.00", taxRateId=rate["id"]), customerId=greek["id"])
    (listed, _) = report(office, "ec-sales-list", **MARCH)["rows"]
    assert listed["label"] == "EL094019245"
    own = office.ok("PATCH", f"/workspace/{office.workspace_id}", {"vatId": "GR094019245"})
    assert own["vatId"] == "EL094019245"


@pytest.mark.parametrize(
    ("chart", "places"),
    [("fr", ("UE :", "Hors UE :", "France :")), ("ch", ("Ausland:", "Inland:")), ("gb", ("UK:", "Abroad:"))],
)
def test_the_rates_of_trade_with_others_begin_with_the_place(
    installation: Installation, chart: str, places: tuple[str, ...]
) -> None:
    office = installation.office("Olga", chartTemplate=chart)
    rates = office.ok("GET", "/finance/tax-rates", params={"limit": "100"})
    of_place = [rate["name"] for rate in rates if rate["category"] in ("AE", "G", "K") or rate["taxTag"]]
    assert len(of_place) > 2
    assert [name for name in of_place if not name.startswith(places)] == []
