"""Notices in the browser: the bell, the list, the way to the record, and the kinds that someone does not want."""

import os
from pathlib import Path

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def two(at_desk):
    """Ines, who comments, and Amara, to whom a task is assigned."""
    ines, amara = at_desk("ines"), at_desk("amara")
    me = amara.api("GET", "/auth/session")["user"]["id"]
    amara.api("POST", "/workspace/notices/read", {"throughId": "g"})
    made = ines.api("POST", "/tasks", {"title": "Order the paper", "assigneeUserIds": [me]})
    for text in ("Please by Friday.", "Or Monday."):
        ines.api("POST", f"/tasks/{made['id']}/comments", {"text": text})
    return ines, amara, made


def bell(desk, count):
    desk.come_back()
    name = "1 unread notice" if count == 1 else f"{count} unread notices"
    link = desk.page.get_by_role("banner").get_by_role("link", name=name)
    expect(link).to_be_visible()
    return link


def unread(desk):
    return desk.api("GET", "/workspace/notices?isRead=false")


def test_the_bell_leads_to_the_list_and_a_notice_to_its_record_which_reads_it(two):
    _, amara, made = two
    page = amara.go("/me")
    bell(amara, 2)
    amara.press("g", "n")
    expect(page.get_by_role("heading", name="Notices", level=1)).to_be_visible()
    row = page.get_by_role("row").filter(has_text=f"commented on {made['key']}")
    expect(row).to_contain_text("2 ×")
    row.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="Order the paper")).to_be_visible()
    bell(amara, 0)
    assert unread(amara) == []


def test_all_are_read_by_one_key_and_one_is_unread_again(two):
    _, amara, _ = two
    page = amara.go("/notices")
    bell(amara, 2)
    row = page.get_by_role("row").filter(has_text="Order the paper").first
    row.wait_for()
    amara.press("a")
    bell(amara, 0)
    assert unread(amara) == []
    expect(row).not_to_contain_text("unread")
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Mark as unread").click()
    bell(amara, 1)
    expect(row).to_contain_text("unread")
    (notice,) = unread(amara)
    assert "Order the paper" in str(notice)


def test_a_kind_that_someone_switches_off_in_their_profile_is_not_written(two):
    ines, amara, made = two
    page = amara.go("/profile")
    switch = page.get_by_role("switch", name="Comments on your tasks")
    with page.expect_response("**/notice-preferences"):
        switch.click()
    amara.api("POST", "/workspace/notices/read", {"throughId": "g"})
    ines.api("POST", f"/tasks/{made['id']}/comments", {"text": "Once more."})
    assert unread(amara) == []
    with page.expect_response("**/notice-preferences"):
        switch.click()


@pytest.mark.parametrize(("width", "locale"), [(1280, "en-GB"), (360, "de")])
@pytest.mark.parametrize("path", ["/notices", "/profile"])
def test_axe_finds_nothing_and_nothing_is_too_wide(two, at_desk, path, width, locale):
    desk = at_desk("amara", width=width)
    desk.api("PATCH", "/auth/preferences", {"locale": locale})
    desk.go(path)
    bell_link = desk.page.locator(".bell-count")
    desk.come_back()
    expect(bell_link).to_be_visible()
    desk.settle()
    if shots := os.environ.get("SHOTS"):
        desk.page.screenshot(path=str(Path(shots) / f"{path[1:]}{width}.png"), full_page=path == "/profile")
    assert desk.refusals() == []
    assert not desk.is_wide()
    desk.api("PATCH", "/auth/preferences", {"locale": "en-GB"})
