"""The documentation page in a real browser."""

import pytest

from tests.frontend.conftest import TIMEOUT, Desk, expect

pytestmark = pytest.mark.browser

READ = 6 * TIMEOUT
"""The page draws hundreds of operations."""


def test_operations_are_grouped_and_collapsed_until_one_searches(tab, newcomer):
    tab.goto(f"{newcomer}/api/docs", timeout=READ)
    expect(tab.locator("#operations-tag-Invoices")).to_be_attached(timeout=READ)
    assert tab.locator(".opblock").count() == 0
    expect(tab.locator("section#operations")).to_be_hidden()
    expect(tab.locator("search#search")).to_be_visible()


def test_a_search_finds_an_operation_by_a_field_that_it_takes(tab, newcomer):
    tab.goto(f"{newcomer}/api/docs?q=priceBaseQuantity+preview", timeout=READ)
    expect(tab.get_by_text(" operations")).to_contain_text("1 of ", timeout=READ)
    expect(tab.locator(".opblock")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_by_day_and_by_night(tab, newcomer, scheme):
    desk = Desk(tab, newcomer)
    tab.emulate_media(color_scheme=scheme)
    for address, last in (("/api/docs", "section.models h4[aria-level]"), ("/api/docs/events.html", "pre")):
        tab.goto(newcomer + address, timeout=READ)
        tab.locator(last).first.wait_for(state="attached", timeout=READ)
        assert desk.refusals() == []
