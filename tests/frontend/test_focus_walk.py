"""On every screen the focus stays on the page after what a button does, and after what it opens is closed."""

import re

import pytest

from tests.frontend.conftest import NAMED, expect
from tests.paths import ROOT

pytestmark = pytest.mark.browser

ROUTES = (ROOT / "erp" / "frontend" / "routes.js").read_text("utf-8")
SCREENS = re.findall(r'screen\("(/[^":]*)", "(?!office/sign_in|people/kiosk/page)', ROUTES)
MAIN, OTHER = ".page-actions .is-main", ".page-actions button:not(.is-main)"
KINDS = [MAIN, OTHER, ".tabs :is(a, button)", "form button[type=submit]", ".sort, .waiting button"]
"""Of each kind the first on a screen is tried: those of a kind behave alike."""
FIRST = """(kind) => {
  const seen = (one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0;
  const found = [...document.querySelectorAll("main :is(button, a)")].find((one) => one.matches(kind) && seen(one));
  found?.focus();
  return found ? found.ariaLabel ?? found.textContent : null;
}"""
LOST = "document.activeElement === document.body"
OPEN = "dialog[open], .popover:popover-open"
REFUSED = {"success": False, "error": {"code": "in_use", "status": 409, "message": "Not now.", "details": []}}


def only_read(route):
    """Refuse what would change the company, which other tests share."""
    is_read = route.request.method == "GET" or route.request.url.endswith("/preview")
    route.continue_() if is_read else route.fulfill(status=409, json=REFUSED)


def show(desk, path):
    desk.page.evaluate("(path) => navigation.navigate(path).finished.then(() => null)", path)
    expect(desk.page.locator("main h1")).to_have_text(NAMED)
    desk.settle()


def losses(desk, path):
    """What leaves the focus nowhere on a screen."""
    page, place = desk.page, path
    for kind in KINDS:
        if page.evaluate("location.pathname") != place:
            show(desk, path)
        name = page.evaluate(FIRST, kind)
        if name is None:
            continue
        page.keyboard.press("Enter")
        desk.settle()
        if page.evaluate(LOST):
            yield f"{path}: {name}"
        if page.locator(OPEN).count():
            page.keyboard.press("Escape")
            expect(page.locator(OPEN)).to_have_count(0)
            desk.settle()
            if page.evaluate(LOST):
                yield f"{path}: {name}, closed"


def test_after_an_action_on_any_screen_the_focus_is_on_the_page(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    desk.page.route("**/api/v1/**", only_read)
    desk.go("/profile")
    found = []
    for path in SCREENS:
        show(desk, path)
        found += losses(desk, path)
    assert found == []
