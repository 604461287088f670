"""What is filled by keys in a real browser: lines of a document, a week, and a board."""

import re

import pytest

from tests.frontend.conftest import expect
from tests.frontend.gallery_page import called, focused, press, told

pytestmark = pytest.mark.browser


def chosen_line(page):
    return page.evaluate("document.activeElement.name")


def cells(page, key):
    return page.evaluate("key => lines.rows.value.map((line) => line.cells[key].value)", key)


class TestLines:
    def test_enter_goes_down_and_adds_a_line_in_the_last(self, gallery):
        page = gallery("lines")
        page.get_by_role("textbox", name="Quantity, line 1").focus()
        press(page, "Enter")
        assert chosen_line(page) == "lines[1].quantity"
        press(page, "Enter", "Enter")
        assert chosen_line(page) == "lines[3].description"
        assert len(cells(page, "quantity")) == 4

    def test_arrows_move_between_rows_and_with_alt_they_move_the_line(self, gallery):
        page = gallery("lines")
        page.get_by_role("textbox", name="Price, line 1").focus()
        press(page, "ArrowDown", "ArrowUp", "Alt+ArrowDown")
        assert cells(page, "description") == ["Travel", "Consulting", ""]
        assert chosen_line(page) == "lines[1].unitPrice"
        press(page, "Alt+ArrowUp")
        assert cells(page, "description") == ["Consulting", "Travel", ""]

    def test_control_delete_removes_a_line_and_the_focus_stays_near(self, gallery):
        page = gallery("lines")
        page.get_by_role("textbox", name="Price, line 1").focus()
        press(page, "Control+Delete")
        assert cells(page, "description") == ["Travel", ""]
        assert chosen_line(page) == "lines[0].description"
        press(page, "Control+Delete", "Control+Delete")
        assert cells(page, "description") == [""]

    def test_alt_enter_opens_what_else_a_line_has(self, gallery):
        page = gallery("lines")
        page.get_by_role("textbox", name="Price, line 2").focus()
        press(page, "Alt+Enter")
        expect(page.get_by_role("textbox", name="Account")).to_have_value("4400 Sales")

    def test_blank_lines_are_not_sent(self, gallery):
        page = gallery("lines")
        assert page.evaluate("lines.values().length") == 2


class TestWeekAndBoard:
    def test_a_cell_takes_what_people_write_and_arrows_go_down(self, gallery):
        page = gallery("times")
        cell = page.get_by_role("textbox", name="HANSEN-6 Signage manual, Th")
        cell.fill("1,5")
        cell.press("Enter")
        told(page, "a 2026-11-19 90")
        assert called(page) == ["a 2026-11-19 90"]
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "TIDAL-13 Quote panels, Th"

    def test_a_fixed_cell_opens_and_an_apostrophe_opens_the_note(self, gallery):
        page = gallery("times")
        page.get_by_role("button", name="TIDAL-13 Quote panels, We: 8:00").click()
        page.get_by_role("textbox", name="HANSEN-6 Signage manual, Tu").press("'")
        assert called(page) == ["open b 2026-11-18", "note a 2026-11-17"]

    def test_shift_and_arrows_move_a_card_and_say_where_it_is(self, gallery):
        page = gallery("tasks")
        page.get_by_role("link", name="HANSEN-9").focus()
        press(page, "Shift+ArrowRight")
        page.locator("[data-column=doing] [data-card='9']").wait_for()
        expect(page.locator("[role=status]", has_text="HANSEN-9, In progress, 1 of 3")).to_have_count(1)
        press(page, "Shift+ArrowDown")
        told(page, "order=10,6,9,7")
        assert "HANSEN-9" in focused(page)

    def test_a_card_is_dragged(self, gallery):
        page = gallery("tasks")
        page.locator("[data-card='9']").hover()
        page.mouse.down()
        column = page.locator("[data-column=review]").bounding_box()
        page.mouse.move(column["x"] + 40, column["y"] + 20, steps=4)
        page.mouse.move(column["x"] + 50, column["y"] + 60, steps=4)
        page.mouse.up()
        page.locator("[data-column=review] [data-card='9']").wait_for()
        expect(page).not_to_have_url(re.compile("#task"))
