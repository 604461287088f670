"""Documents on paper: what they say, in which language, page by page, and that they stay what they are."""

import base64
import hashlib
import io
import re
import struct
import zlib
from xml.etree import ElementTree

import pytest
from peewee import DatabaseError

from erp.finance.documents import drafts
from erp.finance.documents.models import Invoice
from erp.finance.output import kept, sources
from erp.finance.output.paper import epc
from erp.kernel import config
from erp.kernel.paper import typefaces
from erp.store import router
from erp.system.checks import files as checking
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.output.papers import ALSTER, alster, consultancy, download, r1
from tests.system.checks.offices import tamper
from tests.typefaces import typeface

pillow = pytest.importorskip("PIL.Image")
pypdf = pytest.importorskip("pypdf")

PLEITE = "BCD\n002\n1\nSCT\n\nNordlicht Beratung GmbH\nDE89370400440532013000\nEUR595.00\n\n\nR-2026-0001"


def read(content):
    return pypdf.PdfReader(io.BytesIO(content))


def pages(office, id, form="pdf"):
    return [page.extract_text() for page in read(download(office, id, form)).pages]


def squeezed(text):
    return " ".join(text.split())


def test_an_invoice_says_all_that_the_law_asks_for(acme):
    shown = r1(consultancy(acme, paperFooter="Erfüllungsort ist Hamburg."), reference="B-4711", note="Vielen Dank.")
    (page,) = pages(acme, shown["id"])
    text = squeezed(page)
    for said in (
        *("Nordlicht Beratung GmbH", "Speicherstraße 4", "20457 Hamburg", "Alster Verlag KG", "Am Ufer 1"),
        *("Rechnung R-2026-0001", "05.01.2026", "Leistungsdatum", "Ihr Zeichen B-4711", "8 Stunden", "125,00"),
        *("Netto zu 19 % 1.000,00", "USt 19 % 190,00", "Netto zu 7 % 200,00", "USt 7 % 14,00", "1.404,00 €"),
        *("bis 19.01.2026", "1.375,92 €", "DE89 3704 0044 0532 0130 00", "COBADEFFXXX", "Seite 1 von 1"),
        *("Amtsgericht Hamburg, HRB 4711", "Nora Licht", "USt-IdNr. DE123456788", "Steuernummer 22/815/08154"),
        *("Erfüllungsort ist Hamburg.", "Vielen Dank."),
    ):
        assert said in text, said


def test_invoices_and_credit_notes_name_the_customer_number_and_bills_do_not(acme):
    consultancy(acme)
    customer(acme, "Another")
    shown = r1(acme)
    for document in (shown, credit(acme, shown)):
        assert "Kundennummer 10002" in squeezed(pages(acme, document["id"])[0])
    reader = alster(acme, language="en", kind="both")["id"]
    assert "Customer number 10003" in squeezed(pages(acme, invoice(acme, customerId=reader)["id"])[0])
    assert "10003" not in pages(acme, bill(acme, supplierId=reader)["id"])[0]


def test_a_paper_from_before_customers_had_numbers_is_printed_without_one(acme, monkeypatch):
    consultancy(acme)
    monkeypatch.setattr(drafts, "SNAPSHOT", [name for name in drafts.SNAPSHOT if not name.endswith("_number")])
    old = r1(acme)
    monkeypatch.undo()
    assert "10001" not in pages(acme, old["id"])[0]
    xml = download(acme, old["id"], "xml").decode()
    assert "10001" not in xml


def test_a_customer_who_reads_english_gets_it_in_english(acme):
    reader = alster(consultancy(acme), language="en")
    text = squeezed(pages(acme, r1(acme, customerId=reader["id"])["id"])[0])
    for said in ("Invoice R-2026-0001", "5 January 2026", "1,404.00 €", "VAT 19 % 190.00", "Page 1 of 1"):
        assert said in text, said


def test_units_are_printed_in_the_language_of_the_paper_and_only_exactly_one_is_one(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    units = [("2", "piece"), ("1", "hour"), ("1.5", "h"), ("3", "Kisten"), ("-1", "Stück"), ("1", "Stück")]
    lines = [line("9.00", quantity, unit=unit, taxRateId=rate) for quantity, unit in units]
    for language, printed in (
        ("de", ("2 Stück", "1 Stunde", "1,5 Stunden", "3 Kisten", "-1 Stück", "1 Stück")),
        ("en", ("2 pieces", "1 hour", "1.5 hours", "3 Kisten", "-1 piece", "1 piece")),
    ):
        shown = invoice(acme, *lines, customerId=alster(acme, language=language)["id"])
        found = re.findall(
            r"-?[\d.,]+ (?:Stunden?|Stück|Kisten|hours?|pieces?)(?= )", squeezed(pages(acme, shown["id"])[0])
        )
        assert tuple(found) == printed
        codes = re.findall(r'unitCode="(\w+)"', download(acme, shown["id"], "xml").decode())
        assert codes == ["H87", "HUR", "HUR", "C62", "H87", "H87"]


def test_a_long_document_carries_its_sum_from_page_to_page(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    lines = [line("10.00", description=f"Ware {i}", taxRateId=rate) for i in range(1, 61)]
    texts = [squeezed(page) for page in pages(acme, invoice(acme, *lines, customerId=alster(acme)["id"])["id"])]
    assert len(texts) > 2
    assert [f"Seite {i} von {len(texts)}" in text for i, text in enumerate(texts, 1)] == [True] * len(texts)
    on_first = sum(f"Ware {i} " in texts[0] for i in range(1, 61))
    carried = f"Übertrag {on_first * 10},00"
    assert carried in texts[0]
    assert carried in texts[1]
    assert "714,00 €" in squeezed(" ".join(texts))


FOOT = 30
"""Millimetres at the end of a page that only its foot takes."""


def heights(page):
    """Where the words of a page stand: by word, the millimetres above its end."""
    found: dict[str, float] = {}

    def visit(text, matrix, place, font, size):
        for word in text.split():
            found[word] = (matrix[5] * place[3] + place[5] if place[3] else place[5]) / 72 * 25.4

    page.extract_text(visitor_text=visit)
    return found


def test_a_line_longer_than_a_page_goes_on_over_the_next(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    parts = [f"P{i:03}" for i in range(150)]
    lines = [line("10.00", description="Vorab", taxRateId=rate)]
    lines += [line("10.00", description="\n".join(parts), taxRateId=rate)]
    content = download(acme, invoice(acme, *lines, customerId=alster(acme)["id"])["id"], "pdf")
    shown = [page.extract_text() for page in read(content).pages]
    assert re.findall(r"P\d{3}", " ".join(shown)) == parts
    assert len(shown) == 4
    assert all("Beschreibung" in text for text in shown)
    for page in read(content).pages:
        assert all(place > FOOT - 2 for word, place in heights(page).items() if word in parts)


@pytest.mark.parametrize("count", range(20, 50, 2))
def test_the_headings_of_the_table_never_stand_alone_at_the_end_of_a_page(acme, count):
    rate = tax_rate(consultancy(acme), "19")["id"]
    tall = line("10.00", description="\n".join(f"Posten{i:03}" for i in range(count)), taxRateId=rate)
    for text in pages(acme, invoice(acme, tall, customerId=alster(acme)["id"])["id"]):
        assert ("Beschreibung" in text) == ("Posten" in text)


def test_the_paper_holds_the_e_invoice_of_the_same_figures_and_says_that_it_is_pdf_a(acme):
    content = download(acme, r1(consultancy(acme))["id"], "pdf")
    reader = read(content)
    (xml,) = reader.attachments["factur-x.xml"]
    root = ElementTree.fromstring(xml)
    assert [element.text for element in root.iter() if element.tag.endswith("GrandTotalAmount")] == ["1404.00"]
    catalog = reader.trailer["/Root"]
    metadata = catalog["/Metadata"].get_data().decode()
    for said in ("<pdfaid:part>3<", "<pdfaid:conformance>B<", "<fx:ConformanceLevel>EN 16931<", "factur-x.xml"):
        assert said in metadata
    assert catalog["/OutputIntents"][0].get_object()["/S"] == "/GTS_PDFA1"
    assert catalog["/AF"][0].get_object()["/AFRelationship"] == "/Alternative"


def test_it_stays_what_it_was_from_the_first_request_on(acme):
    shown = r1(consultancy(acme))
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"legalName": "Südlicht GmbH"})
    first = acme.call("GET", f"/finance/invoices/{shown['id']}/pdf")
    assert "Nordlicht Beratung GmbH" in read(first.content).pages[0].extract_text()
    assert first.headers["X-Content-SHA256"] == hashlib.sha256(first.content).hexdigest()
    acme.ok("PATCH", f"/finance/invoices/{shown['id']}", {"note": "Nachträglich"})
    assert download(acme, shown["id"], "pdf") == first.content


def test_a_paper_that_lacks_what_the_law_asks_for_is_not_kept_yet(acme):
    shown = invoice(acme, customerId=alster(acme)["id"])
    assert "DE89" not in pages(acme, shown["id"])[0]
    consultancy(acme, numberFormats={})
    content = download(acme, shown["id"], "pdf")
    assert "DE89 3704" in read(content).pages[0].extract_text()
    assert "factur-x.xml" in read(content).attachments
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"legalName": "Südlicht GmbH"})
    assert download(acme, shown["id"], "pdf") == content


def test_it_can_be_printed_where_nothing_more_can_be_written(acme, monkeypatch):
    shown = r1(consultancy(acme))

    def full(*file):
        raise DatabaseError("database or disk is full")

    monkeypatch.setattr(kept, "keep", full)
    assert "R-2026-0001" in pages(acme, shown["id"])[0]


def test_drafts_and_copies_are_marked_and_hold_no_e_invoice(acme):
    shown = r1(consultancy(acme), draft=True)
    assert "ENTWURF" in pages(acme, shown["id"])[0]
    assert "KOPIE" not in pages(acme, r1(acme)["id"])[0]
    copy = download(acme, r1(acme)["id"], "pdf?copy=true")
    assert "KOPIE" in read(copy).pages[0].extract_text()
    assert not read(copy).attachments


def test_a_credit_note_names_its_invoice_and_asks_for_nothing(acme):
    shown = r1(consultancy(acme))
    note = credit(acme, shown, {"lineId": shown["lines"][0]["id"], "quantity": "2"})
    text = squeezed(pages(acme, note["id"])[0])
    assert "Korrigiert R-2026-0001, 05.01.2026" in text
    assert "297,50 €" in text
    assert "Verwendungszweck" not in text


def test_a_foreign_invoice_says_its_tax_in_the_base_currency(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    abroad = {"customerId": alster(acme)["id"], "currency": "USD", "exchangeRate": "0.92"}
    text = squeezed(pages(acme, invoice(acme, line(taxRateId=rate), **abroad)["id"])[0])
    assert "USt. in EUR: 17,48, Wechselkurs 0,92." in text


def test_reverse_charge_is_said_with_both_vat_ids(acme):
    rate = tax_rate(consultancy(acme), "0", category="AE")["id"]
    vienna = alster(acme, vatId="ATU12345675")
    text = squeezed(pages(acme, invoice(acme, line("3000.00", taxRateId=rate), customerId=vienna["id"])["id"])[0])
    for said in ("Steuerschuldnerschaft des Leistungsempfängers", "ATU12345675", "DE123456788", "3.000,00 €"):
        assert said in text


def test_a_final_invoice_shows_what_it_deducts(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    to = alster(acme)["id"]
    deposit = invoice(acme, line("500.00", taxRateId=rate), kind="deposit_invoice", customerId=to)
    acme.ok("POST", "/finance/payments", {"invoiceId": deposit["id"], "amount": "595.00"})
    lines = [line("1000.00", taxRateId=rate)]
    final = invoice(acme, *lines, kind="final_invoice", customerId=to, depositIds=[deposit["id"]])
    text = squeezed(pages(acme, final["id"])[0])
    assert "darin USt 95,00 -595,00" in text
    assert "Offener Betrag 595,00 €" in text


def test_a_bill_is_printed_as_from_its_supplier(acme):
    text = squeezed(pages(consultancy(acme), bill(acme, supplierNumber="M-77")["id"])[0])
    assert text.startswith("Meyer")
    assert "M-77" in text


def test_a_discount_on_prices_with_tax_leaves_lines_that_add_up_to_the_total(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    lines = [line("119.00", taxRateId=rate), line("238.00", taxRateId=rate)]
    text = squeezed(pages(acme, invoice(acme, *lines, customerId=alster(acme)["id"], pricesIncludeTax=True)["id"])[0])
    for said in ("119,00", "238,00", "Netto zu 19 % 300,00", "357,00 €", "enthalten die USt"):
        assert said in text


def test_letters_of_no_typeface_give_way_to_the_other_name_or_to_a_sign(acme, monkeypatch):
    monkeypatch.setattr(typefaces, "_installed", lambda: ())
    names = {"name": "北京灯塔", "legalName": "Beijing Lighthouse Ltd"}
    known = customer(consultancy(acme), **names, address=ALSTER["address"])
    text = pages(acme, invoice(acme, customerId=known["id"])["id"])[0]
    assert "Beijing Lighthouse Ltd\nAm Ufer 1" in text
    unknown = customer(acme, "شركة المنارة", address=ALSTER["address"])
    assert "???? ???????" in pages(acme, invoice(acme, customerId=unknown["id"])["id"])[0]


def test_names_in_other_letters_are_written_with_a_typeface_of_the_computer(acme, monkeypatch):
    monkeypatch.setattr(typefaces, "_installed", lambda: ())
    names = ["北京灯塔", "שלום", "شركة المنارة"]
    typeface(acme.installation.config.data_dir / "fonts" / "Made.ttf", "".join(names))
    office = consultancy(acme)
    chinese, hebrew, arabic = (customer(office, name, address=ALSTER["address"]) for name in names)
    assert "北京灯塔\nAm Ufer 1" in pages(acme, invoice(acme, customerId=chinese["id"])["id"])[0]
    assert "שלום\nAm Ufer 1" in pages(acme, invoice(acme, customerId=hebrew["id"])["id"])[0]
    text = pages(acme, invoice(acme, customerId=arabic["id"])["id"])[0]
    assert "?" not in text
    assert "Am Ufer 1" in text


def source_of(office, id):
    with office.books():
        return sources.of(Invoice.find(id))


def test_the_code_for_the_bank_is_as_the_standard_has_it(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    shown = invoice(acme, line("500.00", taxRateId=rate), customerId=alster(acme)["id"], issueDate="2026-01-05")
    text = epc.text_of(source_of(acme, shown["id"]))
    assert text == PLEITE
    assert (len(text.split("\n")), len(text.encode())) == (11, 85)


@pytest.mark.parametrize("fields", [{"currency": "USD", "exchangeRate": "0.92"}, {"draft": True}])
def test_there_is_no_code_in_another_currency_or_on_a_draft(acme, fields):
    shown = invoice(consultancy(acme), customerId=alster(acme)["id"], **fields)
    assert epc.text_of(source_of(acme, shown["id"])) is None


def test_issuing_makes_no_file(acme):
    shown = r1(consultancy(acme))
    events = acme.ok("GET", "/workspace/events?limit=200")
    assert "invoice.filed" not in {event["type"] for event in events}
    assert shown["status"] == "issued"


def image(kind="PNG", size=(70, 20)):
    made = io.BytesIO()
    pillow.new("RGBA" if kind == "PNG" else "RGB", size, (22, 82, 104)).save(made, kind)
    return base64.b64encode(made.getvalue()).decode()


def photograph():
    """A JPEG with a second image behind it, as phones make."""
    made = io.BytesIO()
    one, other = (pillow.new("RGB", (70, 20), colour) for colour in ("red", "blue"))
    one.save(made, "MPO", save_all=True, append_images=[other])
    return base64.b64encode(made.getvalue()).decode()


def huge():
    """A PNG of some bytes that promises 50,000 × 50,000 dots."""
    content = base64.b64decode(image())
    head = b"IHDR" + struct.pack(">II", 50_000, 50_000) + content[24:29]
    return base64.b64encode(content[:12] + head + struct.pack(">I", zlib.crc32(head)) + content[33:]).decode()


def test_a_photograph_from_a_phone_is_a_logo(acme):
    consultancy(acme)
    assert acme.ok("POST", "/workspace/logo", {"file": photograph()})["mediaType"] == "image/jpeg"
    assert len(read(download(acme, r1(acme)["id"], "pdf")).pages[0].images) == 1


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_logo_stands_on_the_documents_of_its_days(acme, kind):
    consultancy(acme)
    before = r1(acme)
    acme.ok("POST", "/workspace/logo", {"file": image(kind)})
    after, later = r1(acme), r1(acme)
    assert len(read(download(acme, after["id"], "pdf")).pages[0].images) == 1
    assert len(read(download(acme, before["id"], "pdf")).pages[0].images) == 0
    acme.ok("DELETE", "/workspace/logo")
    assert len(read(download(acme, later["id"], "pdf")).pages[0].images) == 1
    acme.refused("GET", "/workspace/logo", status=404, code="no_logo")


def test_a_logo_is_set_on_the_settings_that_were_read_or_refused(acme):
    version = acme.ok("GET", f"/workspace/{acme.workspace_id}")["version"]
    for sent, status in ((version + 1, 412), (version, 200), (version, 412)):
        answer = acme.call("POST", "/workspace/logo", {"file": image()}, headers={"If-Match": f'"{sent}"'})
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("no base64 !", "not_an_image"),
        (base64.b64encode(b"<svg/>").decode(), "not_an_image"),
        (base64.b64encode(base64.b64decode(image())[:60]).decode(), "not_an_image"),
        (image(size=(2001, 2000)), "too_large"),
        (huge(), "too_large"),
    ],
)
def test_what_cannot_be_printed_is_no_logo(acme, file, code):
    error = acme.refused("POST", "/workspace/logo", {"file": file}, status=422)
    assert [(detail["field"], detail["code"]) for detail in error["details"]] == [("file", code)]


XML_FILES = "SELECT sha256 FROM document_file WHERE form <> 'pdf'"


def test_a_check_finds_files_that_another_program_has_changed(acme):
    acme.ok("POST", "/workspace/logo", {"file": image()})
    shown = r1(consultancy(acme))
    for form in ("pdf", "xml"):
        download(acme, shown["id"], form)
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    router.close_all()
    with config.use(acme.installation.config):
        assert checking.workspace_file(path).problems == checking.workspace_file(path).altered == []
        tamper(path, f"UPDATE stored_part SET content = x'00' WHERE sha256 NOT IN ({XML_FILES})")
        problems = checking.workspace_file(path).problems
    assert problems == [
        "The file logo of the workspace is not what was kept: another program has changed it.",
        "The file pdf of R-2026-0001 is not what was kept: another program has changed it.",
    ]


def test_a_document_that_is_not_saved_has_a_paper_marked_as_a_draft(acme):
    """Nothing is stored: no document, no number, no event; only its maker can open it in a frame."""
    before = acme.ok("GET", "/workspace/events")
    body = {"lines": [{"description": "Consulting", "quantity": "2", "unitPrice": "95.00"}, {"description": "Trav"}]}
    path = "/finance/invoices/preview?format=pdf"
    answer = acme.call("POST", path, body | {"customer": {"name": "Globex & Söhne"}})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf")
    words = "".join(page.extract_text() for page in read(answer.content).pages)
    assert all(word in words for word in ("DRAFT", "Globex & Söhne", "Consulting", "190.00"))
    assert acme.call("POST", path, body).content.startswith(b"%PDF")  # no customer yet
    framed = acme.call("POST", f"{path}&inline=true", body)
    address = framed.headers["Content-Location"].removeprefix("/api/v1")
    shown = acme.call("GET", address)
    assert (shown.content, shown.headers["Content-Disposition"].split(";")[0]) == (framed.content, "inline")
    assert "frame-ancestors 'self'" in shown.headers["Content-Security-Policy"]
    acme.refused("GET", "/finance/invoices/preview/nothing", status=404)
    assert acme.ok("GET", "/finance/invoices") == []
    assert acme.ok("GET", "/workspace/events") == before
