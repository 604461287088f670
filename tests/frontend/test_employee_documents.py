"""The documents of employees: added on the page of a person, and listed before they expire."""

import pytest

from tests.desk.files import pdf
from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def test_a_document_is_added_listed_and_seen_to(at_desk, tmp_path):
    desk = at_desk("leila")
    person = desk.api("GET", "/hr/employees?q=Jonas")[0]
    file = tmp_path / "permit.pdf"
    file.write_bytes(pdf())
    page = desk.go(f"/people/{person['id']}")
    page.get_by_role("button", name="Add document").click()
    page.locator("[name=file]").set_input_files(file)
    page.get_by_label("Kind").select_option(label="Permit")
    page.get_by_label("Title").fill("Residence permit")
    page.locator("[name=validUntil]").fill("2026-01-31")
    page.get_by_label("Who can read it").select_option(label="HR and the employee")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("row", name="Residence permit")).to_contain_text("renew")
    made = desk.api("GET", f"/hr/employees/{person['id']}/documents")[0]
    assert (made["kind"], made["visibility"], made["attachmentName"]) == ("permit", "person", "permit.pdf")
    page = desk.go("/people/documents")
    row = page.get_by_role("row", name="Residence permit")
    expect(row).to_contain_text(person["name"])
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="No renewal needed").click()
    expect(page.get_by_role("row", name="Residence permit")).to_have_count(0)
    assert desk.api("GET", f"/hr/documents/{made['id']}")["doneAt"] is not None
