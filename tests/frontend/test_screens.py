"""Every screen, at a desk and on a phone, in light and dark: nothing is said on the console, nothing has to be scrolled
sideways, and axe finds nothing. Each role opens what its navigation offers; thoroughly, axe looks at that as well."""

import functools
import re

import pytest

from tests.conftest import IS_THOROUGH
from tests.frontend.conftest import desks, expect
from tests.paths import ROOT

pytestmark = pytest.mark.browser

ROUTES = (ROOT / "erp" / "frontend" / "routes.js").read_text("utf-8")
SCREENS = [path for path in re.findall(r'screen\("(/[^"]*)"', ROUTES) if ":" not in path]
INSIDE = [path for path in SCREENS if path not in ("/sign-in", "/sign-out", "/choose")]
LOOKS = [(1280, "light"), (360, "dark")]


@pytest.fixture(scope="module")
def stay_at_desk(chromium, company, signed_in):
    """One desk for each look, at which one screen after the other is opened: none is changed there."""
    with desks(chromium, company, signed_in) as open_desk:
        yield functools.cache(open_desk)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
@pytest.mark.parametrize("path", INSIDE)
def test_a_screen_is_quiet_fits_and_is_accessible(stay_at_desk, path, width, scheme):
    desk = stay_at_desk("ines", width, scheme)
    desk.go(path)
    desk.settle()
    assert not desk.is_wide()
    assert desk.refusals() == []
    complaints = desk.complaints.copy()
    desk.complaints.clear()
    assert complaints == []


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "scheme"), LOOKS if IS_THOROUGH else LOOKS[:1])
@pytest.mark.parametrize("who", ["amara", "leila", "jonas", "mei", "hanna"])
def test_each_role_finds_in_the_navigation_only_what_it_may_open(at_desk, who, width, scheme):
    desk = at_desk(who)
    desk.go("/")
    paths = [link.get_attribute("href") for link in desk.page.locator("nav.sidebar a").all()]
    desk.page.set_viewport_size({"width": width, "height": 740})
    desk.page.emulate_media(color_scheme=scheme)
    for path in paths:
        desk.go(path)
        desk.settle()
        expect(desk.page.locator("main [role=alert]"), path).to_have_count(0)
        assert not desk.is_wide(), path
        assert not IS_THOROUGH or desk.refusals() == [], path
