"""Contacts in the browser: changed by two, found by their numbers, their address, and one that is half typed."""

import re

import pytest

from tests.frontend.conftest import expect
from tests.frontend.test_finance import draft_of
from tests.servers import wait_for

pytestmark = pytest.mark.browser


def test_a_contact_that_somebody_else_has_changed_is_shown_side_by_side(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    made = desk.api("POST", "/finance/contacts", {"name": "Two hands", "kind": "customer", "phone": "1"})
    page = desk.go(f"/contacts/{made['id']}")
    desk.press("e")
    page.get_by_role("dialog").get_by_label("Phone").fill("2")
    desk.api("PATCH", f"/finance/contacts/{made['id']}", {"phone": "3"})
    desk.press("Control+Enter")
    both = page.get_by_role("dialog", name="Someone else has changed this")
    both.get_by_role("row", name="Phone 3 2").wait_for()
    both.get_by_role("button", name="Keep mine").click()
    page.get_by_role("dialog").wait_for(state="detached")
    assert desk.api("GET", f"/finance/contacts/{made['id']}")["phone"] == "2"


def test_a_contact_shows_its_numbers_and_is_found_by_them(at_desk):
    desk = at_desk("amara")
    made = desk.api("POST", "/finance/contacts", {"name": "Numbered", "kind": "both"})
    page = desk.go(f"/contacts?q={made['creditorNumber']}")
    expect(page.get_by_role("row", name="Numbered").get_by_role("cell", name=made["debtorNumber"])).to_be_visible()
    page = desk.go(f"/contacts/{made['id']}?view=about")
    for name, number in (("Customer number", made["debtorNumber"]), ("Supplier number", made["creditorNumber"])):
        expect(page.locator("dl div").filter(has_text=name).locator("dd")).to_have_text(number)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find or do").fill(made["debtorNumber"])
    page.get_by_role("option").filter(has_text="Numbered").click()
    expect(page.get_by_role("heading", name="Numbered")).to_be_visible()


def test_an_address_keeps_its_region_and_names_its_country(at_desk):
    desk = at_desk("amara")
    address = {"line1": "1 Pier", "city": "Oakland", "region": "CA", "postalCode": "94607", "country": "US"}
    made = desk.api("POST", "/finance/contacts", {"name": "Bay Boats", "kind": "customer", "address": address})
    page = desk.go(f"/contacts/{made['id']}")
    page.keyboard.press("e")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Country").locator("option:checked")).to_have_text("United States")
    dialog.get_by_label("City").fill("Alameda")
    dialog.get_by_label("Country").select_option(label="Canada")
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    kept = desk.api("GET", f"/finance/contacts/{made['id']}")["address"]
    assert kept == {**address, "line2": None, "city": "Alameda", "country": "CA"}


def test_a_bank_account_is_not_kept_in_the_browser_but_the_rest_of_what_was_typed_is(at_desk):
    desk = at_desk("amara")
    page = desk.go("/contacts")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Half typed")
    dialog.get_by_label("IBAN").fill("DE75 5121 0800 1245 1261 99")
    wait_for(lambda: "Half typed" in page.evaluate("JSON.stringify(localStorage)"))
    assert "5121" not in page.evaluate("JSON.stringify(localStorage)")


def test_an_employee_is_paid_to_the_account_of_their_record_alone(at_desk):
    desk = at_desk("amara")
    contact = desk.api("GET", "/finance/contacts?kind=employee")[0]
    page = desk.go(f"/contacts/{contact['id']}?view=about")
    page.keyboard.press("e")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Note")).to_be_visible()
    expect(dialog.get_by_label("IBAN")).to_have_count(0)


def test_the_bank_account_to_pay_to_and_a_note_are_entered_on_the_contact(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    made = desk.api("POST", "/finance/contacts", {"name": "Paid here", "kind": "supplier"})
    page = desk.go(f"/contacts/{made['id']}?view=about")
    page.keyboard.press("e")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("IBAN").fill("DE00")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("This is not a valid IBAN.").first).to_be_visible()
    dialog.get_by_label("IBAN").fill("DE75 5121 0800 1245 1261 99")
    dialog.get_by_label("Note").fill("Closed on Mondays")
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    expect(page.locator("dl div").filter(has_text="Bank account").locator("dd")).to_have_text("DE75512108001245126199")
    kept = desk.api("GET", f"/finance/contacts/{made['id']}")
    assert (kept["bankAccount"]["iban"], kept["note"]) == ("DE75512108001245126199", "Closed on Mondays")
    page.keyboard.press("e")
    dialog.get_by_label("IBAN").fill("")
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    assert desk.api("GET", f"/finance/contacts/{made['id']}")["bankAccount"] is None


def test_a_contact_with_a_country_alone_has_no_address_and_issuing_leads_to_where_it_is_added(at_desk):
    desk = at_desk("amara")
    page = desk.go("/contacts")
    page.get_by_role("button", name="New contact").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Only a name")
    dialog.get_by_role("button", name="Create contact").click()
    dialog.wait_for(state="detached")
    made = desk.api("GET", "/finance/contacts?q=Only+a+name")[0]
    assert made["address"] is None
    draft = draft_of(desk, customerId=made["id"])
    desk.go(f"/invoices/{draft['id']}")
    page.get_by_role("button", name="Issue").click()
    page.get_by_role("alertdialog").get_by_role("link", name="Open the contact").click()
    page.get_by_role("heading", name="Only a name", level=1).wait_for()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"/contacts/{made['id']}$"))


def test_a_new_contact_that_is_half_typed_is_there_again_after_a_reload_until_it_is_added(at_desk):
    desk = at_desk("amara")
    page = desk.go("/contacts")
    desk.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Half a firm")
    dialog.get_by_label("City").fill("Kiel")
    page.reload()  # keeps what was typed since the last pause
    page.get_by_role("heading", name="Contacts").wait_for()
    desk.press("n")
    dialog.get_by_text("Not saved, on this device since").wait_for()
    expect(dialog.get_by_label("City")).to_have_value("Kiel")
    dialog.get_by_label("Name", exact=True).fill("A whole firm")
    dialog.get_by_role("button", name="Create contact").click()
    page.get_by_role("heading", name="A whole firm").wait_for()
    desk.go("/contacts")
    desk.press("n")
    expect(dialog.get_by_label("City")).to_have_value("")
    assert desk.api("GET", "/finance/contacts?q=firm")[0]["address"]["city"] == "Kiel"
