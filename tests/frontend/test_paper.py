"""Paper and texts in the browser: what is set is what is printed, and the keyboard is enough."""

import re

import pytest

from tests.finance.output.letterheads import letterhead
from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def saved(page, form):
    with page.expect_response(lambda response: response.request.method in ("PATCH", "POST")) as answer:
        form.get_by_role("button", name="Save").click()
    expect(form).not_to_have_attribute("aria-busy", "true")
    return answer.value.status


def test_a_layout_a_colour_and_a_letterhead_are_set(at_desk, tmp_path):
    desk = at_desk("ines")
    desk.quiet = False
    page = desk.go("/settings/paper")
    form = page.get_by_role("form", name="Paper", exact=True)
    form.get_by_label("Layout").select_option("modern")
    form.get_by_label("Colour").fill("#ffff00")
    assert saved(page, form) == 422
    expect(form.get_by_text("The contrast to white is 1.07.").first).to_be_visible()
    form.get_by_label("Colour").fill("#7a1f3d")
    assert saved(page, form) == 200
    expect(page.locator(".paper-preview iframe")).to_have_attribute(
        "src",
        "/api/v1/workspace/paper/preview?kind=invoice"
        "&language=de&layout=modern&accentColor=%237a1f3d&topMm=22&hasOfficeHead=true",
    )
    upload = page.get_by_role("form", name="Letterhead")
    file = tmp_path / "head.pdf"
    file.write_bytes(letterhead("Kopf", face="Helvetica"))
    upload.get_by_label("File").set_input_files(file)
    assert saved(page, upload) == 422
    expect(upload.get_by_text("font Helvetica, which is not embedded").first).to_be_visible()
    file = tmp_path / "embedded.pdf"
    file.write_bytes(letterhead("Kopf"))
    upload.get_by_label("File").set_input_files(file)
    assert saved(page, upload) == 200
    expect(page.get_by_text("There is a letterhead, under each page.")).to_be_visible()
    shown = desk.api("GET", "/workspace/paper")
    assert (shown["layout"], shown["accentColor"], shown["letterhead"]["pages"]) == ("modern", "#7a1f3d", 1)
    page.get_by_role("button", name="Remove letterhead").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove letterhead").click()
    expect(page.get_by_text("No letterhead yet.")).to_be_visible()
    assert desk.api("GET", "/workspace/paper")["letterhead"] is None


def test_the_preview_is_read_again_after_each_save_that_shows_on_it(at_desk):
    desk = at_desk("ines")
    page = desk.go("/settings/company")
    phone = page.get_by_label("Phone")
    phone.fill("+49 40 555 1")
    page.locator(".settings-nav").get_by_role("link", name="Paper", exact=True).click()
    expect(page.locator(".paper-preview iframe")).to_be_visible()
    desk.settle()
    preview = re.compile("/workspace/paper/preview")
    with page.expect_response(preview) as again:  # after the other page's change, which this one's button saves as well
        page.keyboard.press("Control+s")
    expect(page.locator(".settings-bar")).to_be_hidden()
    sent = desk.api("GET", f"/workspace/{desk.api('GET', '/auth/session')['workspace']['id']}")
    assert (sent["phone"], again.value.status) == ("+49 40 555 1", 200)
    desk.settle()
    with page.expect_response(preview):  # a text that was saved elsewhere
        desk.api("PATCH", "/workspace/texts/invoice/de", {"intro": "Wir danken für den Auftrag."})
        desk.come_back()
    desk.api("DELETE", "/workspace/texts/invoice/de")


def test_texts_are_changed_and_ours_again(at_desk):
    desk = at_desk("ines", 360, "dark")
    desk.quiet = False
    page = desk.go("/settings/texts")
    page.get_by_label("Document").select_option("quote")
    page.get_by_label("Language").select_option("en")
    form = page.get_by_role("form", name="Texts")
    expect(form.get_by_label("Above the lines")).to_have_value(
        "Thank you for your enquiry. We are pleased to offer you the following."
    )
    form.get_by_label("Above the lines").fill("For {payBy}")
    assert saved(page, form) == 422
    expect(form.get_by_text("There is no place {payBy} here.").first).to_be_visible()
    form.get_by_label("Above the lines").fill("For {customer}")
    page.get_by_label("Language").select_option("de")
    expect(form.get_by_label("Subject of the e-mail")).to_have_value("Angebot {number}: {subject}")
    page.get_by_label("Language").select_option("en")
    expect(form.get_by_label("Above the lines")).to_have_value("For {customer}")
    assert saved(page, form) == 200
    expect(page.get_by_text("Your texts")).to_be_visible()
    page.get_by_role("button", name="Use our texts again").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Use our texts again").click()
    expect(page.get_by_text("Our texts", exact=True)).to_be_visible()
    assert not desk.is_wide()


def test_time_is_billed_as_the_workspace_says(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    page = desk.go("/settings/selling")
    form = page.get_by_role("form", name="Quotes and time")
    form.get_by_label("Billed in steps of").select_option("15")
    form.get_by_label("Text of a line").fill("{key} {what}")
    assert saved(page, form) == 422
    form.get_by_label("Text of a line").fill("{key} {task}")
    assert saved(page, form) == 200
    workspace = desk.api("GET", "/auth/session")["workspace"]["id"]
    billing = desk.api("GET", f"/workspace/{workspace}")["timeBilling"]
    assert (billing["stepMinutes"], billing["lineText"], billing["mode"]) == (15, "{key} {task}", None)
    desk.api("PATCH", f"/workspace/{workspace}", {"timeBilling": None})
