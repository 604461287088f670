"""Share links in the browser: made and revoked at the invoice, and the plain page of whoever has one."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

WORDS = {
    "en-GB": ("Amount due", "Download the PDF", "This link does not open", "PIN of the link"),
    "de-DE": ("Offener Betrag", "PDF herunterladen", "Dieser Link öffnet nichts", "PIN des Links"),
}


@pytest.mark.parametrize(("width", "scheme", "locale"), [(1280, "light", "en-GB"), (360, "dark", "de-DE")])
def test_an_invoice_is_shared_by_a_link_until_it_is_revoked(at_desk, width, scheme, locale):
    desk = at_desk("ines", width, scheme, locale)
    desk.quiet = False
    (workspace,) = {each["id"] for each in desk.api("GET", "/auth/session")["workspaces"]}
    desk.api("PATCH", f"/workspace/{workspace}", {"shareLinks": True})
    lines = [{"description": "Work", "quantity": "1", "unitPrice": "40.00"}]
    invoice = desk.api("POST", "/finance/invoices", {"customer": {"name": f"Leda {width}"}, "lines": lines})
    page = desk.go(f"/invoices/{invoice['id']}")
    desk.act("Share…")
    asked = page.get_by_role("dialog")
    asked.get_by_label("PIN").fill("4711")
    assert desk.refusals() == []
    asked.get_by_role("button", name="Create link").click()
    secret = asked.locator(".handed-over").inner_text().partition("#")[2]
    expect(asked.get_by_text("not seen yet")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []

    due, pdf, nothing, pin = WORDS[locale]
    other = page.context.new_page()
    other.goto(f"{desk.address}/s#{secret}")
    other.get_by_label(pin).fill("0000")
    other.keyboard.press("Enter")
    expect(other.locator(".bad")).to_be_visible()
    expect(other.get_by_label(pin)).to_be_focused()
    other.get_by_label(pin).fill("4711")
    other.keyboard.press("Enter")
    expect(other.get_by_role("heading", level=1)).to_contain_text(invoice["number"])
    expect(other.get_by_role("heading", level=1)).to_be_focused()
    expect(other.get_by_text(due, exact=True)).to_be_visible()
    assert other.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    assert axe.Axe().run(other).response["violations"] == []
    with other.expect_download() as download:
        other.get_by_role("button", name=pdf).click()
    assert download.value.suggested_filename.endswith(".pdf")

    asked.get_by_role("button", name="Revoke", exact=True).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    expect(asked.get_by_text("revoked", exact=True)).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", level=1)).to_have_text(nothing)
