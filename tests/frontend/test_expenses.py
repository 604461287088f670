"""Expense claims in the browser: a receipt by phone, the decision, the posting."""

import pytest

from tests.desk.files import png
from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser


def add_receipt(desk, amount):
    """Add a receipt as on a phone: the photo, the amount, saved."""
    page = desk.page
    form = page.get_by_role("dialog")
    form.get_by_label("Photo or file").set_input_files({"name": "taxi.png", "mimeType": "image/png", "buffer": png()})
    form.get_by_label("Amount").fill(amount)
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 360])
def test_a_receipt_goes_from_the_phone_to_the_books(at_desk, width):
    desk = at_desk("mei", width)
    page = desk.go("/me")
    desk.page.get_by_role("button", name="Add a receipt").click()
    add_receipt(desk, f"{width}.40")
    page = desk.go("/expenses")
    assert not desk.is_wide()
    assert desk.refusals() == []
    page.get_by_text(f"{width:,}.40").click()
    expect(page.get_by_role("img", name="Receipt")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    desk.quiet = False
    desk.act("Submit")
    if width == 360:  # the same photo as that of the first claim
        page.get_by_role("dialog").get_by_role("button", name="Submit all the same").click()
    expect(page.get_by_text("waiting", exact=True)).to_be_visible()
    claim = page.url.rpartition("/")[2]

    boss = at_desk("ines", width)
    page = boss.go("/expenses?view=approve")
    page.get_by_text(f"{width:,}.40").click()
    expect(page.get_by_role("heading", name="Expenses of")).to_be_visible()
    boss.press("a")
    notices = page.get_by_role("region", name="Notices")
    expect(notices.get_by_text("Approved.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button", name="Post")).to_be_visible()
    boss.press("p")
    page.get_by_role("dialog").get_by_role("button", name="Post").click()
    expect(notices.get_by_text("Posted.")).to_be_visible()
    assert boss.api("GET", f"/hr/expense-claims/{claim}")["status"] == "posted"


def test_a_receipt_without_the_server_is_kept_with_its_photo_and_sent_later(at_desk):
    desk = at_desk("mei", 360)
    page = desk.go("/me")
    desk.settle()
    desk.quiet = False
    page.context.set_offline(True)
    page.get_by_role("button", name="Add a receipt").click()
    add_receipt(desk, "17.31")
    expect(page.get_by_text("1 expense waits for the server")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    page.context.set_offline(False)
    expect(page.get_by_text("1 expense waits for the server")).to_have_count(0)
    claims = desk.api("GET", "/hr/expense-claims?isOwn=true&status=draft")
    made = [desk.api("GET", f"/hr/expense-claims/{one['id']}") for one in claims if one["total"] == "17.31"]
    assert [len(line["attachmentIds"]) for one in made for line in one["lines"]] == [1]


def days_in_march(desk, place):
    """The form of a per diem of three days, filled in but for nights and meals."""
    desk.act("Add a per diem")
    form = desk.page.get_by_role("dialog")
    form.get_by_label("First day").fill("9 March 2026")
    form.get_by_label("Left at").fill("10:00")
    form.get_by_label("Last day").fill("11 March 2026")
    form.get_by_label("Back at").fill("17:00")
    form.get_by_label("Country or city").select_option(label=place)
    if desk.api("GET", "/hr/expense-claims?isOwn=true&status=draft"):
        form.get_by_label("Expense claim").select_option(label="New claim")
    return form


@pytest.mark.parametrize("width", [1280, 360])
def test_a_per_diem_abroad_has_the_rates_of_its_cities(at_desk, width):
    desk = at_desk("mei", width)
    page = desk.go("/expenses")
    form = days_in_march(desk, "Spain, Madrid")
    form.get_by_text("Nights elsewhere").click()
    nights = form.locator("details", has_text="Nights elsewhere").get_by_role("combobox")
    expect(nights).to_have_count(2)
    nights.nth(1).select_option(label="France, Paris")
    assert not desk.is_wide()
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    expect(page.get_by_text("125.00").first).to_be_visible()
    newest = desk.api("GET", "/hr/expense-claims?isOwn=true&status=draft&sort=-createdAt")[0]
    line = desk.api("GET", f"/hr/expense-claims/{newest['id']}")["lines"][-1]
    assert [(day["region"], day["amount"]) for day in line["days"]] == [
        ("Madrid", "28.00"),
        ("Paris", "58.00"),
        ("Paris", "39.00"),
    ]
    assert desk.refusals() == []


def test_a_night_that_a_journey_no_longer_has_is_not_claimed(at_desk):
    desk = at_desk("mei")
    page = desk.go("/expenses")
    form = days_in_march(desk, "Germany")
    form.get_by_text("Nights elsewhere").click()
    nights = form.locator("details", has_text="Nights elsewhere").get_by_role("combobox")
    nights.nth(1).select_option(label="France, Paris")
    form.get_by_label("Last day").fill("10 March 2026")
    form.get_by_label("Back at").focus()
    expect(nights).to_have_count(1)
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    newest = desk.api("GET", "/hr/expense-claims?isOwn=true&status=draft&sort=-createdAt")[0]
    line = desk.api("GET", f"/hr/expense-claims/{newest['id']}")["lines"][-1]
    assert [(day["country"], day["amount"]) for day in line["days"]] == [("DE", "14.00"), ("DE", "14.00")]
    expect(page.get_by_text("28.00").first).to_be_visible()


def test_a_place_without_a_rate_is_told_at_its_field(at_desk):
    desk = at_desk("mei")
    desk.go("/expenses")
    form = days_in_march(desk, "Brazil")
    for label in ("First day", "Last day"):
        form.get_by_label(label).fill("9 March 2024")  # the tables of countries abroad begin with 2025
    form.get_by_label("Back at").fill("19:00")  # more than eight hours
    desk.quiet = False
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("Country or city")).to_have_attribute("aria-invalid", "true")


def test_a_per_diem_is_entered_with_its_meals(at_desk):
    desk = at_desk("mei")
    page = desk.go("/expenses")
    form = days_in_march(desk, "Germany")
    form.get_by_text("Meals that were paid by others").click()
    for box in form.get_by_label("Breakfast").all()[1:]:
        box.check()
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    expect(page.get_by_text("44.80")).to_be_visible()


def test_a_further_expense_joins_the_newest_draft_unless_a_new_claim_is_chosen(at_desk):
    desk = at_desk("leila")
    lines = [{"kind": "mileage", "date": str(today()), "distance": "10", "vehicle": "car"}]
    draft = desk.api("POST", "/hr/expense-claims", {"title": "March", "lines": lines})
    page = desk.go("/expenses")
    desk.act("Add mileage")
    form = page.get_by_role("dialog", name="Add mileage")
    expect(form.get_by_label("Expense claim").locator("option:checked")).to_have_text("March")
    form.get_by_label("Distance").fill("20")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    assert len(desk.api("GET", f"/hr/expense-claims/{draft['id']}")["lines"]) == 2
    desk.act("Add mileage")
    form.get_by_label("Expense claim").select_option(label="New claim")
    form.get_by_label("Distance").fill("30")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    assert len(desk.api("GET", "/hr/expense-claims?isOwn=true&status=draft")) == 2
