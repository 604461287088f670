"""When documents are to be paid and what is taken off for paying early: of a contact, and of one document."""

import datetime
import re

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

PLAIN = {"months": None, "endOfMonth": False, "dayOfMonth": None}
STEP = {"percent": "2", "days": 14, "until": None}


def contact(desk, name, **more):
    return desk.api("POST", "/finance/contacts", {"name": name, "kind": "customer", **more})


def draft(desk, customer, price="1000.00", **more):
    """A draft of 2 November over one line, with 19 % tax."""
    line = {"description": "Signage", "quantity": "1", "unitPrice": price}
    body = {"customerId": customer["id"], "draft": True, "issueDate": "2026-11-02", "lines": [line], **more}
    return desk.api("POST", "/finance/invoices", body)


def of_terms(scope, name):
    return scope.locator(f"[name='paymentTerms.{name}']")


def beside(scope, name):
    """What is said to be wrong with a field."""
    return scope.locator(f".field:has([name='paymentTerms.{name}']) .field-error")


def edited(desk, one):
    """The form of a contact, whose page is shown."""
    page = desk.go(f"/contacts/{one['id']}?view=about")
    desk.press("e")
    form = page.get_by_role("dialog", name="Edit contact")
    of_terms(form, "days").wait_for()
    return form


def opened(desk, one):
    """The editor of a draft, with what is seldom typed."""
    page = desk.go(f"/invoices/{one['id']}/edit")
    page.locator("summary", has_text="Terms").click()
    of_terms(page, "days").wait_for()
    return page


def saved(desk, one):
    """A draft as it is once the editor has saved it."""
    page = desk.page
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        desk.press("Control+s")
    expect(page.get_by_text("not saved, on this device since")).to_have_count(0)
    return desk.api("GET", f"/finance/invoices/{one['id']}")


def rate_of(desk, percent):
    return next(one for one in desk.api("GET", "/finance/tax-rates") if one["rate"] == percent)


def terms_and_a_rate_are_filled_in(desk, one, rate):
    """30 days, 2 % within 14, in the form of a contact, which is saved."""
    form = edited(desk, one)
    expect(form.get_by_text("Default: 14 days, the workspace setting.")).to_be_visible()
    expect(form.get_by_label("Default tax rate")).to_have_value("")
    form.get_by_label("Default tax rate").select_option(value=rate["id"])
    form.get_by_label("Payment terms (days)").fill("30")
    form.get_by_label("Cash discount in %").fill("2")
    form.get_by_label("Days for the discount").fill("14")
    assert desk.refusals() == []
    assert not desk.is_wide()
    form.get_by_role("button", name="Save").click()
    form.wait_for(state="detached")
    now = desk.api("GET", f"/finance/contacts/{one['id']}")
    assert now["paymentTerms"] == {"days": 30, **PLAIN, "discounts": [STEP]}
    assert now["defaultTaxRateId"] == rate["id"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_contact_gets_terms_and_a_tax_rate_and_an_invoice_of_theirs_follows_them(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    one, rate = contact(desk, f"Early Bird {width}"), rate_of(desk, "7")
    terms_and_a_rate_are_filled_in(desk, one, rate)

    page = desk.page
    expect(page.locator("dl div", has_text="Payment terms").locator("dd")).to_have_text("30 days, 2% within 14 days")
    expect(page.locator("dl div", has_text="Default tax rate").locator("dd")).to_have_text(rate["name"])
    assert desk.refusals() == []
    assert not desk.is_wide()

    desk.go(f"/invoices/new?customerId={one['id']}")
    due, date = page.get_by_label("Due date", exact=True), page.get_by_label("Date", exact=True)
    expect(due).not_to_have_value("")  # what counts for today is there, and nothing takes the focus any more
    date.fill("2.11.2026")
    date.press("Tab")
    page.locator("[name='lines[0].description']").fill("Signage")
    page.locator("[name='lines[0].unitPrice']").fill("100")
    page.locator(".totals").get_by_text("107.00").wait_for()
    expect(due).to_have_value("2 Dec 2026")
    page.locator("summary", has_text="Terms").click()
    agreed = f"Default: as agreed with Early Bird {width}: 30 days, 2% within 14 days."
    expect(page.get_by_text(agreed)).to_be_visible()
    assert desk.refusals() == []
    assert not desk.is_wide()
    desk.press("Control+s")
    page.get_by_role("heading", name="Edit invoice").wait_for()
    made = desk.api("GET", f"/finance/invoices/{page.url.split('/')[-2]}")
    step = {**STEP, "until": "2026-11-16"}
    assert (made["dueDate"], made["total"]) == ("2026-12-02", "107.00")
    assert made["paymentTerms"] == {"days": 30, **PLAIN, "discounts": [step]}


def test_a_new_contact_gets_terms_that_are_kept_until_they_are_sent(at_desk):
    desk = at_desk("amara")
    page = desk.go("/contacts")
    desk.press("n")
    form = page.get_by_role("dialog", name="New contact")
    form.get_by_label("Name", exact=True).fill("New Bird")
    form.get_by_label("Payment terms (days)").fill("10")
    form.get_by_label("Cash discount in %").fill("1.5")
    form.get_by_label("Days for the discount").fill("5")
    page.reload()
    page.get_by_role("heading", name="Contacts").wait_for()
    desk.act("New contact")
    expect(form.get_by_label("Days for the discount")).to_have_value("5")
    form.get_by_role("button", name="Create contact").click()
    page.get_by_role("heading", name="New Bird").wait_for()
    made = desk.api("GET", "/finance/contacts?q=New+Bird")[0]
    assert made["paymentTerms"] == {"days": 10, **PLAIN, "discounts": [{"percent": "1.5", "days": 5, "until": None}]}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_an_invoice_gets_terms_of_its_own_with_two_steps(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    made = draft(desk, contact(desk, f"Two Steps {width}"))
    page = opened(desk, made)
    due = page.get_by_label("Due date", exact=True)
    expect(due).to_have_value("16 Nov 2026")  # the workspace’s 14 days
    expect(page.get_by_label("Second discount in %")).to_have_count(0)
    page.get_by_label("Payment terms (days)").fill("30")
    expect(due).to_have_value("2 Dec 2026")
    page.get_by_label("Cash discount in %").fill("3")
    page.get_by_label("Days for the discount").fill("7")
    page.get_by_label("Second discount in %").fill("2")
    page.get_by_label("Days for the second").fill("14")
    assert desk.refusals() == []
    assert not desk.is_wide()
    page.get_by_text("not saved, on this device since").wait_for()
    page.reload()
    expect(page.locator("[name='paymentTerms.discounts[1].days']")).to_have_value("14")
    expect(due).to_have_value("2 Dec 2026")
    now = saved(desk, made)
    first = {"percent": "3", "days": 7, "until": "2026-11-09"}
    second = {"percent": "2", "days": 14, "until": "2026-11-16"}
    assert now["dueDate"] == "2026-12-02"
    assert now["paymentTerms"] == {"days": 30, **PLAIN, "discounts": [first, second]}

    desk.go(f"/invoices/{made['id']}")
    terms = page.locator("dl div", has_text="Payment terms").locator("dd")
    expect(terms).to_contain_text("30 days")
    expect(terms).to_contain_text("3% until 9 Nov 2026")
    expect(terms).to_contain_text("2% until 16 Nov 2026")
    assert desk.refusals() == []
    assert not desk.is_wide()


def test_a_typed_due_date_and_days_to_pay_take_turns_and_the_discount_stays(at_desk):
    desk = at_desk("amara")
    agreed = {"days": 30, "discounts": [{"percent": "2", "days": 14}]}
    made = draft(desk, contact(desk, "Turns"), paymentTerms=agreed)
    page = opened(desk, made)
    due, days = page.get_by_label("Due date", exact=True), page.get_by_label("Payment terms (days)")
    expect(due).to_have_value("2 Dec 2026")
    expect(days).to_have_value("30")
    due.fill("24.12.2026")
    due.press("Tab")
    expect(days).to_have_value("")
    expect(page.get_by_text("The due date counts.")).to_be_visible()
    now = saved(desk, made)
    step = {**STEP, "until": "2026-11-16"}
    assert now["dueDate"] == "2026-12-24"
    assert now["paymentTerms"] == {"days": None, **PLAIN, "discounts": [step]}
    days.fill("45")
    expect(due).to_have_value("17 Dec 2026")
    now = saved(desk, made)
    assert now["dueDate"] == "2026-12-17"
    assert now["paymentTerms"] == {"days": 45, **PLAIN, "discounts": [step]}


def test_months_and_a_day_of_the_month_are_there_on_demand(at_desk):
    desk = at_desk("amara")
    made = draft(desk, contact(desk, "By Months"))
    page = opened(desk, made)
    expect(of_terms(page, "months")).to_have_count(0)
    page.get_by_role("button", name="By months or a day of the month").click()
    expect(of_terms(page, "months")).to_be_focused()
    desk.type("1")
    page.get_by_role("textbox", name="Day of the month").fill("10")
    expect(page.get_by_label("Due date", exact=True)).to_have_value("10 Dec 2026")  # the first 10th from 2 December on
    page.get_by_label("To the end of the month").check()
    expect(page.get_by_label("Due date", exact=True)).to_have_value("10 Jan 2027")  # after the end of December
    now = saved(desk, made)
    assert now["dueDate"] == "2027-01-10"
    assert now["paymentTerms"] == {"days": None, "months": 1, "endOfMonth": True, "dayOfMonth": 10, "discounts": []}
    desk.go(f"/invoices/{made['id']}")
    terms = page.locator("dl div", has_text="Payment terms").locator("dd")
    expect(terms).to_have_text("1 month, then day 10 of the month after")
    opened(desk, made)
    expect(of_terms(page, "months")).to_have_value("1")


def test_terms_are_taken_off_a_contact_again(at_desk):
    desk = at_desk("amara")
    rate = rate_of(desk, "7")
    agreed = {"days": 30, "endOfMonth": True, "discounts": [{"percent": "2", "days": 14}]}
    one = contact(desk, "Agreed", paymentTerms=agreed, defaultTaxRateId=rate["id"])
    form = edited(desk, one)
    expect(form.get_by_label("Default tax rate")).to_have_value(rate["id"])
    form.get_by_label("Default tax rate").select_option(value="")
    form.get_by_label("To the end of the month").uncheck()
    for label in ("Payment terms (days)", "Cash discount in %", "Days for the discount"):
        form.get_by_label(label).fill("")
    form.get_by_role("button", name="Save").click()
    form.wait_for(state="detached")
    now = desk.api("GET", f"/finance/contacts/{one['id']}")
    assert (now["paymentTerms"], now["defaultTaxRateId"]) == (None, None)
    terms = desk.page.locator("dl div", has_text="Payment terms").locator("dd")
    expect(terms).to_have_text("14 days, as usual here")


def test_an_invoice_without_terms_of_its_own_has_those_of_the_contact_again_and_follows_them(at_desk):
    desk = at_desk("amara")
    one = contact(desk, "Followed", paymentTermsDays=20)
    own = {"days": 40, "discounts": [{"percent": "3", "days": 5}]}
    made = draft(desk, one, paymentTerms=own)
    page = opened(desk, made)
    expect(of_terms(page, "days")).to_have_value("40")
    for name in ("days", "discounts[0].percent", "discounts[0].days"):
        of_terms(page, name).fill("")
    expect(page.get_by_label("Due date", exact=True)).to_have_value("22 Nov 2026")
    now = saved(desk, made)
    assert now["dueDate"] == "2026-11-22"
    assert now["paymentTerms"] == {"days": 20, **PLAIN, "discounts": []}
    desk.api("PATCH", f"/finance/contacts/{one['id']}", {"paymentTermsDays": 60})
    opened(desk, made)
    page.get_by_label("Customer reference").fill("Order 4711")
    now = saved(desk, made)
    assert (now["reference"], now["dueDate"], now["paymentTerms"]["days"]) == ("Order 4711", "2027-01-01", 60)


def test_a_second_step_with_fewer_days_is_marked_at_its_field(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    one = contact(desk, "Wrong Steps")
    form = edited(desk, one)
    fill_steps(form)
    form.get_by_role("button", name="Save").click()
    wrong = of_terms(form, "discounts[1].days")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_be_focused()
    expect(beside(form, "discounts[1].days")).to_have_text("Must be more than 14.")
    assert desk.refusals() == []
    assert desk.api("GET", f"/finance/contacts/{one['id']}")["paymentTerms"] is None

    made = draft(desk, one)
    page = opened(desk, made)
    fill_steps(page)
    page.locator("summary", has_text="Terms").click()  # it opens again where something in it is wrong
    desk.press("Control+s")
    wrong = of_terms(page, "discounts[1].days")
    expect(wrong).to_be_focused()
    expect(beside(page, "discounts[1].days")).to_have_text("Must be more than 14.")
    wrong.fill("21")
    assert [step["days"] for step in saved(desk, made)["paymentTerms"]["discounts"]] == [14, 21]


def fill_steps(scope):
    scope.get_by_label("Payment terms (days)").fill("30")
    scope.get_by_label("Cash discount in %").fill("3")
    scope.get_by_label("Days for the discount").fill("14")
    scope.get_by_label("Second discount in %").fill("2")
    scope.get_by_label("Days for the second").fill("7")


def test_of_a_contact_only_what_both_have_changed_is_asked_and_the_rest_of_the_other_stays(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    one = contact(desk, "Two Offices", paymentTermsDays=30)
    form = edited(desk, one)
    form.get_by_label("Payment terms (days)").fill("45")
    theirs = {"paymentTerms": {"days": 60, "discounts": [{"percent": "2", "days": 10}]}, "phone": "040 123"}
    desk.api("PATCH", f"/finance/contacts/{one['id']}", theirs)
    form.get_by_role("button", name="Save").click()
    both = desk.page.get_by_role("dialog", name="Someone else has changed this")
    both.get_by_role("row", name="Payment terms 60 days, 2% within 10 days 45 days").wait_for()
    expect(both.get_by_role("row")).to_have_count(2)
    both.get_by_role("button", name="Keep mine").click()
    desk.page.get_by_role("dialog").wait_for(state="detached")
    now = desk.api("GET", f"/finance/contacts/{one['id']}")
    assert (now["paymentTerms"], now["phone"]) == ({"days": 45, **PLAIN, "discounts": []}, "040 123")


def test_terms_of_a_draft_that_two_have_changed_are_shown_side_by_side(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    made = draft(desk, contact(desk, "Two Editors", paymentTermsDays=30))
    page = opened(desk, made)
    of_terms(page, "days").fill("45")
    expect(page.get_by_label("Due date", exact=True)).to_have_value("17 Dec 2026")
    desk.api("PATCH", f"/finance/invoices/{made['id']}", {"paymentTerms": {"days": 60}})
    desk.press("Control+s")
    both = page.get_by_role("dialog", name="Someone else has changed this")
    both.get_by_role("row", name="Payment terms 60 days 45 days").wait_for()
    both.get_by_role("row", name="Due date 2027-01-01 2026-12-17").wait_for()
    both.get_by_role("button", name="Keep theirs").click()
    both.wait_for(state="detached")
    expect(of_terms(page, "days")).to_have_value("60")
    expect(page.get_by_label("Due date", exact=True)).to_have_value("1 Jan 2027")


def test_an_issued_invoice_says_how_much_is_taken_off_and_until_when(at_desk):
    desk = at_desk("amara")
    issued = today()
    last = issued + datetime.timedelta(days=10)
    terms = {"days": 30, "discounts": [{"percent": "2", "days": 10}]}
    made = draft(desk, contact(desk, "In Time"), paymentTerms=terms, issueDate=issued.isoformat())
    issued = desk.api("POST", f"/finance/invoices/{made['id']}/issue", {})
    page = desk.go(f"/invoices/{made['id']}")
    page.get_by_role("heading", name=issued["number"]).wait_for()
    shown = page.locator("dl div", has_text="Payment terms").locator("dd")
    expect(shown).to_contain_text("30 days")
    expect(shown).to_contain_text(re.compile(rf"2% until {last.day} {last:%b}"))
    expect(shown).to_contain_text("23.80 discount, 1,166.20 to pay")  # 2 % of 1,190.00
