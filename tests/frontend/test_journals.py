"""The journal in the browser: an entry is typed by keys alone, found again, copied and reversed."""

import re

import pytest

from tests.frontend.conftest import a_month_ago, expect

pytestmark = pytest.mark.browser


def choose_account(page, line, typed, name):
    box = page.get_by_label(f"Account, line {line}")
    box.focus()
    page.keyboard.type(typed)
    page.get_by_role("option", name=name).wait_for()
    page.keyboard.press("Enter")
    expect(box).to_have_value(name)


def newest(desk):
    return desk.api("GET", "/finance/journals?limit=1&kind=manual&sort=-number")[0]


def test_an_entry_is_typed_by_keys_and_the_missing_side_is_filled_in(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/journals")
    desk.press("n")
    page.get_by_role("heading", name="New entry").wait_for()
    desk.type("Rent of the store")
    choose_account(page, 1, "6100", "6100 Rent")
    desk.press("Tab", "Tab")
    desk.type("812.40")
    choose_account(page, 2, "1100", "1100 Accounts receivable")
    contact = page.locator("[name='lines[1].contactId']")
    expect(contact).to_be_visible()  # such an account needs one
    totals = page.locator(".totals")
    expect(totals).to_contain_text(re.compile("Difference\\s*812.40"))
    desk.press("Control+b")
    expect(page.get_by_label("Credit, line 2")).to_have_value("812.40")
    expect(totals).to_contain_text(re.compile("Difference\\s*0.00"))
    desk.press("Control+Enter")
    page.locator("[name='lines[1].contactId'][aria-invalid=true]").wait_for()
    assert desk.refusals() == []
    choose_account(page, 2, "1010", "1010 Bank")
    desk.press("Control+Enter")
    posted = page.get_by_role("listitem").filter(has_text="Rent of the store")
    expect(posted.get_by_text("812.40")).to_be_visible()
    entry = newest(desk)
    assert (entry["description"], entry["total"]) == ("Rent of the store", "812.40")
    expect(page.get_by_label("Text", exact=True)).to_be_focused()  # ready for the next
    expect(page.get_by_label("Debit, line 1")).to_have_value("")


def test_what_was_typed_is_there_again_after_leaving(at_desk):
    desk = at_desk("amara")
    page = desk.go("/journals/new")
    page.locator("[name=description]:focus").wait_for()
    desk.type("Half an entry")
    choose_account(page, 1, "6100", "6100 Rent")
    page.get_by_label("Debit, line 1").fill("5")
    page.get_by_role("link", name="Journal").first.click()
    page.get_by_role("heading", name="Journal", exact=True).wait_for()
    desk.go("/journals/new")
    expect(page.get_by_label("Text", exact=True)).to_have_value("Half an entry")
    expect(page.get_by_label("Account, line 1")).to_have_value("6100 Rent")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Text", exact=True)).to_have_value("")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_an_entry_is_found_copied_and_reversed(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    text = f"Paper for {width}"
    lines = [{"accountId": "6100", "debit": "33"}, {"accountId": "1010", "credit": "33"}]
    made = desk.api("POST", "/finance/journals", {"date": f"{a_month_ago(10)}", "description": text, "lines": lines})
    page = desk.go("/journals?kind=manual&q=" + text.replace(" ", "%20"))
    page.locator("main [data-row]", has_text=text).first.click()
    page.get_by_role("heading", name=made["number"]).wait_for()
    assert not desk.is_wide()
    assert desk.refusals() == []
    desk.act("Reverse")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Posted twice")
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Reverse").click()
    expect(page.locator(".page-title .pill")).to_have_text("reversed")
    entry = desk.api("GET", f"/finance/journals/{made['id']}")
    page.get_by_role("link", name=entry["reversedByNumber"]).click()
    page.get_by_role("heading", name=entry["reversedByNumber"]).wait_for()
    expect(page.get_by_role("main").get_by_text("Posted twice")).to_be_visible()
    desk.go(f"/journals/new?like={made['id']}")
    expect(page.get_by_label("Debit, line 1")).to_have_value("33.00")
    expect(page.get_by_label("Text", exact=True)).to_have_value(text)


def test_who_only_reads_sees_the_entry_and_cannot_post(at_desk):
    desk = at_desk("hanna")
    page = desk.go("/journals")
    page.locator("main [data-row]").first.click()
    page.get_by_role("heading", name=re.compile("Entry JE-")).wait_for()
    expect(page.get_by_role("button", name=re.compile("Post|Reverse|Add files"))).to_have_count(0)


def test_a_figure_of_the_ledger_leads_to_its_entry(at_desk):
    desk = at_desk("amara")
    entry = newest(desk)
    code = next(line["accountCode"] for line in desk.api("GET", f"/finance/journals/{entry['id']}")["lines"])
    account = next(one["id"] for one in desk.api("GET", "/finance/accounts") if one["code"] == code)
    page = desk.go(f"/reports/general-ledger?accountId={account}&dateFrom={entry['date']}&dateTo={entry['date']}")
    page.locator(f"main a[href='/journals/{entry['id']}']").first.click()
    expect(page.get_by_role("heading", name=entry["number"])).to_be_visible()
