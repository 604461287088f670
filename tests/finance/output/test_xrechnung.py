"""Every kind of document in every form passes the rules of EN 16931, and as an XRechnung the rules of KoSIT."""

from collections.abc import Callable
from functools import cache

import pytest

from tests.conftest import IS_THOROUGH, Installation, Office
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import credit, invoice, line, new_invoice
from tests.finance.output.papers import alster, consultancy, download
from tests.finance.output.schematron import complaints, complaints_of_kosit, needs_kosit

AUTHORITY = {"buyerReference": "04011000-12345-03"}
RING = {"line1": "Ring 1", "city": "Wien", "postalCode": "1010", "country": "AT"}
VIENNA = {"vatId": "ATU12345675", "address": RING}
ZURICH = {"address": {"line1": "Seeweg 2", "city": "Zürich", "postalCode": "8001", "country": "CH"}}
OTHER_FORMS = ("xml", "xml?profile=en16931&syntax=cii", "xml?profile=factur_x")
XRECHNUNG_FORMS = ("xml?profile=xrechnung", "xml?profile=xrechnung&syntax=cii")


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    installation = Installation(tmp_path_factory.mktemp("xrechnung") / "data")
    return consultancy(installation.office("Olga", baseCurrency="EUR"))


def issued(office: Office, *lines, to=None, **fields):
    """The id of an invoice to an authority in Germany, or elsewhere."""
    buyer = alster(office, **{**AUTHORITY, **(to or {})})
    return invoice(office, *lines, customerId=buyer["id"], issueDate="2026-01-05", **fields)["id"]


def untaxed(office: Office, category: str, to=None, **fields):
    return issued(office, line("3000.00", taxRateId=tax_rate(office, "0", category=category, **fields)["id"]), to=to)


def taxed(office: Office, price="100.00", quantity="1", percent="19", **fields):
    return line(price, quantity, taxRateId=tax_rate(office, percent)["id"], **fields)


def several_rates(office: Office):
    period = {"from": "2026-01-01", "to": "2026-01-31"}
    lines = [taxed(office, "125.00", "8", unit="Std"), taxed(office, percent="7", servicePeriod=period)]
    return issued(office, *lines, servicePeriod=period)


def credit_note(office: Office):
    shown = office.ok("GET", f"/finance/invoices/{issued(office, taxed(office, '19.99', '3'))}")
    return credit(office, shown, {"lineId": shown["lines"][0]["id"], "quantity": "2"})["id"]


def deposit(office: Office):
    return issued(office, taxed(office, "500.00"), kind="deposit_invoice")


def final(office: Office):
    """A final invoice, of which 595.00 has been paid."""
    id = deposit(office)
    office.ok("POST", "/finance/payments", {"invoiceId": id, "amount": "595.00", "date": "2026-01-10"})
    buyer = office.ok("GET", f"/finance/invoices/{id}")["customerId"]
    shown = invoice(
        office,
        taxed(office, "1000.00"),
        kind="final_invoice",
        customerId=buyer,
        depositIds=[id],
        issueDate="2026-02-05",
    )
    return shown["id"]


def adjusted(office: Office, *, included=False):
    """Discounts and charges of lines and of the document, a price below zero, and a rounding."""
    return issued(
        office,
        taxed(office, "19.99", "3", discount={"percent": "10"}, charge={"amount": "1.50"}, unit="Kiste"),
        taxed(office, "-5.00", "2", percent="7", description="Pfand\nzurück"),
        taxed(office, "0.123456", "1000", percent="7", priceBaseQuantity="100"),
        pricesIncludeTax=included,
        discount={"percent": "3"},
        charges=[{"amount": "4.90", "taxRateId": tax_rate(office, "19")["id"], "description": "Fracht"}],
        allowances=[{"amount": "1.00", "taxRateId": tax_rate(office, "7")["id"]}],
        roundingAmount="0.01",
    )


def in_dollars(office: Office):
    return issued(office, taxed(office), currency="USD", exchangeRate="0.92", to=ZURICH)


def with_discounts(office: Office):
    terms = {"days": 30, "discounts": [{"percent": "3", "days": 7}, {"percent": "2.5", "days": 14}]}
    return issued(office, taxed(office), paymentTerms=terms)


def small_business(office: Office):
    return untaxed(office, "E", exemptionReason="Kein Ausweis von Umsatzsteuer, da Kleinunternehmer nach § 19 UStG")


def credit_note_of_a_supply(office: Office):
    return credit(office, office.ok("GET", f"/finance/invoices/{untaxed(office, 'K', VIENNA)}"))["id"]


KINDS: dict[str, Callable[[Office], str]] = {
    "invoice": lambda office: issued(office, taxed(office)),
    "several rates": several_rates,
    "credit note": credit_note,
    "deposit invoice": deposit,
    "final invoice": final,
    "reverse charge": lambda office: untaxed(office, "AE", VIENNA),
    "intra-Community supply": lambda office: untaxed(office, "K", VIENNA),
    "credit note of an intra-Community supply": credit_note_of_a_supply,
    "export": lambda office: untaxed(office, "G", ZURICH),
    "exempt": lambda office: untaxed(office, "E", exemptionReason="§ 4 Nr. 21 UStG"),
    "zero rate": lambda office: untaxed(office, "Z"),
    "outside the scope of tax": lambda office: untaxed(office, "O", ZURICH),
    "small business": small_business,
    "cash discounts": with_discounts,
    "allowances and charges": adjusted,
    "prices with tax": lambda office: adjusted(office, included=True),
    "foreign currency": in_dollars,
}


@pytest.fixture(scope="module")
def document(office: Office) -> Callable[[str], str]:
    """The id of the only document of a kind, of this office: a worker may come back to this file with another one."""
    return cache(lambda kind: KINDS[kind](office))


@needs_kosit
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", XRECHNUNG_FORMS)
def test_an_authority_accepts_every_kind_of_document(office, document, kind, form):
    assert complaints_of_kosit(download(office, document(kind), form)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS if IS_THOROUGH else ["several rates", "deposit invoice"])
@pytest.mark.parametrize("form", [*OTHER_FORMS, *XRECHNUNG_FORMS])
def test_every_kind_of_document_passes_the_rules_of_the_standard_in_every_form(office, document, kind, form):
    assert complaints(download(office, document(kind), form)) == []


@needs_kosit
@pytest.mark.parametrize(
    ("form", "reference", "terms"),
    [
        (XRECHNUNG_FORMS[0], "cbc:BuyerReference", "cbc:Note"),
        (XRECHNUNG_FORMS[1], "ram:BuyerReference", "ram:Description"),
    ],
)
def test_the_rules_find_what_is_wrong(office, document, form, reference, terms):
    """Without the reference of the authority, and with a discount that is not in the form that it reads."""
    text = download(office, document("cash discounts"), form).decode()
    note = f"<{terms}>#SKONTO#TAGE=7#PROZENT=3.00#"
    assert note in text
    spoilt = text.replace(f"<{reference}>{AUTHORITY['buyerReference']}</{reference}>", "")
    spoilt = spoilt.replace(note, note.replace("PROZENT=3.00", "PROZENT=3"))
    assert set(complaints_of_kosit(spoilt.encode())) == {"BR-DE-15", "BR-DE-18"}


@pytest.mark.parametrize("form", ["xml", "xml?syntax=cii"])
def test_only_a_supply_within_the_eu_names_the_place_of_delivery(office, document, form):
    """Its place is the customer's address, with the town that XRechnung requires (BT-77, BT-78, BT-80)."""
    group = "ram:ShipToTradeParty" if "cii" in form else "cac:DeliveryLocation"
    assert f"<{group}>" not in download(office, document("invoice"), form).decode()
    text = download(office, document("intra-Community supply"), form).decode()
    place = text.partition(f"<{group}>")[2].partition(f"</{group}>")[0]
    assert all(f">{value}<" in place for value in ("Wien", "1010", "AT"))


@pytest.mark.parametrize(
    ("lacking", "rule"), [("country", "br_ic_12"), ("city", "br_de_10"), ("postalCode", "br_de_11")]
)
def test_a_supply_within_the_eu_is_issued_with_its_place_of_delivery(office, lacking, rule):
    address = {name: value for name, value in RING.items() if name != lacking}
    buyer = alster(office, vatId=VIENNA["vatId"], address=address)
    supply = line(taxRateId=tax_rate(office, "0", category="K")["id"])
    body = new_invoice(supply, customerId=buyer["id"])
    error = office.refused("POST", "/finance/invoices", body, status=422, code="validation_failed")
    assert [(detail["field"], detail["code"]) for detail in error["details"]] == [("customerId", rule)]
    invoice(office, customerId=buyer["id"])
    office.ok("PATCH", f"/finance/contacts/{buyer['id']}", {"address": RING})
    office.ok("POST", "/finance/invoices", body)


def test_an_authority_in_the_eu_is_asked_for_its_town_once(office):
    address = {"line1": "Ring 1", "country": "AT"}
    buyer = alster(office, **AUTHORITY, vatId=VIENNA["vatId"], address=address)
    body = new_invoice(line(taxRateId=tax_rate(office, "0", category="K")["id"]), customerId=buyer["id"])
    error = office.refused("POST", "/finance/invoices", body, status=422)
    assert [detail["code"] for detail in error["details"]] == ["br_de_8", "br_de_9"]


def test_a_credit_note_names_the_day_of_the_supply_that_it_credits(office, document):
    text = download(office, document("credit note of an intra-Community supply"), "xml?profile=xrechnung")
    assert b"<cbc:ActualDeliveryDate>2026-01-05<" in text
