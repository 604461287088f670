"""Invoices, bills, payments and contacts in the browser: by keys, and what is kept, refused or taken back."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.frontend.conftest import expect
from tests.servers import wait_for

pytestmark = pytest.mark.browser

PROBE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'


def draft_of(desk, **more):
    """A draft for Hansen & Söhne with one line of 100.00 net."""
    customer = desk.api("GET", "/finance/contacts?q=Hansen&kind=customer")[0]
    line = {"description": "Signage", "quantity": "1", "unitPrice": "100.00", "discount": {"percent": "10"}}
    return desk.api("POST", "/finance/invoices", {"customerId": customer["id"], "draft": True, "lines": [line], **more})


def bill_of(desk, **more):
    """A bill of Lichthaus Petrov over 80.00 net, posted."""
    supplier = desk.api("GET", "/finance/contacts?q=Petrov&kind=supplier")[0]
    line = {"description": "Lamps", "quantity": "2", "unitPrice": "40.00"}
    body = {"kind": "purchase_invoice", "supplierId": supplier["id"], "lines": [line], **more}
    return desk.api("POST", "/finance/invoices", body)


def quote_of(desk):
    """A draft of a quote to Hansen & Söhne over 100.00 net."""
    customer = desk.api("GET", "/finance/contacts?q=Hansen&kind=customer")[0]
    line = {"description": "Signage", "quantity": "1", "unitPrice": "100.00"}
    return desk.api("POST", "/finance/quotes", {"customerId": customer["id"], "lines": [line]})


def overdue_of(desk, n=0):
    return desk.api("GET", "/finance/invoices?isOverdue=true&currency=EUR&kind=sales_invoice")[n]


def test_a_customer_who_is_created_late_does_not_take_the_focus_from_the_line(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices/new")
    held = []
    page.route("**/api/v1/finance/contacts", lambda route: held.append(route))
    page.locator("[name=customerId]:focus").wait_for()
    desk.type("Latecomer")
    with page.expect_request("**/api/v1/finance/contacts"):
        page.get_by_role("option", name="Create “Latecomer”").click()
    price = page.locator("[name='lines[0].unitPrice']")
    price.focus()
    with page.expect_request(lambda sent: sent.url.endswith("/preview") and "customerId" in sent.post_data):
        held[0].continue_()
    page.keyboard.type("100")
    expect(price).to_have_value("100")
    expect(price).to_be_focused()


def test_a_bill_is_paid_less_its_cash_discount(at_desk):
    desk = at_desk("amara")
    terms = {"days": 30, "discounts": [{"percent": "2", "days": 14}]}
    bill = bill_of(desk, supplierNumber="Lamps 2 %", paymentTerms=terms)
    assert bill["total"] == "95.20"
    page = desk.go(f"/bills/{bill['id']}")
    page.get_by_role("button", name="Record payment").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Less the cash discount of 1.90").check()
    expect(dialog.locator("[name=amount]")).to_have_value("93.30")
    dialog.get_by_role("button", name="Record payment").click()
    expect(dialog).to_be_hidden()
    paid = desk.api("GET", f"/finance/invoices/{bill['id']}")
    assert (paid["status"], paid["amountDue"], paid["amountPaid"]) == ("paid", "0.00", "93.30")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_bill_takes_the_tax_that_its_paper_says(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    draft = bill_of(desk, supplierNumber=f"Cents {width}", draft=True)
    page = desk.go(f"/bills/{draft['id']}/edit")
    page.locator("summary", has_text="Tax on the paper").click()
    tax = page.get_by_label("Tax 19 %")
    expect(page.get_by_text("Sum of the lines: 15.20.")).to_be_visible()  # 19 % of 80.00
    tax.fill("15.23")
    tax.press("Tab")
    page.locator(".totals").get_by_text("95.23").wait_for()
    assert not desk.is_wide()
    assert desk.refusals() == []
    desk.press("Control+s")
    page.get_by_text("Draft saved.").first.wait_for()
    (row,) = desk.api("GET", f"/finance/invoices/{draft['id']}")["taxBreakdown"]
    assert (row["amount"], row["ownAmount"], row["difference"]) == ("15.23", "15.20", "0.03")
    marked = page.locator("[name='printedTax[0].amount'][aria-invalid=true]")
    with desk.held("/finance/invoices/preview"):
        tax.fill("15.30")
        desk.press("Control+s")
        expect(marked).to_be_visible()
    page.get_by_text("differs by 0.10").first.wait_for()
    expect(marked).to_be_visible()  # an answer leaves the mark of a refusal
    marked.fill("")
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        desk.press("Control+s")
    (row,) = desk.api("GET", f"/finance/invoices/{draft['id']}")["taxBreakdown"]
    assert (row["amount"], row["ownAmount"]) == ("15.20", None)


def test_a_draft_is_deleted_without_a_question_and_comes_back_by_undo(at_desk):
    desk = at_desk("amara")
    draft = draft_of(desk, reference="A mistake")
    row = f"main [data-row='{draft['id']}']"
    desk.offer_undo_longer()
    page = desk.go("/invoices?state=draft")
    page.locator(row).wait_for()
    desk.go(f"/invoices/{draft['id']}")
    desk.act("Delete draft")
    page.get_by_text("Draft for Hansen & Söhne deleted.").first.wait_for()
    page.locator("main [data-row]").first.wait_for()
    expect(page.locator(row)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    page.locator(row).wait_for()
    assert desk.api("GET", f"/finance/invoices/{draft['id']}")["status"] == "draft"
    desk.go(f"/invoices/{draft['id']}")
    desk.act("Delete draft")
    page.get_by_text("Draft for Hansen & Söhne deleted.").first.wait_for()
    desk.go("/contacts")  # what is held back is sent when the page is left
    drafts = "/finance/invoices?status=draft&limit=200"
    wait_for(lambda: draft["id"] not in {one["id"] for one in desk.api("GET", drafts)})


@pytest.mark.parametrize("kind", ["invoices", "bills", "quotes"])
def test_a_draft_is_deleted_where_it_is_edited(at_desk, kind):
    desk = at_desk("amara")
    makers: dict[str, Callable[..., Any]] = {
        "invoices": draft_of,
        "bills": partial(bill_of, draft=True),
        "quotes": quote_of,
    }
    draft = makers[kind](desk)
    page = desk.go(f"/{kind}/{draft['id']}/edit")
    desk.act("Delete draft")
    page.get_by_role("button", name="Undo").wait_for()
    assert page.url.endswith(f"/{kind}")
    expect(page.locator(f"main [data-row='{draft['id']}']")).to_have_count(0)


def test_an_amount_that_fits_nothing_is_not_booked_on_the_first_document_there_is(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/payments/new")
    page.locator("[name=amount]:focus").wait_for()
    desk.type("0.17")
    desk.press("Enter")
    page.get_by_role("option").first.wait_for()
    expect(page.locator(".listbox [aria-selected=true]")).to_have_count(0)
    desk.press("Enter")
    expect(page.locator("[name=invoiceId]")).to_have_value("")
    desk.press("Control+Enter")
    page.locator("[name=invoiceId][aria-invalid=true]:focus").wait_for()
    expect(page.get_by_text("Choose a contact or an invoice.").first).to_be_visible()


def test_who_owes_what_and_a_reminder_take_two_steps(at_desk):
    desk = at_desk("amara")
    one = overdue_of(desk)
    page = desk.go("/invoices")
    page.locator("nav.sidebar").get_by_role("link", name="Contacts").click()
    row = page.get_by_role("row").filter(has_text=one["customerName"])
    row.locator(".bad").wait_for()
    row.get_by_role("link").focus()
    desk.press("r")
    text = page.get_by_role("dialog").get_by_label("Payment reminder")
    expect(text).to_have_value(re.compile(one["number"]))
    assert desk.keys == 1
    desk.press("Escape")
    row.get_by_role("link").click()
    page.get_by_role("row", name=re.compile(one["number"])).get_by_role("link").click()
    expect(page.get_by_role("heading", name=one["number"])).to_be_visible()


def test_what_settled_an_invoice_and_what_it_posted_can_be_followed(at_desk):
    desk = at_desk("amara")
    one = desk.api("GET", "/finance/invoices?status=partially_paid")[0]
    payment = desk.api("GET", f"/finance/invoices/{one['id']}")["allocations"][0]["number"]
    page = desk.go(f"/invoices/{one['id']}")
    page.locator("summary", has_text="Entry JE-").click()
    page.get_by_role("cell", name="1100 Accounts receivable").wait_for()
    page.get_by_role("link", name=payment).click()
    page.get_by_role("heading", name=payment).wait_for()
    page.get_by_role("link", name=one["number"], exact=True).click()
    expect(page.get_by_role("heading", name=one["number"])).to_be_visible()


def test_a_list_of_what_is_overdue_says_what_it_comes_to(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices?state=overdue")
    sums = desk.api("GET", "/finance/invoices?isOverdue=true&groupBy=currency&kind=sales_invoice")
    foot = page.locator("tfoot")
    for one in sums:
        whole, cents = one["amountDue"].split(".")
        expect(foot.get_by_text(f"{int(whole):,}.{cents}").first).to_be_visible()


def test_a_draft_keeps_what_the_editor_does_not_show_and_can_be_saved_twice(at_desk):
    desk = at_desk("amara")
    made = draft_of(desk)
    page = desk.go(f"/invoices/{made['id']}/edit")
    page.locator(".totals").get_by_text("107.10").wait_for()  # 100 less 10 % is 90, and 19 % of it
    for price, total in (("200", "214.20"), ("300", "321.30")):
        page.locator("[name='lines[0].unitPrice']").fill(price)
        page.locator(".totals").get_by_text(total).wait_for()
        with page.expect_response(lambda answer: answer.request.method == "PATCH"):
            desk.press("Control+s")
        page.get_by_text("Draft saved.").last.wait_for()
        expect(page.get_by_text("not saved, on this device since")).to_have_count(0)
    saved = desk.api("GET", f"/finance/invoices/{made['id']}")
    assert (saved["total"], saved["lines"][0]["discount"]["percent"]) == ("321.30", "10")
    assert saved["lines"][0]["id"] == made["lines"][0]["id"]


def test_a_draft_that_somebody_else_has_changed_is_shown_side_by_side(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    made = draft_of(desk)
    page = desk.go(f"/invoices/{made['id']}/edit")
    page.locator("[name=reference]").fill("Mine")
    desk.api("PATCH", f"/finance/invoices/{made['id']}", {"reference": "Theirs"})
    desk.press("Control+s")
    dialog = page.get_by_role("dialog", name="Someone else has changed this")
    dialog.get_by_role("cell", name="Theirs").wait_for()
    dialog.get_by_role("cell", name="Mine").wait_for()
    dialog.get_by_role("button", name="Keep mine").click()
    page.get_by_text("Draft saved.").first.wait_for()
    assert desk.api("GET", f"/finance/invoices/{made['id']}")["reference"] == "Mine"
    page.locator("[name=reference]").fill("Mine again")
    desk.api("PATCH", f"/finance/invoices/{made['id']}", {"reference": "Theirs again", "kind": "deposit_invoice"})
    desk.press("Control+s")
    dialog.get_by_role("row", name="Kind Deposit invoice Invoice").wait_for()
    dialog.get_by_role("button", name="Keep theirs").click()
    dialog.wait_for(state="detached")
    expect(page.locator("[name=reference]")).to_have_value("Theirs again")
    expect(page.get_by_label("Kind")).to_have_value("deposit_invoice")


def test_mine_is_kept_with_the_lines_that_both_have_added_and_those_that_the_other_has_deleted(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    made = draft_of(desk)
    page = desk.go(f"/invoices/{made['id']}/edit")
    page.locator("[name='lines[0].unitPrice']").fill("200")
    theirs = {"description": "Theirs", "quantity": "1", "unitPrice": "5.00"}
    desk.api("PATCH", f"/finance/invoices/{made['id']}", {"lines": [theirs]})
    desk.press("Control+s")
    both = page.get_by_role("dialog", name="Someone else has changed this")
    both.get_by_role("button", name="Keep mine").click()
    page.get_by_text("Draft saved.").first.wait_for()
    saved = desk.api("GET", f"/finance/invoices/{made['id']}")["lines"]
    assert [(line["description"], line["unitPrice"]) for line in saved] == [
        (made["lines"][0]["description"], "200.00"),
        ("Theirs", "5.00"),
    ]
    desk.api("DELETE", f"/finance/invoices/{made['id']}")
    page.locator("[name=reference]").fill("Still wanted")
    desk.press("Control+s")
    page.get_by_role("alertdialog").get_by_role("button", name="Save as a new draft").click()
    page.wait_for_url(lambda url: made["id"] not in url and url.endswith("/edit"))
    again = desk.api("GET", f"/finance/invoices/{page.url.split('/')[-2]}")
    assert (again["reference"], len(again["lines"])) == ("Still wanted", 2)


def test_a_discarded_draft_empties_the_form(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices/new")
    page.locator("[name='lines[0].description']").fill("Half a thought")
    page.get_by_text("not saved, on this device since").wait_for()
    page.reload()
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Discard").wait_for(state="detached")
    expect(page.locator("[name='lines[0].description']")).to_have_value("")


def test_what_to_know_is_said_before_an_invoice_is_issued(at_desk):
    desk = at_desk("amara")
    customer = desk.api("POST", "/finance/contacts", {"name": "Nobody knows where", "kind": "customer"})
    made = draft_of(desk, customerId=customer["id"])
    page = desk.go(f"/invoices/{made['id']}/edit")
    page.get_by_role("button", name="Issue").click()
    dialog = page.get_by_role("alertdialog")
    warnings = desk.api("POST", f"/finance/invoices/{made['id']}/issue", {"dryRun": True})["warnings"]
    assert warnings
    for one in warnings:
        dialog.get_by_text(one["message"]).wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    assert desk.api("GET", f"/finance/invoices/{made['id']}")["status"] == "draft"


def test_a_refused_line_is_marked_where_it_stands_although_a_line_before_it_is_blank(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/invoices/new")
    page.locator("[name=customerId]:focus").wait_for()
    desk.type("Hansen")
    page.get_by_role("option", name="Hansen & Söhne").first.wait_for()
    desk.press("Enter")
    page.get_by_role("button", name="Line", exact=True).click()
    page.locator("[name='lines[1].description']").fill("No price")
    page.get_by_role("button", name="Issue").click()
    page.locator("[name='lines[1].unitPrice'][aria-invalid=true]:focus").wait_for()
    expect(page.locator("[name='lines[0].unitPrice'][aria-invalid=true]")).to_have_count(0)
    expect(page.get_by_role("heading", name="New invoice")).to_be_visible()


def test_voiding_a_payment_asks_in_figures_and_opens_the_invoice_again(at_desk):
    desk = at_desk("amara")
    one = overdue_of(desk)
    amount = one["amountDue"]
    paid = desk.api("POST", "/finance/payments", {"invoiceId": one["id"], "amount": amount, "date": one["dueDate"]})
    page = desk.go(f"/payments/{paid['id']}")
    desk.act("Void")
    dialog = page.get_by_role("alertdialog")
    dialog.get_by_text(f"Void {paid['number']}?").wait_for()
    dialog.get_by_text(one["customerName"]).wait_for()
    dialog.get_by_role("button", name="Void").click()
    page.get_by_text("void", exact=True).wait_for()
    assert desk.api("GET", f"/finance/invoices/{one['id']}")["amountDue"] == amount


def test_markup_stays_text_in_an_invoice_a_payment_and_the_palette(at_desk):
    desk = at_desk("amara")
    customer = desk.api("POST", "/finance/contacts", {"name": PROBE, "kind": "customer"})
    line = {"description": PROBE, "quantity": "1", "unitPrice": "10.00"}
    about = {"customerId": customer["id"], "lines": [line], "note": PROBE, "reference": "javascript:alert(3)"}
    invoice = desk.api("POST", "/finance/invoices", about)
    page = desk.go(f"/invoices/{invoice['id']}")
    page.get_by_role("cell", name=PROBE).wait_for()
    body = {"invoiceId": invoice["id"], "amount": invoice["total"], "date": invoice["issueDate"], "reference": PROBE}
    payment = desk.api("POST", "/finance/payments", body)
    desk.go(f"/payments/{payment['id']}")
    page.get_by_text(PROBE).first.wait_for()
    desk.press("Control+k")
    desk.type("onerror")
    page.locator(".palette-item", has_text=PROBE).first.wait_for()
    expect(page.locator("main img, main script, .palette img, .palette script, a[href^=javascript]")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (360, "light")])
def test_the_screens_of_single_records_are_quiet_fit_and_are_accessible(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    invoice = desk.api("GET", "/finance/invoices?status=partially_paid")[0]
    payment = desk.api("GET", "/finance/payments?direction=received")[0]
    draft = desk.api("GET", "/finance/invoices?status=draft&kind=sales_invoice")[0]
    bill = bill_of(desk)
    for path in (
        f"/invoices/{invoice['id']}",
        f"/invoices/{draft['id']}/edit",
        f"/bills/{bill['id']}",
        f"/payments/{payment['id']}",
        f"/contacts/{invoice['customerId']}",
        f"/contacts/{invoice['customerId']}?view=documents",
    ):
        desk.go(path)
        desk.settle()
        assert not desk.is_wide(), path
        assert desk.refusals() == [], path
