"""Sites in the browser: where people work, and the holidays of one."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_site_is_added_and_gets_its_own_holidays(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    name = f"Leeds {width}"
    year = desk.page.evaluate("new Date().getFullYear()") + 2
    page = desk.go("/settings/sites")
    desk.act("New site")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Country").select_option(label="United Kingdom")
    dialog.get_by_label("Region").fill("ENG")
    assert not desk.is_wide()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Add").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_contain_text("GBP")
    assert not desk.is_wide()
    site = next(one for one in desk.api("GET", "/hr/sites") if one["name"] == name)
    assert (site["timeZone"], site["weekend"]) == ("Europe/London", ["sat", "sun"])

    page = desk.go(f"/settings/holidays?year={year}&site={site['id']}")
    desk.act("Import public holidays")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Site")).to_have_value(site["id"])
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Import").click()
    boxing_day = page.get_by_role("row").filter(has_text="Boxing Day")
    expect(boxing_day).to_be_visible()
    assert not desk.is_wide()
    made = desk.api("GET", f"/hr/holidays?year={year}&siteId={site['id']}&limit=100")
    assert {tuple(one["siteIds"]) for one in made} == {(site["id"],)}
    page = desk.go(f"/settings/holidays?year={year}")
    page.get_by_label("Site", exact=True).select_option(label=name)
    expect(page.get_by_role("row").filter(has_text="Boxing Day")).to_be_visible()
    for one in made:
        desk.api("DELETE", f"/hr/holidays/{one['id']}")
    desk.api("DELETE", f"/hr/sites/{site['id']}")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_person_is_hired_at_a_site_and_paid_to_an_account_there(at_desk, width):
    """The bank account is named as the country does it, and pay is in the currency of the site."""
    desk = at_desk("leila", width)
    page = desk.go("/people/new")
    name = f"Liz {width}"
    page.get_by_label("Name", exact=True).fill(name)
    expect(page.get_by_label("Pay in EUR")).to_be_visible()
    page.get_by_label("Site").select_option(label="London")
    page.get_by_label("Pay in GBP").fill("3000")
    assert not desk.is_wide()
    assert desk.refusals() == []
    page.get_by_role("button", name="Hire").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    (person,) = [one for one in desk.api("GET", "/hr/employees?limit=100") if one["name"] == name]
    desk.act("Edit")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Account named by").select_option(label="Sort code (United Kingdom)")
    dialog.get_by_label("Sort code").fill("20-00-00")
    dialog.get_by_label("Account number").fill("55779911")
    assert not desk.is_wide()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    made = desk.api("GET", f"/hr/employees/{person['id']}")
    assert (made["compensation"]["currency"], made["siteName"]) == ("GBP", "London")
    assert (made["bankAccount"]["sortCode"], made["bankAccount"]["country"]) == ("200000", "GB")


def test_a_person_works_at_a_site(at_desk):
    desk = at_desk("leila")
    site = desk.api("POST", "/hr/sites", {"name": "York", "country": "GB"})
    person = desk.api("POST", "/hr/employees", {"name": "Yara York", "hireDate": "2020-01-01"})
    page = desk.go(f"/people/{person['id']}")
    desk.act("Edit")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Site").select_option(label="York")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("York", exact=True)).to_be_visible()
    assert desk.api("GET", f"/hr/employees/{person['id']}")["siteId"] == site["id"]
