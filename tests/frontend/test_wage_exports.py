"""Wage data for an external payroll provider in the browser."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_month_goes_to_the_payroll_provider(at_desk, width, scheme):
    desk = at_desk("ines", width, scheme)
    page = desk.go("/settings/wage-types")
    desk.act("New wage type")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Figure").select_option(label="Base pay")
    dialog.get_by_label("Unit").select_option(label="Amount")
    dialog.get_by_role("textbox", name="Wage type").fill(str(width))
    dialog.get_by_role("button", name="Add").click()
    expect(page.get_by_role("row").filter(has_text=str(width))).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    page = desk.go("/payroll/wages")
    desk.act("Export wage data")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Format").select_option(label="CSV")
    expect(dialog.get_by_role("table", name="Rows")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    with page.expect_download() as downloaded:
        dialog.get_by_role("button", name="Create and download").click()
    assert downloaded.value.suggested_filename.endswith(".csv")
    expect(page.get_by_role("table", name="Wage data").get_by_role("row").nth(1)).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
