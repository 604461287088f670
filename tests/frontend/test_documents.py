"""The files of documents in the browser: papers, e-invoices out and in, and what the office says of itself on them."""

import io
import re

import pytest
from PIL import Image

from erp.finance.output.einvoice import ubl
from tests.finance.output.test_incoming import FULL
from tests.frontend.conftest import expect
from tests.frontend.test_finance import bill_of, draft_of

pytestmark = pytest.mark.browser


def issued(desk):
    """An invoice of today for Hansen & Söhne, issued."""
    made = draft_of(desk)
    return desk.api("POST", f"/finance/invoices/{made['id']}/issue", {})


def chosen(page, content, name="invoice.xml"):
    """Choose a file in the dialog that takes bills in."""
    file = {"name": name, "mimeType": "application/xml", "buffer": content}
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Create draft").click()


def test_an_invoice_is_downloaded_as_pdf_by_one_key(at_desk):
    desk = at_desk("amara")
    one = issued(desk)
    page = desk.go(f"/invoices/{one['id']}")
    page.get_by_role("heading", name=one["number"]).wait_for()
    with page.expect_download(timeout=30_000) as paper:
        desk.press("d")
    assert paper.value.suggested_filename == f"{one['number']}.pdf"
    assert paper.value.path().read_bytes().startswith(b"%PDF-")


def test_an_e_invoice_is_downloaded_in_the_profile_that_is_chosen(at_desk):
    desk = at_desk("amara")
    one = issued(desk)
    page = desk.go(f"/invoices/{one['id']}")
    desk.act("E-invoice (XML)")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name="EN 16931")).to_be_checked()
    dialog.get_by_role("radio", name="ZUGFeRD").check()
    with page.expect_download() as file:
        dialog.get_by_role("button", name="Download").click()
    content = file.value.path().read_bytes()
    assert file.value.suggested_filename == f"{one['number']}.xml"
    assert b"CrossIndustryInvoice" in content
    expect(dialog).to_have_count(0)


def test_what_an_authority_needs_and_nobody_entered_is_said(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go(f"/invoices/{issued(desk)['id']}")
    desk.act("E-invoice (XML)")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="XRechnung").check()
    dialog.get_by_role("button", name="Download").click()
    expect(dialog.get_by_text("Enter the customer's buyer reference, for example a Leitweg-ID.")).to_be_visible()


def test_a_suppliers_e_invoice_becomes_a_draft_that_keeps_its_file(at_desk):
    desk = at_desk("amara")
    content = ubl.write(FULL, "en16931")
    page = desk.go("/bills")
    page.get_by_role("button", name="From an e-invoice").click()
    chosen(page, content, "meyer.xml")
    page.wait_for_url(re.compile(r"/bills/[0-9a-f-]{36}"))
    page.get_by_text(FULL.seller.trading_name).first.wait_for()
    shown = desk.api("GET", f"/finance/invoices/{page.url.rpartition('/')[2]}")
    assert (shown["status"], shown["supplierNumber"]) == ("draft", FULL.number)
    with page.expect_download() as file:
        page.get_by_role("button", name="Original").click()
    assert file.value.suggested_filename == "meyer.xml"
    assert file.value.path().read_bytes() == content


def test_a_file_that_is_no_e_invoice_is_refused_at_its_field(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/bills")
    page.get_by_role("button", name="From an e-invoice").click()
    page.get_by_role("button", name="Create draft").click()
    page.locator("[name=file][aria-invalid=true]").wait_for()
    chosen(page, b"<a/>")
    page.locator(".field.has-error", has=page.locator("[name=file]")).get_by_text("e-invoice").wait_for()
    expect(page).to_have_url(re.compile("/bills$"))


def test_a_bill_that_was_typed_offers_no_original(at_desk):
    desk = at_desk("amara")
    page = desk.go(f"/bills/{bill_of(desk)['id']}")
    page.get_by_role("button", name="PDF").wait_for()
    expect(page.get_by_role("button", name="Original")).to_have_count(0)


def test_a_logo_is_chosen_seen_and_taken_away_again(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    page = desk.go("/settings/paper")
    card = page.get_by_role("form", name="Logo")
    picture = io.BytesIO()
    Image.new("RGB", (40, 20), "teal").save(picture, "PNG")
    field = card.get_by_label("Image")
    field.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": b"no image"})
    card.get_by_role("button", name="Save").click()
    card.locator("[name=file][aria-invalid=true]").wait_for()
    field.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": picture.getvalue()})
    card.get_by_role("img", name="Logo").wait_for()
    card.get_by_role("button", name="Save").click()
    remove = page.get_by_role("button", name="Remove logo")
    remove.wait_for()
    page.reload()
    card.get_by_role("img", name="Logo").wait_for()
    assert card.locator("canvas").evaluate("one => [one.width, one.height]") == [40, 20]
    remove.click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove logo").click()
    expect(page.get_by_text("No logo yet")).to_be_visible()


def test_a_bill_and_a_supplier_credit_note_are_posted_in_words_of_their_own(at_desk):
    desk = at_desk("amara")
    draft = bill_of(desk, supplierNumber="Lamps, in words", draft=True)
    page = desk.go("/bills?state=draft")
    page.locator(f"[data-row='{draft['id']}']").get_by_role("checkbox").check()
    page.get_by_role("region", name="Selected rows").get_by_role("button", name="Post drafts").click()
    asked = page.get_by_role("alertdialog", name="Post 1 draft?")
    asked.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator(".toasts")).to_contain_text("1 document posted.")

    desk.go(f"/bills/{draft['id']}")
    expect(page.get_by_role("term").filter(has_text="Posted")).to_have_count(1)
    expect(page.get_by_role("term").filter(has_text="Issued")).to_have_count(0)
    desk.act("Record supplier credit note")
    dialog = page.get_by_role("dialog", name="Record a supplier credit note for Bill")
    expect(dialog.get_by_label("The whole document: €95.20")).to_be_checked()
    dialog.get_by_label("Supplier credit note no.").fill("CN-7")
    dialog.get_by_role("button", name="Post supplier credit note").click()
    page.get_by_role("heading", name="Supplier credit note ").wait_for()
    expect(page.locator(".toasts")).to_contain_text(" posted.")
    desk.go(f"/bills/{draft['id']}")
    expect(page.get_by_role("term").filter(has_text="Supplier credit notes")).to_be_visible()
    (note,) = desk.api("GET", f"/finance/invoices/{draft['id']}")["creditNoteIds"]
    assert desk.api("GET", f"/finance/invoices/{note}")["supplierNumber"] == "CN-7"
    assert desk.refusals() == []


@pytest.mark.parametrize("width", [1280, 360])
def test_single_lines_of_an_invoice_are_credited(at_desk, width):
    desk = at_desk("amara", width)
    customer = desk.api("GET", "/finance/contacts?q=Hansen&kind=customer")[0]
    lines = [
        {"description": "Signs", "quantity": "3", "unitPrice": "100.00", "taxRateId": None},
        {"description": "Posters", "quantity": "1", "unitPrice": "80.00", "taxRateId": None},
    ]
    invoice = desk.api("POST", "/finance/invoices", {"customerId": customer["id"], "lines": lines})
    page = desk.go(f"/invoices/{invoice['id']}")
    desk.act("Create credit note")
    dialog = page.get_by_role("dialog", name="Create a credit note for ")
    dialog.get_by_label("Single lines").check()
    signs, posters = dialog.get_by_role("group", name="Signs"), dialog.get_by_role("group", name="Posters")
    expect(signs).to_contain_text("in the document: 3")
    assert not desk.is_wide()
    signs.get_by_label("Quantity").fill("4")
    posters.get_by_label("or an amount before tax").fill("20")
    desk.quiet = False
    dialog.get_by_role("button", name="Issue credit note").click()
    expect(signs.locator("[aria-invalid=true]")).to_have_count(1)
    signs.get_by_label("Quantity").fill("1")
    dialog.get_by_role("button", name="Issue credit note").click()
    page.get_by_role("heading", name=re.compile("^Credit note ")).wait_for()
    shown = desk.api("GET", f"/finance/invoices/{invoice['id']}")
    (note,) = (desk.api("GET", f"/finance/invoices/{id}") for id in shown["creditNoteIds"])
    assert (note["total"], shown["amountDue"]) == ("120.00", "260.00")
    desk.go(f"/invoices/{invoice['id']}")
    desk.act("Create credit note")
    expect(dialog.get_by_label("All that remains to be credited")).to_be_checked()
    dialog.get_by_role("button", name="Issue credit note").click()
    page.get_by_role("heading", name=re.compile("^Credit note ")).wait_for()
    assert desk.api("GET", f"/finance/invoices/{invoice['id']}")["amountDue"] == "0.00"
