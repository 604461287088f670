"""The components in a real browser, as the gallery shows them: what keys do, and what people who see little hear."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

PARTS = ["lists", "lines", "typing", "errors", "buttons", "shown", "charts", "times", "tasks", "floating"]


JUMP = """(row) => new Promise((resolve) => {
  const frames = [];
  const lines = () => [...document.querySelectorAll(".row-line")];
  const number = (line) => Number(line.getAttribute("aria-rowindex")) - 1;
  const isSeen = (line) => line.getBoundingClientRect().bottom > 0 && line.getBoundingClientRect().top < innerHeight;
  const note = () => frames.push({ drawn: lines().map(number), seen: lines().filter(isSeen).map(number) });
  note();
  scrollBy(0, document.querySelector("tbody").getBoundingClientRect().top + row * lines()[0].offsetHeight);
  requestAnimationFrame(function next() {
    note() < 12 ? requestAnimationFrame(next) : resolve(frames);
  });
})"""
"""Scroll to a row: which rows are drawn and seen before, and in each of the next frames."""


@pytest.fixture
def gallery(tab, files):
    """Show parts of the gallery."""

    def gallery(*parts, query=""):
        tab.goto(f"{files}/tests/gallery/index.html?parts={','.join(parts)}{query}")
        tab.locator(".shell").wait_for()
        return tab

    return gallery


def called(page):
    return page.evaluate("done()")


def told(page, text):
    """Wait until the gallery has heard of something."""
    expect(page.locator("#told", has_text=text)).to_be_attached()


def violations(page):
    checker = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in checker.run(page).response["violations"]]


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")


def chosen_line(page):
    return page.evaluate("document.activeElement.name")


def cells(page, key):
    return page.evaluate("key => lines.rows.value.map((line) => line.cells[key].value)", key)


def typed(field, text):
    field.focus()
    field.page.keyboard.type(text)


class TestCombobox:
    @pytest.fixture
    def customer(self, gallery):
        return gallery("typing").get_by_role("combobox", name="Customer")

    def test_enter_takes_the_first_that_fits_and_says_which(self, customer):
        typed(customer, "hans")
        customer.page.get_by_role("option", name="Hansen & Söhne").wait_for()
        expect(customer).to_have_attribute("aria-expanded", "true")
        assert customer.get_attribute("aria-activedescendant")
        customer.press("Enter")
        expect(customer).to_have_value("Hansen & Söhne")
        assert customer.page.evaluate("values.customer.value") == "1"
        assert called(customer.page) == ["customer 1"]
        expect(customer).to_have_attribute("aria-expanded", "false")

    def test_enter_before_the_suggestions_waits_for_them(self, customer):
        typed(customer, "okaf")
        customer.press("Enter")
        told(customer.page, "customer=5")

    def test_arrows_choose_another(self, customer):
        customer.press("ArrowDown")
        customer.page.get_by_role("option").first.wait_for()
        customer.press("ArrowDown")
        expect(customer.page.locator("[role=option][aria-selected=true]")).to_have_text(re.compile("^Tidal"))
        customer.press("Enter")
        assert customer.page.evaluate("values.customer.value") == "3"

    def test_what_is_new_can_be_created(self, customer):
        typed(customer, "Brandt")
        customer.page.get_by_role("option", name="Create “Brandt”").wait_for()
        customer.press("Enter")
        told(customer.page, "customer=new Brandt")
        expect(customer).to_have_value("Brandt")

    def test_escape_closes_the_list_and_puts_back_what_was_there(self, customer):
        typed(customer, "hans")
        customer.page.get_by_role("listbox").wait_for()
        customer.press("Escape")
        customer.page.get_by_role("listbox").wait_for(state="hidden")
        expect(customer).to_have_value("Yoga am Kanal")

    def test_leaving_it_empty_chooses_none_and_leaving_nonsense_changes_nothing(self, customer):
        customer.fill("zzz")
        customer.blur()
        expect(customer).to_have_value("Yoga am Kanal")
        customer.fill("")
        customer.blur()
        assert customer.page.evaluate("values.customer.value") is None


class TestDates:
    @pytest.mark.parametrize(
        ("typed", "value"),
        [
            ("+14", "2026-12-05"),
            ("25.11.", "2026-11-25"),
            ("fr", "2026-11-27"),
        ],
    )
    def test_days_are_typed_as_people_write_them(self, gallery, typed, value):
        page = gallery("typing")
        field = page.get_by_role("textbox", name="Due")
        field.fill(typed)
        field.press("Tab")
        assert page.evaluate("values.due.value") == value

    def test_what_makes_no_sense_is_marked_and_stops_the_form(self, gallery):
        page = gallery("typing")
        field = page.get_by_role("textbox", name="Due")
        field.fill("when it rains")
        field.press("Enter")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_text("This is not a day")).to_be_visible()
        expect(page.locator(".form-errors")).to_have_count(0)

    def test_the_calendar_opens_by_a_key_and_arrows_go_through_its_days(self, gallery):
        page = gallery("typing")
        field = page.get_by_role("textbox", name="Due")
        field.focus()
        press(page, "Alt+ArrowDown")
        page.get_by_role("dialog", name="Calendar").wait_for()
        press(page, "ArrowRight", "ArrowDown", "PageDown", "Enter")
        assert page.evaluate("values.due.value") == "2027-01-13"
        assert page.evaluate("document.activeElement.name") == "dueDate"


class TestNumbers:
    @pytest.mark.parametrize(
        ("name", "typed", "value", "shown"),
        [
            ("Price", "1,234.5", "1234.5", "1,234.50"),
            ("Quantity", "7.25", "7.25", "7.25"),
            ("Time", "90m", 90, "1:30"),
            ("Time", "1.5", 90, "1:30"),
        ],
    )
    def test_figures_are_read_as_they_are_typed_and_written_properly_when_left(
        self, gallery, name, typed, value, shown
    ):
        page = gallery("typing")
        field = page.get_by_role("textbox", name=name)
        field.fill(typed)
        held = {"Price": "price", "Quantity": "quantity", "Time": "time"}[name]
        assert page.evaluate(f"values.{held}.value") == value
        field.blur()
        expect(field).to_have_value(shown)


class TestForms:
    def test_a_refusal_marks_all_fields_focuses_the_first_and_names_what_has_no_field(self, gallery):
        page = gallery("typing")
        page.get_by_role("button", name="Send").click()
        page.locator(".form-errors").wait_for()
        expect(page.locator("[aria-invalid=true]")).to_have_count(2)
        assert page.evaluate("document.activeElement.name") == "email"
        lines = page.locator(".form-errors").inner_text().split("\n")
        assert [line for line in lines if line] == [
            "The invoice was not taken.",
            "Due – Due is before the date of the invoice.",
            "Email – This is not an address.",
            "other Nobody may do that.",
        ]
        page.get_by_role("button", name="Due", exact=True).click()
        assert page.evaluate("document.activeElement.name") == "dueDate"

    def test_a_mark_goes_when_its_field_is_changed(self, gallery):
        page = gallery("typing")
        page.get_by_role("button", name="Send").click()
        page.get_by_role("textbox", name="Email").fill("office@example.com")
        expect(page.locator("[aria-invalid=true]")).to_have_count(1)
        assert page.get_by_role("textbox", name="Email").get_attribute("aria-describedby").startswith("field-")

    def test_control_enter_sends_from_a_field_of_many_lines(self, gallery):
        page = gallery("typing")
        page.get_by_role("textbox", name="Notes").press("Control+Enter")
        expect(page.locator(".form-errors")).to_be_visible()


class TestTable:
    def test_keys_go_through_the_rows_select_and_act(self, gallery):
        page = gallery("lists")
        press(page, "j", "j")
        assert focused(page) == "INV-2026-00064"
        press(page, "x", "j", "x", "k")
        assert page.evaluate("[...selected.value].join()") == "64,63"
        page.get_by_role("region", name="Selected rows").get_by_role("button", name="Issue").click()
        page.get_by_role("link", name="INV-2026-00064").focus()
        press(page, "c")
        assert called(page) == ["issue 64,63", "copy 64"]

    def test_enter_opens_the_row(self, gallery):
        page = gallery("lists")
        press(page, "j", "Enter")
        expect(page).to_have_url(re.compile("#invoice-65$"))

    def test_p_opens_the_editor_under_the_row_and_escape_closes_it(self, gallery):
        page = gallery("lists")
        press(page, "j", "p")
        assert page.evaluate("document.activeElement.name") == "amount"
        press(page, "Escape")
        expect(page.locator(".editor-row")).to_have_count(0)
        assert focused(page) == "INV-2026-00065"
        press(page, "p", "Enter")
        told(page, "paid 65")
        assert called(page) == ["paid 65"]

    def test_what_changed_is_marked_and_a_row_that_goes_gives_the_focus_to_the_next(self, gallery):
        page = gallery("lists")
        press(page, "j", "j")
        page.evaluate("rows.value = rows.value.map((row) => row.id === '63' ? { ...row, customer: 'Changed' } : row)")
        expect(page.locator("[data-changed]")).to_have_attribute("data-row", "63")
        page.evaluate("rows.value = rows.value.filter(({ id }) => id !== '64')")
        assert focused(page) == "INV-2026-00063"

    def test_a_dot_opens_the_menu_of_the_row(self, gallery):
        page = gallery("lists")
        press(page, "j", ".")
        expect(page.get_by_role("menuitem")).to_have_text(["Payment\np", "Copy\nc"], use_inner_text=True)
        press(page, "ArrowDown", "Enter")
        assert called(page) == ["copy 65"]

    def test_an_open_menu_stays_while_its_row_changes_and_goes_with_the_row(self, gallery):
        page = gallery("lists")
        row = page.locator("[data-row='63']")
        row.get_by_role("button", name="Actions").click()
        menu = page.get_by_role("menu")
        expect(menu).to_be_visible()
        place = menu.bounding_box()
        page.evaluate("rows.value = rows.value.map((row) => row.id === '63' ? { ...row, customer: 'Changed' } : row)")
        expect(row).to_contain_text("Changed")
        assert menu.bounding_box() == place
        page.evaluate("rows.value = rows.value.filter(({ id }) => id !== '63')")
        expect(menu).to_have_count(0)

    def test_a_head_sorts_and_says_so(self, gallery):
        page = gallery("lists")
        head = page.get_by_role("columnheader", name="Date")
        expect(head).to_have_attribute("aria-sort", "descending")
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", "ascending")

    def test_of_a_long_list_only_what_is_near_is_drawn_and_more_is_read_at_its_end(self, gallery):
        page = gallery("many")
        assert page.locator(".row-line").count() < 100
        expect(page.get_by_role("table")).to_have_attribute("aria-rowcount", "-1")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        told(page, "rows=400")
        page.get_by_text("INV-2026-00200", exact=True).wait_for()
        assert page.locator(".row-line").count() < 100
        row = page.locator("[data-row='200']")
        expect(row).to_have_attribute("aria-rowindex", "201")

    def test_after_a_jump_rows_come_a_few_a_frame_and_those_in_view_first(self, gallery):
        page = gallery("many")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        told(page, "rows=400")
        frames = page.evaluate(JUMP, 100)
        drawn, came = frames[0]["drawn"], []
        for frame in frames[1:]:
            new = [row for row in frame["drawn"] if row not in drawn]
            drawn = frame["drawn"]
            came += [new] if new else []
        assert len(came) > 2
        assert max(map(len, came)) <= 8
        seen = frames[-1]["seen"]
        assert seen[0] in came[0]
        assert set(seen) <= {row for new in came[: -(-len(seen) // 8)] for row in new}
        assert drawn == list(range(drawn[0], drawn[-1] + 1))
        assert len(drawn) >= len(seen) + 20

    def test_the_focus_goes_to_rows_that_were_not_drawn(self, gallery):
        page = gallery("many")
        press(page, *["j"] * 120)
        assert focused(page) == "INV-2026-00120"


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
