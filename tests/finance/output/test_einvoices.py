"""E-invoices of our documents pass the official rules and say the figures of the books."""

import hashlib
import json
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from tests.conftest import IS_THOROUGH, Installation
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import credit, invoice, line, new_invoice
from tests.finance.documents.test_oracle_invoices import ISSUABLE, Books, by_id, in_cents
from tests.finance.output.papers import ALSTER, CONSULTANCY, alster, consultancy, download, r1
from tests.finance.output.schematron import complaints

UBL = {
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}
CII = {"ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"}
FORMS = ("xml", "xml?syntax=cii", "xml?profile=factur_x", "xml?profile=xrechnung", "xml?profile=xrechnung&syntax=cii")
TOTALS = {
    "LineExtensionAmount": "sum_lines",
    "TaxExclusiveAmount": "net",
    "TaxInclusiveAmount": "gross",
}


def ubl_totals(content):
    sums = ElementTree.fromstring(content).findall("cac:LegalMonetaryTotal/*", UBL)
    return {element.tag.rpartition("}")[2]: element.text for element in sums}


def taxes(content):
    groups = ElementTree.fromstring(content).findall("cac:TaxTotal/cac:TaxSubtotal", UBL)
    names = ("cac:TaxCategory/cbc:ID", "cac:TaxCategory/cbc:Percent", "cbc:TaxableAmount", "cbc:TaxAmount")
    return [tuple(group.findtext(name, None, UBL) for name in names) for group in groups]


def says(content, path, spaces=UBL):
    return [element.text for element in ElementTree.fromstring(content).findall(path, spaces)]


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    installation = Installation(tmp_path_factory.mktemp("einvoices") / "data")
    books = Books(consultancy(installation.office("Olga", baseCurrency="EUR")))
    fields = {name: ALSTER[name] for name in ("address", "email")}
    books.office.ok("PATCH", f"/finance/contacts/{books.customer_id}", fields)
    return books


CASES = [case for case in ISSUABLE if not case["id"].startswith("gen") or case["id"] < "gen-01"]


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES if IS_THOROUGH else CASES[::3], ids=by_id)
@pytest.mark.parametrize("form", ["xml", "xml?profile=factur_x"])
def test_what_is_made_passes_the_official_rules_and_says_the_known_totals(books, case, form):
    content = download(books.office, books.office.ok("POST", "/finance/invoices", books.request(case))["id"], form)
    assert complaints(content) == []
    if form == "xml":
        shown = ubl_totals(content)
        assert {name: shown[name] for name in TOTALS} == {
            name: in_cents(case["expected"][key]) for name, key in TOTALS.items()
        }
        payable = Decimal(case["expected"]["gross"]) + Decimal(case["rounding_amount"])
        assert shown["PayableAmount"] == in_cents(payable)


@pytest.mark.parametrize("form", FORMS)
def test_the_first_invoice_of_the_month_passes_in_every_form(acme, form):
    office = consultancy(acme)
    id = r1(office, customerId=alster(office, buyerReference="04011000-12345-03")["id"])["id"]
    assert complaints(download(office, id, form)) == []


def test_the_customer_number_identifies_the_buyer(acme):
    shown = r1(consultancy(acme))
    for document in (shown, credit(acme, shown)):
        buyer = "cac:AccountingCustomerParty/cac:Party/cac:PartyIdentification/cbc:ID"
        content = download(acme, document["id"], "xml")
        assert (says(content, buyer), complaints(content)) == (["10001"], [])
        content = download(acme, document["id"], "xml?syntax=cii")
        assert (says(content, ".//ram:BuyerTradeParty/ram:ID", CII), complaints(content)) == (["10001"], [])


def test_the_first_invoice_of_the_month_has_the_figures_that_were_worked_out(acme):
    content = download(consultancy(acme), r1(acme)["id"], "xml")
    shown = ubl_totals(content)
    assert shown == {
        "LineExtensionAmount": "1200.00",
        "TaxExclusiveAmount": "1200.00",
        "TaxInclusiveAmount": "1404.00",
        "PayableAmount": "1404.00",
    }
    assert taxes(content) == [("S", "19", "1000.00", "190.00"), ("S", "7", "200.00", "14.00")]
    assert says(content, "cac:TaxTotal/cbc:TaxAmount") == ["204.00"]
    assert says(content, "cac:InvoiceLine/cbc:LineExtensionAmount") == ["1000.00", "200.00"]
    first = ElementTree.fromstring(content).findall("cac:InvoiceLine/cbc:InvoicedQuantity", UBL)[0]
    assert (first.text, first.get("unitCode")) == ("8", "HUR")


def test_an_authority_gets_an_xrechnung_with_its_reference_and_the_discount_in_its_form(acme):
    office = consultancy(acme)
    authority = alster(office, buyerReference="04011000-12345-03")
    content = download(office, r1(office, customerId=authority["id"])["id"], "xml")
    assert says(content, "cbc:CustomizationID")[0].endswith("#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0")
    assert says(content, "cbc:BuyerReference") == ["04011000-12345-03"]
    assert says(content, "cac:PaymentTerms/cbc:Note") == ["#SKONTO#TAGE=14#PROZENT=2.00#\n"]
    assert says(content, "cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID") == ["DE89370400440532013000"]
    contact = "cac:AccountingSupplierParty/cac:Party/cac:Contact/"
    assert says(content, contact + "cbc:Telephone") == ["+49 40 123456"]


@pytest.mark.parametrize(
    ("lacking", "rule"),
    [
        ({"iban": None}, "br_de_1"),
        ({"contactName": None}, "br_de_5"),
        ({"phone": None}, "br_de_6"),
        ({"email": None}, "br_de_7"),
        ({"address": {"line1": "Am Ufer 1", "postalCode": "20099", "country": "DE"}}, "br_de_3"),
        ({"vatId": None, "taxNumber": None}, "br_co_26"),
    ],
)
def test_what_an_authority_must_be_told_is_asked_for_when_its_invoice_is_issued(acme, lacking, rule):
    office = consultancy(acme, **lacking)
    authority = alster(office, buyerReference="04011000-12345-03")
    body = new_invoice(customerId=authority["id"])
    error = office.refused("POST", "/finance/invoices", body, status=422, code="validation_failed")
    assert [(detail["field"], detail["code"]) for detail in error["details"]] == [("customerId", rule)]
    office.ok("POST", "/finance/invoices", new_invoice(customerId=alster(office)["id"]))


def test_an_authority_without_an_address_is_refused_by_both_rules(acme):
    authority = customer(consultancy(acme), "Amt", buyerReference="04011000-12345-03", email="amt@example.org")
    body = new_invoice(customerId=authority["id"])
    error = acme.refused("POST", "/finance/invoices", body, status=422)
    assert [detail["code"] for detail in error["details"]] == ["br_10", "br_11", "br_de_8", "br_de_9"]
    assert error["details"][0]["message"] == "No e-invoice is possible (BR-10). Enter the customer's address."


def test_for_others_it_is_asked_for_when_the_e_invoice_is(acme):
    shown = invoice(acme)
    error = acme.refused("GET", f"/finance/invoices/{shown['id']}/xml", status=409, code="not_expressible")
    assert {"br_08", "br_09", "br_10", "br_11", "br_co_26"} == {detail["code"] for detail in error["details"]}
    acme.ok("PATCH", f"/finance/contacts/{shown['customerId']}", {"address": ALSTER["address"]})
    assert complaints(download(consultancy(acme, numberFormats={}), shown["id"], "xml")) == []


def test_it_stays_what_was_issued_whatever_changes_later(acme):
    office = consultancy(acme)
    id = r1(office)["id"]
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"legalName": "Südlicht GmbH", "iban": None})
    first = office.call("GET", f"/finance/invoices/{id}/xml")
    party = "cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName"
    assert says(first.content, party) == [CONSULTANCY["legalName"]]
    assert first.headers["X-Content-SHA256"] == hashlib.sha256(first.content).hexdigest()
    office.ok("PATCH", f"/finance/invoices/{id}", {"reference": "Order 4711"})
    assert download(office, id, "xml") == first.content
    assert b"Order 4711" in download(office, id, "xml?syntax=cii")


def test_making_one_is_logged_once_with_its_hash(acme):
    shown = r1(consultancy(acme))
    content = download(acme, shown["id"], "xml")
    assert download(acme, shown["id"], "xml") == content
    filed = [event for event in acme.ok("GET", "/workspace/events?limit=200") if event["type"] == "invoice.filed"]
    assert [event["data"] for event in filed] == [
        {"number": "R-2026-0001", "form": "en16931.ubl", "sha256": hashlib.sha256(content).hexdigest()}
    ]


def test_a_viewer_may_download_it_and_nothing_is_kept_once_the_office_is_archived(acme):
    shown = r1(consultancy(acme))
    viewer = acme.colleague("viewer")
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive")
    assert complaints(download(viewer, shown["id"], "xml")) == []
    events = acme.ok("GET", "/workspace/events?limit=200")
    assert "invoice.filed" not in {event["type"] for event in events}


def test_a_draft_and_a_bill_have_none(acme):
    draft = invoice(consultancy(acme), draft=True)
    acme.refused("GET", f"/finance/invoices/{draft['id']}/xml", status=409, code="invalid_transition")
    bill = acme.ok(
        "POST",
        "/finance/invoices",
        {"kind": "purchase_invoice", "supplier": {"name": "Meyer"}, "lines": [line()]},
    )
    acme.refused("GET", f"/finance/invoices/{bill['id']}/xml", status=409, code="written_by_supplier")


VIENNA = {"vatId": "ATU12345675", "address": {"line1": "Ring 1", "city": "Wien", "postalCode": "1010", "country": "AT"}}


@pytest.mark.parametrize(
    ("category", "fields", "code"),
    [
        ("AE", {}, "VATEX-EU-AE"),
        ("K", {}, "VATEX-EU-IC"),
        ("G", {}, "VATEX-EU-G"),
        ("O", {}, "VATEX-EU-O"),
        ("E", {"exemptionReason": "§ 4 Nr. 21 UStG"}, None),
        ("Z", {}, None),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_every_category_without_tax_says_why(acme, category, fields, code, form):
    office = consultancy(acme)
    rate = tax_rate(office, "0", category=category, **fields)["id"]
    vienna = alster(office, buyerReference="X", **VIENNA)
    shown = invoice(office, line("3000.00", taxRateId=rate), customerId=vienna["id"])
    content = download(office, shown["id"], form)
    assert complaints(content) == []
    if form == "xml":
        found = says(content, "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReasonCode")
        assert found == ([code] if code else [])


@pytest.mark.parametrize("form", FORMS)
def test_discounts_charges_prices_with_tax_and_negative_prices_pass(acme, form):
    office = consultancy(acme)
    rates = {percent: tax_rate(office, percent)["id"] for percent in ("19", "7")}
    lines = [
        line("19.99", "3", taxRateId=rates["19"], discount={"percent": "10"}, charge={"amount": "1.50"}, unit="Kiste"),
        line("-5.00", "2", taxRateId=rates["7"], description="Pfand\nzurück"),
        line(
            "0.123456",
            "1000",
            taxRateId=rates["7"],
            priceBaseQuantity="100",
            servicePeriod={"from": "2026-01-01", "to": "2026-01-31"},
        ),
        line("12.00", "7", taxRateId=rates["7"]),
    ]
    to = alster(office, buyerReference="X")["id"]
    for included in (False, True):
        shown = invoice(
            office,
            *lines,
            customerId=to,
            pricesIncludeTax=included,
            discount={"percent": "3"},
            charges=[{"amount": "4.90", "taxRateId": rates["19"], "description": "Fracht"}],
            allowances=[{"amount": "1.00", "taxRateId": rates["7"]}],
            roundingAmount="0.01",
            servicePeriod={"from": "2026-01-01", "to": "2026-01-31"},
        )
        content = download(office, shown["id"], form)
        assert complaints(content) == []
        if form == "xml":
            assert ubl_totals(content)["PayableAmount"] == shown["total"]


@pytest.mark.parametrize("form", FORMS)
def test_a_credit_note_names_the_invoice_that_it_credits(acme, form):
    office = consultancy(acme)
    shown = r1(office, customerId=alster(office, buyerReference="X")["id"])
    note = credit(office, shown, {"lineId": shown["lines"][0]["id"], "quantity": "2"})
    content = download(office, note["id"], form)
    assert complaints(content) == []
    if form == "xml":
        assert says(content, "cbc:CreditNoteTypeCode") == ["381"]
        assert says(content, "cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID") == ["R-2026-0001"]
        assert ubl_totals(content)["PayableAmount"] == "297.50"


@pytest.mark.parametrize("form", FORMS)
def test_a_final_invoice_deducts_what_was_received_of_its_deposit(acme, form):
    office = consultancy(acme)
    rate = tax_rate(office, "19")["id"]
    to = alster(office, buyerReference="X")["id"]
    deposit = invoice(office, line("500.00", taxRateId=rate), kind="deposit_invoice", customerId=to)
    assert complaints(download(office, deposit["id"], form)) == []
    office.ok("POST", "/finance/payments", {"invoiceId": deposit["id"], "amount": "595.00"})
    final = invoice(
        office, line("1000.00", taxRateId=rate), kind="final_invoice", customerId=to, depositIds=[deposit["id"]]
    )
    content = download(office, final["id"], form)
    assert complaints(content) == []
    if form == "xml":
        shown = ubl_totals(content)
        assert (shown["TaxInclusiveAmount"], shown["PrepaidAmount"], shown["PayableAmount"]) == (
            "1190.00",
            "595.00",
            "595.00",
        )


@pytest.mark.parametrize(
    ("base", "currency", "rate", "price", "expected"),
    [("EUR", "USD", "0.92", "100.00", "17.48"), ("GBP", "EUR", "0.86", "100.00", "17.20")],
)
@pytest.mark.parametrize("form", FORMS)
def test_a_foreign_invoice_says_its_tax_in_the_base_currency(acme, form, base, currency, rate, price, expected):
    """19.00 USD at 0.92; 20.00 EUR at 0.86."""
    office = consultancy(acme, baseCurrency=base)
    percent = tax_rate(office, "19" if base == "EUR" else "20")["id"]
    to = alster(office, buyerReference="04011000-12345-03")["id"]
    foreign = {"customerId": to, "currency": currency, "exchangeRate": rate}
    shown = invoice(office, line(price, taxRateId=percent), **foreign)
    assert shown["baseTaxTotal"] == expected
    content = download(office, shown["id"], form)
    assert complaints(content) == []
    text = content.decode()
    assert f'currencyID="{base}">{expected}<' in text
    assert f"TaxCurrencyCode>{base}<" in text
    note = download(office, credit(office, shown)["id"], form)
    assert (complaints(note), f'currencyID="{base}">{expected}<' in note.decode()) == ([], True)


def test_the_tax_in_the_base_currency_is_rounded_for_each_rate(acme):
    """1.00 and 1.00 USD of tax at 0.925: 0.93 twice; none of it where there is no tax or no other currency."""
    office = consultancy(acme)
    rates = {percent: tax_rate(office, percent)["id"] for percent in ("10", "20", "0")}
    lines = [line("10.00", taxRateId=rates["10"]), line("5.00", taxRateId=rates["20"])]
    abroad = {"currency": "USD", "exchangeRate": "0.925"}
    assert invoice(office, *lines, **abroad)["baseTaxTotal"] == "1.86"
    assert invoice(office, *lines)["baseTaxTotal"] is None
    untaxed = invoice(office, line("10.00", taxRateId=rates["0"]), customerId=alster(office)["id"], **abroad)
    assert untaxed["baseTaxTotal"] is None
    assert b"TaxCurrencyCode" not in download(office, untaxed["id"], "xml")


def test_three_decimals_cannot_be_expressed(acme):
    office = consultancy(acme)
    to = alster(office)["id"]
    shown = invoice(office, line("1.234"), customerId=to, currency="KWD", exchangeRate="3")
    error = office.refused("GET", f"/finance/invoices/{shown['id']}/xml", status=409, code="not_expressible")
    assert [detail["code"] for detail in error["details"]] == ["br_dec_14"]


def test_a_category_outside_tax_beside_a_taxed_one_is_refused_when_issuing(acme):
    office = consultancy(acme)
    rates = [tax_rate(office, "19")["id"], tax_rate(office, "0", category="O")["id"]]
    lines = [line(taxRateId=rate) for rate in rates]
    body = new_invoice(*lines, customerId=alster(office)["id"])
    error = office.refused("POST", "/finance/invoices", body, status=422)
    assert [detail["code"] for detail in error["details"]] == ["mixed_categories"]


def test_json_of_the_customer_says_what_was_kept(acme):
    shown = r1(consultancy(acme))
    assert shown["customer"]["email"] == ALSTER["email"]
    assert json.dumps(shown)
