"""Help for the screen that is shown: three sentences, its keys, and the way to the manual."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def test_help_tells_of_the_screen_and_its_keys_and_gives_the_focus_back(at_desk):
    desk = at_desk("ines")
    page = desk.go("/bank")
    help_ = page.get_by_role("dialog", name="Help")
    search = page.get_by_label("Search these transactions")
    page.locator("main [data-row]").first.wait_for()  # the keys of rows come with them
    search.focus()
    desk.press("F1")
    expect(help_.locator(".dialog-body > p")).to_have_count(4)
    expect(help_.get_by_text("Find and match", exact=True).first).to_be_visible()
    expect(help_.get_by_text("Find or do")).to_be_hidden()
    help_.get_by_text("All keys").click()
    expect(help_.get_by_text("Find or do")).to_be_visible()
    last = help_.locator(".dialog-body a").last
    expect(last).to_have_attribute("href", "/docs/using/bank")
    expect(last).to_have_text("Matching bank transactions")
    desk.press("F1", "?")
    expect(page.get_by_role("dialog")).to_have_count(1)
    assert desk.refusals() == []
    desk.press("Escape")
    expect(help_).to_have_count(0)
    expect(search).to_be_focused()
    page.get_by_role("heading", name="Bank", level=1).focus()
    desk.press("?")
    help_.wait_for()
    desk.press("Escape")
    expect(help_).to_have_count(0)
    button = page.get_by_role("banner").get_by_role("button", name="Help")
    button.click()
    help_.wait_for()
    desk.press("Escape")
    expect(button).to_be_focused()


def test_help_is_a_sheet_in_german_on_a_phone(at_desk):
    desk = at_desk("ines", width=360, locale="de-DE")
    desk.api("PATCH", "/auth/me", {"locale": "de"})
    page = desk.go("/payments")
    page.get_by_role("banner").get_by_role("button", name="Hilfe").click()
    help_ = page.get_by_role("dialog", name="Hilfe")
    expect(help_.get_by_text("Zahlungen erfassen").first).to_be_visible()
    assert help_.bounding_box()["width"] == 360
    expect(help_.get_by_role("link", name="Bankumsätze zuordnen")).to_have_attribute("href", "/docs/using/de/bank")
    desk.api("PATCH", "/auth/me", {"locale": "en"})
    assert desk.refusals() == []
    assert not desk.is_wide()
