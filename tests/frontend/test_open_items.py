"""Open items in the browser: what is owed, as it stood on a day, settled with each other, and written off."""

import re

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser


def row(page, text):
    return page.locator("main [data-row]", has_text=text)


def posted(desk, contact, amount, account, text):
    """An open item by hand: a receivable, or below zero a credit."""
    day = today().isoformat()
    one, other = ("debit", "credit") if amount > 0 else ("credit", "debit")
    lines = [
        {"accountId": "1100", one: str(abs(amount)), "contactId": contact["id"]},
        {"accountId": account, other: str(abs(amount))},
    ]
    return desk.api("POST", "/finance/journals", {"date": day, "description": text, "lines": lines})


def bill(desk, contact, amount):
    """A payable by hand."""
    day = today().isoformat()
    lines = [
        {"accountId": "2000", "credit": str(amount), "contactId": contact["id"]},
        {"accountId": "6000", "debit": str(amount)},
    ]
    return desk.api("POST", "/finance/journals", {"date": day, "description": "Bought", "lines": lines})


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_credit_settles_two_items_of_its_contact_and_is_released_again(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    customer = desk.api("POST", "/finance/contacts", {"name": f"Ganymed {width}", "kind": "customer"})
    first, second = (posted(desk, customer, amount, "4000", f"Owed {amount}") for amount in (100, 50))
    credit = posted(desk, customer, -120, "4000", "Credit")
    page = desk.go("/payments")
    desk.act("Open items")
    page.get_by_label("Search open items").fill(f"Ganymed {width}")
    expect(row(page, f"Ganymed {width}")).to_have_count(3)
    assert not desk.is_wide()
    assert desk.refusals() == []
    row(page, first["number"]).get_by_role("checkbox").check()
    row(page, second["number"]).get_by_role("checkbox").check()
    expect(page.get_by_role("button", name="Allocate")).to_have_count(0)
    row(page, credit["number"]).get_by_role("checkbox").check()
    page.get_by_role("button", name="Allocate").click()
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text("€20.00")).to_be_visible()
    later = f"The later date of {credit['number']} and {first['number']}."
    expect(asked).to_contain_text(later)
    expect(asked.get_by_text("Date", exact=True)).to_have_count(2)
    assert desk.refusals() == []
    asked.get_by_role("button", name="Allocate").click()
    expect(row(page, f"Ganymed {width}")).to_have_count(1)
    (left,) = desk.api("GET", f"/finance/open-items?contactId={customer['id']}")
    assert (left["number"], left["open"]) == (second["number"], "30.00")
    page.get_by_role("button", name="Undo").click()
    expect(row(page, f"Ganymed {width}")).to_have_count(3)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_what_a_contact_owes_is_offset_against_what_it_is_owed_and_taken_back(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    name = f"Himalia {width}"
    contact = desk.api("POST", "/finance/contacts", {"name": name, "kind": "both"})
    owed, owes = posted(desk, contact, 100, "4000", "Sold"), bill(desk, contact, 60)
    page = desk.go(f"/open-items?q={name}")
    for entry in (owed, owes):
        row(page, entry["number"]).get_by_role("checkbox").check()
    expect(page.get_by_role("button", name="Allocate")).to_have_count(0)
    page.get_by_role("button", name="Offset", exact=True).click()
    asked = page.get_by_role("dialog")
    for entry in (owed, owes):
        expect(asked.get_by_label(f"{entry['number']}: amount")).to_have_value("60.00")
    assert desk.refusals() == []
    asked.get_by_role("button", name="Offset", exact=True).click()
    expect(row(page, owes["number"])).to_have_count(0)
    expect(row(page, owed["number"])).to_contain_text("€40.00")
    desk.act("Offsets")
    (made,) = desk.api("GET", f"/finance/offsets?contactId={contact['id']}")
    expect(row(page, made["number"])).to_contain_text("€60.00")
    assert not desk.is_wide()
    assert desk.refusals() == []
    row(page, made["number"]).click()
    expect(page.get_by_role("heading", name=f"Offset {made['number']}")).to_be_visible()
    expect(row(page, owed["number"])).to_contain_text("€60.00")
    assert not desk.is_wide()
    assert desk.refusals() == []
    page.goto(f"{desk.address}/contacts/{contact['id']}")
    page.get_by_role("link", name=made["number"]).first.click()
    page.get_by_role("heading", name=f"Offset {made['number']}").wait_for()
    desk.act("Void")
    page.get_by_role("alertdialog").get_by_role("button", name="Void").click()
    expect(page.get_by_text("Voided on")).to_be_visible()
    left = desk.api("GET", f"/finance/open-items?contactId={contact['id']}&sort=number")
    assert sorted(one["open"] for one in left) == ["-60.00", "100.00"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_part_is_offset_from_the_menu_of_the_contact_on_a_date(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    contact = desk.api("POST", "/finance/contacts", {"name": f"Sinope {width}", "kind": "both"})
    owed, more = posted(desk, contact, 500, "4000", "Sold"), posted(desk, contact, 80, "4000", "More")
    page = desk.go(f"/contacts/{contact['id']}")
    desk.act("Offset")
    dialog = page.get_by_role("dialog", name="Offset what")
    expect(dialog).to_contain_text("No open items on both sides.")
    page.keyboard.press("Escape")
    owes = bill(desk, contact, 320)
    desk.act("Offset")
    used = [dialog.get_by_label(f"{one['number']}: amount") for one in (owed, more, owes)]
    expect(used[0]).to_be_focused()
    for field, amount in zip(used, ("320.00", "", "320.00"), strict=True):
        expect(field).to_have_value(amount)
    sums = dialog.get_by_role("status").filter(has_text="Receivables")
    expect(sums).to_contain_text(re.compile("€580.00.*€320.00.*€320.00", re.DOTALL))
    dialog.get_by_role("checkbox", name=more["number"]).uncheck()
    expect(sums).to_contain_text("€500.00")
    used[2].fill("100")
    expect(sums).to_contain_text(re.compile("Difference.*€220.00", re.DOTALL))
    dialog.get_by_role("button", name="Offset", exact=True).click()
    expect(dialog.get_by_text("must be equal").first).to_be_visible()
    used[0].fill("100")
    dialog.get_by_label("Note").fill("By phone")
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    dialog.get_by_role("button", name="Offset", exact=True).click()
    dialog.wait_for(state="detached")
    (made,) = desk.api("GET", f"/finance/offsets?contactId={contact['id']}")
    assert (made["amount"], made["note"], made["date"]) == ("100.00", "By phone", today().isoformat())
    left = desk.api("GET", f"/finance/open-items?contactId={contact['id']}")
    assert sorted(one["open"] for one in left) == ["-220.00", "400.00", "80.00"]


def test_an_offset_is_undone_from_where_it_was_made(at_desk):
    desk = at_desk("amara")
    contact = desk.api("POST", "/finance/contacts", {"name": "Carme", "kind": "both"})
    entries = [posted(desk, contact, 30, "4000", "Sold"), bill(desk, contact, 30)]
    page = desk.go("/open-items?q=Carme")
    for entry in entries:
        row(page, entry["number"]).get_by_role("checkbox").check()
    page.get_by_role("button", name="Offset", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Offset", exact=True).click()
    expect(row(page, "Carme")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "Carme")).to_have_count(2)
    (made,) = desk.api("GET", f"/finance/offsets?contactId={contact['id']}")
    assert made["status"] == "void"


def test_items_of_two_contacts_do_not_settle_each_other(at_desk):
    desk = at_desk("amara")
    one, other = (desk.api("POST", "/finance/contacts", {"name": f"Kallisto {n}", "kind": "customer"}) for n in "AB")
    posted(desk, one, 10, "4000", "Owed")
    posted(desk, other, -10, "4000", "Credit")
    page = desk.go("/open-items?q=Kallisto")
    for name in ("Kallisto A", "Kallisto B"):
        row(page, name).get_by_role("checkbox").check()
    page.get_by_text("2 selected").wait_for()
    expect(page.get_by_role("button", name="Allocate")).to_have_count(0)


def test_a_past_day_shows_what_was_open_then_and_offers_no_change(at_desk):
    desk = at_desk("amara")
    customer = desk.api("POST", "/finance/contacts", {"name": "Europa", "kind": "customer"})
    posted(desk, customer, 10, "4000", "Owed")
    page = desk.go("/open-items?q=Europa")
    expect(row(page, "Europa")).to_have_count(1)
    page = desk.go("/open-items?q=Europa&asOf=2026-01-31")
    page.get_by_text("No open items.").wait_for()
    expect(page.get_by_text("To allocate or offset")).to_have_count(0)


def test_an_item_by_hand_is_written_off_with_its_reason(at_desk):
    desk = at_desk("amara")
    customer = desk.api("POST", "/finance/contacts", {"name": "Amalthea", "kind": "customer"})
    posted(desk, customer, 30, "4000", "Owed")
    page = desk.go("/open-items?q=Amalthea")
    row(page, "Amalthea").get_by_role("button").click()
    page.get_by_role("menuitem", name="Write off").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Insolvent")
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Write off").click()
    page.get_by_text("No open items.").wait_for()
    assert desk.api("GET", f"/finance/open-items?contactId={customer['id']}") == []
