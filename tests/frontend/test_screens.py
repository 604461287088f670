"""Every screen, for each role, at a desk and on a phone, in light and dark: nothing is said on the console, nothing has
to be scrolled sideways, and axe finds nothing."""

import re

import pytest

from tests.frontend.conftest import expect
from tests.paths import ROOT

pytestmark = pytest.mark.browser

ROUTES = (ROOT / "erp" / "frontend" / "routes.js").read_text("utf-8")
SCREENS = [path for path in re.findall(r'screen\("(/[^"]*)"', ROUTES) if ":" not in path]
INSIDE = [path for path in SCREENS if path not in ("/sign-in", "/sign-out", "/choose")]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
@pytest.mark.parametrize("path", INSIDE)
def test_a_screen_is_quiet_fits_and_is_accessible(at_desk, path, width, scheme):
    desk = at_desk("ines", width, scheme)
    desk.go(path)
    desk.settle()
    assert not desk.is_wide()
    assert desk.refusals() == []


@pytest.mark.parametrize("who", ["amara", "leila", "jonas", "mei", "hanna"])
def test_each_role_finds_in_the_navigation_only_what_it_may_open(at_desk, who):
    desk = at_desk(who)
    page = desk.go("/")
    for href in [link.get_attribute("href") for link in page.locator("nav.sidebar a").all()]:
        desk.go(href)
        desk.settle()
        expect(page.locator("main [role=alert]"), href).to_have_count(0)
