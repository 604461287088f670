"""What time costs in the browser: rates of a person, the margin of a project, and time that is not billed yet."""

import os
from pathlib import Path

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

BOTH = pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
YEAR = "dateFrom=2026-01-01&dateTo=2026-11-27"


def seen(desk, name):
    """See that the page fits and is sound; keep a picture of it if a folder for them is named."""
    if shots := os.environ.get("COSTS_SHOTS"):
        width = desk.page.viewport_size["width"]
        desk.page.screenshot(path=str(Path(shots) / f"{name}{width}.png"), full_page=True)
    assert not desk.is_wide()
    assert desk.refusals() == []


def found(desk, path, name):
    """The record with a name in a list."""
    return next(one for one in desk.api("GET", path) if one["name"].startswith(name))


@BOTH
def test_a_cost_rate_is_added_and_deleted(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    page = desk.go(f"/people/{found(desk, '/hr/employees', 'Mei')['id']}")
    rates = page.get_by_role("table", name="Cost rates")
    expect(rates).to_contain_text("30.37")  # 52,200 × 1.21 ÷ 2,080
    page.get_by_role("button", name="Add cost rate").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Valid from").fill("2026-11-02")
    dialog.get_by_label("Origin").select_option(label="given")
    dialog.get_by_label("Cost of an hour").fill("41.50")
    seen(desk, "rate")
    dialog.get_by_role("button", name="Add").click()
    expect(rates).to_contain_text("41.50")
    seen(desk, "rates")
    rates.get_by_role("row").filter(has_text="41.50").get_by_role("button").last.click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(rates).not_to_contain_text("41.50")


@BOTH
def test_the_margin_leads_from_the_report_to_the_project(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    page = desk.go(f"/reports/project-margin?{YEAR}")
    row = page.get_by_role("row").filter(has_text="Hansen stores")
    expect(row).to_contain_text("%")
    seen(desk, "report")
    row.get_by_role("rowheader").get_by_role("link").click()
    expect(page.get_by_role("main")).to_contain_text("Margin")
    expect(page.get_by_role("main")).to_contain_text("of the income")
    seen(desk, "project")


def test_rows_can_be_customers_or_people(at_desk):
    desk = at_desk("amara")
    page = desk.go(f"/reports/project-margin?{YEAR}&groupBy=user")
    expect(page.get_by_role("row").filter(has_text="Mei Takahashi")).to_be_visible()
    page = desk.go(f"/reports/project-margin?{YEAR}&groupBy=customer")
    page.get_by_role("row").nth(1).get_by_role("cell").nth(2).get_by_role("link").click()
    page.wait_for_url("**customerId=**")


def test_a_manager_sees_no_margin_without_the_setting(at_desk):
    owner, jonas = at_desk("ines"), at_desk("jonas")
    project = found(jonas, "/projects", "Hansen")
    page = jonas.go(f"/projects/{project['id']}")
    expect(page.get_by_role("main")).to_contain_text("Logged")
    jonas.settle()
    expect(page.get_by_role("main")).not_to_contain_text("Margin")
    workspace = owner.api("GET", "/auth/session")["workspace"]["id"]
    owner.api("PATCH", f"/workspace/{workspace}", {"managersSeeMargin": True})
    page = jonas.go(f"/projects/{project['id']}")
    expect(page.get_by_role("main")).to_contain_text("A month has fewer than three people")


@BOTH
def test_billing_says_what_is_left_out(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    workspace = desk.api("GET", "/auth/session")["workspace"]["id"]
    desk.api("PATCH", f"/workspace/{workspace}", {"billApprovedTimeOnly": True})
    page = desk.go(f"/projects/{found(desk, '/projects', 'Hansen')['id']}")
    desk.act("Invoice time")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("is left out: its week is not approved.")
    seen(desk, "billing")
    desk.api("PATCH", f"/workspace/{workspace}", {"billApprovedTimeOnly": False})


def test_approving_time_is_offered_only_where_weeks_are_submitted(at_desk):
    desk = at_desk("ines")
    workspace = desk.api("GET", "/auth/session")["workspace"]["id"]
    for approval, shown in (("week", 1), ("off", 0)):
        desk.api("PATCH", f"/workspace/{workspace}", {"timeApproval": approval})
        page = desk.go("/me")
        desk.settle()
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").fill("Approve time")
        expect(page.get_by_role("option", name="Approve time", exact=True)).to_have_count(shown)
        page.keyboard.press("Escape")
