"""Paying bills together in the browser: what is due, all of it or what one chooses, the bank's file, taken back."""

import datetime
import re

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

IBANS = ("DE89370400440532013000", "DE75512108001245126199")


def bill(desk, name, amount, iban):
    """A bill of a new supplier that is due in three days, without an IBAN overdue since then: this amount and 19 %."""
    due = (today() + datetime.timedelta(days=3 if iban else -3)).isoformat()
    issued = (today() - datetime.timedelta(days=9)).isoformat()
    body = {"name": name, "kind": "supplier"}
    if iban:
        body["bankAccount"] = {"holder": name, "iban": iban}
    supplier = desk.api("POST", "/finance/contacts", body)
    lines = [{"description": "Paint", "quantity": "1", "unitPrice": amount, "accountId": "6100"}]
    about = {
        "kind": "purchase_invoice",
        "supplierId": supplier["id"],
        "supplierNumber": f"N-{name}",
        "dueDate": due,
        "issueDate": issued,
    }
    return desk.api("POST", "/finance/invoices", {**about, "lines": lines})


def row(page, text):
    return page.locator("main [data-row]", has_text=text)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_chosen_bills_are_paid_by_one_run_that_can_be_taken_back(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    first, second, left = (
        bill(desk, f"{name} {width}", amount, iban)
        for name, amount, iban in (("Abel", "100", IBANS[0]), ("Bauer", "50", IBANS[1]), ("Curie", "70", None))
    )
    page = desk.go("/bills")
    desk.act("Pay bills")
    row(page, f"Curie {width}").wait_for()
    expect(page.get_by_text("These payees have no IBAN yet:")).to_be_visible()
    expect(row(page, f"Curie {width}")).to_contain_text("no IBAN")
    assert not desk.is_wide()
    assert desk.refusals() == []
    for name in ("Abel", "Bauer"):
        row(page, f"{name} {width}").get_by_role("checkbox").check()
    page.get_by_role("button", name="Pay selected bills").click()
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text("Pay 2 bills?")).to_be_visible()
    assert desk.refusals() == []
    asked.get_by_role("button", name="Pay").click()
    page.get_by_role("heading", name=re.compile("Payment run RUN-")).wait_for()
    expect(page.get_by_text("€178.50").first).to_be_visible()
    expect(row(page, f"Abel {width}")).to_contain_text(IBANS[0])
    assert desk.refusals() == []
    assert not desk.is_wide()
    states = [desk.api("GET", f"/finance/invoices/{one['id']}")["status"] for one in (first, second, left)]
    assert states == ["paid", "paid", "issued"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Bank file").click()
    assert download.value.suggested_filename.endswith(".xml")
    desk.act("Void payment run")
    page.get_by_role("dialog").get_by_role("button", name="Void payment run").click()
    expect(page.locator(".page-title .pill")).to_have_text("void")
    assert desk.api("GET", f"/finance/invoices/{first['id']}")["status"] == "issued"
    for one in (first, second, left):
        desk.api("POST", f"/finance/invoices/{one['id']}/void", {})


def test_all_that_is_due_is_paid_by_a_key_and_an_answer(at_desk):
    desk = at_desk("amara")
    made = bill(desk, "Dürer", "119", IBANS[0])
    page = desk.go("/payment-runs/new")
    row(page, "Dürer").wait_for()
    desk.press("Control+Enter")
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text("Dürer")).to_be_visible()
    desk.press("Enter")
    page.get_by_role("heading", name=re.compile("Payment run RUN-")).wait_for()
    assert desk.api("GET", f"/finance/invoices/{made['id']}")["status"] == "paid"
    desk.go("/payment-runs")
    expect(row(page, "Dürer").first).to_be_visible()
