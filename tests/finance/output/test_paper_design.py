"""How papers look: the layout, the colour, the letterhead under each page, and that issued documents keep theirs."""

import io
from concurrent.futures import ThreadPoolExecutor

import pypdf
import pytest

from erp.kernel.paper import letterheads
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import invoice, line
from tests.finance.output.letterheads import A4, drawn, image, in_cmyk_space, letterhead, locked, scripted
from tests.finance.output.papers import alster, consultancy, download, r1
from tests.refusals import complaint

PAPER, LETTERHEAD, PREVIEW = "/workspace/paper", "/workspace/paper/letterhead", "/workspace/paper/preview"


def read(content):
    return pypdf.PdfReader(io.BytesIO(content))


def texts(content):
    return [" ".join(page.extract_text().split()) for page in read(content).pages]


def upload(office, content, media_type="application/pdf"):
    return office.call("POST", LETTERHEAD, raw=content, headers={"Content-Type": media_type})


def long_invoice(office):
    rate = tax_rate(office, "19")["id"]
    lines = [line("10.00", description=f"Ware {i}", taxRateId=rate) for i in range(1, 61)]
    return invoice(office, *lines, customerId=alster(office)["id"])["id"]


def test_the_design_is_classic_until_it_is_changed_and_a_bright_colour_is_refused(acme):
    usual = {"layout": "classic", "accentColor": "#165268", "topMm": 22, "hasOfficeHead": True, "letterhead": None}
    shown = acme.ok("GET", PAPER)
    assert {name: shown[name] for name in usual} == usual
    changed = acme.ok("PATCH", PAPER, {"layout": "modern", "accentColor": "#767676", "topMm": 40})
    assert (changed["layout"], changed["accentColor"], changed["topMm"]) == ("modern", "#767676", 40)
    for color in ("#777777", "#FFFF00"):  # 4.48 and 1.07 to white; 4.54 above
        error = acme.refused("PATCH", PAPER, {"accentColor": color}, status=422)
        assert complaint(error) == ("accentColor", "low_contrast")
    for field, value in (("topMm", 9), ("layout", "baroque"), ("accentColor", "teal")):
        assert complaint(acme.refused("PATCH", PAPER, {field: value}, status=422))[0] == field
    stale = {"If-Match": f'"{shown["version"]}"'}
    acme.refused("PATCH", PAPER, {"topMm": 30}, status=412, code="version_mismatch", headers=stale)
    acme.colleague("accountant").refused("PATCH", PAPER, {"topMm": 30}, status=403, code="forbidden")


def test_each_layout_says_the_same_and_issued_documents_keep_theirs(acme):
    issued = r1(consultancy(acme))["id"]
    acme.ok("PATCH", PAPER, {"layout": "modern"})
    later = r1(acme)["id"]
    acme.ok("PATCH", PAPER, {"layout": "plain", "hasOfficeHead": False})
    (classic,), (modern,) = (texts(download(acme, id, "pdf?copy=true")) for id in (issued, later))
    assert classic == modern.replace("R-2026-0002", "R-2026-0001").replace("mmer 10002", "mmer 10001")
    (bare,) = texts(download(acme, r1(acme)["id"], "pdf"))
    for said in ("Netto zu 19 % 1.000,00", "1.404,00 €", "Seite 1 von 1"):
        assert said in classic
        assert said in bare
    for particular in ("+49 40 123456", "Amtsgericht Hamburg"):
        assert particular in classic
        assert particular not in bare


def test_a_letterhead_lies_under_each_page_and_the_paper_stays_an_archivable_e_invoice(acme):
    before = r1(consultancy(acme))["id"]
    shown = upload(acme, letterhead("Kopfbogen", "Folgeblatt"))
    assert (shown.status_code, shown.json["data"]["letterhead"]["pages"]) == (200, 2)
    issued = long_invoice(acme)
    acme.ok("DELETE", LETTERHEAD)
    acme.refused("DELETE", LETTERHEAD, status=404, code="no_letterhead")
    assert "Kopfbogen" not in texts(download(acme, before, "pdf"))[0]
    content = download(acme, issued, "pdf")
    assert download(acme, issued, "pdf") == content
    first, *others = texts(content)
    assert "Kopfbogen" in first
    assert "Folgeblatt" not in first
    assert len(others) > 1
    assert all("Folgeblatt" in text and "Kopfbogen" not in text for text in others)
    reader = read(content)
    (xml,) = reader.attachments["factur-x.xml"]
    assert b"CrossIndustryInvoice" in xml
    catalogue = reader.trailer["/Root"]
    metadata = catalogue["/Metadata"].get_data().decode()
    for said in ("<pdfaid:part>3<", "<pdfaid:conformance>B<", "<fx:ConformanceLevel>EN 16931<"):
        assert said in metadata
    assert catalogue["/OutputIntents"][0].get_object()["/S"] == "/GTS_PDFA1"
    assert catalogue["/AF"][0].get_object()["/AFRelationship"] == "/Alternative"
    assert "/Filter" not in catalogue["/Metadata"].get_object()
    assert len(reader.trailer["/ID"]) == 2
    assert content.startswith(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3")
    forms = {page["/Resources"]["/XObject"].raw_get("/Letterhead2").idnum for page in reader.pages[1:]}
    assert len(forms) == 1  # kept once, however many pages show it


@pytest.mark.parametrize(
    ("make", "code", "said"),
    [
        (locked, "not_archivable", "encryption"),
        (scripted, "not_archivable", "scripts"),
        (lambda: letterhead("Kopf", face="Helvetica"), "not_archivable", "font Helvetica, which is not embedded"),
        (lambda: drawn(b"0 0 0 1 k 0 0 9 9 re f"), "not_archivable", "CMYK colours"),
        (in_cmyk_space, "not_archivable", "CMYK colours"),
        (lambda: image("JPEG", "CMYK"), "not_archivable", "CMYK colours"),
        (lambda: drawn(b"", size=(612, 792)), "not_a4", "A4"),
        (lambda: drawn(b"", size=A4[::-1]), "not_a4", "A4"),
        (lambda: image("PNG", size=(300, 300)), "not_a4", "A4"),
        (lambda: letterhead("1", "2", "3"), "too_many_pages", "one or two"),
        (lambda: b"%PDF-1.7 nothing", "unreadable", "cannot be read"),
        (lambda: b"GIF89a", "unreadable", "PDF, PNG or JPEG"),
        (lambda: bytes(letterheads.MOST_BYTES + 1), "too_large", "2 MiB"),
    ],
)
def test_a_letterhead_that_cannot_be_archived_is_refused_with_the_reason(acme, make, code, said):
    answer = upload(acme, make())
    (detail,) = answer.json["error"]["details"]
    assert (answer.status_code, detail["field"], detail["code"]) == (422, "file", code)
    assert said in detail["message"]
    assert acme.ok("GET", PAPER)["letterhead"] is None


def test_a_long_row_of_digits_keeps_no_judge_busy(acme):
    """Each digit was once tried with all that follow: a file of 2 MiB would have taken years."""
    assert upload(acme, drawn(b"1" * 500_000)).status_code == 200


def test_a_letterhead_is_judged_before_any_lock(acme):
    with acme.books(write=True), ThreadPoolExecutor(1) as other:
        answer = other.submit(upload, acme, letterhead("Kopf", face="Helvetica")).result(timeout=20)
    assert answer.status_code == 422


def test_an_image_is_a_letterhead_too(acme):
    for kind, mode in (("PNG", "RGBA"), ("JPEG", "RGB")):
        assert upload(acme, image(kind, mode), f"image/{kind.lower()}").json["data"]["letterhead"]["pages"] == 1
    (page,) = read(download(acme, r1(consultancy(acme))["id"], "pdf")).pages
    form = page["/Resources"]["/XObject"]["/Letterhead1"]
    (drawing,) = form["/Resources"]["/XObject"].values()
    assert drawing.get_object()["/Subtype"] == "/Image"


def test_a_preview_shows_what_is_not_saved(acme):
    body = {"kind": "quote", "language": "de", "layout": "plain", "closing": "Für {customer}: {total}, {{so}}."}
    answer = acme.call("POST", PREVIEW, body)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    (text,) = texts(answer.content)
    assert "Angebot" in text
    assert "Vielen Dank für Ihre Anfrage" in text
    assert "Für Blue Heron Bakery: 1.012,10 €, {so}." in text
    assert acme.ok("GET", PAPER)["layout"] == "classic"
    for wrong, field in (({"kind": "payslip"}, "kind"), ({"accentColor": "#FFFFFF"}, "accentColor")):
        assert complaint(acme.refused("POST", PREVIEW, wrong, status=422))[0] == field
    error = acme.refused("POST", PREVIEW, {"kind": "invoice", "intro": "{validUntil}"}, status=422)
    assert complaint(error) == ("intro", "unknown_place")
