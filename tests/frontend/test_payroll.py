"""Payroll in the browser: calculated, reviewed, approved, paid, corrected; everybody reads their own payslip."""

import re

import pytest

from tests.frontend.conftest import Desk, expect

pytestmark = pytest.mark.browser


def draft(desk):
    """A run for a week that no other has paid, far ahead."""
    paid = desk.api("GET", "/hr/payroll/runs?sort=-periodStart&limit=1")[0]
    year = int(paid["periodEnd"][:4]) + 1
    body = {"periodStart": f"{year}-05-01", "periodEnd": f"{year}-05-31"}
    return desk.api("POST", "/hr/payroll/run", body)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_run_and_a_payslip_are_quiet_fit_and_are_accessible(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    run = desk.api("GET", "/hr/payroll/runs?status=paid&limit=1")[0]
    page = desk.go(f"/payroll/{run['id']}")
    page.get_by_role("heading", name=run["number"]).wait_for()
    page.get_by_role("table", name="Payslips").get_by_role("row").nth(3).wait_for()
    assert not desk.is_wide()
    assert desk.refusals() == []
    page.locator("main a[href^='/payslips/']").first.click()
    page.get_by_role("heading", name="Payslip of").wait_for()
    expect(page.get_by_role("group", name="Earnings")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    page.keyboard.press("u")
    page.get_by_role("heading", name=run["number"]).wait_for()


def test_a_month_is_calculated_approved_and_paid_by_a_key_each(at_desk):
    desk = at_desk("ines")
    page = desk.go("/payroll")
    for run in desk.api("GET", "/hr/payroll/runs?status=draft"):
        desk.api("DELETE", f"/hr/payroll/runs/{run['id']}")
    page.reload()
    page.get_by_role("table", name="Payroll runs").wait_for()
    desk.press("n")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("First day")).to_be_focused()
    desk.press("Control+Enter")
    page.get_by_role("heading", name=re.compile("Payroll run PR-")).wait_for()
    state = page.locator(".page-title .pill")
    expect(state).to_have_text("draft")
    expect(page.get_by_text("No differences to the last pay.").or_(page.get_by_text("last pay and"))).to_be_visible()
    desk.press("Control+Enter")
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text("The payroll run is posted, and everyone can read")).to_be_visible()
    desk.press("Enter")
    expect(state).to_have_text("approved")
    desk.press("Control+Enter")
    expect(dialog.get_by_text("from payroll payable to the bank")).to_be_visible()
    assert desk.refusals() == []
    desk.press("Control+Enter")
    expect(state).to_have_text("paid")
    assert desk.keys == 6
    number = page.get_by_role("heading", level=1).inner_text().removeprefix("Payroll run ")
    (run,) = [one for one in desk.api("GET", "/hr/payroll/runs") if one["number"] == number]
    page.get_by_role("link", name=run["paymentEntryNumber"]).click()
    page.get_by_role("heading", name=run["paymentEntryNumber"]).wait_for()


@pytest.mark.parametrize("width", [1280, 360])
def test_what_has_changed_since_approval_is_shown_and_corrected_by_a_key(at_desk, width):
    desk = at_desk("ines", width)
    for draft_run in desk.api("GET", "/hr/payroll/runs?status=draft"):
        desk.api("DELETE", f"/hr/payroll/runs/{draft_run['id']}")
    run = desk.api("GET", "/hr/payroll/runs?status=paid&sort=-periodStart&limit=1")[0]
    slip = desk.api("GET", f"/hr/payroll/payslips?runId={run['id']}&limit=1")[0]
    pay = {"payType": "salary", "amount": "9999.00", "frequency": "monthly", "effectiveFrom": run["periodStart"]}
    desk.api("POST", f"/hr/employees/{slip['employeeId']}/compensations", pay)
    page = desk.go("/payroll/differences")
    changes = page.get_by_role("table", name="Changes since approval")
    expect(changes.get_by_text(slip["snapshot"]["name"]).first).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    desk.go(f"/payroll/{run['id']}?tab=changes")
    expect(changes.get_by_text(slip["snapshot"]["name"])).to_be_visible()
    expect(changes.get_by_text("Ines").first).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    desk.press("Shift+C")
    expect(page.locator(".page-title .pill")).to_have_text("draft")
    page.locator("main a[href^='/payslips/']").first.click()
    expect(page.get_by_text("paid before =").first).to_be_visible()
    desk.press("l")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Amount").fill("10")
    dialog.get_by_label("Reason").fill("Fair")
    assert desk.refusals() == []


def test_who_is_paid_by_a_run_learns_whom_to_ask_to_approve_it(at_desk):
    desk = at_desk("leila")
    run = draft(desk)
    page = desk.go(f"/payroll/{run['id']}")
    expect(page.get_by_text("You cannot approve a run that pays you").first).to_contain_text("Ask Ines Falkenberg")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied.").or_(page.get_by_text("Press Ctrl+C to copy it."))).to_be_visible()
    assert page.evaluate("String(getSelection())") == page.url
    desk.api("DELETE", f"/hr/payroll/runs/{run['id']}")


def test_the_bank_gets_a_file(at_desk):
    desk = at_desk("ines")
    run = desk.api("GET", "/hr/payroll/runs?status=paid&limit=1")[0]
    page = desk.go(f"/payroll/{run['id']}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Bank file").click()
    assert download.value.suggested_filename.endswith(".xml")
    with page.expect_download() as download:
        desk.act("Bank transfers as CSV")
    assert download.value.suggested_filename.endswith(".csv")


def test_an_amount_is_entered_by_hand_with_its_reason_and_the_draft_is_deleted(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    run = draft(desk)
    slip = next(one for one in run["payslips"] if one["snapshot"]["name"].startswith("Mei"))
    page = desk.go(f"/payslips/{slip['id']}")
    desk.press("e")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Amount", exact=True).fill("1234.50")
    dialog.get_by_role("button", name="Save").click()
    dialog.locator("[name=reason][aria-invalid=true]").wait_for()
    assert desk.refusals() == []
    dialog.get_by_label("Reason").fill("Paid in advance")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Paid in advance")).to_be_visible()
    changed = desk.api("GET", f"/hr/payroll/payslips/{slip['id']}")
    assert changed["lines"][0]["amount"] == "1234.50"
    page.keyboard.press("u")
    page.get_by_text("Manual amounts for 1 employee.").click()
    expect(page.get_by_role("note").get_by_role("link", name="Mei Takahashi")).to_be_visible()
    assert desk.refusals() == []
    desk.act("Delete draft")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("/payroll$"))
    assert run["number"] not in [one["number"] for one in desk.api("GET", "/hr/payroll/runs")]


def test_somebody_reads_their_own_payslip_and_nothing_else(at_desk):
    desk = at_desk("mei", 360)
    page = desk.go("/me")
    page.locator("main a[href^='/payslips/']").first.click()
    page.get_by_role("heading", name="Payslip of Mei Takahashi").wait_for()
    expect(page.get_by_text("Net pay").first).to_be_visible()
    expect(page.get_by_role("button", name="Enter a manual amount")).to_have_count(0)
    assert desk.refusals() == []
    with page.expect_download() as download:
        page.get_by_role("button", name="PDF").click()
    assert download.value.suggested_filename.startswith("payslip-")
    desk.go("/payroll")
    expect(page.get_by_role("table", name="Payroll runs")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_components_come_from_a_template(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    (gone,) = [one for one in desk.api("GET", "/hr/pay-components") if one["code"] == "generic-expenses"]
    desk.api("DELETE", f"/hr/pay-components/{gone['id']}")
    page = desk.go("/settings/pay-components")
    added = page.locator("main [data-row]", has_text=gone["name"])
    expect(added).to_have_count(0)
    desk.act("From a template")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Template", exact=True).select_option("Any company")
    expect(dialog.get_by_text("Overtime at time and a half")).to_be_visible()
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_role("button", name="Add them").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("1 pay component added.").first).to_be_visible()
    expect(added).to_have_count(1)


def test_figures_of_another_time_are_said_to_be_checked_where_the_run_warns_of_them(tab, newcomer):
    desk = Desk(tab, newcomer)
    me = {"email": "nora@example.com", "password": "coffee and cake today", "name": "Nora Stern"}
    tab.goto(newcomer)
    desk.api("POST", "/auth/register", {**me, "setupCode": tab.url.partition("#setup=")[2]})
    boston = desk.api("POST", "/workspace", {"name": "Boston", "country": "US"})
    desk.api("POST", "/auth/select-workspace", {"workspaceId": boston["id"]})
    desk.api("POST", "/hr/component-sets/us-2024-single/apply", {})
    pay = {"payType": "salary", "amount": "3000.00", "frequency": "monthly"}
    desk.api("POST", "/hr/employees", {"name": "Ann", "hireDate": "2026-01-01", "compensation": pay})
    run = desk.api("POST", "/hr/payroll/run", {"periodStart": "2026-05-01", "periodEnd": "2026-05-31"})
    page = desk.go(f"/payroll/{run['id']}")
    warning = page.get_by_role("note").filter(has_text="Figures of a pay template are used outside their period.")
    warning.get_by_text("Figures of a pay template").click()
    warning.get_by_role("button", name="I have checked them").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Yes, checked").click()
    expect(warning).to_have_count(0)


def test_what_was_entered_by_hand_before_a_reversal_is_taken_over_by_an_action(at_desk):
    desk = at_desk("ines")
    run = draft(desk)
    slip = next(one for one in run["payslips"] if one["snapshot"]["name"].startswith("Mei"))
    line = {"position": slip["lines"][0]["position"], "amount": "1234.50", "reason": "Paid in advance"}
    desk.api("PATCH", f"/hr/payroll/payslips/{slip['id']}", {"lines": [line]})
    desk.api("POST", f"/hr/payroll/runs/{run['id']}/approve", {})
    desk.api("POST", f"/hr/payroll/runs/{run['id']}/reverse", {"reason": "Once more"})
    again = desk.api("POST", "/hr/payroll/run", {"periodStart": run["periodStart"], "periodEnd": run["periodEnd"]})
    page = desk.go(f"/payroll/{again['id']}")
    desk.act("Keep manual amounts")
    expect(page.get_by_text("Manual amounts for 1 employee.")).to_be_visible()
    (mine,) = [
        one
        for one in desk.api("GET", f"/hr/payroll/runs/{again['id']}")["payslips"]
        if one["snapshot"]["name"].startswith("Mei")
    ]
    assert mine["lines"][0]["amount"] == "1234.50"
    desk.api("DELETE", f"/hr/payroll/runs/{again['id']}")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_the_leave_left_of_someone_who_leaves_is_paid_out_by_a_button(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    run = draft(desk)
    who = run["payslips"][0]["employeeId"]
    desk.api("POST", f"/hr/employees/{who}/terminate", {"date": run["periodEnd"], "access": "keep"})
    page = desk.go(f"/payroll/{run['id']}")
    proposal = page.get_by_role("note").filter(has_text="Pay out the leave left of")
    expect(proposal).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    proposal.get_by_role("button", name="Take").click()
    expect(proposal).to_have_count(0)
    (slip,) = [one for one in desk.api("GET", f"/hr/payroll/runs/{run['id']}")["payslips"] if one["employeeId"] == who]
    assert "leave_payout" in [line["code"] for line in slip["lines"]]
