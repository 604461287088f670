"""A server that takes its time: what people do before an answer is here is not lost."""

from contextlib import contextmanager

import pytest

from tests.frontend.conftest import DRAWN, expect
from tests.frontend.test_finance import draft_of

pytestmark = pytest.mark.browser


@contextmanager
def held(page, pattern):
    """Keep the answers at some addresses back until the end of the block."""
    routes = []
    page.route(pattern, lambda route: routes.append(route))
    yield
    for route in routes:
        route.continue_()
    page.unroute(pattern)


def test_an_account_is_found_that_is_typed_before_the_accounts_are_here(at_desk):
    desk = at_desk("amara")
    box = desk.page.get_by_label("Account, line 1")
    with held(desk.page, "**/api/v1/finance/accounts"):
        desk.page.goto(desk.address + "/journals/new")
        desk.page.locator("[name=description]:focus").wait_for()
        desk.page.evaluate(DRAWN)  # the page sets its focus twice
        box.focus()
        desk.type("6100")
        desk.press("Enter")
    expect(box).to_have_value("6100 Rent")


@pytest.mark.parametrize(("key", "verb"), [("Control+Enter", "Issue"), ("Control+s", "Save draft")])
def test_a_draft_can_be_worked_on_once_it_is_here(at_desk, key, verb):
    desk = at_desk("amara")
    draft, page = draft_of(desk), desk.page
    with held(page, f"**/api/v1/finance/invoices/{draft['id']}"):
        page.goto(f"{desk.address}/invoices/{draft['id']}/edit")
        page.get_by_role("heading", name="Edit invoice").wait_for()
        expect(page.get_by_role("button", name=verb)).to_have_count(0)
        page.keyboard.press(key)
    page.get_by_role("button", name=verb).click()
    said = page.get_by_role("alertdialog") if verb == "Issue" else page.get_by_text("Draft saved.").first
    said.wait_for()
