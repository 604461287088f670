"""A page that is left open overnight: it shows the new day, and keeps what was typed."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

SUNDAY, MONDAY = "2026-11-29T22:30:00Z", "2026-11-30T06:00:00Z"


@pytest.fixture
def sunday(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    desk.page.clock.install(time=SUNDAY)
    return desk


def sleep_over(desk):
    """Let the night pass, and look at the page again."""
    desk.page.clock.set_system_time(MONDAY)
    desk.come_back()


def test_the_week_that_no_address_names_is_the_present_one(sunday):
    page = sunday.go("/time")
    expect(page.get_by_role("heading", level=1)).to_contain_text("23")
    sleep_over(sunday)
    expect(page.get_by_role("heading", level=1)).to_contain_text("30 Nov")
    expect(page.locator(".is-today").first).to_contain_text("30")


def test_a_date_that_nobody_chose_follows_and_a_chosen_one_stays(sunday):
    page = sunday.go("/journals/new")
    date = page.locator("main [name=date]")
    expect(date).to_have_value("29 Nov 2026")
    sleep_over(sunday)
    expect(date).to_have_value("30 Nov 2026")
    date.fill("27 Nov 2026")
    page.keyboard.press("Tab")
    sunday.page.clock.set_system_time("2026-12-01T06:00:00Z")
    sunday.come_back()
    expect(date).to_have_value("27 Nov 2026")
