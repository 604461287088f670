"""The chart of accounts in the browser: found, added in a group, changed, archived and deleted."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def row(page, text):
    return page.locator("main [data-row]", has_text=text)


def choose(page, text, action):
    row(page, text).first.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name=action).click()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_an_account_is_added_changed_archived_used_again_and_deleted(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    code, group = f"69{width // 20}", f"G{width}"
    body = {"code": group, "name": f"Vehicles {width}", "type": "expense", "subtype": "expense", "isGroup": True}
    desk.api("POST", "/finance/accounts", body)
    page = desk.go("/accounts")
    row(page, "1010 Bank").wait_for()
    desk.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Account code").fill(code)
    dialog.get_by_label("Name").fill("Vans")
    dialog.locator("[name=parentId]").select_option(f"{group} Vehicles {width}")
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_be_hidden()
    (made,) = [one for one in desk.api("GET", "/finance/accounts") if one["code"] == code]
    assert (made["name"], made["type"], made["parentCode"], made["currency"]) == ("Vans", "expense", group, "EUR")

    page.get_by_label("Search accounts").fill(code)
    expect(row(page, "1010 Bank")).to_have_count(0)
    choose(page, f"{code} Vans", "Edit")
    dialog.get_by_label("Account type").select_option("Assets")
    dialog.get_by_label("Detail type").select_option("Fixed assets")
    dialog.get_by_role("button", name="Save").click()
    expect(row(page, f"{code} Vans")).to_contain_text("Fixed assets")
    choose(page, f"{code} Vans", "Archive")
    expect(row(page, f"{code} Vans")).to_have_count(0)
    page.get_by_role("tab", name="Archived").or_(page.get_by_role("link", name="Archived")).first.click()
    choose(page, f"{code} Vans", "Unarchive")
    expect(row(page, f"{code} Vans")).to_have_count(0)
    desk.go(f"/accounts?q={code}")
    choose(page, f"{code} Vans", "Delete")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(row(page, f"{code} Vans")).to_have_count(0)
    assert code not in [one["code"] for one in desk.api("GET", "/finance/accounts")]


def test_a_code_that_is_taken_is_marked_and_a_used_account_is_not_deleted(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/accounts?q=1010")
    choose(page, "1010 Bank", "Delete")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("alert").or_(page.get_by_role("status")).filter(has_text="1010").first).to_be_visible()
    desk.press("Escape")
    desk.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Account code").fill("1010")
    dialog.get_by_label("Name").fill("Again")
    dialog.get_by_role("button", name="Add").click()
    dialog.locator("[name=code][aria-invalid=true]").wait_for()


def test_an_account_leads_to_its_ledger(at_desk):
    desk = at_desk("hanna")
    page = desk.go("/accounts")
    expect(page.get_by_role("button", name="New account")).to_have_count(0)
    page.get_by_role("link", name="1010 Bank").click()
    expect(page).to_have_url(re.compile("/reports/general-ledger"))
    expect(page.locator("main table.report")).to_contain_text("1010 Bank")
