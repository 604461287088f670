"""Dimensions and their values, and lines that take them, in the browser."""

import re

import pytest

from tests.frontend.conftest import a_month_ago, expect
from tests.frontend.test_records import filled, of_row, row

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_dimension_is_added_with_its_values(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    page = desk.go("/settings/dimensions")
    name = f"Team {width}"
    desk.act("New dimension")
    dialog = filled(page, code=f"t{width}", name=name, requiredFor="8000-8999, 99")
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, name)).to_be_visible()
    assert not desk.is_wide()
    (made,) = [each for each in desk.api("GET", "/finance/dimensions") if each["name"] == name]
    assert made["requiredFor"] == [{"from": "8000", "to": "8999"}, {"from": "99", "to": "99"}]
    of_row(page, name, "Edit")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        filled(page, requiredFor="").get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"requiredFor": []}

    row(page, name).click()
    page.get_by_role("heading", name=name).wait_for()
    for code, text, below in (("100", "Workshop", ""), ("110", "Yard", "100")):
        desk.act("New value")
        filled(page, code=code, name=text, parentCode=below).get_by_role("button", name="Add").click()
        expect(row(page, text)).to_be_visible()
    assert desk.refusals() == []
    assert not desk.is_wide()
    of_row(page, "Yard", "Archive")
    expect(row(page, "Yard")).to_have_count(0)
    values = desk.api("GET", f"/finance/dimensions/{made['id']}/values")
    assert [(each["code"], each["name"]) for each in values] == [("100", "Workshop")]
    desk.api("POST", f"/finance/dimensions/{made['id']}/archive", {})


def test_profit_and_loss_has_a_column_for_each_value(at_desk):
    desk = at_desk("amara")
    made = desk.api("POST", "/finance/dimensions", {"code": "hall", "name": "Hall"})
    desk.api("POST", f"/finance/dimensions/{made['id']}/values", {"code": "north", "name": "North"})
    lines = [
        {"accountId": "6100", "debit": "33", "dimensions": {"hall": "north"}},
        {"accountId": "1010", "credit": "33"},
    ]
    desk.api("POST", "/finance/journals", {"date": f"{a_month_ago(10)}", "description": "Rent", "lines": lines})
    page = desk.go("/reports/profit-and-loss")
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("menuitem", name="Hall").click()
    page.wait_for_url(re.compile("columns=dimension%3Ahall"))
    for name in ("north North", "Without Hall", "Total"):
        expect(page.get_by_role("columnheader", name=name)).to_be_visible()
    desk.api("POST", f"/finance/dimensions/{made['id']}/archive", {})


def test_lines_take_a_value_where_there_are_dimensions(at_desk):
    desk = at_desk("amara")
    made = desk.api("POST", "/finance/dimensions", {"code": "room", "name": "Room"})
    desk.api("POST", f"/finance/dimensions/{made['id']}/values", {"code": "100", "name": "Workshop"})
    for path, cell in (("/journals/new", "Debit, line 1"), ("/invoices/new", "Description, line 1")):
        page = desk.go(path)
        page.get_by_label(cell).press("Alt+Enter")
        page.get_by_label("Room").fill("work")
        with page.expect_request(lambda request: '"dimensions":{"room"' in (request.post_data or "")) as sent:
            page.locator("[role=option]:visible", has_text="Workshop").click()
        assert [each["dimensions"] for each in sent.value.post_data_json["lines"]] == [{"room": "100"}]
        assert desk.refusals() == []
    desk.api("POST", f"/finance/dimensions/{made['id']}/archive", {})
    page = desk.go("/invoices/new")
    page.get_by_label("Description, line 1").press("Alt+Enter")
    expect(page.get_by_label("Project").first).to_be_visible()
    expect(page.get_by_label("Room")).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 360])
def test_accounts_contacts_products_and_bank_rules_have_default_values(at_desk, width):
    desk = at_desk("amara", width)
    made = desk.api("POST", "/finance/dimensions", {"code": f"d{width}", "name": "Hall"})
    desk.api("POST", f"/finance/dimensions/{made['id']}/values", {"code": "north", "name": "North"})
    for path, action, fields in (
        ("/accounts", "New account", {"code": f"66{width}", "name": f"Rent {width}"}),
        ("/products", "New product", {"name": f"Care {width}"}),
        ("/contacts", "New contact", {"name": f"Globex {width}"}),
        ("/bank/rules", "New bank rule", {"text": f"Rent {width}", "accountId": "6100"}),
    ):
        page = desk.go(path)
        desk.act(action)
        dialog = page.get_by_role("dialog")
        for name, text in {**fields, f"dimensions.d{width}": "north"}.items():
            dialog.locator(f"[name='{name}']").fill(text)
            if name == "accountId" or "." in name:
                page.locator("[role=option]:visible").first.click()
        assert not desk.is_wide()
        with page.expect_request(lambda request: request.method == "POST") as sent:
            dialog.get_by_role("button", name=re.compile("^(Add|Create contact)$")).click()
        assert sent.value.post_data_json["dimensions"] == {f"d{width}": "north"}
        expect(dialog).to_have_count(0)
        assert desk.refusals() == []
    desk.api("POST", f"/finance/dimensions/{made['id']}/archive", {})


def test_pay_of_departments_and_a_narrowed_ledger(at_desk):
    desk = at_desk("amara")
    made = desk.api("POST", "/finance/dimensions", {"code": "wing", "name": "Hall"})
    desk.go(f"/settings/dimensions/{made['id']}")
    desk.act("New value")
    page = desk.page
    filled(page, code="n", name="North", departments="Workshop, Yard").get_by_role("button", name="Add").click()
    expect(row(page, "North")).to_be_visible()
    (value,) = desk.api("GET", f"/finance/dimensions/{made['id']}/values")
    assert value["departments"] == ["Workshop", "Yard"]
    page = desk.go("/reports/general-ledger?dimension=wing%3An")
    expect(page.get_by_role("button", name="Dimension Hall: North")).to_be_visible()
    desk.api("POST", f"/finance/dimensions/{made['id']}/archive", {})
    expect(desk.go("/reports/general-ledger").get_by_role("button", name="Dimension Hall")).to_have_count(0)


def test_payments_and_write_offs_take_a_value_and_a_narrowed_report_stays_narrowed(at_desk):
    desk = at_desk("amara")
    made = desk.api("POST", "/finance/dimensions", {"code": "site", "name": "Site"})
    desk.api("POST", f"/finance/dimensions/{made['id']}/values", {"code": "a", "name": "Alpha"})
    page = desk.go("/payments/new")
    expect(page.get_by_label("Site")).to_be_visible()
    assert desk.refusals() == []
    body = {"customer": {"name": "Initech"}, "lines": [{"description": "Work", "quantity": "1", "unitPrice": "50"}]}
    one = desk.api("POST", "/finance/invoices", body)
    page = desk.go(f"/invoices/{one['id']}")
    desk.act("Write off")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=reason]").fill("Insolvent")
    dialog.get_by_label("Site").fill("alp")
    page.locator("[role=option]:visible", has_text="Alpha").click()
    with page.expect_request(lambda request: request.url.endswith("/write-off")) as sent:
        dialog.get_by_role("button", name="Write off").click()
    assert sent.value.post_data_json["dimensions"] == {"site": "a"}
    expect(dialog).to_have_count(0)
    page = desk.go("/reports/profit-and-loss?dimension=site%3Aa")
    link = page.locator("table.report th a").first
    expect(link).to_have_attribute("href", re.compile(r"/reports/general-ledger\?.*dimension=site%3Aa"))
    desk.api("POST", f"/finance/dimensions/{made['id']}/archive", {})
