"""The opening year of payroll in the browser: pay of the year before this program."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
def test_pay_before_this_program_is_entered_at_the_person_and_changed_again(at_desk, width):
    desk = at_desk("leila", width)
    desk.quiet = False  # a year without such pay is not found
    today = desk.api("GET", "/workspace/home")["today"]
    year = today[:4]
    made = desk.api("POST", "/hr/employees", {"name": f"Nora {width}", "hireDate": today})
    component = desk.api("GET", "/hr/pay-components?limit=200")[0]
    page = desk.go(f"/people/{made['id']}")
    desk.act("Opening year")
    form = page.get_by_role("dialog")
    expect(form.get_by_label("Taxable pay")).to_be_visible()
    expect(form.get_by_label("Year", exact=True)).to_have_value(year)
    form.locator("[name=throughDate]").fill(f"{year}-01-31")
    form.get_by_label("Taxable pay").fill("18000")
    form.get_by_label("Base pay").fill("18,000.00")
    form.get_by_label(component["name"], exact=False).first.fill("900")
    assert not desk.is_wide()
    assert desk.refusals() == []
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    path = f"/hr/employees/{made['id']}/year-to-date/{year}"
    kept = desk.api("GET", path)
    assert (kept["taxable"], kept["throughDate"]) == ("18000.00", f"{year}-01-31")
    amounts = {line["componentId"]: line["amount"] for line in kept["lines"]}
    assert amounts == {None: "18000.00", component["id"]: "900.00"}
    desk.act("Opening year")
    expect(form.get_by_label("Base pay")).to_have_value("18,000.00")
    form.get_by_label("Base pay").fill("17500")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    assert [line["amount"] for line in desk.api("GET", path)["lines"]] == ["17500.00", "900.00"]
