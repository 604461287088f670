"""Files of records and the inbox in the browser: added by button and by dropping, downloaded, removed, made a bill."""

import re

import pytest

from tests.desk.files import pdf, png
from tests.frontend.conftest import expect
from tests.frontend.test_finance import bill_of, draft_of

pytestmark = pytest.mark.browser


def chosen(page, name, content, media_type="application/pdf"):
    """Choose a file as the dialog of the browser does."""
    page.locator(".attachments input[type=file]").set_input_files(
        {"name": name, "mimeType": media_type, "buffer": content}
    )


def row(page, name):
    return page.locator(".attachments li", has_text=name)


@pytest.mark.parametrize("width", [1280, 360])
def test_a_file_is_added_to_a_draft_downloaded_and_removed(at_desk, width):
    desk = at_desk("amara", width)
    page = desk.go(f"/invoices/{draft_of(desk)['id']}")
    page.get_by_text("Drop files here, or add them.").wait_for()
    paper = pdf(2000 + width)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add files").press("Enter")
    name = f"{'a very long name of a contract ' * 3}{width}.pdf"
    chooser.value.set_files({"name": name, "mimeType": "application/pdf", "buffer": paper})
    row(page, name).wait_for()
    assert not desk.is_wide()
    assert desk.refusals() == []
    with page.expect_download() as download:
        row(page, name).get_by_role("button", name=name, exact=True).press("Enter")
    assert download.value.path().read_bytes() == paper
    row(page, name).get_by_role("button", name=f"Remove {name}").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
    row(page, name).wait_for(state="detached")


def test_a_file_of_a_posted_bill_stays_and_the_same_file_twice_is_told(at_desk):
    desk = at_desk("amara")
    bill = bill_of(desk)
    page = desk.go(f"/bills/{bill['id']}")
    chosen(page, "B1.pdf", pdf(120_000))
    row(page, "B1.pdf").wait_for()
    expect(row(page, "B1.pdf").get_by_role("button", name="Remove")).to_have_count(0)
    chosen(page, "B1 again.pdf", pdf(120_000))
    page.get_by_text(f"This file is already on {bill['number']}.").first.wait_for()
    row(page, "B1 again.pdf").wait_for()
    expect(page.locator(".attachments li")).to_have_count(2)


def test_what_is_not_kept_is_said_with_its_name(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go(f"/invoices/{draft_of(desk)['id']}")
    chosen(page, "page.pdf", b"<html></html>")
    expect(page.get_by_text("page.pdf: This file type is not supported.").first).to_be_visible()
    expect(page.locator(".attachments li")).to_have_count(0)


def test_files_are_dropped(at_desk):
    desk = at_desk("amara")
    page = desk.go(f"/invoices/{draft_of(desk)['id']}")
    page.get_by_text("Drop files here, or add them.").wait_for()
    data = page.evaluate_handle(
        "text => { const data = new DataTransfer();"
        " data.items.add(new File([text], 'dropped.pdf', { type: 'application/pdf' })); return data; }",
        pdf(900).decode(),
    )
    page.dispatch_event(".attachments", "drop", {"dataTransfer": data})
    expect(row(page, "dropped.pdf")).to_be_visible()


def test_the_files_of_the_inbox_become_bills_one_after_the_other(at_desk):
    desk = at_desk("amara", 1280)
    page = desk.go("/inbox")
    for name, data in (("Petrov 4711.png", png()), ("Petrov 4712.pdf", pdf(700))):
        chosen(page, name, data)
        row(page, name).wait_for()
    desk.quiet = False
    page.get_by_role("button", name="Create bill from Petrov 4712.pdf").click()
    expect(page.locator("main iframe[title='Petrov 4712.pdf']")).to_be_visible()
    page.get_by_role("link", name="Next record").click()
    expect(page.get_by_role("img", name="Petrov 4711.png")).to_be_visible()
    supplier = page.get_by_role("combobox", name="Supplier")
    supplier.fill("Petrov")
    page.get_by_role("option", name="Petrov").first.click()
    page.locator("[name='lines[0].description']").fill("Planks")
    page.locator("[name='lines[0].unitPrice']").fill("100")
    divider = page.get_by_role("separator", name="Width of the paper")
    divider.press("ArrowLeft")
    expect(divider).to_have_attribute("aria-valuenow", "40")
    assert desk.refusals() == []
    assert not desk.is_wide()
    at_first = page.url
    desk.press("Control+Enter")
    page.get_by_role("alertdialog").get_by_role("button", name="Post", exact=True).click()
    expect(page).not_to_have_url(at_first)
    expect(page).to_have_url(re.compile("/inbox/"))
    expect(supplier).to_be_focused()
    expect(supplier).to_have_value("")
    (bill,) = desk.api("GET", "/finance/invoices?kind=purchase_invoice&q=Petrov&sort=-createdAt&limit=1")
    (filed,) = desk.api("GET", f"/workspace/attachments?resourceType=invoice&resourceId={bill['id']}")
    assert filed["name"] == "Petrov 4711.png"
    left = page.url.rpartition("/")[2]
    where = {"resourceType": "invoice", "resourceId": bill["id"]}
    desk.api("POST", f"/workspace/attachments/{left}/file", where)
    desk.press("Control+s")
    expect(page.get_by_text(f"This file belongs to {bill['number']} already.").first).to_be_visible()


def test_a_file_of_the_inbox_is_filed_with_the_record_that_one_types(at_desk):
    desk = at_desk("amara")
    entry = desk.api("GET", "/finance/journals?limit=1&kind=manual")[0]
    page = desk.go("/inbox")
    chosen(page, "Receipt 12.pdf", pdf(650))
    desk.quiet = False
    page.get_by_role("button", name="Attach Receipt 12.pdf to a record").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Attach").click()
    dialog.locator("[name=resourceId][aria-invalid=true]").wait_for()
    dialog.get_by_label("Record").fill(entry["number"])
    page.get_by_role("option", name=entry["number"]).first.click()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Attach").click()
    page.get_by_text(f"Receipt 12.pdf attached to {entry['number']}.").first.wait_for()
    expect(row(page, "Receipt 12.pdf")).to_have_count(0)
    desk.go(f"/journals/{entry['id']}")
    row(page, "Receipt 12.pdf").wait_for()


def test_an_entry_and_an_account_are_found_from_everywhere(at_desk):
    desk = at_desk("amara")
    entry = desk.api("GET", "/finance/journals?limit=1&kind=manual")[0]
    page = desk.go("/")
    desk.press("Control+k")
    desk.type(entry["number"])
    page.get_by_role("option", name=entry["number"]).first.click()
    page.get_by_role("heading", name=entry["number"]).wait_for()
    desk.press("Control+k")
    desk.type("1010")
    page.get_by_role("option").filter(has_text="Bank").filter(has_text="1010").first.click()
    expect(page).to_have_url(re.compile(r"/reports/general-ledger\?accountId=.+"))


def test_projects_tasks_contacts_and_payments_have_files(at_desk):
    desk = at_desk("ines")
    first = {
        "/projects/{}": "/projects",
        "/tasks/{}": "/tasks",
        "/contacts/{}?view=about": "/finance/contacts",
        "/payments/{}": "/finance/payments",
    }
    for path, collection in first.items():
        page = desk.go(path.format(desk.api("GET", f"{collection}?limit=1")[0]["id"]))
        chosen(page, "note.pdf", pdf(600))
        row(page, "note.pdf").wait_for()
        assert desk.refusals() == [], path
