"""A filed German return as a file for Mein ELSTER."""

from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import Installation, Office
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import bill, invoice, let_bills_go_by_default, line
from tests.refusals import complaint, complaints


@pytest.fixture
def office(installation: Installation, clock_at) -> Office:
    """100.90 sold and 50.00 bought at 19 %, and 200.99 of services from Ireland, in January 2026."""
    clock_at("2026-04-10T09:00:00Z")
    office = let_bills_go_by_default(installation.office("Olga", country="DE"))
    standard = tax_rate(office, "19")["id"]
    owed = tax_rate(office, "19", name="EU", category="AE", taxTag="eu_services")["id"]
    invoice(office, line("100.90", taxRateId=standard), issueDate="2026-01-10")
    for number, (amount, rate) in enumerate((("50.00", standard), ("200.99", owed))):
        bill(office, line(amount, taxRateId=rate), issueDate="2026-01-10", supplierNumber=str(number))
    return office


def ready(office: Office, **more: Any) -> None:
    address = {"line1": "Kai 1", "postalCode": "20095", "city": "Hamburg"}
    fields = {"taxNumber": "02/887/02118", "taxOfficeState": "HH", "legalName": "Müller & Ł OHG", "address": address}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", fields | more)


def filed(office: Office, first: str = "2026-01-01", last: str = "2026-01-31", **more: str) -> str:
    return str(office.ok("POST", "/finance/tax-returns", {"dateFrom": first, "dateTo": last, **more})["id"])


def read(office: Office, id: str) -> dict[str, str | None]:
    answer = office.call("GET", f"/finance/tax-returns/{id}/elster")
    assert answer.status_code == 200, answer.text
    assert answer.content.startswith(b"<?xml version='1.0' encoding='iso-8859-15'?>")
    root = ElementTree.fromstring(answer.content)
    space = f"{{http://finkonsens.de/elster/elsteranmeldung/ustva/v{root.get('version')}}}"
    assert root.tag == f"{space}Anmeldungssteuern"
    shown = {element.tag.removeprefix(space): element.text for element in root.iter() if not len(element)}
    assert shown["Jahr"] == root.get("version")
    assert [child.tag.removeprefix(space) for child in root] == ["Erstellungsdatum", "DatenLieferant", "Steuerfall"]
    return shown


def test_the_file_has_the_sender_the_period_and_every_box_that_is_not_0(office: Office) -> None:
    """19 % of 100 less 9.50: 9.50; 38.19 are owed and deducted."""
    ready(office)
    assert read(office, filed(office)) == {
        "Name": "Müller & Ł OHG",
        "Strasse": "Kai 1",
        "PLZ": "20095",
        "Ort": "Hamburg",
        "Erstellungsdatum": "20260410",
        "Jahr": "2026",
        "Zeitraum": "01",
        "Steuernummer": "2202088702118",
        "Kz46": "200",
        "Kz47": "38.19",
        "Kz66": "9.50",
        "Kz67": "38.19",
        "Kz81": "100",
        "Kz83": "9.50",
    }


def test_a_correction_is_marked_a_quarter_has_its_number_and_an_empty_return_its_payment(office: Office) -> None:
    ready(office)
    filed(office)
    invoice(office, line("10.00", taxRateId=tax_rate(office, "19", name="b")["id"]), issueDate="2026-01-20")
    corrected = read(office, filed(office))
    assert (corrected["Kz10"], corrected["Kz81"]) == ("1", "110")
    quarter = read(office, filed(office, "2025-10-01", "2025-12-31"))
    assert (quarter["Jahr"], quarter["Zeitraum"], quarter["Kz83"]) == ("2025", "44", "0.00")
    assert not [name for name in quarter if name.startswith("Kz") and name != "Kz83"]


def test_what_elster_does_not_take_is_refused(office: Office) -> None:
    month, other = filed(office), filed(office, form="generic")
    path = f"/finance/tax-returns/{month}/elster"
    error = office.refused("GET", path, status=422)
    assert complaints(error) == {"taxNumber": "required", "taxOfficeState": "required"}
    ready(office, taxOfficeState="BY", taxNumber="22/123/1234")
    assert complaint(office.refused("GET", path, status=422)) == ("taxNumber", "invalid")
    ready(office)
    office.refused("GET", f"/finance/tax-returns/{other}/elster", status=409, code="wrong_form")
    weeks = filed(office, "2026-02-01", "2026-02-14")
    error = office.refused("GET", f"/finance/tax-returns/{weeks}/elster", status=422)
    assert complaint(error) == ("dateTo", "wrong_period")


def test_the_ec_sales_list_is_a_csv_for_its_import(installation: Installation, clock_at) -> None:
    """1,000.90 of goods in two invoices to two customers with one number, services, and less than a euro."""
    clock_at("2026-04-10T09:00:00Z")
    office = installation.office("Olga", country="DE", vatId="DE136695976")
    goods = tax_rate(office, "0", name="Goods", category="K", exemptionReason="EU")["id"]
    services = tax_rate(office, "0", name="EU", category="AE", taxTag="eu_services", exemptionReason="EU")["id"]
    address = {"line1": "1", "city": "X", "postalCode": "1"}
    wien = {"vatId": "ATU12345675", "address": address | {"country": "AT"}}
    athens = {"vatId": "GR094259216", "address": address | {"country": "GR"}, "name": "Athens"}
    delivered = {"serviceDate": "2026-01-09", "issueDate": "2026-01-10"}
    invoice(office, line("600.50", taxRateId=goods), customer=wien | {"name": "Wien"}, **delivered)
    invoice(office, line("400.40", taxRateId=goods), customer=wien | {"name": "Wien II"}, **delivered)
    invoice(office, line("70.99", taxRateId=services), customer=athens, **delivered)
    invoice(office, line("0.99", taxRateId=services), customer=wien | {"name": "Wien III"}, **delivered)
    path = "/finance/reports/ec-sales-list/elster?dateFrom=2026-01-01&dateTo=2026-01-31"
    answer = office.call("GET", path)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "text/csv")
    assert answer.content.decode() == (
        "#v3.0\r\nUSt-IdNr.,Betrag (EUR),Art der Leistung\r\nATU12345675,1000,L\r\nEL094259216,70,S\r\n"
    )
    unknown = invoice(office, line("50.00", taxRateId=services), customer=wien | {"name": "Unknown"}, **delivered)
    office.ok("PATCH", f"/finance/contacts/{unknown['customerId']}", {"vatId": None})
    refusal = office.refused("GET", path, status=422)
    assert complaint(refusal) == ("customer", "required")
    assert "Unknown" in refusal["details"][0]["message"]
    swiss = installation.office("Ueli", country="CH")
    swiss.refused("GET", path, status=409, code="not_german")
