"""The first ten minutes of an office that has read nothing: on an empty server, and on an employee's phone."""

import re

import pytest

from tests.frontend.conftest import Desk, expect, said
from tests.frontend.test_jobs import ask_for_leave
from tests.frontend.test_office import register, set_up
from tests.frontend.test_screens import INSIDE

pytestmark = pytest.mark.browser


@pytest.fixture
def office(chromium, newcomer, tab):
    """The desk of the one who has just set an empty server up, and a phone of someone whom no one knows yet."""
    set_up(tab, newcomer)
    phone = chromium.new_context(
        viewport={"width": 360, "height": 740}, color_scheme="dark", locale="en-GB", has_touch=True
    )
    complaints = []
    desks = [Desk(page, newcomer) for page in (tab, phone.new_page())]
    for desk in desks:
        desk.page.set_default_timeout(20_000)
        desk.page.on("pageerror", lambda error: complaints.append(str(error)))
        desk.page.on("console", lambda message, desk=desk: complaints.extend(said(desk, message.text)))
    yield desks
    phone.close()
    assert complaints == []


def bill_hansen(desk):
    """Issue the first invoice, to a customer who is new as well."""
    page = desk.go("/invoices")
    page.get_by_text("No invoices yet.").wait_for()
    page.get_by_role("button", name="New invoice").first.click()
    page.locator("[name=customerId]:focus").wait_for()
    desk.type("Hansen")
    page.get_by_role("option", name="Create “Hansen”").click()
    page.locator("[name='lines[0].description']").fill("Consulting")
    page.locator("[name='lines[0].unitPrice']").fill("100")
    page.keyboard.press("Tab")
    page.get_by_text("100.00").first.wait_for()
    desk.act("Issue")
    page.get_by_role("alertdialog").get_by_role("button", name="Issue").click()
    page.get_by_role("heading", name="Invoice INV-").wait_for()


def hire_anna(desk):
    """Hire the first employee; the link of their invite."""
    page = desk.go("/people")
    page.get_by_text("No employees yet.").wait_for()
    page.get_by_role("button", name="Hire").first.click()
    page.get_by_label("Name", exact=True).fill("Anna")
    page.get_by_label("E-mail").fill("anna@example.com")
    page.locator("[name=hireDate]").fill("2026-01-05")
    page.get_by_label("Role").select_option(label="Member")
    page.get_by_role("button", name="Hire", exact=True).click()
    return page.get_by_role("dialog", name="Share invite").locator("code").inner_text()


def join(phone, link):
    """Open an invite, and register."""
    phone.page.goto(link)
    phone.page.get_by_role("heading", name="Join Olga & Co").wait_for()
    register(phone.page, "Anna")
    phone.page.get_by_role("button", name="Continue").click()


def test_the_first_invoice_is_issued_and_paid(office):
    desk, _ = office
    bill_hansen(desk)
    desk.act("Record payment")
    desk.page.get_by_role("dialog").get_by_role("button", name="Record payment").click()
    expect(desk.page.locator(".page-title .pill")).to_have_text("paid")
    (invoice,) = desk.api("GET", "/finance/invoices")
    assert (invoice["status"], invoice["customerName"], invoice["subtotal"]) == ("paid", "Hansen", "100.00")


def test_the_first_colleague_clocks_in_on_a_phone_and_gets_leave(office):
    desk, phone = office
    desk.offer_undo_longer()
    join(phone, hire_anna(desk))
    phone.go("/me").get_by_role("button", name="Clock in").tap()
    phone.page.get_by_role("button", name="Clock out").wait_for()
    assert not phone.is_wide()
    ask_for_leave(phone.page)
    row = desk.go("/").get_by_role("listitem").filter(has_text="Anna requests leave")
    row.get_by_role("button", name="Approve").click()
    row.wait_for(state="detached")
    with desk.page.expect_response("**/approve"):
        desk.page.evaluate("dispatchEvent(new Event('pagehide'))")
    desk.go("/leave?status=approved").get_by_role("row").filter(has_text="Anna").first.wait_for()
    phone.go("/me").get_by_role("listitem").filter(has_text="approved").filter(has_text="Mar 2027").wait_for()
    (leave,) = desk.api("GET", "/hr/leaves")
    assert (leave["status"], leave["employeeName"], leave["days"]) == ("approved", "Anna", "3")


def test_each_screen_of_an_empty_office_is_quiet_and_fits(office):
    desk, _ = office
    for width in (1280, 360):
        desk.page.set_viewport_size({"width": width, "height": 740})
        for path in INSIDE:
            page = desk.go(path)
            desk.settle()
            assert not desk.is_wide(), (path, width)
            expect(page.locator("main [role=alert]"), path).to_have_count(0)


def first_steps(page):
    return page.get_by_role("list", name="First steps").get_by_role("listitem")


def test_home_draws_a_chart_once_there_is_something_to_draw(office):
    desk, _ = office
    page = desk.go("/")
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    expect(page.locator("main figure")).to_have_count(0)
    expect(page.get_by_text("was 0.00")).to_have_count(0)
    bill_hansen(desk)
    desk.go("/")
    expect(page.get_by_role("figure", name="Income and expenses by month")).to_be_visible()


def test_a_bill_is_awaiting_approval_until_it_is_approved_or_paid(office):
    desk, _ = office
    (workspace,) = desk.api("GET", "/workspace")
    desk.api("PATCH", f"/workspace/{workspace['id']}", {"billApproval": True})
    supplier = desk.api("POST", "/finance/contacts", {"kind": "supplier", "name": "Papier"})
    account = next(one["id"] for one in desk.api("GET", "/finance/accounts") if one["type"] == "expense")
    line = {"description": "Paper", "quantity": "1", "unitPrice": "10.00", "accountId": account}
    bill = {"kind": "purchase_invoice", "supplierId": supplier["id"], "supplierNumber": "R-1", "lines": [line]}
    made = desk.api("POST", "/finance/invoices", bill)
    page = desk.go("/bills")
    expect(page.get_by_text("awaiting approval")).to_be_visible()
    desk.api("POST", "/finance/payments", {"direction": "made", "invoiceId": made["id"], "amount": made["total"]})
    for path in ("/bills", f"/bills/{made['id']}"):
        page = desk.go(path)
        expect(page.locator("main .pill", has_text="paid").first).to_be_visible()
        expect(page.get_by_text("awaiting approval")).to_have_count(0)


def test_each_first_step_leads_to_the_field_or_button_that_it_needs(office):
    desk, _ = office
    page = desk.go("/")
    expect(first_steps(page)).to_have_count(9)
    expect(page.get_by_text("0 of 9")).to_be_visible()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    page.get_by_role("link", name="Add the logo").click()
    page.locator("[name=file]:focus").wait_for()
    for step, control in (
        ("Take over the opening balances", "[name=date]"),
        ("Import a bank statement", "button:has-text('Import statement')"),
        ("Invite a colleague", "button:has-text('Invite')"),
        ("Make a backup elsewhere", "button:has-text('Create backup')"),
    ):
        desk.go("/").get_by_role("link", name=step).click()
        page.locator(f"main {control}:focus").wait_for()


def test_hours_are_found_among_the_new_records(office):
    desk, _ = office
    page = desk.go("/")
    desk.press("c")
    page.locator(".palette-input").wait_for()
    desk.type("Hours")
    desk.press("Enter")
    expect(page.locator("main [name=task]")).to_be_focused()
    expect(page).to_have_url(re.compile("/time"))


def test_a_first_step_is_skipped_by_keyboard(office):
    desk, _ = office
    page = desk.go("/")
    expect(first_steps(page)).to_have_count(9)  # imported once the rest is there
    page.locator("main h1:focus").wait_for()
    for _ in range(12):
        desk.press("Tab")
        if page.locator(":focus").get_attribute("aria-label") == "Skip: Enter the address":
            break
    page.get_by_role("button", name="Skip: Add the logo").focus()
    desk.press("Enter")
    assert desk.keys <= 9
    expect(first_steps(page)).to_have_count(8)
    expect(page.get_by_text("0 of 9")).to_be_visible()
    expect(page.locator("body:focus")).to_have_count(0)


def test_a_first_step_is_done_once_its_field_is_saved(office):
    desk, _ = office
    page = desk.go("/")
    page.get_by_role("link", name="Enter the bank account").click()
    page.locator("[name=iban]:focus").wait_for()
    page.keyboard.type("DE89 3704 0044 0532 0130 00")
    desk.press("Control+s")
    page.locator("[aria-keyshortcuts='Control+s']").wait_for(state="hidden")
    desk.go("/")
    expect(page.get_by_text("1 of 9")).to_be_visible()
    expect(first_steps(page)).to_have_count(8)


def test_the_first_steps_are_put_away_and_come_back_by_undo(office):
    desk, _ = office
    page = desk.go("/")
    expect(first_steps(page)).to_have_count(9)
    page.get_by_role("button", name="Put away").click()
    expect(page.get_by_role("heading", name="First steps")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(first_steps(page)).to_have_count(9)
