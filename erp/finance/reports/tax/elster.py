"""A filed German return as a file for "Formulardaten hochladen" in Mein ELSTER; sending it needs ERiC, which is closed.

The numbers of the boxes are its elements: Kz81 has a base in whole euros, Kz66 a tax with cents, and a box with two
numbers both.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal
from xml.etree import ElementTree

from erp.finance.reports.tax.models import TaxReturn
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.days import month_end, months_later
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.web.schema import File

FORM, PAYABLE, CORRECTED = "de-ustva", "83", "Kz10"
CENTS = 100
"""In a euro; the bases of the form are whole euros."""
NAMESPACE = "http://finkonsens.de/elster/elsteranmeldung/ustva/v{year}"
TaxOfficeState = Literal["BW", "BY", "BE", "BB", "HB", "HH", "HE", "MV", "NI", "NW", "RP", "SL", "SN", "ST", "SH", "TH"]
STATES: Mapping[str, str] = {
    "BW": "Baden-Württemberg",
    "BY": "Bayern",
    "BE": "Berlin",
    "BB": "Brandenburg",
    "HB": "Bremen",
    "HH": "Hamburg",
    "HE": "Hessen",
    "MV": "Mecklenburg-Vorpommern",
    "NI": "Niedersachsen",
    "NW": "Nordrhein-Westfalen",
    "RP": "Rheinland-Pfalz",
    "SL": "Saarland",
    "SN": "Sachsen",
    "ST": "Sachsen-Anhalt",
    "SH": "Schleswig-Holstein",
    "TH": "Thüringen",
}


class WrongForm(Refusal):
    """Only a German VAT return (UStVA) can be uploaded to ELSTER."""


class ElsterNotSetUp(Invalid):
    """The settings for ELSTER are incomplete."""


def of(id: str) -> File:
    """The file of a filed return.

    Raises:
        WrongForm: it is in another form.
        ElsterNotSetUp: the settings lack the tax number or the state of the tax office.
        Invalid: the return is of other days than a month or a quarter.
    """
    tax_return = TaxReturn.find(id)
    if tax_return.form != FORM:
        raise WrongForm
    number, period, year = _tax_number(), _period(tax_return), tax_return.date_to.year
    root = ElementTree.Element("Anmeldungssteuern", xmlns=NAMESPACE.format(year=year), version=str(year))
    _fill(root, {"Erstellungsdatum": f"{workspace_settings.today():%Y%m%d}"})
    _fill(ElementTree.SubElement(root, "DatenLieferant"), _sender())
    case = ElementTree.SubElement(ElementTree.SubElement(root, "Steuerfall"), "Umsatzsteuervoranmeldung")
    _fill(case, {"Jahr": str(year), "Zeitraum": period, "Steuernummer": number})
    if tax_return.correction:
        _fill(case, {CORRECTED: "1"})
    _fill(case, dict(sorted((f"Kz{code}", text) for box in tax_return.boxes for code, text in _figures(box))))
    content = ElementTree.tostring(root, encoding="iso-8859-15", xml_declaration=True)
    return File(content, f"ustva-{year}-{period}.xml")


def _fill(element: ElementTree.Element, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        ElementTree.SubElement(element, name).text = text


def _sender() -> dict[str, str]:
    settings = workspace_settings.current()
    address = settings.address or {}
    parts = {
        "Name": settings.legal_name or workspace_settings.office_name(),
        "Strasse": address.get("line1"),
        "PLZ": address.get("postal_code"),
        "Ort": address.get("city"),
    }
    return {name: text for name, text in parts.items() if text}


def _tax_number() -> str:
    """The number of 13 digits that is unique in Germany.

    Raises:
        ElsterNotSetUp: the settings lack it, or the state has no such number.
    """
    from stdnum.de import stnr
    from stdnum.exceptions import ValidationError

    settings, complaints = workspace_settings.current(), Complaints()
    if not settings.tax_number:
        complaints.add("taxNumber", "required", says("Enter the tax number in the settings first, under Company."))
    if not settings.tax_office_state:
        message = says("Enter the state of the tax office in the settings first, under Tax.")
        complaints.add("taxOfficeState", "required", message)
    if complaints.items:
        raise ElsterNotSetUp(complaints.items)
    try:
        return str(stnr.to_country_number(str(settings.tax_number), STATES[str(settings.tax_office_state)]))
    except ValidationError:
        complaints.add(
            "taxNumber", "invalid", says("The tax office's state has no such tax number. Correct one of them.")
        )
        raise ElsterNotSetUp(complaints.items) from None


def _period(tax_return: TaxReturn) -> str:
    """01 to 12 for a month, 41 to 44 for a quarter."""
    first, last = tax_return.date_from, tax_return.date_to
    if first.day == 1 and last == month_end(first):
        return f"{first.month:02}"
    if first.day == 1 and first.month % 3 == 1 and last == month_end(months_later(first, 2)):
        return f"{41 + first.month // 3}"
    message = says("ELSTER takes returns of a calendar month or quarter.")
    raise Invalid.one("dateTo", "wrong_period", message)


def _figures(box: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The numbers of a box with their figures, zeros left out; the tax of a single number follows from its base."""
    numbers, base, tax = str(box["code"]).split("/"), box["base"], box["tax"]
    if base:
        yield numbers[0], str(base // CENTS)
    has_tax = base is None or len(numbers) == 2
    if has_tax and (tax or numbers == [PAYABLE]):
        yield numbers[-1], money.text(tax, "EUR")
