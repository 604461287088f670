"""Fields in a real browser, as the gallery shows them: what is typed, chosen and refused there."""

import re

import pytest

from tests.frontend.conftest import expect
from tests.frontend.gallery_page import called, press, told, typed

pytestmark = pytest.mark.browser


class TestCombobox:
    @pytest.fixture
    def customer(self, gallery):
        return gallery("typing").get_by_role("combobox", name="Customer")

    def test_enter_takes_the_first_that_fits_and_says_which(self, customer):
        typed(customer, "hans")
        customer.page.get_by_role("option", name="Hansen & Söhne").wait_for()
        expect(customer).to_have_attribute("aria-expanded", "true")
        expect(customer).to_have_attribute("aria-activedescendant", re.compile("."))
        customer.press("Enter")
        expect(customer).to_have_value("Hansen & Söhne")
        assert customer.page.evaluate("values.customer.value") == "1"
        assert called(customer.page) == ["customer 1"]
        expect(customer).to_have_attribute("aria-expanded", "false")

    def test_enter_before_the_suggestions_waits_for_them(self, customer):
        typed(customer, "okaf")
        customer.press("Enter")
        told(customer.page, "customer=5")
        expect(customer).to_have_value("Okafor Logistics")
        expect(customer).to_have_attribute("aria-expanded", "false")

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
        expect(page.get_by_text("Not a date")).to_be_visible()
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
        expect(page.get_by_role("textbox", name="Email")).to_have_attribute("aria-describedby", re.compile("^field-"))

    def test_control_enter_sends_from_a_field_of_many_lines(self, gallery):
        page = gallery("typing")
        page.get_by_role("textbox", name="Notes").press("Control+Enter")
        expect(page.locator(".form-errors")).to_be_visible()
