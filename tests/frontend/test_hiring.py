"""The screens of employees: hiring on one page, the record, the work week, pay and leaving."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

KEPT = """new Promise((done) => {
    const isKept = () => Object.keys(localStorage).some((name) => name.includes("/hiring/"));
    const look = () => (isKept() ? done() : setTimeout(look, 20));
    look();
})"""


def employee(desk, name):
    return desk.api("GET", f"/hr/employees?q={name}")[0]


def choose(page, name, typed):
    """Take the first of what is found."""
    page.locator(f"[name={name}]").fill(typed)
    page.get_by_role("option", name=typed).first.click()


def test_somebody_is_hired_on_one_page_with_pay_and_an_invite(at_desk):
    desk = at_desk("ines")
    page = desk.go("/people")
    page.keyboard.press("n")
    page.get_by_role("heading", name="Hire").wait_for()
    page.get_by_label("Name", exact=True).fill("Pavel Dvorak")
    page.get_by_label("E-mail").fill("pavel@alderfinch.example")
    page.locator("[name=hireDate]").fill("2027-02-01")
    page.locator("[name=jobTitle]").fill("Joiner")
    choose(page, "managerEmployeeId", "Jonas")
    page.get_by_label("Employment").select_option(label="Part time")
    page.locator("[name=workSchedule]").fill("32")
    page.get_by_label("Pay in EUR").fill("2900")
    page.get_by_label("Role").select_option(label="Member")
    page.get_by_role("button", name="Hire", exact=True).click()
    dialog = page.get_by_role("dialog", name="Share invite")
    expect(dialog.locator("code")).to_contain_text("#invite=")
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Pavel Dvorak").wait_for()
    page.get_by_text("€2,900.00 a month").wait_for()
    made = employee(desk, "Pavel")
    assert (made["hireDate"], made["jobTitle"], made["employmentType"]) == ("2027-02-01", "Joiner", "part_time")
    assert made["managerName"].startswith("Jonas")
    assert sum(made["workSchedule"].values()) == 32 * 60
    assert (made["compensation"]["amount"], made["compensation"]["frequency"]) == ("2900.00", "monthly")
    assert desk.api("GET", "/workspace/invites?status=pending")[0]["email"] == "pavel@alderfinch.example"


def test_a_member_without_a_record_is_hired_and_linked_on_one_page(at_desk):
    desk = at_desk("ines")
    linked = {one.get("userId") for one in desk.api("GET", "/hr/employees?limit=200")}
    users = [one["user"] for one in desk.api("GET", "/workspace/members")]
    user = next(one for one in users if one["id"] not in linked)
    page = desk.go("/people/new")
    page.get_by_label("Name", exact=True).fill("Linked at once")
    expect(page.get_by_label("Role")).to_be_visible()
    choose(page, "userId", user["name"])
    expect(page.get_by_label("Role")).to_have_count(0)
    page.get_by_role("button", name="Hire", exact=True).click()
    page.get_by_role("heading", name="Linked at once").wait_for()
    assert employee(desk, "Linked")["userId"] == user["id"]


def test_pay_is_not_kept_in_the_browser_but_the_rest_of_what_was_typed_is(at_desk):
    desk = at_desk("leila")
    page = desk.go("/people/new")
    page.get_by_label("Name", exact=True).fill("Half hired")
    page.get_by_label("Pay in EUR").fill("4321")
    page.keyboard.press("Tab")
    page.evaluate(KEPT)
    kept = page.evaluate("JSON.stringify(localStorage)")
    assert ("Half hired" in kept, "4321" in kept, "userId" in kept) == (True, False, False)
    desk.go("/people/new")
    page.get_by_text("Not saved, on this device since").wait_for()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Half hired")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("")


def test_a_refused_field_is_marked_and_nobody_is_hired(at_desk):
    desk = at_desk("leila")
    desk.quiet = False
    page = desk.go("/people/new")
    page.get_by_label("Name", exact=True).fill("Nobody yet")
    page.get_by_label("E-mail").fill("not an address")
    page.get_by_role("button", name="Hire", exact=True).click()
    page.locator("[name=email][aria-invalid=true]").wait_for()
    assert desk.api("GET", "/hr/employees?q=Nobody+yet") == []


def test_a_record_a_week_and_pay_are_changed_and_the_pay_of_before_stays(at_desk):
    desk = at_desk("leila")
    who = employee(desk, "Priya")
    page = desk.go(f"/people/{who['id']}")
    dialog = page.get_by_role("dialog")
    page.keyboard.press("e")
    dialog.get_by_label("Job title").fill("Lead fitter")
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    page.get_by_text("Lead fitter").wait_for()
    desk.act("Work schedule")
    dialog.get_by_label("Friday").fill("4:30")
    dialog.get_by_label("Valid from").fill("2027-03-01")
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    desk.act("Change pay")
    dialog.get_by_label("Pay in EUR").fill("5000")
    slips = desk.api("GET", f"/hr/payroll/payslips?employeeId={who['id']}")
    slip = next(slip for slip in slips if slip["status"] == "paid")
    dialog.get_by_label("Valid from").fill(slip["periodStart"])
    dialog.get_by_label("Valid from").press("Tab")
    expect(dialog.get_by_text("gross with the next payroll run.")).to_be_visible()
    dialog.get_by_label("Valid from").fill("2027-03-01")
    dialog.get_by_label("Valid from").press("Tab")
    expect(dialog.get_by_text("gross with the next payroll run.")).to_have_count(0)
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    kept = employee(desk, "Priya")
    assert {**kept, "jobTitle": "", "version": 0, "updatedAt": ""} == {
        **who,
        "jobTitle": "",
        "version": 0,
        "updatedAt": "",
    }  # the week and the pay are those of today still
    first, *_, last = sorted(
        desk.api("GET", f"/hr/employees/{who['id']}/compensations"), key=lambda one: one["effectiveFrom"]
    )
    assert (last["amount"], last["effectiveFrom"]) == ("5000.00", "2027-03-01")
    assert [one["componentId"] for one in last["components"]] == [
        one["componentId"] for one in who["compensation"]["components"]
    ]
    assert first["amount"] != "5000.00"


def test_pay_that_was_replaced_on_its_first_day_is_not_shown_as_pay(at_desk):
    desk = at_desk("leila")
    who = employee(desk, "Rui")
    rows = desk.api("GET", f"/hr/employees/{who['id']}/compensations")
    assert [one["replacedById"] is None for one in rows].count(False) == 1
    page = desk.go(f"/people/{who['id']}")
    page.get_by_text("Overtime at time and a half").wait_for()
    expect(page.get_by_text(re.compile(r"^from .*:"))).to_have_count(0)


def test_a_last_day_is_set_and_taken_back(at_desk):
    desk = at_desk("leila")
    who = desk.api("POST", "/hr/employees", {"name": "Short Stay", "hireDate": "2026-01-05"})
    page = desk.go(f"/people/{who['id']}")
    page.get_by_role("button", name="Enter termination").or_(page.get_by_role("button", name="Actions")).first.click()
    page.get_by_role("menuitem", name="Enter termination").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Last day of work").fill("2099-12-31")
    dialog.get_by_role("button", name="Set last day").click()
    dialog.wait_for(state="detached")
    page.get_by_text("until 31 Dec 2099").wait_for()
    page.get_by_role("button", name="Actions").first.click()
    page.get_by_role("menuitem", name="Cancel termination").click()
    page.get_by_role("status").get_by_text("Short Stay’s termination cancelled.").wait_for(state="attached")
    assert desk.api("GET", f"/hr/employees/{who['id']}")["terminationDate"] is None


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_the_record_fits_and_is_accessible_with_its_form_open(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    page = desk.go(f"/people/{employee(desk, 'Mei')['id']}")
    desk.settle()
    assert not desk.is_wide()
    assert desk.refusals() == []
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("dialog").wait_for()
    assert desk.refusals() == []


def test_a_manager_sees_the_record_without_pay(at_desk):
    desk = at_desk("jonas")
    page = desk.go(f"/people/{employee(desk, 'Rui')['id']}")
    page.get_by_role("heading", name="Work schedule").wait_for()
    expect(page.get_by_role("heading", name="Pay", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)


def test_who_has_no_record_adds_their_own_and_clocks_in(tab, newcomer):
    tab.goto(newcomer)
    tab.get_by_label("Your name").fill("Nora Stern")
    tab.get_by_label("E-mail address").fill("nora@example.com")
    tab.get_by_label("Password").fill("coffee and cake today")
    tab.keyboard.press("Enter")
    tab.get_by_label("Company").fill("Stern Joinery")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Go to the start page").click()
    tab.get_by_role("link", name="Me", exact=True).click()
    tab.get_by_role("link", name="Create your own").click()
    expect(tab.get_by_label("Name", exact=True)).to_have_value("Nora Stern")
    tab.get_by_role("button", name="Create employee record").click()
    tab.get_by_role("button", name="Clock in").click()
    tab.get_by_role("button", name="Clock out").wait_for()
