"""Budgets of the books in the browser: planned, changed, copied, imported, and compared with what has been."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def new_budget(desk, name, year):
    page = desk.go("/budgets")
    page.get_by_role("button", name="New budget").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Fiscal year").fill(str(year))
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page


def plan(page, line, account, amount):
    page.get_by_label(f"Account, line {line}").fill(account)
    page.locator("[role=option]:visible").first.click()
    page.get_by_label(f"Amount of the year, line {line}").fill(amount)


def save(page, name):
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toast")).to_contain_text(f"{name} saved.")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_year_is_planned_by_the_year_and_by_months_and_compared(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    name = f"Plan {width}"
    page = new_budget(desk, name, 2031)
    plan(page, 1, "6100", "10000")
    page.get_by_role("button", name="Months").click()
    expect(page.get_by_label("Month 12")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    save(page, name)
    expect(page.locator(".is-shown").first).to_contain_text("10,000.00")
    budget = next(one for one in desk.api("GET", "/finance/budgets") if one["name"] == name)
    (line,) = desk.api("GET", f"/finance/budgets/{budget['id']}")["lines"]
    assert (line["accountCode"], line["months"][0], line["months"][11]) == ("6100", "833.34", "833.33")
    desk.go(f"/budgets/{budget['id']}")
    page.get_by_label("Amount of the year, line 1").fill("")
    page.get_by_label("Account, line 1").press("Alt+Enter")
    page.get_by_label("Month 1", exact=True).fill("50")
    save(page, name)
    (line,) = desk.api("GET", f"/finance/budgets/{budget['id']}")["lines"]
    assert line["months"] == ["50.00", *["0.00"] * 11]
    desk.go(f"/reports/profit-and-loss?budgetId={budget['id']}&dateFrom=2031-01-01&dateTo=2031-12-31")
    rent = page.locator("tr", has_text="6100")
    expect(rent).to_contain_text("50.00")
    expect(page.locator("thead")).to_contain_text("Rest of the year")
    expect(page.locator(".chip.is-set", has_text="Budget")).to_contain_text(name)


def test_a_line_with_both_is_refused_at_its_amount(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    page = new_budget(desk, "Both", 2032)
    plan(page, 1, "6100", "12")
    page.get_by_label("Amount of the year, line 1").press("Alt+Enter")
    page.get_by_label("Month 1", exact=True).fill("5")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Enter the amount of the year, or the amounts of the months.").first).to_be_visible()


def test_a_budget_is_copied_to_the_next_year_with_an_increase(at_desk):
    desk = at_desk("ines")
    body = {"year": 2033, "name": "Growth", "lines": [{"accountId": "6100", "year": "10000.00"}]}
    desk.api("POST", "/finance/budgets", body)
    page = desk.go("/budgets")
    row = page.locator("tr", has_text="Growth").first
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Copy").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Fiscal year")).to_have_value("2034")
    dialog.get_by_label("Change in %").fill("2.5")
    dialog.get_by_role("button", name="Add").click()
    expect(page.locator(".is-shown").first).to_contain_text("10,249.96")


def test_a_table_becomes_a_budget(at_desk):
    desk = at_desk("ines")
    page = desk.go("/budgets")
    page.get_by_role("button", name="Import").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Fiscal year").fill("2035")
    dialog.get_by_label("Name").fill("From a table")
    dialog.get_by_label("File").set_input_files(
        {"name": "plan.csv", "mimeType": "text/csv", "buffer": b"account,year\n6100,1200\n"}
    )
    dialog.get_by_role("button", name="Import").click()
    expect(page.locator(".toast")).to_contain_text("1 row imported.")
    expect(page.locator("tr", has_text="From a table")).to_contain_text("2035")
