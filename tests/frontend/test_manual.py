"""The pages of documentation in a real browser."""

import pytest

from erp.web.pages import manual
from tests.frontend.conftest import Desk, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page_by_day_and_by_night(tab, newcomer, scheme, width):
    desk = Desk(tab, newcomer)
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    # One page of each kind that the manual has: all of them are made by the same means, of the same marks.
    for path in (
        manual.PATH,
        *(f"{manual.PATH}/{name}" for name in ("de", "using/invoice", "using/de/bank", *manual.NAMES)),
    ):
        tab.goto(newcomer + path)
        expect(tab.locator("h1")).to_be_visible()
        assert desk.refusals() == [], path
        assert not desk.is_wide(), path


def test_a_link_in_a_page_leads_to_a_part_of_another(tab, newcomer):
    tab.goto(f"{newcomer}/docs")
    tab.get_by_role("main").get_by_role("link", name="Security").click()
    tab.get_by_role("main").get_by_role("link", name="Sharing").click()
    expect(tab).to_have_url(f"{newcomer}/docs/operating#sharing")
    expect(tab.get_by_role("heading", name="Sharing", exact=True)).to_be_in_viewport()


def test_the_menu_and_the_palette_lead_to_the_documentation_and_back(at_desk):
    desk = at_desk("ines")
    page = desk.go("/contacts")
    page.get_by_role("button", name="Ines Falkenberg").click()
    page.get_by_role("menuitem", name="Documentation").click()
    expect(page.get_by_role("heading", name="Documentation", level=1)).to_be_visible()
    expect(page).to_have_url(f"{desk.address}/docs/en")
    page.get_by_role("link", name="erp", exact=True).click()
    page.get_by_role("heading", name="Home", level=1).wait_for()
    desk.press("Control+k")
    desk.type("Documentation")
    page.get_by_role("option", name="Documentation", exact=True).click()
    expect(page).to_have_url(f"{desk.address}/docs/en")


def test_the_palette_finds_a_page_of_the_manual_by_words_of_either_language(at_desk):
    desk = at_desk("ines")
    page = desk.go("/contacts")
    desk.press("Control+k")
    desk.type("Umzug")
    expect(page.get_by_role("option", name="Bringing data in")).to_be_visible()
    page.locator(".palette-input").fill("writing an invoice")
    page.get_by_role("option", name="Writing an invoice").click()
    expect(page).to_have_url(f"{desk.address}/docs/using/invoice")
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Eine Rechnung schreiben")).to_be_visible()
    picture = page.locator("main img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 500
