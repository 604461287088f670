"""Personal data in the pages: exported, erased after a look at what goes and what stays, and kept for some years."""

import zipfile

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def former_employee(desk, name):
    """Someone who left years ago, and their pay was never run."""
    person = desk.api("POST", "/hr/employees", {"name": name, "hireDate": "2019-01-01", "email": "f@former.example"})
    desk.api("POST", f"/hr/employees/{person['id']}/terminate", {"date": "2021-05-31"})
    return person["id"]


def test_a_former_employee_is_exported_and_erased(at_desk, tmp_path):
    desk = at_desk("ines")
    id = former_employee(desk, "Fritz Former")
    page = desk.go(f"/people/{id}")
    with page.expect_download() as saved:
        desk.act("Export personal data")
    saved.value.save_as(tmp_path / "export.zip")
    with zipfile.ZipFile(tmp_path / "export.zip") as zipped:
        assert b"f@former.example" in zipped.read("data.json")
    page = desk.go("/")
    expect(page.get_by_role("main").get_by_role("link", name="Erase data of Fritz Former")).to_be_visible()
    page = desk.go("/settings/personal-data")
    due = page.get_by_role("table", name="Due for erasure").get_by_role("row").filter(has_text="Fritz Former")
    expect(due).to_contain_text("Name and contact details (1 row)")
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    due.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Erase…").click()
    expect(page.get_by_role("dialog", name="Erase Fritz Former")).to_contain_text("Goes now")
    page = desk.go(f"/people/{id}")
    desk.act("Erase…")
    shown = page.get_by_role("dialog", name="Erase Fritz Former")
    expect(shown).to_contain_text("Name and contact details · 1 row")
    expect(shown.get_by_role("list").last).to_contain_text("Payroll")
    assert desk.refusals() == []
    shown.get_by_label("Reason").fill("Asked by letter")
    shown.get_by_role("button", name="Erase for good").click()
    alias = f"Person {id[-4:].upper()}"
    expect(page.get_by_role("heading", level=1)).to_have_text(alias)
    assert desk.api("GET", "/workspace/events/verify")["isValid"] is True


def test_who_is_employed_can_only_be_exported(at_desk):
    desk = at_desk("leila")
    person = desk.api("GET", "/hr/employees?q=Jonas")[0]
    page = desk.go(f"/people/{person['id']}")
    page.get_by_role("main").get_by_role("button", name="More actions").click()
    expect(page.get_by_role("menuitem", name="Export personal data")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Erase…")).to_have_count(0)


def test_a_contact_is_erased_on_a_phone(at_desk):
    desk = at_desk("ines", width=360)
    contact = desk.api("POST", "/finance/contacts", {"kind": "customer", "name": "Clara Kunde"})
    page = desk.go(f"/contacts/{contact['id']}")
    desk.act("Erase…")
    shown = page.get_by_role("dialog")
    shown.get_by_label("Reason").fill("Brief")
    assert not desk.is_wide()
    shown.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Person {contact['id'][-4:].upper()}")


def test_the_years_are_set_and_less_than_the_law_requires_is_refused(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    page = desk.go("/settings/personal-data")
    form = page.get_by_role("form", name="Personal data")
    form.get_by_label("Payroll").fill("5")
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("The law requires at least 6 years.")
    form.get_by_label("Payroll").fill("7")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.").first).to_be_visible()
    assert desk.api("GET", "/workspace/retention")["years"]["payroll"] == 7
