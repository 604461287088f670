"""Signing in with a code of an app as well, in the browser."""

import time

import pyotp
import pytest

from tests.demo.company import PASSWORD
from tests.frontend.conftest import expect
from tests.frontend.test_office import WORDS, set_up

pytestmark = pytest.mark.browser


def begin(page, password):
    """Begin to switch it on: the app that has read the code on the page."""
    page.get_by_role("button", name="Turn on").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your password").fill(password)
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("img", name="QR code for your app").wait_for()
    return pyotp.TOTP(dialog.locator("code").inner_text())


def finish(page, app):
    """Switch it on with a code of the app: the recovery codes."""
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=code]").fill(app.now())
    dialog.get_by_role("button", name="Turn on").click()
    codes = page.get_by_role("dialog", name="Your recovery codes").locator("code").inner_text().split()
    page.get_by_role("button", name="Done").click()
    return codes


def sign_in(page, address, app):
    """Sign out, and in again with a wrong code and the right one."""
    page.goto(f"{address}/sign-out")
    page.goto(f"{address}/sign-in")
    page.get_by_label("E-mail address").fill("olga@example.com")
    page.get_by_label("Password").fill(WORDS)
    page.keyboard.press("Enter")
    page.locator("[name=code]").wait_for()
    expect(page.locator("[name=code]")).to_be_focused()
    page.keyboard.type("nothing of the kind")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("This code is wrong").wait_for()
    page.locator("[name=code]").fill(app.at(time.time() + 30))  # the one of before was used
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Home").wait_for()


def switch_off(page, code):
    page.get_by_role("button", name="Turn off").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your password").fill(WORDS)
    dialog.locator("[name=code]").fill(code)
    dialog.get_by_role("button", name="Turn off").click()
    page.get_by_role("button", name="Turn on").wait_for()


def test_it_is_switched_on_asked_for_and_switched_off(tab, newcomer):
    set_up(tab, newcomer)
    tab.goto(f"{newcomer}/profile")
    app = begin(tab, WORDS)
    codes = finish(tab, app)
    assert len(codes) == 10
    tab.get_by_text("10 recovery codes are left.").wait_for()
    sign_in(tab, newcomer, app)
    tab.goto(f"{newcomer}/profile")
    switch_off(tab, codes[3].lower())
    refused = [text for text in tab.complaints if "401" in text]  # the browser mentions refusals
    assert len(refused) >= 2
    tab.complaints[:] = [text for text in tab.complaints if text not in refused]


def test_a_workspace_that_asks_for_it_shows_who_lacks_it_how_to_enter(at_desk):
    owner, member = at_desk("ines"), at_desk("mei", width=360)
    secret = owner.api("POST", "/auth/two-factor/setup", {"password": PASSWORD})["secret"]
    codes = owner.api("POST", "/auth/two-factor/confirm", {"code": pyotp.TOTP(secret).now()})["recoveryCodes"]
    page = owner.go("/settings/access")
    page.get_by_label("Require two-factor sign-in").check()
    page.get_by_role("form", name="Access").get_by_role("button", name="Save").click()
    page.get_by_role("status").get_by_text("Saved.").wait_for(state="attached")

    member.page.goto(f"{member.address}/tasks")
    member.page.get_by_text("This workspace requires two-factor sign-in").wait_for()
    assert not member.is_wide()
    assert member.refusals() == []
    app = begin(member.page, PASSWORD)
    assert member.refusals() == []
    theirs = finish(member.page, app)
    member.page.get_by_role("heading", name="Home").wait_for()

    for desk, code in ((owner, codes[0]), (member, theirs[0])):
        desk.page.goto("about:blank")  # a page that asks on would be refused
        desk.api("POST", "/auth/two-factor/disable", {"password": PASSWORD, "code": code})
