"""Recurring documents in the browser: an invoice or an entry is repeated, changed, paused, made and deleted."""

import datetime

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

TODAY = today()


def row(page, text):
    return page.locator("main [data-row]", has_text=text)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_an_invoice_is_repeated_and_what_is_due_is_made(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    customer = desk.api("POST", "/finance/contacts", {"name": f"Saturn {width}", "kind": "customer"})
    line = {"description": "Care in October", "quantity": "2", "unitPrice": "40", "accountId": "4000"}
    about = {"customerId": customer["id"], "lines": [line], "reference": f"Care {width}"}
    invoice = desk.api("POST", "/finance/invoices", about)
    page = desk.go(f"/invoices/{invoice['id']}")
    desk.act("Make recurring")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=name]").fill(f"Care {width}")
    dialog.locator("[name=from]").fill(TODAY.isoformat())
    dialog.locator("[name='lines[0].description']").fill("Care in {month}")
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_role("button", name="Make recurring").click()
    page.get_by_role("heading", name=f"Care {width}").wait_for()
    assert desk.refusals() == []
    assert not desk.is_wide()
    due = page.get_by_role("button", name="Create due documents")
    expect(due.or_(row(page, "carried out"))).to_be_visible()  # the server makes it by itself as an hour begins
    due.evaluate_all("([button]) => button?.click()")  # where it is still there at this moment
    expect(row(page, "carried out")).to_have_count(1)
    made = desk.api("GET", f"/finance/invoices?customerId={customer['id']}&sort=-number")[0]
    assert (made["issueDate"], made["total"], made["reference"]) == (
        TODAY.isoformat(),
        invoice["total"],
        invoice["reference"],
    )
    full = desk.api("GET", f"/finance/invoices/{made['id']}")
    assert full["lines"][0]["description"] == f"Care in {TODAY:%B}"
    if width > 360:
        row(page, made["number"]).get_by_role("link", name=made["number"]).click()
        page.get_by_role("heading", name=f"Invoice {made['number']}").wait_for()


def test_an_entry_is_repeated_changed_paused_and_goes_on(at_desk):
    desk = at_desk("amara")
    lines = [{"accountId": "6100", "debit": "900"}, {"accountId": "1010", "credit": "900"}]
    about = {"date": TODAY.isoformat(), "description": "Rent of the store", "lines": lines}
    entry = desk.api("POST", "/finance/journals", about)
    page = desk.go(f"/journals/{entry['id']}")
    desk.act("Make recurring")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=from]").fill((TODAY + datetime.timedelta(days=40)).isoformat())
    dialog.locator("[name=day]").fill("last")
    dialog.get_by_role("button", name="Make recurring").click()
    page.get_by_text("every month, on the last day").wait_for()
    desk.press("e")
    for at, side in ((0, "debit"), (1, "credit")):
        dialog.locator(f"[name='lines[{at}].{side}']").fill("950")
    dialog.locator("[name=every]").fill("2")
    dialog.get_by_role("button", name="Save").click()
    page.get_by_text("every 2 months, on the last day").wait_for()
    (held,) = desk.api("GET", "/finance/recurring?q=store")
    assert [line.get("debit") for line in held["journal"]["lines"]] == ["950", None]
    desk.act("Pause")
    expect(page.locator(".page-title .pill")).to_have_text("paused")
    desk.act("Resume")
    expect(page.locator(".page-title .pill")).to_have_text("active")
    desk.act("Delete")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    page.get_by_role("heading", name="Recurring documents").wait_for()
    assert desk.api("GET", "/finance/recurring?q=store") == []


def test_what_the_server_makes_meanwhile_is_shown_with_all_that_follows(at_desk):
    desk = at_desk("amara")
    lines = [{"accountId": "6100", "debit": "30"}, {"accountId": "1010", "credit": "30"}]
    about = {"name": "Flowers", "from": TODAY.isoformat(), "every": 1, "unit": "month"}
    repeated = desk.api("POST", "/finance/recurring", {**about, "journal": {"description": "Flowers", "lines": lines}})
    page = desk.go(f"/recurring/{repeated['id']}")
    desk.api("POST", f"/finance/recurring/{repeated['id']}/run", {})
    desk.come_back()
    expect(row(page, "carried out")).to_have_count(1)
    expect(row(page, "due").filter(has_not_text="carried out")).to_have_count(0)
    expect(page.get_by_role("button", name="Make what is due")).to_have_count(0)
