"""What is one's own: the addresses of one's calendars, one's second factor when it is lost, and leaving a workspace."""

import re
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pyotp
import pytest

from tests.demo.company import PASSWORD
from tests.frontend.conftest import expect
from tests.frontend.test_records import row

pytestmark = pytest.mark.browser

GONE = 404


def read(desk, url):
    """What a calendar program that is not signed in gets at an address: the calendar, or the status that refuses it."""
    try:
        with urllib.request.urlopen(desk.address + urlsplit(url).path) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code


def leave(desk):
    """Choose to leave on the page of the members; the question that comes."""
    desk.quiet = False  # the feed of changes may ask once more of the workspace that one has just left
    page = desk.go("/settings/members")
    desk.act("Leave this workspace")
    question = page.get_by_role("alertdialog", name="Leave Alder & Finch?")
    question.wait_for()
    return question


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
@pytest.mark.parametrize("name", ["Your open tasks", "Leave and public holidays"])
def test_the_address_of_a_calendar_is_shown_once_made_anew_and_revoked(at_desk, name, width, scheme):
    desk = at_desk("jonas", width, scheme)
    page = desk.go("/profile")
    calendar = page.get_by_role("listitem").filter(has_text=name)
    shown = calendar.locator("code")
    expect(calendar).to_contain_text("not turned on")
    calendar.get_by_role("button", name="Create address").click()
    expect(calendar).to_contain_text("turned on since")
    first = shown.inner_text()
    assert read(desk, first).startswith("BEGIN:VCALENDAR")
    assert desk.refusals() == []
    assert not desk.is_wide()

    desk.go("/profile")
    expect(calendar).to_contain_text("turned on since")
    expect(shown, "it is shown only once").to_have_count(0)
    calendar.get_by_role("button", name="Create a new address").click()
    question = page.get_by_role("alertdialog")
    question.get_by_text("The old address stops working immediately.").wait_for()
    question.get_by_role("button", name="Create a new address").click()
    shown.wait_for()
    second = shown.inner_text()
    assert read(desk, first) == GONE
    assert read(desk, second).startswith("BEGIN:VCALENDAR")

    calendar.get_by_role("button", name="Revoke").click()
    expect(calendar).to_contain_text("not turned on")
    expect(shown).to_have_count(0)
    expect(calendar.get_by_role("button")).to_be_focused()
    assert read(desk, second) == GONE


def test_a_colleague_who_has_lost_their_phone_signs_in_with_the_password_alone_again(at_desk):
    admin, colleague = at_desk("ines"), at_desk("mei")
    secret = colleague.api("POST", "/auth/two-factor/setup", {"password": PASSWORD})["secret"]
    colleague.api("POST", "/auth/two-factor/confirm", {"code": pyotp.TOTP(secret).now()})
    page = admin.go("/server#users")  # where the users were before they had a screen of their own
    expect(page).to_have_url(re.compile("/server/users$"))
    navigation = page.get_by_role("navigation", name="Settings")
    expect(navigation.locator("[aria-current=page]")).to_have_text("Users")
    expect(row(page, "Mei Takahashi")).to_contain_text(re.compile("ago|now|seconds"))
    row(page, "Mei Takahashi").get_by_role("button", name="Actions").focus()
    before = admin.keys
    admin.press("Enter")
    page.get_by_role("menuitem", name="Create password link").wait_for()
    admin.press("r", "Enter")  # of Reset
    question = page.get_by_role("alertdialog", name="Reset two-factor sign-in of Mei Takahashi?")
    question.wait_for()
    assert admin.refusals() == []
    admin.press("Tab", "Enter")
    assert admin.keys - before == 5
    page.get_by_text("Mei Takahashi now signs in with their password alone.").first.wait_for()
    assert colleague.page.context.request.get(f"{colleague.address}/api/v1/auth/session").status == 401
    again = at_desk("mei")
    assert again.api("GET", "/auth/two-factor")["isOn"] is False

    actions = re.compile("Actions")
    expect(row(page, "Ines Falkenberg").get_by_role("button", name=actions)).to_have_count(0)
    row(page, "Mei Takahashi").get_by_role("button", name=actions).click()
    page.get_by_role("menuitem", name="Create password link").wait_for()
    expect(page.get_by_role("menuitem", name="Reset two-factor sign-in")).to_have_count(0)


def test_a_member_leaves_and_is_told_that_they_are_in_no_workspace(at_desk):
    desk = at_desk("rui", width=360, scheme="dark")
    question = leave(desk)
    assert desk.refusals() == []
    assert not desk.is_wide()
    question.get_by_role("button", name="Leave this workspace").click()
    desk.page.get_by_role("heading", name="Hello, Rui Carvalho").wait_for()
    desk.page.get_by_text("You have left Alder & Finch.").first.wait_for()
    expect(desk.page.get_by_text("You are in no workspace.")).to_be_visible()
    assert desk.api("GET", "/workspace") == []
    desk.page.goto(f"{desk.address}/profile")
    desk.page.get_by_text("You are in no workspace.").wait_for()


def test_one_who_is_in_another_workspace_goes_on_there_and_the_last_owner_stays(at_desk):
    owner, member = at_desk("ines"), at_desk("tomasz")
    home = owner.api("GET", "/auth/session")["workspace"]["id"]
    other = owner.api("POST", "/workspace", {"name": "Second office", "country": "DE"})["id"]
    owner.api("POST", "/auth/select-workspace", {"workspaceId": other})
    invite = owner.api("POST", "/workspace/invites", {"email": "tomasz@alderfinch.example", "role": "member"})
    owner.api("POST", "/auth/select-workspace", {"workspaceId": home})
    member.api("POST", "/workspace/invites/accept", {"token": invite["token"]})
    member.api("POST", "/auth/select-workspace", {"workspaceId": home})

    leave(member).get_by_role("button", name="Leave this workspace").click()
    member.page.get_by_role("heading", name="Hello, Tomasz Wieczorek").wait_for()
    member.page.get_by_text("You have left Alder & Finch.").first.wait_for()
    expect(member.page.get_by_role("listitem")).to_have_count(1)
    member.page.get_by_role("listitem").filter(has_text="Second office").get_by_role("button", name="Choose").click()
    member.page.get_by_role("heading", name="Home").wait_for()
    expect(member.page).to_have_title("Home – Second office – erp")

    leave(owner).get_by_role("button", name="Leave this workspace").click()
    owner.page.get_by_text("A workspace needs at least one owner.").first.wait_for()
    expect(row(owner.page, "Ines Falkenberg")).to_be_visible()
