"""Two people change the same record: what both have changed is asked about, and nothing is overwritten unseen."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def both(page):
    return page.get_by_role("dialog", name="Someone else has changed this")


def test_of_an_employee_what_both_have_changed_is_asked_and_the_rest_of_the_other_stays(at_desk):
    desk = at_desk("leila")
    desk.quiet = False
    one = desk.api("GET", "/hr/employees?q=Rui")[0]
    page = desk.go(f"/people/{one['id']}")
    expect(page.get_by_label("Navigation", exact=True).get_by_role("link", name="Messages")).to_be_visible()  # payslips
    desk.press("e")
    form = page.get_by_role("dialog")
    form.get_by_label("Job title").fill("Head joiner")
    form.get_by_label("Employment").select_option(label="Fixed term")
    theirs = {"jobTitle": "Master joiner", "employmentType": "part_time", "department": "Yard"}
    desk.api("PATCH", f"/hr/employees/{one['id']}", theirs)
    desk.press("Control+Enter")
    both(page).get_by_role("row", name="Job title Master joiner Head joiner").wait_for()
    expect(both(page).get_by_role("row", name="Employment Part time Fixed term")).to_be_visible()
    expect(both(page).get_by_role("row")).to_have_count(3)
    assert desk.refusals() == []
    both(page).get_by_role("button", name="Keep mine").click()
    page.get_by_role("dialog").wait_for(state="detached")
    now = desk.api("GET", f"/hr/employees/{one['id']}")
    assert (now["jobTitle"], now["employmentType"], now["department"]) == ("Head joiner", "temporary", "Yard")


def test_what_two_have_changed_in_different_fields_of_a_product_is_not_asked_about(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    made = desk.api("POST", "/finance/products", {"name": "Two hands", "unitPrice": "10.00"})
    page = desk.go("/products?q=Two+hands")
    page.get_by_role("row").filter(has_text="Two hands").get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Edit").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Name").fill("Four hands")
    desk.api("PATCH", f"/finance/products/{made['id']}", {"unitPrice": "12.00"})
    desk.press("Control+Enter")
    form.wait_for(state="detached")
    now = desk.api("GET", f"/finance/products/{made['id']}")
    assert (now["name"], now["unitPrice"]) == ("Four hands", "12.00")


def test_settings_that_another_has_saved_are_not_undone_by_a_form_that_was_open_before(at_desk):
    desk, other = at_desk("ines"), at_desk("tomasz")
    desk.quiet = False
    page = desk.go("/settings/company")
    company = page.get_by_role("form", name="Company")
    company.get_by_label("Tax number").fill("22/111/11111")
    company.get_by_label("City").fill("Kiel")
    company.get_by_label("Phone").fill("040 1")
    moved = {"line1": "Hafen 1", "postalCode": "28195", "city": "Bremen", "country": "DE"}
    theirs = {"vatId": "DE136695976", "taxNumber": "22/222/22222", "address": moved}
    other.api("PATCH", f"/workspace/{current(other)}", theirs)
    company.get_by_role("button", name="Save").click()
    both(page).get_by_role("row", name="Tax number 22/222/22222 22/111/11111").wait_for()
    both(page).get_by_role("row", name="City Bremen Kiel").wait_for()
    both(page).get_by_role("button", name="Keep theirs").click()
    expect(company.get_by_label("City")).to_have_value("Bremen")
    expect(company.get_by_label("Tax number")).to_have_value("22/222/22222")
    expect(company.get_by_label("VAT number")).to_have_value("DE136695976")
    expect(company.get_by_role("status")).to_have_text("1 change")  # the phone, which nobody else has changed
    company.get_by_label("Legal name").fill("Alder & Finch Werkstatt GmbH")
    company.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").first.wait_for()
    now = desk.api("GET", f"/workspace/{current(desk)}")
    assert (now["legalName"], now["vatId"], now["phone"]) == ("Alder & Finch Werkstatt GmbH", "DE136695976", "040 1")
    assert now["address"]["line1"] == "Hafen 1"


def test_of_a_webhook_what_both_have_changed_is_asked(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    made = desk.api("POST", "/workspace/webhooks", {"url": "https://hooks.example.com/erp", "note": "For the shop"})
    page = desk.go(f"/settings/webhooks/{made['id']}")
    desk.press("e")
    form = page.get_by_role("dialog")
    form.get_by_label("Note").fill("For the till")
    desk.api("PATCH", f"/workspace/webhooks/{made['id']}", {"note": "For the stock", "eventTypes": ["invoice.issued"]})
    desk.press("Control+Enter")
    both(page).get_by_role("row", name="Note For the stock For the till").wait_for()
    both(page).get_by_role("button", name="Keep mine").click()
    page.get_by_role("dialog").wait_for(state="detached")
    now = desk.api("GET", f"/workspace/webhooks/{made['id']}")
    assert (now["note"], now["eventTypes"]) == ("For the till", ["invoice.issued"])


def test_of_the_numbers_at_the_tax_advisor_what_both_have_changed_is_asked(at_desk):
    desk, other = at_desk("ines"), at_desk("tomasz")
    desk.quiet = False
    office = f"/workspace/{current(other)}"
    other.api("PATCH", office, {"datevAdvisor": 29098, "datevClient": 55003, "datevChart": "skr04"})
    page = desk.go("/close/advisor")
    desk.act("DATEV settings")
    form = page.get_by_role("dialog")
    form.get_by_label("Consultant no.").fill("30001")
    other.api("PATCH", office, {"datevAdvisor": 30002, "datevClient": 55004})
    form.get_by_role("button", name="Save").click()
    both(page).get_by_role("row", name="Consultant no. 30002 30001").wait_for()
    expect(both(page).get_by_role("row")).to_have_count(2)
    both(page).get_by_role("button", name="Keep mine").click()
    page.get_by_role("dialog").wait_for(state="detached")
    now = desk.api("GET", office)
    assert (now["datevAdvisor"], now["datevClient"]) == (30001, 55004)


def test_of_a_recurring_entry_its_texts_are_asked_about_as_a_whole(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    lines = [{"accountId": "6100", "debit": "90"}, {"accountId": "1010", "credit": "90"}]
    about = {"name": "Store", "every": 1, "unit": "month", "from": "2027-02-01"}
    made = desk.api("POST", "/finance/recurring", {**about, "journal": {"description": "Store", "lines": lines}})
    page = desk.go(f"/recurring/{made['id']}")
    desk.act("Edit")
    form = page.get_by_role("dialog")
    form.locator("[name='journal.description']").fill("Store in {month}")
    more = [{"accountId": "6100", "debit": "5"}, {"accountId": "1010", "credit": "5"}]
    theirs = {"description": "Store and yard", "lines": [*lines, *more]}
    desk.api("PATCH", f"/finance/recurring/{made['id']}", {"journal": theirs, "every": 3})
    form.get_by_role("button", name="Save").click()
    asked = both(page).get_by_role("row").filter(has_text="Content")
    asked.filter(has_text="Store and yard").filter(has_text="Store in {month}").wait_for()
    expect(both(page).get_by_role("row")).to_have_count(2)
    both(page).get_by_role("button", name="Keep mine").click()
    page.get_by_role("dialog").wait_for(state="detached")
    now = desk.api("GET", f"/finance/recurring/{made['id']}")
    assert (now["journal"]["description"], now["every"]) == ("Store in {month}", 3)
    assert len(now["journal"]["lines"]) == 4  # also those that the other has added
    desk.go(f"/recurring/{made['id']}")
    desk.act("Edit")
    form.locator("[name=every]").fill("2")
    desk.api("DELETE", f"/finance/recurring/{made['id']}")
    form.get_by_role("button", name="Save").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Save as new").click()
    page.wait_for_url(lambda url: made["id"] not in url)
    (again,) = desk.api("GET", "/finance/recurring?q=Store")
    assert (again["every"], len(again["journal"]["lines"])) == (2, 4)


def current(desk):
    return desk.api("GET", "/auth/session")["workspace"]["id"]
