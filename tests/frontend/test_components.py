"""What floats above a screen, and what all components keep to: they hinder no one and fit a phone."""

import pytest

from tests.frontend.conftest import expect
from tests.frontend.gallery_page import called, focused, press, told

pytestmark = pytest.mark.browser


PARTS = ["lists", "lines", "typing", "errors", "buttons", "shown", "charts", "times", "tasks", "floating"]


def violations(page):
    checker = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in checker.run(page).response["violations"]]


class TestFloating:
    def test_a_dialog_begins_at_its_first_field_and_gives_the_focus_back(self, gallery):
        page = gallery("floating")
        page.get_by_role("button", name="Dialog").click()
        assert page.evaluate("document.activeElement.name") == "who"
        press(page, "Escape")
        assert focused(page) == "Dialog"
        told(page, "dialog undefined")

    def test_what_cannot_be_taken_back_is_asked_in_figures_and_enter_alone_does_not_do_it(self, gallery):
        page = gallery("floating")
        page.get_by_role("button", name="Confirm").click()
        asked = page.get_by_role("alertdialog", name="Void payment PAY-131?")
        expect(asked).to_contain_text("500.00 EUR")
        press(page, "Enter")
        page.get_by_role("button", name="Confirm").click()
        page.get_by_role("button", name="Void payment").click()
        told(page, "confirm false; confirm true")

    def test_a_toast_takes_back(self, gallery):
        page = gallery("floating")
        page.get_by_role("button", name="Toast").click()
        page.get_by_role("button", name="Undo").click()
        assert called(page) == ["undo"]
        expect(page.locator(".toast")).to_have_count(0)

    def test_a_menu_goes_by_arrows_and_letters(self, gallery):
        page = gallery("buttons")
        page.get_by_role("button", name="More", exact=True).click()
        press(page, "p")
        assert focused(page).startswith("Print")
        press(page, "Escape")
        expect(page.get_by_role("menu")).to_have_count(0)
        assert focused(page) == "More"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("part", PARTS)
def test_nothing_hinders_people_who_see_or_hear_little(gallery, part, scheme):
    page = gallery(part, query=f"&scheme={scheme}")
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["Dialog", "Confirm", "Panel", "Toast", "Refusal"])
def test_nor_does_what_floats(gallery, name, scheme):
    page = gallery("floating", query=f"&scheme={scheme}")
    page.get_by_role("button", name=name, exact=True).click()
    assert violations(page) == []


@pytest.mark.parametrize("part", PARTS)
def test_nothing_scrolls_sideways_on_a_phone(gallery, tab, part):
    tab.set_viewport_size({"width": 360, "height": 740})
    page = gallery(part)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
