"""Signing in with a code of an app as well, in the browser."""

import time

import pyotp
import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

PASSWORD = "coffee and cake today"


def test_it_is_switched_on_asked_for_and_switched_off(tab, newcomer):
    tab.goto(newcomer)
    tab.get_by_label("Your name").fill("Nora Stern")
    tab.get_by_label("E-mail address").fill("nora@example.com")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.keyboard.press("Enter")
    tab.get_by_label("Company").fill("Stern Joinery")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Go to the start page").click()
    tab.get_by_role("heading", name="Home").wait_for()

    tab.goto(f"{newcomer}/profile")
    tab.get_by_role("button", name="Switch on").click()
    dialog = tab.get_by_role("dialog")
    dialog.get_by_label("Your password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("img", name="QR code for your app").wait_for()
    app = pyotp.TOTP(dialog.locator("code").inner_text())
    dialog.locator("[name=code]").fill(app.now())
    dialog.get_by_role("button", name="Switch on").click()
    codes = tab.get_by_role("dialog", name="Your recovery codes").locator("code").inner_text().split()
    assert len(codes) == 10
    tab.get_by_role("button", name="Done").click()
    tab.get_by_text("10 recovery codes are left.").wait_for()

    tab.goto(f"{newcomer}/sign-out")
    tab.goto(f"{newcomer}/sign-in")
    tab.get_by_label("E-mail address").fill("nora@example.com")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.keyboard.press("Enter")
    tab.locator("[name=code]").wait_for()
    expect(tab.locator("[name=code]")).to_be_focused()
    tab.keyboard.type("nothing of the kind")
    tab.keyboard.press("Enter")
    tab.get_by_role("alert").get_by_text("This code is wrong").wait_for()
    tab.locator("[name=code]").fill(app.at(time.time() + 30))  # the one of before was used
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Home").wait_for()

    tab.goto(f"{newcomer}/profile")
    tab.get_by_role("button", name="Switch off").click()
    dialog.get_by_label("Your password").fill(PASSWORD)
    dialog.locator("[name=code]").fill(codes[3].lower())
    dialog.get_by_role("button", name="Switch off").click()
    tab.get_by_role("button", name="Switch on").wait_for()
    refused = [text for text in tab.complaints if "401" in text]  # the browser mentions refusals
    assert len(refused) >= 2
    tab.complaints[:] = [text for text in tab.complaints if text not in refused]


def test_a_workspace_that_asks_for_it_shows_who_lacks_it_how_to_enter(at_desk):
    owner, member = at_desk("ines"), at_desk("mei", width=360)
    password = "welcome-to-the-demo"
    secret = owner.api("POST", "/auth/two-factor/setup", {"password": password})["secret"]
    codes = owner.api("POST", "/auth/two-factor/confirm", {"code": pyotp.TOTP(secret).now()})["recoveryCodes"]
    page = owner.go("/settings")
    page.get_by_label("Only members with two-factor sign-in may enter").check()
    page.get_by_role("form", name="Access").get_by_role("button", name="Save").click()
    page.get_by_role("status").get_by_text("Saved.").wait_for(state="attached")

    member.page.goto(f"{member.address}/tasks")
    member.page.get_by_text("This workspace asks for two-factor sign-in").wait_for()
    assert not member.is_wide()
    assert member.refusals() == []
    member.page.get_by_role("button", name="Switch on").click()
    dialog = member.page.get_by_role("dialog")
    dialog.get_by_label("Your password").fill(password)
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("img", name="QR code for your app").wait_for()
    assert member.refusals() == []
    dialog.locator("[name=code]").fill(pyotp.TOTP(dialog.locator("code").inner_text()).now())
    dialog.get_by_role("button", name="Switch on").click()
    theirs = member.page.get_by_role("dialog", name="Your recovery codes").locator("code").inner_text().split()
    member.page.get_by_role("button", name="Done").click()
    member.page.get_by_role("heading", name="Home").wait_for()

    for desk, code in ((owner, codes[0]), (member, theirs[0])):
        desk.api("POST", "/auth/two-factor/disable", {"password": password, "code": code})
