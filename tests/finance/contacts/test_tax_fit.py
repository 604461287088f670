"""Rates of one side alone, their parts, and warnings where a rate hardly fits the customer or supplier."""

import pytest

from tests.conftest import Installation, Office
from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import bill, invoice, let_bills_go_by_default, line, new_bill, new_invoice
from tests.refusals import complaint

PREVIEW = "/finance/invoices/preview"


@pytest.fixture
def office(installation: Installation) -> Office:
    return let_bills_go_by_default(installation.office("Olga", country="DE", vatId="DE136695976"))


def rate_of(office: Office, tag: str, percent: str = "0") -> str:
    rates = office.ok("GET", "/finance/tax-rates", params={"limit": "100"})
    (id,) = [rate["id"] for rate in rates if (rate["taxTag"], rate["rate"]) == (tag, percent)]
    return str(id)


def named(office: Office, name: str) -> str:
    rates = office.ok("GET", "/finance/tax-rates", params={"limit": "100"})
    (id,) = [rate["id"] for rate in rates if rate["name"] == name]
    return str(id)


@pytest.mark.parametrize(
    ("category", "rate", "side"),
    [
        ("S", "19", "both"),
        ("E", "0", "both"),
        ("O", "0", "both"),
        ("G", "0", "sale"),
        ("AE", "0", "sale"),
        ("K", "0", "sale"),
        ("AE", "19", "purchase"),
        ("K", "7", "purchase"),
    ],
)
def test_a_new_rate_is_for_the_documents_of_its_category(acme: Office, category: str, rate: str, side: str) -> None:
    assert tax_rate(acme, rate, category=category)["side"] == side
    assert tax_rate(acme, rate, category=category, side="sale")["side"] == "sale"
    assert tax_rate(acme, "20", name="Oss", taxTag="oss", country="FR")["side"] == "sale"


def test_a_line_with_a_rate_of_the_other_side_is_refused(acme: Office) -> None:
    sold, bought = tax_rate(acme, "0", category="AE")["id"], tax_rate(acme, "19", category="AE")["id"]
    for body, rate in ((new_invoice, bought), (new_bill, sold)):
        sent = body(line("10.00"), line("20.00", taxRateId=rate))
        for more in ({}, {"draft": True}):
            error = acme.refused("POST", "/finance/invoices", sent | more, status=422)
            assert complaint(error) == ("lines[1].taxRateId", "wrong_side")
    shown = acme.ok("POST", PREVIEW, new_invoice(line("10.00", taxRateId=bought)))
    assert [detail["code"] for detail in shown["lines"][0]["details"]] == ["wrong_side"]


def test_the_default_is_for_both_sides(acme: Office) -> None:
    body = {"name": "Sales tax", "rate": "8", "side": "sale", "isDefault": True}
    assert complaint(acme.refused("POST", "/finance/tax-rates", body, status=422)) == ("isDefault", "wrong_side")


def test_the_side_of_a_rate_in_use_stays(acme: Office) -> None:
    rate = tax_rate(acme, "8")
    path = f"/finance/tax-rates/{rate['id']}"
    assert acme.ok("PATCH", path, {"side": "purchase"})["side"] == "purchase"
    assert acme.ok("PATCH", path, {"side": None})["side"] == "both"
    assert acme.ok("PATCH", path, {"side": "sale"})["side"] == "sale"
    invoice(acme, line("10.00", taxRateId=rate["id"]))
    acme.refused("PATCH", path, {"side": "purchase"}, status=409, code="in_use")
    listed = [row["id"] for row in acme.ok("GET", "/finance/tax-rates", params={"side": "purchase"})]
    assert rate["id"] not in listed
    assert rate["id"] in [row["id"] for row in acme.ok("GET", "/finance/tax-rates", params={"side": "sale"})]


def test_the_parts_of_a_rate_add_up_to_it(acme: Office) -> None:
    parts = [{"name": "State", "rate": "6.25"}, {"name": "City", "rate": "1"}, {"name": "Transit", "rate": "1.00"}]
    made = tax_rate(acme, "8.25", country="US", region="TX", components=parts)
    assert (made["country"], made["region"]) == ("US", "TX")
    assert [(part["name"], part["rate"]) for part in made["components"]] == [
        ("State", "6.25"),
        ("City", "1"),
        ("Transit", "1"),
    ]
    path = f"/finance/tax-rates/{made['id']}"
    error = acme.refused("PATCH", path, {"rate": "8.5"}, status=422)
    assert complaint(error) == ("components", "components_differ")
    error = acme.refused("POST", "/finance/tax-rates", {"name": "A", "rate": "8", "components": parts}, status=422)
    assert complaint(error) == ("components", "components_differ")
    assert acme.ok("PATCH", path, {"components": None})["components"] == []


SOLD = [
    ("eu_services", "ATU12345675", None, False),
    ("eu_services", None, "AT", True),
    ("eu_services", "DE136695976", "AT", True),
    ("eu_services", "XI110305878", None, True),
    ("eu_goods", "XI110305878", None, False),
    ("eu_goods", None, "FR", True),
    ("eu_goods", "EL094019245", "GR", False),
    ("eu_goods", "CHE107787577", "CH", True),
    ("reverse_charge", "DE136695976", None, False),
    ("reverse_charge", "ATU12345675", None, True),
    ("export", None, "US", False),
    ("export", None, "FR", True),
    ("export", None, "DE", True),
    ("taxed", "ATU12345675", None, True),
    ("taxed", None, "AT", False),
    ("taxed", "DE136695976", None, False),
]
BOUGHT = [
    ("eu_services", "AT", False),
    ("eu_services", "US", True),
    ("eu_services", "DE", True),
    ("third_country_services", "US", False),
    ("third_country_services", "IE", True),
    ("third_country_services", "DE", True),
    ("taxed", "US", False),
]
NAMES = {
    "export": "Ausfuhrlieferung",
    "eu_goods": "Innergemeinschaftliche Lieferung",
    "taxed": "Umsatzsteuer 19 %",
}


@pytest.mark.parametrize(("tag", "vat_id", "country", "warns"), SOLD)
def test_a_sale_warns_of_a_rate_that_hardly_fits_the_customer(
    office: Office, tag: str, vat_id: str | None, country: str | None, warns: bool
) -> None:
    address = {"line1": "1", "city": "A", "postalCode": "1", "country": country} if country else None
    firm = customer(office, vatId=vat_id, address=address)["id"]
    rate = named(office, NAMES[tag]) if tag in NAMES else rate_of(office, tag)
    shown = office.ok("POST", PREVIEW, {"customerId": firm, "lines": [line("1.00", taxRateId=rate)]})
    told = [(warning["field"], warning["code"]) for warning in shown["warnings"]]
    assert told == ([("lines[0].taxRateId", "rate_does_not_fit")] if warns else [])


@pytest.mark.parametrize(("tag", "country", "warns"), BOUGHT)
def test_a_bill_warns_of_a_rate_that_hardly_fits_the_supplier(
    office: Office, tag: str, country: str, warns: bool
) -> None:
    firm = supplier(office, address={"country": country})["id"]
    rate = named(office, NAMES[tag]) if tag in NAMES else rate_of(office, tag, "19")
    sent = new_bill(line("100.00", taxRateId=rate), supplierId=firm, dryRun=True)
    codes = [warning["code"] for warning in office.ok("POST", "/finance/invoices", sent)["warnings"]]
    assert ("rate_does_not_fit" in codes) is warns


@pytest.mark.parametrize(("country", "warns"), [("DE", False), ("US", False), ("CH", True)])
def test_in_switzerland_all_services_from_abroad_are_of_one_kind(
    installation: Installation, country: str, warns: bool
) -> None:
    office = installation.office("Urs", country="CH")
    firm = supplier(office, address={"country": country})["id"]
    rate = rate_of(office, "third_country_services", "8.1")
    shown = office.ok("POST", PREVIEW, new_bill(line("1.00", taxRateId=rate), supplierId=firm))
    assert bool(shown["warnings"]) is warns


def test_reverse_charge_of_no_kind_is_told_and_counts_in_no_box(office: Office) -> None:
    rate = tax_rate(office, "19", category="AE")["id"]
    sent = new_bill(line("100.00", taxRateId=rate), issueDate="2026-03-02", dueDate="2026-03-20")
    (warning,) = office.ok("POST", PREVIEW, sent)["warnings"]
    assert warning["message"] == "Rate of 19 counts in no box of tax returns. Choose its kind in the tax rate."
    office.ok("POST", "/finance/invoices", sent)
    path = "/finance/reports/tax?dateFrom=2026-03-01&dateTo=2026-03-31"
    rows = {row["key"]: row for row in office.ok("GET", path)["rows"] if row["key"]}
    assert rows["missed"]["cells"]["base"]["value"] == "100.00"
    assert rows["46/47"]["cells"]["base"]["value"] == "0.00"
    office.ok("PATCH", f"/finance/tax-rates/{rate}", {"taxTag": "third_country_services"})
    rows = {row["key"]: row for row in office.ok("GET", path)["rows"] if row["key"]}
    assert rows["84/85"]["cells"]["base"]["value"] == "100.00"


def test_the_check_list_names_documents_whose_rate_hardly_fits(office: Office) -> None:
    american = supplier(office, "GitHub", address={"country": "US"})["id"]
    days = {"issueDate": "2026-03-02", "dueDate": "2026-03-20"}
    wrong = bill(office, line("100.00", taxRateId=rate_of(office, "eu_services", "19")), supplierId=american, **days)
    right = rate_of(office, "third_country_services", "19")
    bill(office, line("100.00", taxRateId=right), line("1.00", taxRateId=right), supplierId=american, **days)
    listed = {one["kind"]: one for one in office.ok("GET", "/finance/periods/check-list?date=2026-03-31")["findings"]}
    found = listed["tax_rate_misfit"]
    assert (found["count"], found["amount"], found["currency"]) == (1, "100.00", "EUR")
    assert [record["id"] for record in found["records"]] == [wrong["id"]]


def test_the_netherlands_start_with_their_own_rates_in_dutch(installation: Installation) -> None:
    office = installation.office("Nel", country="NL")
    rates = office.ok("GET", "/finance/tax-rates", params={"limit": "100"})
    taxed = [rate["rate"] for rate in rates if rate["category"] == "S"]
    assert sorted(taxed) == ["21", "9"]
    assert [rate["name"] for rate in rates if rate["isDefault"]] == ["Btw 21 %"]
    kinds = {(rate["taxTag"], rate["rate"], rate["side"]) for rate in rates if rate["category"] in ("AE", "K")}
    assert kinds == {
        ("eu_goods", "0", "sale"),
        ("eu_goods", "21", "purchase"),
        ("eu_goods", "9", "purchase"),
        ("eu_services", "0", "sale"),
        ("reverse_charge", "0", "sale"),
        ("eu_services", "21", "purchase"),
        ("third_country_services", "21", "purchase"),
        ("reverse_charge", "21", "purchase"),
    }
