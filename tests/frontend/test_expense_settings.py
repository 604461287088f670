"""Categories and rates of expenses in the browser."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
def test_a_category_has_an_account_a_limit_and_an_archive(at_desk, width):
    desk = at_desk("amara", width)
    page = desk.go("/settings/expense-categories")
    name = f"Parking {width}"
    desk.act("New expense category")
    form = page.get_by_role("dialog")
    form.get_by_label("Code").fill(f"parking-{width}")
    form.get_by_label("Name").fill(name)
    form.locator("[name='limit.amount']").fill("20")
    form.get_by_label("Limit counts").select_option(label="per day")
    form.get_by_label("Above the limit").select_option(label="do not submit")
    form.get_by_label("Receipt needed from").fill("5")
    assert not desk.is_wide()
    form.get_by_role("button", name="Add").click()
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text("20.00")
    assert not desk.is_wide()
    assert desk.refusals() == []
    (made,) = [one for one in desk.api("GET", "/hr/expense-categories?limit=200") if one["name"] == name]
    assert (made["limit"], made["limitMode"], made["receiptFrom"]) == (
        {"amount": "20.00", "per": "day"},
        "block",
        "5.00",
    )
    assert made["deductibleCostPercent"] == "100"
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Edit").click()
    form.locator("[name='limit.amount']").fill("")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    assert desk.api("GET", f"/hr/expense-categories/{made['id']}")["limit"] is None
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Archive").click()
    expect(row).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 360])
def test_rates_of_ones_own_are_added_and_deleted(at_desk, width):
    desk = at_desk("amara", width)
    page = desk.go("/settings/expense-rates")
    desk.act("New expense rate")
    form = page.get_by_role("dialog")
    form.get_by_label("Country").select_option(label="Austria")
    form.get_by_label("Full day").fill("36")
    form.get_by_label("Partial day").fill("18")
    form.get_by_role("button", name="Add").click()
    row = page.get_by_role("row").filter(has_text="Per diem, Austria")
    expect(row).to_contain_text("36.00")
    desk.act("New expense rate")
    form.get_by_label("Kind").select_option(label="Mileage")
    form.get_by_label("Country").select_option(label="Austria")
    form.get_by_label("Vehicle").select_option(label="Car")
    form.get_by_label("Amount").fill("0.385")
    form.get_by_role("button", name="Add").click()
    mileage = page.get_by_role("row").filter(has_text="Mileage: Car, Austria")
    expect(mileage).to_contain_text("0.385")
    assert not desk.is_wide()
    assert desk.refusals() == []
    for one in (row, mileage):
        one.get_by_role("button", name="Actions").click()
        page.get_by_role("menuitem", name="Delete").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
        expect(one).to_have_count(0)
    assert desk.api("GET", "/hr/expense-rates?country=AT") == []
