"""Open items in the browser: what is owed, as it stood on a day, settled with each other, and written off."""

import datetime

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def row(page, text):
    return page.locator("main [data-row]", has_text=text)


def posted(desk, contact, amount, account, text):
    """An open item by hand: a receivable, or below zero a credit."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    one, other = ("debit", "credit") if amount > 0 else ("credit", "debit")
    lines = [
        {"accountId": "1100", one: str(abs(amount)), "contactId": contact["id"]},
        {"accountId": account, other: str(abs(amount))},
    ]
    return desk.api("POST", "/finance/journals", {"date": today, "description": text, "lines": lines})


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
    expect(page.get_by_role("button", name="Settle them with each other")).to_have_count(0)
    row(page, credit["number"]).get_by_role("checkbox").check()
    page.get_by_role("button", name="Settle them with each other").click()
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text("€20.00")).to_be_visible()
    assert desk.refusals() == []
    asked.get_by_role("button", name="Settle").click()
    expect(row(page, f"Ganymed {width}")).to_have_count(1)
    (left,) = desk.api("GET", f"/finance/open-items?contactId={customer['id']}")
    assert (left["number"], left["open"]) == (second["number"], "30.00")
    page.get_by_role("button", name="Undo").click()
    expect(row(page, f"Ganymed {width}")).to_have_count(3)


def test_items_of_two_contacts_do_not_settle_each_other(at_desk):
    desk = at_desk("amara")
    one, other = (desk.api("POST", "/finance/contacts", {"name": f"Kallisto {n}", "kind": "customer"}) for n in "AB")
    posted(desk, one, 10, "4000", "Owed")
    posted(desk, other, -10, "4000", "Credit")
    page = desk.go("/open-items?q=Kallisto")
    for name in ("Kallisto A", "Kallisto B"):
        row(page, name).get_by_role("checkbox").check()
    page.get_by_text("2 selected").wait_for()
    expect(page.get_by_role("button", name="Settle them with each other")).to_have_count(0)


def test_a_past_day_shows_what_was_open_then_and_offers_no_change(at_desk):
    desk = at_desk("amara")
    customer = desk.api("POST", "/finance/contacts", {"name": "Europa", "kind": "customer"})
    posted(desk, customer, 10, "4000", "Owed")
    page = desk.go("/open-items?q=Europa")
    expect(row(page, "Europa")).to_have_count(1)
    page = desk.go("/open-items?q=Europa&asOf=2026-01-31")
    page.get_by_text("Nothing is open.").wait_for()
    expect(page.get_by_text("To settle a credit")).to_have_count(0)


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
    page.get_by_text("Nothing is open.").wait_for()
    assert desk.api("GET", f"/finance/open-items?contactId={customer['id']}") == []
