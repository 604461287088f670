"""Two people at one browser: nothing is done in a tab as somebody else than the person it shows."""

import pytest

from tests.demo.company import PASSWORD
from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def is_opaque(cover):
    """Whether nothing can be read behind a dialog."""
    shade = cover.evaluate("cover => getComputedStyle(cover, '::backdrop').backgroundColor")
    return not (shade.startswith("rgba(") or "/" in shade)


def second_tab(desk, who=None):
    """Another tab of the same browser, in which somebody else signs in if they are named."""
    desk.quiet = False  # a tab of another person is refused what it asks for
    page = desk.page.context.new_page()
    if who:
        session = desk.api("POST", "/auth/sign-in/email", {"email": f"{who}@alderfinch.example", "password": PASSWORD})
        desk.api("POST", "/auth/select-workspace", {"workspaceId": session["workspaces"][0]["id"]})
    page.goto(f"{desk.address}/")
    expect(page.locator("main h1")).to_have_count(1)
    return page


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_tab_is_covered_when_somebody_else_signs_in_and_its_user_comes_back_to_it(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    page = desk.go("/contacts")
    other = second_tab(desk, "mei")
    cover = page.get_by_role("dialog")
    expect(cover.get_by_role("heading")).to_contain_text("You are Mei")
    assert not desk.is_wide()
    assert is_opaque(cover)
    assert desk.refusals() == []
    cover.get_by_role("button", name="Sign in as Ines").click()
    cover.get_by_label("Password").fill(PASSWORD)
    cover.get_by_role("button", name="Sign in", exact=True).click()
    expect(cover).to_have_count(0)
    expect(page.get_by_role("heading", name="Contacts")).to_be_visible()
    assert desk.api("GET", "/auth/session")["user"]["email"].startswith("ines")

    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # it asks for changes, as Mei
    cover = other.get_by_role("dialog")
    expect(cover.get_by_role("heading")).to_contain_text("You are Ines")
    with other.expect_navigation():
        cover.get_by_role("button", name="Go on as Ines").click()
    expect(other.get_by_role("dialog")).to_have_count(0)
    expect(other.locator(".shell-tools")).to_contain_text("IF")


def test_who_signs_out_leaves_nothing_in_another_tab(at_desk):
    desk = at_desk("jonas")
    page = desk.go("/time")
    other = second_tab(desk)
    other.get_by_role("button", name="Jonas").click()
    other.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
