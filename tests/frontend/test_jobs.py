"""The daily jobs of the office, each with the keys that it may cost; what people write themselves is not counted."""

import re

import pytest

from tests.frontend.conftest import expect, first_request, today

pytestmark = pytest.mark.browser


def test_an_invoice_of_three_lines_from_anywhere_to_issued_by_keys_alone(at_desk):
    desk = at_desk("amara")
    page = desk.go("/")
    desk.press("Control+k")
    page.locator(".palette-input").wait_for()
    desk.type("new inv")
    page.locator(".palette-item[aria-selected=true]", has_text="New invoice").wait_for()
    desk.press("Enter")
    page.get_by_role("heading", name="New invoice").wait_for()
    page.locator("[name=customerId]:focus").wait_for()
    desk.type("Hansen")
    page.get_by_role("option", name="Hansen & Söhne").first.wait_for()
    desk.press("Enter")
    for number, (text, price) in enumerate((("Concept", "1200"), ("Drawings", "89.90"), ("Travel", "42.5"))):
        page.locator(f"[name='lines[{number}].description']:focus").wait_for()
        desk.type(text)
        desk.press("Tab", "Tab")
        desk.type(price)
        if number < 2:
            desk.press("Enter")
    page.get_by_text("1,585.56").first.wait_for()  # 1,332.40 and 19 % of it
    desk.press("Control+Enter")
    page.get_by_role("alertdialog").get_by_text(f"Issue INV-{today().year}-").wait_for()
    desk.press("Enter")
    page.get_by_role("heading", name=f"Invoice INV-{today().year}-").wait_for()
    assert desk.keys <= 25
    newest = desk.api("GET", "/finance/invoices?limit=1")[0]
    assert (newest["status"], newest["customerName"], newest["total"]) == ("issued", "Hansen & Söhne", "1585.56")


def test_a_full_payment_is_booked_from_the_list_by_two_keys_and_taken_back(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices?state=overdue")
    page.get_by_role("link", name="INV-").first.wait_for()
    number = page.get_by_role("link", name="INV-").first.inner_text()
    owed = desk.api("GET", f"/finance/invoices?q={number}")[0]["amountDue"]
    page.get_by_role("link", name=number).focus()
    desk.press("p")
    page.get_by_label("Amount in EUR").wait_for()
    desk.press("Enter")
    page.get_by_role("link", name=number).wait_for(state="detached")
    assert desk.keys == 2
    paid = desk.api("GET", f"/finance/invoices?q={number}")[0]
    assert (paid["status"], paid["amountDue"]) == ("paid", "0.00")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name=number).wait_for()
    assert desk.api("GET", f"/finance/invoices?q={number}")[0]["amountDue"] == owed


def test_twenty_payments_of_a_statement_cost_three_keys_each_beside_the_amounts(at_desk):
    desk = at_desk("amara")
    customer = desk.api("GET", "/finance/contacts?q=Hansen&kind=customer")[0]["id"]
    made = []
    for number in range(20):
        line = {"description": "Signs", "quantity": "1", "unitPrice": f"{311 + 7 * number}.00"}
        made.append(desk.api("POST", "/finance/invoices", {"customerId": customer, "lines": [line]}))
    page = desk.go("/payments/new")
    for at, one in enumerate(made, 1):
        page.locator("[name=amount]:focus").wait_for()
        desk.type(one["amountDue"])
        desk.press("Enter")
        page.get_by_role("option", name=one["number"], selected=True).wait_for()
        desk.press("Enter")
        page.locator("[name=invoiceId][aria-expanded=false]:focus").wait_for()
        desk.press("Enter")
        page.get_by_text("1 payment" if at == 1 else f"{at} payments", exact=True).wait_for()
    assert desk.keys == 3 * 20
    assert {desk.api("GET", f"/finance/invoices/{one['id']}")["status"] for one in made} == {"paid"}


def test_a_refused_invoice_marks_its_fields_and_a_reload_keeps_what_was_typed(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/invoices/new")
    page.locator("[name='lines[0].description']").fill("Half a thought")
    desk.press("Control+Enter")
    page.locator("[name=customerId][aria-invalid=true]").wait_for()
    expect(page.locator("[name='lines[0].unitPrice']")).to_have_attribute("aria-invalid", "true")
    page.get_by_text("not saved, on this device since").wait_for()
    page.reload()
    page.get_by_role("heading", name="New invoice").wait_for()
    expect(page.locator("[name='lines[0].description']")).to_have_value("Half a thought")
    page.get_by_role("button", name="Discard").click()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('draft/'))") == []


def test_clocking_in_and_out_is_a_tap_each(at_desk):
    desk = at_desk("mei", width=360)
    page = desk.go("/me")
    page.get_by_role("button", name="Clock in").tap()
    page.get_by_role("button", name="Clock out").tap()
    page.get_by_role("button", name="Clock in").wait_for()
    assert desk.api("GET", "/hr/me")["openAttendance"] is None


def ask_for_leave(page):
    """Ask for the first three days of March 2027, on one's own page."""
    page.get_by_role("button", name="Request", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("First day", exact=True).fill("2027-03-01")
    dialog.get_by_label("Last day", exact=True).fill("2027-03-03")
    dialog.get_by_text("3 days in total.").wait_for()
    dialog.get_by_role("button", name="Request").click()
    page.get_by_text("waiting").first.wait_for()


def test_leave_is_asked_for_by_two_days_and_shows_what_it_takes(at_desk):
    desk = at_desk("rui", width=360)
    page = desk.go("/me")
    ask_for_leave(page)
    asked = desk.api("GET", "/hr/leaves?limit=1")[0]
    assert (asked["startDate"], asked["endDate"], asked["days"], asked["status"]) == (
        "2027-03-01",
        "2027-03-03",
        "3",
        "pending",
    )


def test_leave_is_approved_by_one_click_that_can_be_taken_back(at_desk):
    desk = at_desk("ines")
    desk.offer_undo_longer()
    page = desk.go("/")
    asked = first_request(desk, "Mei")
    row = page.get_by_role("listitem").filter(has_text="Mei Takahashi requests leave")
    row.get_by_role("button", name="Approve").click()
    row.wait_for(state="detached")
    page.get_by_role("button", name="Undo").click()
    row.wait_for()
    row.get_by_role("button", name="Approve").click()
    row.wait_for(state="detached")
    with page.expect_response("**/approve"):  # what is held back is sent when the page is left
        page.evaluate("dispatchEvent(new Event('pagehide'))")
    desk.go("/leave?status=approved")
    row = page.get_by_role("row").filter(has_text="Mei Takahashi")
    expect(row.filter(has_text=f"{asked.day} {asked:%b}")).to_be_visible()


def test_an_hour_is_logged_by_three_keys(at_desk):
    desk = at_desk("mei")
    task = desk.api("GET", "/tasks?status=in_progress&limit=1")[0]
    page = desk.go(f"/tasks/{task['id']}")
    page.get_by_role("heading", name=task["key"]).wait_for()
    desk.press("l")
    page.get_by_role("dialog").get_by_label("Duration").wait_for()
    desk.press("1", "Enter")
    page.get_by_role("dialog").wait_for(state="detached")
    assert desk.keys == 3
    assert desk.api("GET", f"/tasks/{task['id']}")["loggedMinutes"] == task["loggedMinutes"] + 60


def test_a_task_is_added_by_its_title_and_the_next_one_at_once(at_desk):
    desk = at_desk("mei")
    page = desk.go("/board")
    for title in ("Order samples", "Call the printer"):
        if title == "Order samples":
            desk.press("n")
        page.get_by_role("dialog").get_by_label("Title").wait_for()
        desk.type(title)
        desk.press("Enter")
        page.get_by_role("dialog").get_by_text("task added" if title == "Order samples" else "tasks added").wait_for()
    assert desk.keys == 3
    assert {task["title"] for task in desk.api("GET", "/tasks?limit=2")} == {"Order samples", "Call the printer"}


def test_a_task_moves_by_shift_and_an_arrow(at_desk):
    desk = at_desk("jonas")
    page = desk.go("/board")
    task = next(one for one in desk.api("GET", "/tasks?status=todo&limit=50") if one["key"].startswith("APO-"))
    page.get_by_role("link", name=task["key"], exact=True).focus()
    desk.press("Shift+ArrowRight")
    page.get_by_text("moved to “In progress”").first.wait_for()
    assert desk.api("GET", f"/tasks/{task['id']}")["status"] == "in_progress"


def test_markup_in_names_stays_text(at_desk):
    desk = at_desk("amara")
    probe = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'
    made = desk.api("POST", "/finance/contacts", {"name": probe, "kind": "customer"})
    page = desk.go(f"/contacts/{made['id']}")
    expect(page.locator("main h1")).to_have_text(probe, use_inner_text=True)
    desk.go("/contacts?q=onerror").get_by_text(probe).first.wait_for()
    expect(page.locator("main img, main script")).to_have_count(0)


def test_a_figure_of_the_balance_sheet_leads_to_its_document_by_three_clicks_and_u_goes_the_way_back(at_desk):
    desk = at_desk("amara")
    page = desk.go("/reports/balance-sheet")
    page.locator("table.report").get_by_role("link", name="1100 Accounts receivable").click()
    page.get_by_role("heading", name="General ledger").wait_for()
    ledger = page.url
    issued = page.locator("table.report tr", has_text="Invoice INV-")
    issued.locator("a[href^='/journals/']").first.click()
    page.get_by_role("heading", name="Entry JE-").wait_for()
    entry = page.url
    page.locator("main").get_by_role("link", name="Invoice", exact=True).click()
    page.get_by_role("heading", name="Invoice INV-").wait_for()
    expect(page.locator(".page-back")).to_have_text(re.compile("Entry JE-"))
    sheet = f"{desk.address}/reports/balance-sheet"
    for above, name in ((entry, "Entry JE-"), (ledger, "General ledger"), (sheet, "Balance sheet")):
        desk.press("u")
        expect(page).to_have_url(above)
        page.get_by_role("heading", name=name, level=1).wait_for()
        desk.settle()
    assert desk.keys == 3
    expect(page.locator(".page-back")).to_have_text("Reports")


def test_what_is_opened_from_a_contact_leads_back_to_it_and_the_contact_to_its_list(at_desk):
    desk = at_desk("amara")
    page = desk.go("/contacts")
    page.get_by_role("link", name="Hansen & Söhne").click()
    page.locator("main a[href^='/invoices/']").first.click()
    page.get_by_role("heading", name="Invoice INV-").wait_for()
    page.locator(".page-back").get_by_text("Hansen & Söhne").wait_for()
    desk.press("u")
    page.get_by_role("heading", name="Hansen & Söhne").wait_for()
    desk.press("u")
    page.get_by_role("heading", name="Contacts").wait_for()
    expect(page.locator(".page-back")).to_have_count(0)
