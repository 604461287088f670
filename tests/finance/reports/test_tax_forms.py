"""The forms of other countries, each with a worked month or quarter."""

from typing import Any

import pytest

from tests.conftest import Installation
from tests.finance.books.balances import balances
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, let_bills_go_by_default, line
from tests.finance.journals.journals import posted
from tests.finance.payments.payments import payment
from tests.finance.reports.test_tax_returns import boxes
from tests.finance.reports.trees import cells, report

MONTH = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}
QUARTER = {"dateFrom": "2026-01-01", "dateTo": "2026-03-31"}
CATEGORIES = {
    "exempt": ("E", {"exemptionReason": "Exempt"}),
    "export": ("G", {}),
    "not_taxable": ("O", {}),
    "zero_rated": ("Z", {}),
    "small_business": ("E", {"exemptionReason": "Small business"}),
    "eu_goods": ("K", {}),
    "taxed": ("S", {}),
}
PLACES = {"eu_goods": "IT", "eu_services": "IT", "third_country_services": "US", "export": "US", "not_taxable": "US"}
VAT_IDS = {
    "AT": "ATU12345675",
    "DE": "DE136695976",
    "CH": "CHE107787577",
    "FR": "FR40303265045",
    "NL": "NL004495445B01",
}

ADDRESS = {"line1": "1", "city": "X", "postalCode": "1000"}


class Trade:
    """An office of a country that sells and buys at rates of each kind."""

    def __init__(self, installation: Installation, country: str) -> None:
        self.office = let_bills_go_by_default(installation.office("Olga", country=country, vatId=VAT_IDS[country]))
        self.home = country
        self.rates: dict[tuple[str, str], str] = {}

    def rate(self, tag: str, percent: str) -> str:
        category, more = CATEGORIES.get(tag, ("AE", {}))
        if (tag, percent) not in self.rates:
            made = tax_rate(self.office, percent, name=f"{tag} {percent}", category=category, taxTag=tag, **more)
            self.rates[tag, percent] = made["id"]
        return self.rates[tag, percent]

    def sell(self, tag: str, amount: str, percent: str = "0") -> dict[str, Any]:
        country = PLACES.get(tag, self.home)
        vat_id = "IT00743110157" if country == "IT" else VAT_IDS.get(country)
        firm = {"name": country, "vatId": vat_id, "address": ADDRESS | {"country": country}}
        one = line(amount, taxRateId=self.rate(tag, percent))
        return invoice(self.office, one, customer=firm, issueDate="2026-01-10")

    def buy(self, tag: str, amount: str, percent: str, account: str | None = None) -> None:
        fields = {} if account is None else {"accountId": account}
        one = line(amount, taxRateId=self.rate(tag, percent), **fields)
        firm = {"name": "Firm", "address": {"country": PLACES.get(tag, self.home)}}
        bill(self.office, one, supplier=firm, issueDate="2026-01-10")

    def difference(self, days: dict[str, str]) -> str:
        (row,) = [row for row in report(self.office, "tax", **days)["rows"] if row["key"] == "difference"]
        return cells(row)["tax"]


@pytest.fixture(autouse=True)
def _in_april(clock_at) -> None:
    clock_at("2026-04-10T09:00:00Z")


def test_a_month_in_austria(installation: Installation) -> None:
    trade = Trade(installation, "AT")
    most = trade.sell("taxed", "8450.75", "20")
    credit(trade.office, most, {"lineId": most["lines"][0]["id"], "amount": "250.00"}, date="2026-01-20")
    trade.sell("taxed", "320.40", "13")
    trade.sell("taxed", "1204.10", "10")
    for tag, amount in (("export", "1500.00"), ("eu_goods", "2300.00"), ("eu_services", "900.00")):
        trade.sell(tag, amount)
    trade.sell("reverse_charge", "640.00")
    trade.sell("exempt", "75.00")
    trade.buy("taxed", "3180.45", "20")
    trade.buy("taxed", "210.00", "10")
    trade.buy("eu_goods", "700.00", "20")
    trade.buy("eu_services", "240.00", "20")
    trade.buy("third_country_services", "99.50", "20")
    trade.buy("reverse_charge", "500.00", "20")
    assert boxes(trade.office, MONTH) == {
        "000": "14240.25",
        "021": "640.00",
        "011": "1500.00",
        "017": "2300.00",
        "020": "75.00",
        "022": "8200.75 / 1640.15",
        "006": "320.40 / 41.65",
        "029": "1204.10 / 120.41",
        "070": "700.00",
        "072": "700.00 / 140.00",
        "057": "67.90",
        "066": "67.90",
        "048": "100.00",
        "082": "100.00",
        "060": "657.09",
        "065": "140.00",
        "095": "1145.12",
    }
    assert trade.difference(MONTH) == "0.00"


def test_a_small_business_in_austria_has_a_box_of_its_own(installation: Installation) -> None:
    office = installation.office("Olga", country="AT", vatId=VAT_IDS["AT"])
    (small,) = [rate for rate in office.ok("GET", "/finance/tax-rates?limit=200") if rate["name"] == "Kleinunternehmer"]
    invoice(office, line("60.00", taxRateId=small["id"]), issueDate="2026-01-10")
    trade = Trade(installation, "AT")
    trade.office = office
    trade.sell("exempt", "75.00")
    assert boxes(office, MONTH) == {"000": "135.00", "016": "60.00", "020": "75.00"}


def test_a_small_business_in_germany_is_exempt(installation: Installation) -> None:
    trade = Trade(installation, "DE")
    trade.sell("small_business", "60.00")
    trade.sell("exempt", "75.00")
    assert boxes(trade.office, MONTH) == {"48": "135.00"}


def test_a_quarter_in_switzerland(installation: Installation) -> None:
    trade = Trade(installation, "CH")
    discounted = trade.sell("taxed", "40000.00", "8.1")
    lost = trade.sell("taxed", "600.00", "8.1")
    trade.sell("taxed", "1718.55", "8.1")
    trade.sell("taxed", "3115.20", "2.6")
    trade.sell("taxed", "980.00", "3.8")
    trade.sell("export", "6400.00")
    trade.sell("not_taxable", "2750.00")
    trade.sell("exempt", "430.00")
    received = {"invoiceId": discounted["id"], "discountAmount": "228.52", "date": "2026-01-20"}
    payment(trade.office, "43011.48", currency="CHF", **received)
    body = {"category": "uncollectable", "reason": "Bankrupt", "date": "2026-02-20"}
    trade.office.ok("POST", f"/finance/invoices/{lost['id']}/write-off", body)
    trade.buy("third_country_services", "1320.00", "8.1")
    trade.buy("taxed", "9870.35", "8.1", "4200")
    trade.buy("taxed", "4410.90", "8.1", "6500")
    trade.buy("taxed", "312.00", "2.6", "6500")
    assert boxes(trade.office, QUARTER) == {
        "200": "55993.75",
        "220": "6400.00",
        "221": "2750.00",
        "230": "430.00",
        "235": "811.40",
        "289": "10391.40",
        "299": "45602.35",
        "303": "41507.15 / 3362.08",
        "313": "3115.20 / 81.00",
        "343": "980.00 / 37.24",
        "383": "1320.00 / 106.92",
        "399": "3587.24",
        "400": "906.42",
        "405": "365.39",
        "479": "1271.81",
        "500": "2315.43",
    }
    assert trade.difference(QUARTER) == "0.00"


def test_a_quarter_in_switzerland_by_net_tax_rates(installation: Installation) -> None:
    """44,869.23 with tax at 6.2 %: 2,781.89 of 3,362.08 are owed, and 580.19 are a gain; at 0.6 % another 61.82."""
    trade = Trade(installation, "CH")
    trade.office.ok("PATCH", f"/workspace/{trade.office.workspace_id}", {"taxMethod": "net_rate"})
    for percent, net_tax_rate in (("8.1", "6.2"), ("2.6", "0.6")):
        path = f"/finance/tax-rates/{trade.rate('taxed', percent)}"
        assert trade.office.ok("PATCH", path, {"netTaxRate": net_tax_rate})["netTaxRate"] == net_tax_rate
    discounted = trade.sell("taxed", "40000.00", "8.1")
    lost = trade.sell("taxed", "600.00", "8.1")
    trade.sell("taxed", "1718.55", "8.1")
    trade.sell("taxed", "3115.20", "2.6")
    trade.sell("export", "6400.00")
    received = {"invoiceId": discounted["id"], "discountAmount": "228.52", "date": "2026-01-20"}
    payment(trade.office, "43011.48", currency="CHF", **received)
    body = {"category": "uncollectable", "reason": "Bankrupt", "date": "2026-02-20"}
    trade.office.ok("POST", f"/finance/invoices/{lost['id']}/write-off", body)
    trade.buy("third_country_services", "1320.00", "8.1")
    trade.buy("taxed", "4410.90", "8.1", "6500")
    # no input tax: the tax is part of the cost
    assert balances(trade.office)["6500"] == 476_818
    assert boxes(trade.office, QUARTER) == {
        "200": "55342.55",
        "220": "6400.00",
        "235": "877.12",
        "289": "7277.12",
        "299": "48065.43",
        "323": "44869.23 / 2781.89",
        "333": "3196.20 / 19.18",
        "383": "1320.00 / 106.92",
        "399": "2907.99",
        "500": "2907.99",
    }
    assert trade.difference(QUARTER) == "0.00"
    filed = trade.office.ok("POST", "/finance/tax-returns", QUARTER)
    assert (filed["form"], filed["payable"]) == ("ch-mwst-net", "2907.99")
    settled = trade.office.ok("POST", f"/finance/tax-returns/{filed['id']}/settle", {})
    assert posted(trade.office, settled["journalEntryId"])["3810"] == -64_201
    assert trade.office.refused(
        "PATCH", f"/finance/tax-rates/{trade.rate('taxed', '8.1')}", {"netTaxRate": "5.3"}, status=409, code="in_use"
    )


def test_a_month_in_france(installation: Installation) -> None:
    trade = Trade(installation, "FR")
    for amount, percent in (("18240.37", "20"), ("1130.45", "10"), ("602.90", "5.5")):
        trade.sell("taxed", amount, percent)
    for tag, amount in (("export", "2000.00"), ("eu_goods", "1450.60"), ("eu_services", "700.00")):
        trade.sell(tag, amount)
    trade.buy("eu_goods", "815.25", "20")
    trade.buy("eu_services", "310.10", "20")
    trade.buy("third_country_services", "128.40", "20")
    trade.buy("taxed", "6033.18", "20")
    trade.buy("taxed", "1250.00", "20", "2183")
    assert boxes(trade.office, MONTH) == {
        "A1": "19974.00",
        "A3": "310.00",
        "B2": "815.00",
        "B4": "128.00",
        "E1": "2000.00",
        "E2": "700.00",
        "F2": "1451.00",
        "08": "19494.00 / 3899.00",
        "9B": "1130.00 / 113.00",
        "09": "603.00 / 33.00",
        "16": "4045.00",
        "17": "163.00",
        "19": "250.00",
        "20": "1457.00",
        "23": "1707.00",
        "28": "2338.00",
    }
    assert trade.difference(MONTH) == "0.00"


def test_a_quarter_in_the_netherlands(installation: Installation) -> None:
    trade = Trade(installation, "NL")
    trade.sell("taxed", "15310.66", "21")
    trade.sell("taxed", "2044.50", "9")
    for tag, amount in (("eu_goods", "1800.00"), ("export", "500.40"), ("reverse_charge", "300.00")):
        trade.sell(tag, amount)
    trade.buy("eu_services", "640.75", "21")
    trade.buy("third_country_services", "99.99", "21")
    trade.buy("reverse_charge", "250.00", "21")
    trade.buy("taxed", "3120.35", "21")
    assert boxes(trade.office, QUARTER) == {
        "1a": "15310.00 / 3215.00",
        "1b": "2044.00 / 184.00",
        "1e": "300.00",
        "2a": "250.00 / 52.00",
        "3a": "500.00",
        "3b": "1800.00",
        "4a": "99.00 / 21.00",
        "4b": "640.00 / 134.00",
        "5a": "3606.00",
        "5b": "864.00",
        "5g": "2742.00",
    }
    assert trade.difference(QUARTER) == "0.00"


def test_the_lines_of_a_bill_are_divided_by_what_they_buy(installation: Installation) -> None:
    """One bill of a machine, goods and rent at one rate, with an allowance of a tenth."""
    trade = Trade(installation, "FR")
    rate = trade.rate("taxed", "20")
    lines = [line(amount, taxRateId=rate, accountId=code) for amount, code in (("500", "2183"), ("300", "607"))]
    lines.append(line("200", taxRateId=rate, accountId="613"))
    off = [{"percent": "10", "taxRateId": rate}]
    bill(trade.office, *lines, supplier={"name": "Firm"}, issueDate="2026-01-10", allowances=off)
    assert boxes(trade.office, MONTH) == {"19": "90.00", "20": "90.00", "23": "180.00", "28": "-180.00"}


def test_each_form_files_and_settles_its_month(installation: Installation) -> None:
    """Sold 100.00 and bought 50.40, each at the standard rate; whole units leave a rounding difference."""
    payables = {"AT": ("20", "9.92"), "CH": ("8.1", "4.02"), "FR": ("20", "10.00"), "NL": ("21", "10.00")}
    for country, (percent, payable) in payables.items():
        trade = Trade(installation, country)
        trade.sell("taxed", "100.00", percent)
        trade.buy("taxed", "50.40", percent)
        filed = trade.office.ok("POST", "/finance/tax-returns", MONTH)
        assert (filed["form"][:2].upper(), filed["payable"]) == (country, payable)
        settled = trade.office.ok("POST", f"/finance/tax-returns/{filed['id']}/settle", {})
        assert settled["journalEntryId"]


def test_tax_of_another_country_is_in_no_national_form(installation: Installation) -> None:
    office = installation.office("Olga", country="DE", vatId="DE136695976")
    rate = tax_rate(office, "8.25", name="Texas", country="US", region="TX")["id"]
    invoice(office, line("100.00", taxRateId=rate), issueDate="2026-01-10")
    for form in ("de-ustva", "generic"):
        assert boxes(office, MONTH, form=form) == {}
    compared = report(office, "tax", **MONTH)["rows"]
    assert cells(next(row for row in compared if row["key"] == "difference"))["tax"] == "0.00"


def test_tax_of_the_one_stop_shop_is_in_no_national_form(installation: Installation) -> None:
    office = installation.office("Olga", country="DE", vatId="DE136695976")
    rate = tax_rate(office, "20", name="Frankreich 20 %", taxTag="oss", country="FR")["id"]
    buyer = {"name": "Marie", "address": {"line1": "1", "city": "Paris", "country": "FR"}}
    invoice(office, line("100.00", taxRateId=rate), customer=buyer, issueDate="2026-01-10")
    for form in ("de-ustva", "uk-vat100", "generic", "at-u30", "ch-mwst", "ch-mwst-net", "fr-ca3", "nl-ob"):
        assert boxes(office, MONTH, form=form) == {}
