"""The small records of an office in the browser: products, tax rates, leave types, holidays and pay components."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def row(page, text):
    return page.locator("main [data-row]", has_text=text)


def of_row(page, text, action):
    """Choose an action of a row's menu."""
    row(page, text).get_by_role("button", name=re.compile("Actions")).click()
    page.get_by_role("menuitem", name=action, exact=True).click()


def filled(page, **values):
    dialog = page.get_by_role("dialog")
    for name, value in values.items():
        dialog.locator(f"[name='{name}']").fill(value)
    return dialog


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_product_is_added_changed_archived_used_again_and_deleted(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = desk.go("/products")
    name = f"Advice {width}"
    desk.act("New product")
    dialog = filled(page, name=name, unitPrice="95", unit="hour")
    dialog.locator("[name=accountId]").fill("4000")
    page.locator("[role=option]").first.click()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, name)).to_contain_text("€95.00")
    assert not desk.is_wide()
    assert desk.refusals() == []
    (made,) = desk.api("GET", f"/finance/products?q={width}")
    assert (made["unit"], made["accountCode"], made["unitPrice"]) == ("hour", "4000", "95.00")

    of_row(page, name, "Edit")
    filled(page, unitPrice="105.5").get_by_role("button", name="Save").click()
    expect(row(page, name)).to_contain_text("€105.50")
    of_row(page, name, "Archive")
    expect(row(page, name)).to_have_count(0)
    page.get_by_role("link", name="Archived").click()
    of_row(page, name, "Unarchive")
    expect(row(page, name)).to_have_count(0)
    page.get_by_role("link", name="Active").click()
    of_row(page, name, "Delete")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(row(page, name)).to_have_count(0)
    assert desk.api("GET", f"/finance/products?q={width}") == []


def test_a_change_sends_only_what_was_changed_and_a_refusal_stays_at_its_field(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    rate = desk.api("POST", "/finance/tax-rates", {"name": "Reduced here", "rate": "5", "category": "S"})
    page = desk.go("/settings/tax-rates")
    of_row(page, "Reduced here", "Edit")
    dialog = filled(page, rate="101")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator("[name=rate]")).to_have_attribute("aria-invalid", "true")
    assert desk.refusals() == []
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        filled(page, rate="5.5").get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"rate": "5.5"}
    expect(row(page, "Reduced here")).to_contain_text("5.5%")
    desk.api("DELETE", f"/finance/tax-rates/{rate['id']}")


def test_a_reason_is_asked_only_where_there_is_no_tax(at_desk):
    desk = at_desk("amara")
    page = desk.go("/settings/tax-rates")
    desk.press("n")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Reason on the invoice")).to_have_count(0)
    dialog.get_by_label("Tax category").select_option("Exempt")
    expect(dialog.get_by_label("Reason on the invoice")).to_be_visible()
    filled(page, name="Education", rate="0", exemptionReason="Section 4 no. 21").get_by_role(
        "button", name="Add"
    ).click()
    expect(row(page, "Education")).to_be_visible()
    (made,) = desk.api("GET", "/finance/tax-rates?q=Education")
    assert (made["category"], made["exemptionReason"]) == ("E", "Section 4 no. 21")
    desk.api("DELETE", f"/finance/tax-rates/{made['id']}")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_a_leave_type_is_added_with_its_rules(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    page = desk.go("/leave")
    desk.act("Leave types")
    page.get_by_role("heading", name="Leave types").wait_for()
    desk.act("New leave type")
    dialog = filled(page, name=f"Study {width}", allowanceDays="5", minNoticeDays="14")
    dialog.get_by_label("Account may fall below zero").check()
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, f"Study {width}")).to_be_visible()
    made = next(one for one in desk.api("GET", "/hr/leave-types") if one["name"] == f"Study {width}")
    assert (made["allowanceDays"], made["minNoticeDays"], made["allowNegative"]) == ("5", 14, True)
    assert (made["accrual"], made["isPaid"]) == ("yearly", True)
    desk.api("DELETE", f"/hr/leave-types/{made['id']}")


def test_holidays_of_a_year_are_imported_and_one_is_added_and_moved(at_desk):
    desk = at_desk("leila")
    year = desk.page.evaluate("new Date().getFullYear()") + 2
    page = desk.go(f"/settings/holidays?year={year}")
    page.get_by_text("No public holidays for this year yet.").wait_for()
    desk.act("Import public holidays")
    filled(page, subdivision="HH").get_by_role("button", name="Import").click()
    expect(row(page, "Ascension Day").or_(row(page, "Christi Himmelfahrt")).first).to_be_visible()
    desk.act("New public holiday")
    filled(page, date=f"{year}-12-24", name="Christmas Eve").get_by_role("button", name="Add").click()
    expect(row(page, "Christmas Eve")).to_contain_text(f"24 Dec {year}")
    of_row(page, "Christmas Eve", "Edit")
    filled(page, date=f"{year}-12-31").get_by_role("button", name="Save").click()
    expect(row(page, "Christmas Eve")).to_contain_text(f"31 Dec {year}")
    assert desk.refusals() == []
    of_row(page, "Christmas Eve", "Delete")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(row(page, "Christmas Eve")).to_have_count(0)
    for one in desk.api("GET", f"/hr/holidays?year={year}&limit=100"):
        desk.api("DELETE", f"/hr/holidays/{one['id']}")


def test_a_pay_component_asks_for_what_its_calculation_needs(at_desk):
    desk = at_desk("leila")
    page = desk.go("/settings/pay-components")
    desk.act("New pay component")
    dialog = filled(page, name="Phone", code="phone", amount="20")
    expect(dialog.get_by_label("Percentage")).to_have_count(0)
    dialog.get_by_label("Calculation").select_option("A percentage of base pay")
    expect(dialog.locator("[name=amount]")).to_have_count(0)
    assert desk.refusals() == []
    filled(page, percent="2.5").get_by_role("button", name="Add").click()
    expect(row(page, "Phone")).to_contain_text("2.5%")
    made = next(one for one in desk.api("GET", "/hr/pay-components?limit=200") if one["code"] == "phone")
    assert (made["calculation"], made["percent"], made["amount"]) == ("percent_of_base", "2.5", None)
    desk.api("DELETE", f"/hr/pay-components/{made['id']}")


@pytest.mark.parametrize("width", [1280, 360])
def test_the_brackets_of_a_table_are_entered_by_keyboard(at_desk, width):
    desk = at_desk("leila", width)
    page = desk.go("/settings/pay-components")
    desk.act("New pay component")
    dialog = filled(page, name=f"Levy {width}", code=f"levy{width}")
    dialog.get_by_label("Type").select_option("Deduction")
    dialog.get_by_label("Calculation", exact=True).select_option("A table")
    dialog.locator("[name='brackets[0].upTo']").focus()
    before = desk.keys
    for up_to, rate, fixed in (("1000", "0", ""), ("3000", "10", ""), ("", "20", "250")):
        desk.type(up_to)
        desk.press("Tab")
        desk.type(rate)
        if fixed:
            desk.press("Tab")
            desk.type(fixed)
        if up_to:
            desk.press("Enter")
    assert desk.keys - before == 6  # two a bracket: a Tab between its figures, and Enter for the next one
    expect(dialog.locator(".cell.is-shown").last).to_contain_text("3,000.00")
    filled(page, amountCap="500")
    dialog.get_by_label("Assigned to everyone").check()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, f"Levy {width}")).to_contain_text("3 brackets")
    (made,) = [one for one in desk.api("GET", "/hr/pay-components?limit=200") if one["code"] == f"levy{width}"]
    assert [(one["upTo"], one["rate"], one["fixed"]) for one in made["brackets"]] == [
        ("1000.00", "0", None),
        ("3000.00", "10", None),
        (None, "20", "250.00"),
    ]
    desk.api("DELETE", f"/hr/pay-components/{made['id']}")


LEVY = {
    "name": "Levy",
    "code": "levy",
    "kind": "deduction",
    "calculation": "brackets",
    "brackets": [
        {"upTo": "1000.00", "rate": "0"},
        {"upTo": "3000.00", "rate": "10"},
        {"upTo": None, "rate": "20", "fixed": "250.00"},
    ],
    "appliesToAll": True,
}


@pytest.mark.parametrize("width", [1280, 360])
def test_pay_components_are_tried_on_a_salary(at_desk, width):
    desk = at_desk("leila", width)
    made = desk.api("POST", "/hr/pay-components", LEVY)
    page = desk.go("/settings/pay-components")
    desk.act("Try")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Salary a month").fill("3,300")
    page.keyboard.press("Tab")
    dialog.get_by_role("button", name="Try with 3,300.00").click()
    # 3,300.00 less 673.20 of social insurance (20.4 %) is 2,626.80, and 10 % of what is over 1,000.00 is:
    expect(dialog.locator("dl")).to_contain_text("162.68")
    expect(dialog.locator("dl")).to_contain_text("Salary3,300.00")
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    page.keyboard.press("Escape")
    desk.api("DELETE", f"/hr/pay-components/{made['id']}")


def test_the_factor_of_overtime_is_changed_in_per_cent_on_top(at_desk):
    desk = at_desk("leila")
    page = desk.go("/settings/pay-components")
    of_row(page, "Overtime", "Edit")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name='overtime.multiplier']").fill("25")
    dialog.get_by_role("button", name="Save").click()
    expect(row(page, "Overtime")).to_contain_text("× 1.25")
    desk.api("PATCH", "/auth/preferences", {"locale": "de"})
    desk.go("/settings/pay-components")
    expect(row(page, "Overtime")).to_contain_text("× 1,25")
    desk.api("PATCH", "/auth/preferences", {"locale": "en"})
    (overtime,) = [one for one in desk.api("GET", "/hr/pay-components?limit=200") if one["calculation"] == "overtime"]
    desk.api(
        "PATCH", f"/hr/pay-components/{overtime['id']}", {"overtime": {**overtime["overtime"], "multiplier": "1.5"}}
    )


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_contribution_has_a_cap_and_accounts_of_its_own(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    page = desk.go("/settings/pay-components")
    desk.act("New pay component")
    dialog = filled(page, name=f"Pension {width}", code=f"pension{width}")
    dialog.get_by_label("Type").select_option("Employer contribution")
    dialog.get_by_label("Calculation", exact=True).select_option("A percentage of gross pay")
    filled(page, percent="9.3", baseCap="101400", amountCap="9000")
    dialog.get_by_label("Calculated for").select_option("the year")
    for label, code in (("Expense account", "6010"), ("Liability account", "2330")):
        dialog.get_by_label(label).fill(code)
        page.locator("[role=option]:visible", has_text=code).click()
    assert not desk.is_wide()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, f"Pension {width}")).to_contain_text("9.3%")
    (made,) = [one for one in desk.api("GET", "/hr/pay-components?limit=200") if one["code"] == f"pension{width}"]
    assert (made["baseCap"], made["bracketPeriod"], made["amountCap"]) == ("101400.00", "year", "9000.00")
    codes = {one["id"]: one["code"] for one in desk.api("GET", "/finance/accounts")}
    assert (codes[made["expenseAccountId"]], codes[made["liabilityAccountId"]]) == ("6010", "2330")
    of_row(page, f"Pension {width}", "Edit")
    dialog = filled(page, name=f"Allowance {width}")
    dialog.get_by_label("Type").select_option("Earning")
    dialog.get_by_label("Calculation", exact=True).select_option("A fixed amount")
    filled(page, amount="80", amountCap="").get_by_role("button", name="Save").click()
    expect(row(page, f"Allowance {width}")).to_contain_text("€80.00")
    made = desk.api("GET", f"/hr/pay-components/{made['id']}")
    assert (made["baseCap"], made["bracketPeriod"], made["amountCap"]) == (None, "period", None)
    desk.api("DELETE", f"/hr/pay-components/{made['id']}")


def test_who_may_only_read_changes_nothing(at_desk):
    desk = at_desk("hanna")
    page = desk.go("/settings/tax-rates")
    row(page, "Tax 19 %").wait_for()
    expect(page.get_by_role("button", name="New tax rate")).to_have_count(0)
    expect(row(page, "Tax 19 %").get_by_role("button")).to_have_count(0)


def test_what_was_typed_of_a_product_is_kept_until_it_is_sent_and_what_no_one_touched_follows_it(at_desk):
    desk = at_desk("amara")
    made = desk.api("POST", "/finance/products", {"name": "Half typed", "unitPrice": "10.00", "unit": "hour"})
    page = desk.go("/products?q=Half")
    of_row(page, "Half typed", "Edit")
    dialog = filled(page, name="Whole")
    page.reload()  # keeps what was typed since the last pause
    desk.api("PATCH", f"/finance/products/{made['id']}", {"unitPrice": "12.00"})
    page.reload()
    of_row(page, "Half typed", "Edit")
    dialog.get_by_text("Not saved, on this device since").wait_for()
    expect(dialog.get_by_label("Name")).to_have_value("Whole")
    expect(dialog.locator("[name=unitPrice]")).to_have_value("12.00")
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    now = desk.api("GET", f"/finance/products/{made['id']}")
    assert (now["name"], now["unitPrice"], now["unit"]) == ("Whole", "12.00", "hour")
    desk.go("/products?q=Whole")
    of_row(page, "Whole", "Edit")
    expect(dialog.get_by_text("Not saved")).to_have_count(0)


def test_nothing_is_kept_of_a_pay_component(at_desk):
    desk = at_desk("leila")
    page = desk.go("/settings/pay-components")
    desk.act("New pay component")
    filled(page, name="Secret bonus")
    page.reload()
    page.get_by_role("heading", name="Pay components").wait_for()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('draft/'))") == []


def test_a_project_that_is_half_typed_is_there_again(at_desk):
    desk = at_desk("jonas")
    page = desk.go("/projects")
    desk.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("A half house")
    page.reload()
    page.get_by_role("heading", name="Projects").wait_for()
    desk.press("n")
    dialog.get_by_text("Not saved, on this device since").wait_for()
    dialog.get_by_role("button", name="Create project").click()
    page.get_by_role("heading", name="A half house").wait_for()
    desk.go("/projects")
    desk.press("n")
    expect(dialog.get_by_label("Name")).to_have_value("")
