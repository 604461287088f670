"""Deposits in the browser: asked for, paid, and deducted by a final invoice."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def line(page, description, price):
    page.locator("[name='lines[0].description']").fill(description)
    page.locator("[name='lines[0].unitPrice']").fill(price)
    page.locator("[name='lines[0].unitPrice']").press("Tab")


def issued(page, kind):
    page.get_by_role("alertdialog").get_by_role("button", name="Issue").click()
    page.get_by_role("heading", name=re.compile(f"^{kind} INV-")).wait_for()
    return page.url.rpartition("/")[2]


def kinds_are_changed(desk, totals):
    """Save a new document, then as each of some kinds, with the total that it then has."""
    page = desk.page
    desk.press("Control+s")
    page.wait_for_url(lambda url: url.endswith("/edit"))
    for kind, total in totals.items():
        page.get_by_label("Kind").select_option(label=kind)
        expect(page.locator(".totals").get_by_text(total).last).to_be_visible()
        with page.expect_response(lambda answer: answer.request.method == "PATCH") as saving:
            desk.press("Control+s")
        assert saving.value.ok
        expect(page.get_by_text("not saved, on this device since")).to_have_count(0)


def a_deposit_is_issued(desk, customer):
    """A third in advance, 1,190.00 with tax; its id."""
    page = desk.go("/invoices")
    desk.act("New deposit invoice")
    page.get_by_role("heading", name="New deposit invoice").wait_for()
    page.get_by_label("Customer", exact=True).fill(customer["name"])
    page.locator("[role=option]:visible", has_text=customer["name"]).click()
    line(page, "A third in advance", "1000")
    page.locator(".totals").get_by_text("1,190.00").wait_for()
    desk.act("Issue")
    return issued(page, "Deposit invoice")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_deposit_is_asked_for_paid_and_deducted(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    customer = desk.api("POST", "/finance/contacts", {"name": f"Callisto {width}", "kind": "customer"})
    deposit = a_deposit_is_issued(desk, customer)
    desk.api("POST", "/finance/payments", {"invoiceId": deposit, "amount": "595.00"})

    page = desk.go(f"/invoices/{deposit}")
    desk.act("Final invoice")
    page.get_by_role("heading", name="New final invoice").wait_for()
    chosen = page.get_by_role("group", name="Deposits applied").get_by_role("checkbox")
    expect(chosen).to_be_checked()
    expect(page.get_by_text("Paid: 595.00.")).to_be_visible()
    line(page, "All of it", "3000")
    totals = page.locator(".totals")
    totals.get_by_text("3,570.00").wait_for()
    expect(totals.get_by_text("−595.00")).to_be_visible()
    expect(totals.get_by_text("2,975.00")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    chosen.uncheck()
    expect(totals.get_by_text("−595.00")).to_have_count(0)
    chosen.check()
    expect(totals.get_by_text("2,975.00")).to_be_visible()
    kinds_are_changed(desk, {"Invoice": "3,570.00", "Final invoice": "2,975.00"})
    desk.act("Issue")
    final = issued(page, "Final invoice")
    shown = desk.api("GET", f"/finance/invoices/{final}")
    assert (shown["total"], shown["depositTotal"], shown["amountDue"]) == ("3570.00", "595.00", "2975.00")
    assert [one["invoiceId"] for one in shown["deposits"]] == [deposit]
    expect(page.locator(".totals").get_by_text("−595.00")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []

    desk.go(f"/invoices/new?kind=final_invoice&customerId={customer['id']}")
    page.get_by_role("group", name="Deposits applied").wait_for()
    desk.settle()
    expect(chosen).to_have_count(0)  # it is deducted already


def test_the_deposits_of_a_project_are_proposed(at_desk):
    desk = at_desk("ines")
    customer = desk.api("POST", "/finance/contacts", {"name": "Metis", "kind": "customer"})["id"]
    project = desk.api("POST", "/projects", {"name": "Hall for Metis", "customerId": customer})["id"]
    lines = [{"description": "In advance", "quantity": "1", "unitPrice": "100.00"}]
    body = {"kind": "deposit_invoice", "customerId": customer, "lines": lines}
    mine, other = (desk.api("POST", "/finance/invoices", body | more) for more in ({"projectId": project}, {}))
    page = desk.go(f"/invoices/new?kind=final_invoice&customerId={customer}")
    chosen = page.get_by_role("group", name="Deposits applied").get_by_role("checkbox")
    expect(chosen).to_have_count(2)
    page.locator("summary", has_text="Discount, notes, project").click()
    page.locator("[name=projectId]").fill("Hall")
    page.get_by_role("option", name="Hall for Metis").click()
    expect(chosen).to_have_count(1)
    expect(chosen).to_be_checked()
    expect(page.get_by_text(mine["number"])).to_be_visible()
    expect(page.get_by_text(other["number"])).to_have_count(0)


def test_a_final_invoice_without_a_deposit_says_so_at_its_deposits(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    customer = desk.api("POST", "/finance/contacts", {"name": "Leda", "kind": "customer"})
    page = desk.go(f"/invoices/new?kind=final_invoice&customerId={customer['id']}")
    page.get_by_text("The customer has no deposit invoices.").wait_for()
    line(page, "All of it", "3000")
    desk.press("Control+s")
    expect(page.get_by_text("Choose the deposits that the final invoice applies.").first).to_be_visible()
