"""The workspace as a whole in the browser: copied, restored, archived; a restore at the next start, and VAT payable."""

import re
from datetime import timedelta

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

WIDTHS = pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])


def is_fine(desk):
    assert desk.refusals() == []
    assert not desk.is_wide()


def bank_account_in_settings(page):
    """Its field, to which links lead: a page that is loaded anew has forgotten what was typed."""
    page.locator("nav.sidebar").get_by_role("link", name="Settings").click()
    page.locator(".settings-nav").get_by_role("link", name="Paper").click()
    field = page.locator("[name=iban]")
    field.wait_for()
    return field


def test_an_owner_restores_the_workspace_from_a_backup_and_copies_it(at_desk):
    desk = at_desk("ines")
    home = desk.api("GET", "/auth/session")["workspace"]["id"]
    backup = desk.api("GET", "/system/backups")[0]["name"]
    made = desk.api("POST", "/finance/contacts", {"kind": "customer", "name": "Later than the backup"})
    page = desk.go("/settings/workspace")
    is_fine(desk)
    expect(page.get_by_role("definition").filter(has_text="Germany")).to_be_visible()
    desk.act("Restore from a backup")
    asked = page.get_by_role("dialog")
    expect(asked.get_by_label("Backup").locator(f"option[value='{backup}']")).to_have_text(re.compile(" · daily · "))
    asked.get_by_label("Backup").select_option(backup)
    is_fine(desk)
    desk.quiet = False  # the feed of changes may ask of a contact that is no longer there
    asked.get_by_role("button", name="Restore").click()
    page.get_by_text("What it held before is in the backup").first.wait_for()
    answer = page.context.request.get(f"{desk.address}/api/v1/finance/contacts/{made['id']}")
    assert answer.status == 404
    assert desk.api("GET", "/workspace/events?type=workspace.restored&limit=1")[0]["data"]["backup"] == backup

    bank = bank_account_in_settings(page)
    own = bank.input_value()
    bank.fill("DE89370400440532013000")
    page.locator(".settings-nav").get_by_role("link", name="Workspace").click()
    desk.act("Copy this workspace")
    asked.get_by_role("textbox").fill("Sandbox")
    is_fine(desk)
    asked.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Go to the copy").click()
    expect(page).to_have_title(re.compile("Sandbox"))
    copy = desk.api("GET", "/auth/session")["workspace"]
    assert (copy["name"], copy["role"], copy["id"] != home) == ("Sandbox", "owner", True)
    expect(bank_account_in_settings(page)).to_have_value(own)  # not what has been typed in the other workspace
    desk.api("POST", "/auth/select-workspace", {"workspaceId": home})


def test_others_have_no_page_of_the_whole_workspace(at_desk):
    desk = at_desk("jonas")
    desk.quiet = False
    desk.page.goto(desk.address + "/settings/workspace")
    expect(desk.page.get_by_role("button", name="Copy this workspace")).to_have_count(0)
    home = desk.api("GET", "/auth/session")["workspace"]["id"]
    path = f"{desk.address}/api/v1/workspace/{home}/duplicate"
    answer = desk.page.context.request.post(path, data={"name": "Mine"}, headers={"Origin": desk.address})
    assert answer.status == 403


@WIDTHS
def test_a_restore_at_the_next_start_is_cancelled(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    backup = desk.api("GET", "/system/backups")[0]["name"]
    desk.api("POST", f"/system/backups/{backup}/restore", {})
    page = desk.go("/server/backups")
    mark = page.get_by_text("restored at the next")
    expect(mark.last).to_be_visible()
    is_fine(desk)
    page.get_by_role("button", name="Cancel the restore").first.click()
    expect(mark).to_have_count(0)
    assert [each["name"] for each in desk.api("GET", "/system/backups") if each["isStaged"]] == []


@WIDTHS
def test_vat_payable_is_posted_on_a_day_to_an_account_and_undone(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    filed = desk.api("GET", "/finance/tax-returns")[0]
    path = f"/finance/tax-returns/{filed['id']}"
    page = desk.go(f"/reports/tax?dateFrom={filed['dateFrom']}&dateTo={filed['dateTo']}")
    asked = page.get_by_role("dialog")
    desk.act("Reverse VAT payable entry")
    asked.wait_for()
    is_fine(desk)
    asked.get_by_role("button", name="Reverse entry").click()
    expect(asked).to_have_count(0)
    assert desk.api("GET", path)["journalEntryId"] is None

    desk.act("Post VAT payable")
    asked.locator("[name=date]").fill(str(today()))
    is_fine(desk)
    asked.get_by_role("button", name="Post", exact=True).click()
    expect(asked).to_have_count(0)
    made = desk.api("GET", path)["journalEntryId"]
    assert desk.api("GET", f"/finance/journals/{made}")["date"] == str(today())


def test_the_tax_return_opens_on_the_month_before(at_desk):
    desk = at_desk("amara")
    with desk.page.expect_response(re.compile("finance/reports/tax")) as answer:
        desk.go("/reports/tax")
    tree = answer.value.json()["data"]
    last = today().replace(day=1) - timedelta(days=1)
    assert (tree["dateFrom"], tree["dateTo"]) == (f"{last:%Y-%m}-01", f"{last}")


def test_all_of_it_is_in_german_on_a_phone_too(at_desk):
    desk = at_desk("ines", 360, locale="de-DE")
    desk.api("PATCH", "/auth/me", {"locale": "de"})
    for path, words in {"/settings/workspace": "Diesen Arbeitsbereich kopieren", "/profile": "Ihre Daten"}.items():
        page = desk.go(path)
        expect(page.get_by_text(words).first).to_be_attached()
        is_fine(desk)
    desk.api("PATCH", "/auth/me", {"locale": "en"})
