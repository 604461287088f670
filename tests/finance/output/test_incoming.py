"""E-invoices that come in become drafts of bills with all their lines, and come back with their own totals."""

import base64
from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace

from erp.finance.output.bodies import ReceivedEInvoice
from erp.finance.output.einvoice import cii, ubl
from erp.finance.output.einvoice.model import (
    Adjustment,
    EInvoice,
    Line,
    Party,
    Payment,
    Period,
    Preceding,
    Sums,
    Tax,
    TaxGroup,
)
from erp.finance.output.einvoice.reading import read
from tests.conftest import Installation
from tests.events import events_of
from tests.finance.contacts.contacts import supplier, tax_rate
from tests.finance.documents.invoices import credit, invoice, line
from tests.finance.documents.test_oracle_invoices import FILES, Books, by_id, in_cents
from tests.finance.output.papers import alster, consultancy, download, r1
from tests.worst_files import pdf_with

PATH = "/finance/invoices/from-e-invoice"
CASES = [case for file in FILES for case in file["cases"] if case["strict"]]
WRITERS = {"ubl": ubl.write, "cii": cii.write}


def tax(item):
    is_unscoped = item["tax_category"] == "O"
    return Tax(item["tax_category"], None if is_unscoped else Decimal(item["tax_rate"] or "0"))


def adjustment(item, *, has_tax):
    amount = Decimal(item["amount"])
    return Adjustment(is_charge=item["charge"], amount=amount, reason="Agreed", tax=tax(item) if has_tax else None)


def einvoice(case, **fields):
    """An example, as its supplier would have sent it."""
    expected = {name: Decimal(value) for name, value in case["expected"].items() if isinstance(value, str)}
    lines = zip(case["lines"], case["expected"]["line_totals"], strict=True)
    plain = {
        "number": case["id"][:40],
        "issue_date": date.fromisoformat(case["issue_date"]),
        "type_code": "381" if case["kind"] == "credit_note" else "380",
        "currency": case["currency"],
        "seller": Party(name="Supplier Ltd", country="DE"),
        "buyer": Party(name="Nordlicht Beratung GmbH", country="DE"),
        "adjustments": [adjustment(item, has_tax=True) for item in case["allowances_charges"]],
        "taxes": [
            TaxGroup(tax=tax(row), base=Decimal(row["taxable"]), amount=Decimal(row["tax"]))
            for row in case["expected"]["tax_subtotals"]
        ],
        "sums": Sums(
            lines=expected["sum_lines"],
            allowances=expected["allowance_total"],
            charges=expected["charge_total"],
            net=expected["net"],
            tax=expected["tax_total"],
            gross=expected["gross"],
            prepaid=Decimal(case["prepaid"]),
            rounding=Decimal(case["rounding_amount"]),
            payable=expected["payable"],
        ),
        "lines": [
            Line(
                id=str(i),
                name="Goods",
                quantity=Decimal(item["qty"]),
                unit="C62",
                price=Decimal(item["unit_price"]),
                base_quantity=Decimal(item["price_base_qty"]),
                net=Decimal(net),
                tax=tax(item),
                adjustments=[adjustment(part, has_tax=False) for part in item["allowances_charges"]],
            )
            for i, (item, net) in enumerate(lines, 1)
        ],
    }
    return EInvoice(**plain | fields)


def received(office, content, **fields):
    return office.ok("POST", PATH, {"file": base64.b64encode(content).decode(), **fields})


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    installation = Installation(tmp_path_factory.mktemp("incoming") / "data")
    return Books(installation.office("Olga", baseCurrency="EUR"))


@pytest.mark.parametrize("case", CASES, ids=by_id)
@pytest.mark.parametrize("syntax", ["ubl", "cii"])
def test_every_example_comes_back_with_its_own_totals(books, case, syntax):
    for item in [*case["lines"], *case["allowances_charges"]]:
        if item["tax_category"] != "O":
            books.rate(item)
    content = WRITERS[syntax](einvoice(case, number=f"{case['id'][:40]}-{syntax}"), "en16931")
    rate = {} if case["currency"] == "EUR" else {"exchangeRate": "1"}
    shown = received(books.office, content, **rate)
    expected = case["expected"]
    total = Decimal(expected["gross"]) + Decimal(case["rounding_amount"])
    sign = -1 if total < 0 else 1
    assert (shown["status"], shown["total"]) == ("draft", in_cents(abs(total)))
    nets = [in_cents(sign * Decimal(net)) for net in expected["line_totals"]]
    assert [line["net"] for line in shown["lines"]] == nets
    assert shown["taxTotal"] == in_cents(sign * Decimal(expected["tax_total"]))
    is_credit = case["kind"] == "credit_note" or total < 0
    assert shown["kind"] == ("purchase_credit_note" if is_credit else "purchase_invoice")


FULL = EInvoice(
    number="2026-17",
    issue_date=date(2026, 1, 8),
    due_date=date(2026, 2, 7),
    currency="EUR",
    buyer_reference="0815",
    order_reference="PO 12",
    terms="#SKONTO#TAGE=7#PROZENT=2.00#",
    discounts=[],
    note="Danke",
    preceding=[Preceding("2025-99", date(2025, 12, 1))],
    seller=Party(
        name="Meyer KG",
        id="L-1",
        legal_id="HRA 12",
        trading_name="Meyer Bürobedarf",
        vat_id="DE136695976",
        tax_number="22/1",
        legal_text="HRA 12",
        email_address="meyer@example.org",
        line1="Gasse 1",
        line2="Hof",
        city="Kiel",
        postal_code="24103",
        region="SH",
        country="DE",
        contact_name="M. Meyer",
        phone="+49 431 1",
        email="meyer@example.org",
    ),
    buyer=Party(name="Nordlicht Beratung GmbH", country="DE"),
    period=Period(date(2026, 1, 1), date(2026, 1, 7)),
    payment=Payment(code="58", iban="DE89370400440532013000", bic="COBADEFFXXX", holder="Meyer", reference="2026-17"),
    adjustments=[Adjustment(is_charge=False, amount=Decimal("1.00"), reason="Rabatt", tax=Tax("S", Decimal(19)))],
    taxes=[
        TaxGroup(tax=Tax("S", Decimal(19)), base=Decimal("99.00"), amount=Decimal("18.81")),
        TaxGroup(tax=Tax("S", Decimal(7)), base=Decimal("50.00"), amount=Decimal("3.50")),
    ],
    sums=Sums(
        lines=Decimal("150.00"),
        allowances=Decimal("1.00"),
        net=Decimal("149.00"),
        tax=Decimal("22.31"),
        gross=Decimal("171.31"),
        prepaid=Decimal("10.00"),
        payable=Decimal("161.31"),
    ),
    lines=[
        Line(
            id="1",
            name="Papier",
            description="Papier A4, 80 g",
            note="wie bestellt",
            quantity=Decimal(10),
            unit="XPK",
            price=Decimal("10.50"),
            net=Decimal("100.00"),
            tax=Tax("S", Decimal(19)),
            period=Period(date(2026, 1, 2), date(2026, 1, 2)),
            adjustments=[Adjustment(is_charge=False, amount=Decimal("5.00"), reason="Menge")],
        ),
        Line(
            id="2",
            name="Buch",
            quantity=Decimal(2),
            unit="H87",
            price=Decimal("2500.00"),
            base_quantity=Decimal(100),
            net=Decimal("50.00"),
            tax=Tax("S", Decimal(7)),
            adjustments=[],
        ),
    ],
)


@pytest.mark.parametrize("syntax", ["ubl", "cii"])
def test_all_that_is_written_can_be_read_again(syntax):
    assert read(WRITERS[syntax](FULL, "en16931")) == FULL


@pytest.mark.parametrize("syntax", ["ubl", "cii"])
def test_a_bill_has_all_that_its_file_says(acme, syntax):
    rates = {tax_rate(acme, percent)["id"]: percent for percent in ("19", "7")}
    content = WRITERS[syntax](FULL, "en16931")
    shown = received(acme, content, name="meyer.xml")
    assert (shown["kind"], shown["supplierNumber"], shown["total"]) == ("purchase_invoice", "2026-17", "171.31")
    assert (shown["issueDate"], shown["dueDate"], shown["reference"]) == ("2026-01-08", "2026-02-07", "PO 12")
    assert shown["servicePeriod"] == {"from": "2026-01-01", "to": "2026-01-07"}
    assert [step["percent"] for step in shown["paymentTerms"]["discounts"]] == ["2"]
    assert shown["note"] == "Danke"
    assert (shown["prepaidAmount"], shown["prepaidOpen"]) == ("10.00", "10.00")
    assert shown["warnings"] == ["10.00 EUR is said to be paid: match it."]
    first, second = shown["lines"]
    assert (first["description"], first["unit"]) == ("Papier A4, 80 g\nwie bestellt", "package")
    assert first["quantity"] == "10"
    assert (first["unitPrice"], first["discount"]["amount"], first["net"]) == ("10.50", "5.00", "100.00")
    assert (second["unitPrice"], second["priceBaseQuantity"], second["net"]) == ("2500.00", "100", "50.00")
    assert [rates[each["taxRateId"]] for each in shown["lines"]] == ["19", "7"]
    contact = acme.ok("GET", f"/finance/contacts/{shown['supplierId']}")
    assert (contact["name"], contact["legalName"], contact["vatId"]) == ("Meyer Bürobedarf", "Meyer KG", "DE136695976")
    assert contact["bankAccount"]["iban"] == "DE89370400440532013000"
    assert contact["address"] == {
        "line1": "Gasse 1",
        "line2": "Hof",
        "city": "Kiel",
        "region": "SH",
        "postalCode": "24103",
        "country": "DE",
    }
    kept = acme.call("GET", f"/finance/invoices/{shown['id']}/original")
    assert (kept.status_code, kept.content) == (200, content)
    assert "meyer.xml" in kept.headers["Content-Disposition"]
    acme.ok("POST", f"/finance/invoices/{shown['id']}/issue", {})
    assert acme.call("GET", f"/finance/invoices/{shown['id']}/original").content == content


EXTENDED = """<ram:SpecifiedTradePaymentTerms><ram:Description>2 % within 10 days</ram:Description>
<ram:DueDateDateTime><udt:DateTimeString format="102">20260118</udt:DateTimeString></ram:DueDateDateTime>
<ram:ApplicableTradePaymentDiscountTerms><ram:BasisPeriodMeasure unitCode="DAY">10</ram:BasisPeriodMeasure>
<ram:CalculationPercent>2.00</ram:CalculationPercent></ram:ApplicableTradePaymentDiscountTerms>
</ram:SpecifiedTradePaymentTerms>
<ram:SpecifiedTradePaymentTerms><ram:Description>30 days net</ram:Description>
<ram:DueDateDateTime><udt:DateTimeString format="102">20260207</udt:DateTimeString></ram:DueDateDateTime>
</ram:SpecifiedTradePaymentTerms>"""
SEVERAL = """<cac:PaymentTerms><cbc:SettlementDiscountPercent>2</cbc:SettlementDiscountPercent>
<cac:SettlementPeriod><cbc:EndDate>2026-01-18</cbc:EndDate></cac:SettlementPeriod></cac:PaymentTerms>
<cac:PaymentTerms><cbc:PaymentDueDate>2026-02-07</cbc:PaymentDueDate></cac:PaymentTerms>"""
IN_TEXTS = """<cac:PaymentTerms><cbc:Note>#SKONTO#TAGE=10#PROZENT=2.00#</cbc:Note>
<cbc:PaymentDueDate>2026-01-18</cbc:PaymentDueDate></cac:PaymentTerms>
<cac:PaymentTerms><cbc:Note>30 days net</cbc:Note>
<cbc:PaymentDueDate>2026-02-07</cbc:PaymentDueDate></cac:PaymentTerms>"""


@pytest.mark.parametrize(("syntax", "terms"), [("cii", EXTENDED), ("ubl", SEVERAL), ("ubl", IN_TEXTS)])
def test_of_several_payment_terms_the_one_without_a_discount_says_when_it_is_due(acme, syntax, terms):
    for percent in ("19", "7"):
        tax_rate(acme, percent)
    element = {"cii": "ram:SpecifiedTradePaymentTerms", "ubl": "cac:PaymentTerms"}[syntax]
    plain = replace(FULL, due_date=None, terms="-")
    head, _, rest = WRITERS[syntax](plain, "en16931").decode().partition(f"<{element}>")
    content = head + terms + rest.partition(f"</{element}>")[2]
    shown = received(acme, content.encode())
    assert shown["dueDate"] == "2026-02-07"
    steps = [(step["percent"], step["days"], step["until"]) for step in shown["paymentTerms"]["discounts"]]
    assert steps == [("2", 10, "2026-01-18")]


@pytest.mark.parametrize("syntax", ["ubl", "cii"])
def test_a_credit_note_with_amounts_below_zero_is_taken_as_a_credit_with_a_warning(acme, syntax):
    tax_rate(acme, "19")
    tax = Tax("S", Decimal(19))
    file = replace(
        FULL,
        type_code="381",
        adjustments=[],
        taxes=[TaxGroup(tax=tax, base=Decimal("-100.00"), amount=Decimal("-19.00"))],
        sums=Sums(
            lines=Decimal("-100.00"),
            net=Decimal("-100.00"),
            tax=Decimal("-19.00"),
            gross=Decimal("-119.00"),
            payable=Decimal("-119.00"),
        ),
        lines=[replace(FULL.lines[1], quantity=Decimal(-4), net=Decimal("-100.00"), tax=tax)],
    )
    shown = received(acme, WRITERS[syntax](file, "en16931"))
    assert (shown["kind"], shown["total"], shown["taxTotal"]) == ("purchase_credit_note", "119.00", "19.00")
    (warning,) = shown["warnings"]
    assert "read as a credit of 119.00" in warning


@pytest.mark.parametrize("prepaid", ["171.32", "-1.00"])
def test_a_prepaid_amount_that_does_not_fit_is_left_out_and_told(acme, prepaid):
    for percent in ("19", "7"):
        tax_rate(acme, percent)
    sums = replace(FULL.sums, prepaid=Decimal(prepaid), payable=FULL.sums.gross - Decimal(prepaid))
    shown = received(acme, ubl.write(replace(FULL, sums=sums), "en16931"))
    assert (shown["prepaidAmount"], shown["prepaidOpen"]) == (None, "0.00")
    (warning,) = shown["warnings"]
    assert f"{prepaid} EUR" in warning


def test_the_supplier_is_the_one_with_the_vat_id_else_with_the_name(acme):
    for percent in ("19", "7"):
        tax_rate(acme, percent)
    by_id = supplier(acme, "Other", vatId="DE136695976")
    by_name = supplier(acme, "Meyer KG")
    content = ubl.write(FULL, "en16931")
    assert received(acme, content)["supplierId"] == by_id["id"]
    acme.refused("POST", PATH, {"file": content.decode()}, status=409, code="supplier_number_taken")
    acme.ok("POST", f"/finance/contacts/{by_id['id']}/archive")
    assert received(acme, content)["supplierId"] == by_name["id"]


def test_a_greek_supplier_is_known_by_either_prefix(acme):
    tax_rate(acme, "19")
    tax_rate(acme, "7")
    known = supplier(acme, "Other", vatId="EL094259216")
    seller = replace(FULL.seller, vat_id="GR094259216")
    content = ubl.write(replace(FULL, seller=seller), "en16931")
    assert received(acme, content)["supplierId"] == known["id"]


def test_what_one_office_sends_another_takes_in_from_its_pdf(acme, stranger):
    shown = r1(consultancy(acme))
    content = download(acme, shown["id"], "pdf")
    for percent in ("19", "7"):
        tax_rate(stranger, percent)
    stranger.ok("PATCH", f"/workspace/{stranger.workspace_id}", {"baseCurrency": "EUR"})
    bill = received(stranger, content)
    assert (bill["total"], bill["supplierNumber"], bill["supplierName"]) == (
        "1404.00",
        "R-2026-0001",
        "Nordlicht Beratung GmbH",
    )
    assert [line["net"] for line in bill["lines"]] == ["1000.00", "200.00"]
    kept = stranger.call("GET", f"/finance/invoices/{bill['id']}/original")
    assert kept.headers["Content-Type"] == "application/pdf"
    assert kept.content == content


def test_a_credit_note_comes_in_as_one(acme, stranger):
    shown = r1(consultancy(acme))
    note = credit(acme, shown, {"lineId": shown["lines"][0]["id"], "quantity": "2"})
    for percent in ("19", "7"):
        tax_rate(stranger, percent)
    stranger.ok("PATCH", f"/workspace/{stranger.workspace_id}", {"baseCurrency": "EUR"})
    taken = received(stranger, download(acme, note["id"], "xml"))
    assert (taken["kind"], taken["total"]) == ("purchase_credit_note", "297.50")


def test_of_reverse_charge_the_rate_of_the_workspace_counts(acme, stranger):
    rate = tax_rate(consultancy(acme), "0", category="AE")["id"]
    vienna = alster(acme, vatId="ATU12345675")
    sent = invoice(acme, line("240.00", taxRateId=rate), customerId=vienna["id"])
    stranger.ok("PATCH", f"/workspace/{stranger.workspace_id}", {"baseCurrency": "EUR"})
    own = tax_rate(stranger, "19", category="AE")
    bill = received(stranger, download(acme, sent["id"], "xml"))
    assert (bill["total"], bill["taxBreakdown"][0]["reverseCharge"]) == ("240.00", "45.60")
    assert bill["lines"][0]["taxRateId"] == own["id"]


@pytest.mark.parametrize(
    ("vat_id", "country", "tag"),
    [
        ("IE6388047V", "IE", "eu_services"),
        (None, "US", "third_country_services"),
        ("DE136695976", "DE", "reverse_charge"),
    ],
)
def test_reverse_charge_comes_in_at_the_rate_that_fits_the_seller(installation, vat_id, country, tag):
    """All three stock rates of Germany have 19 % and the category AE."""
    office = installation.office("Olga", country="DE", vatId="DE123456788")
    net, nothing, owed = Decimal("100.00"), Decimal("0.00"), Tax("AE", Decimal(0))
    sent = replace(
        FULL,
        seller=replace(FULL.seller, vat_id=vat_id, country=country),
        lines=[Line(id="1", name="Work", quantity=Decimal(1), unit="HUR", price=net, net=net, tax=owed)],
        adjustments=[],
        taxes=[TaxGroup(tax=owed, base=net, amount=nothing, reason_code="VATEX-EU-AE")],
        sums=Sums(lines=net, net=net, tax=nothing, gross=net, payable=net),
    )
    shown = received(office, ubl.write(sent, "en16931"))
    rate = office.ok("GET", f"/finance/tax-rates/{shown['lines'][0]['taxRateId']}")
    assert (rate["taxTag"], rate["rate"]) == (tag, "19")


def test_a_rate_that_the_workspace_lacks_is_named_and_nothing_is_added(acme):
    tax_rate(acme, "19")
    error = acme.refused("POST", PATH, {"file": ubl.write(FULL, "en16931").decode()}, status=422)
    (detail,) = error["details"]
    assert (detail["field"], detail["code"]) == ("file", "no_tax_rate")
    assert detail["message"] == "The workspace has no tax rate of 7 % in category S. Create it first."
    assert acme.ok("GET", "/finance/contacts?q=Meyer") == []


def test_a_file_that_does_not_add_up_is_refused(acme):
    for percent in ("19", "7"):
        tax_rate(acme, percent)
    content = ubl.write(FULL, "en16931").replace(b">171.31<", b">172.31<")
    error = acme.refused("POST", PATH, {"file": content.decode()}, status=422)
    assert [detail["code"] for detail in error["details"]] == ["wrong_total"]
    assert acme.ok("GET", "/finance/invoices") == []


@pytest.mark.parametrize("media_type", ["application/xml", "text/xml", "application/octet-stream"])
def test_an_e_invoice_may_be_the_body_itself(acme, media_type):
    for percent in ("19", "7"):
        tax_rate(acme, percent)
    content, headers = ubl.write(FULL, "en16931"), {"Content-Type": media_type}
    answer = acme.call("POST", f"{PATH}?name=R-1.xml", raw=content, headers=headers)
    assert answer.status_code == 201, answer.text
    bill = answer.json["data"]
    assert bill["status"] == "draft"
    files = acme.ok("GET", "/workspace/attachments", params={"resourceType": "invoice", "resourceId": bill["id"]})
    assert [(file["name"], file["mediaType"]) for file in files] == [("R-1.xml", "application/xml")]
    again = acme.call("POST", PATH, raw=content, headers=headers)
    assert (again.status_code, again.json["error"]["code"]) == (409, "supplier_number_taken")


def test_a_file_in_json_that_is_neither_text_nor_base64_is_refused(acme):
    error = acme.refused("POST", PATH, {"file": "no base64 !"}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("file", "not_a_file")]


BOMB = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">&b;</Invoice>"""


@pytest.mark.parametrize(
    "file",
    [
        BOMB,
        base64.b64encode(BOMB.encode("utf-16")).decode(),
        "<a/>",
        "<a",
        base64.b64encode(b"%PDF-1.7 nothing inside").decode(),
        base64.b64encode(b"%PDF-1.7 1 0 obj <</Type /EmbeddedFile /Filter /FlateDecode>> stream\nxyz").decode(),
        '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>',
        '<?xml version="1.0" encoding="klingon"?><a/>',
        ubl.write(FULL, "en16931").decode().replace(">2026-01-08<", ">2026-13-08<"),
        ubl.write(FULL, "en16931").decode().replace(">10.5<", ">NaN<"),
        ubl.write(FULL, "en16931").decode().replace(">EUR<", ">XXQ<"),
    ],
)
def test_what_is_no_e_invoice_is_refused(acme, file):
    for percent in ("19", "7"):
        tax_rate(acme, percent)
    acme.refused("POST", PATH, {"file": file}, status=422, code="unreadable")


def test_a_draft_is_deleted_with_its_file_and_both_are_logged(acme):
    for percent in ("19", "7"):
        tax_rate(acme, percent)
    shown = received(acme, ubl.write(FULL, "en16931"))
    assert events_of(acme, shown["id"]) == ["invoice.draft", "invoice.filed", "attachment.added"]
    acme.ok("DELETE", f"/finance/invoices/{shown['id']}")
    acme.refused("GET", f"/finance/invoices/{shown['id']}/original", status=404, code="not_found")


def test_a_bill_that_was_typed_has_no_original(acme):
    typed = acme.ok(
        "POST",
        "/finance/invoices",
        {"kind": "purchase_invoice", "supplier": {"name": "Meyer"}, "lines": [line()]},
    )
    acme.refused("GET", f"/finance/invoices/{typed['id']}/original", status=404, code="not_found")


def invoice_of(elements: int) -> bytes:
    return b"<Invoice xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2'>%s</Invoice>" % (
        b"<a/>" * elements
    )


def test_the_files_in_a_pdf_have_one_limit_together(acme):
    """Each is within it, and 98 kB of them once took a minute."""
    pdf = pdf_with(*[invoice_of(60_000)] * 4)
    assert len(pdf) < 10_000
    error = acme.refused("POST", PATH, {"file": base64.b64encode(pdf).decode()}, status=422)
    (complaint,) = error["details"]
    assert (complaint["field"], complaint["code"]) == ("file", "too_large")
    assert "200,000 XML elements" in complaint["message"]


def test_a_pdf_that_unpacks_without_end_is_refused(acme):
    pdf = pdf_with(b"<a>" + b" " * (26 << 20))
    error = acme.refused("POST", PATH, {"file": base64.b64encode(pdf).decode()}, status=422)
    assert "25 MiB" in error["details"][0]["message"]


def test_other_files_in_a_pdf_do_not_count(acme):
    pdf = pdf_with(
        b"\0" * (30 << 20), b"<data>" + b"<a/>" * 250_000 + b"</data>", ReceivedEInvoice.EXAMPLE["file"].encode()
    )
    assert received(acme, pdf)["supplierNumber"] == "4711"


def test_a_file_of_more_lines_than_a_bill_has_is_refused_by_the_file(acme):
    lines = [replace(FULL.lines[0], id=str(number)) for number in range(501)]
    content = ubl.write(replace(FULL, lines=lines), "en16931")
    error = acme.refused("POST", PATH, {"file": base64.b64encode(content).decode()}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("file", "too_long")]
