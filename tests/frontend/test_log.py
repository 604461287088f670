"""All changes in the browser, in words, with their records; and whether the chain holds."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_changes_are_told_in_words_filtered_and_verified(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    name = f"Titan {width}"
    contact = desk.api("POST", "/finance/contacts", {"name": name, "kind": "customer"})
    page = desk.go("/log")
    newest = page.locator("main [data-row]").first
    expect(newest).to_contain_text("Contact: added")
    expect(newest).to_contain_text("Ines Falkenberg")
    assert not desk.is_wide()
    assert desk.refusals() == []
    newest.get_by_role("button").click()
    page.get_by_role("menuitem", name="Show").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("link", name=name)).to_have_attribute("href", f"/contacts/{contact['id']}")
    assert desk.refusals() == []
    dialog.get_by_role("link", name=name).click()
    page.get_by_role("heading", name=name).wait_for()
    desk.act("History")
    expect(page.locator("main [data-row]")).to_have_count(1)
    page.get_by_role("link", name="Show changes of all records").click()
    page.get_by_role("button", name="Record").click()
    chooser = page.get_by_role("dialog", name="Record")
    chooser.get_by_role("searchbox").fill("Tax rate")
    chooser.get_by_role("checkbox", name="Tax rate").check()
    page.wait_for_url(re.compile("resourceType=tax_rate"))
    expect(page.locator("main [data-row]").first).to_contain_text("Tax rate:")
    desk.act("Verify")
    expect(page.get_by_text(re.compile(r"All [\d,]+ changes are intact\.")).first).to_be_visible()
