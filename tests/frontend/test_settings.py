"""The settings of a workspace in the browser: how its books and its time are kept, and the accounts it posts to."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def owner(at_desk):
    """The owner at the settings, who may be refused."""

    def owner(width=1280, scheme="light"):
        desk = at_desk("ines", width, scheme)
        desk.quiet = False
        desk.go("/settings").get_by_role("form", name="Working time and pay").wait_for()
        return desk

    return owner


def settings(desk):
    workspace = desk.api("GET", "/auth/session")["workspace"]["id"]
    return desk.api("GET", f"/workspace/{workspace}")


def saved(page, form):
    """Press Save, and wait until the form is ready for the next; the status of the answer."""
    with page.expect_response(lambda response: response.request.method == "PATCH") as answer:
        form.get_by_role("button", name="Save").click()
    expect(form).not_to_have_attribute("aria-busy", "true")
    return answer.value.status


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_days_off_and_how_times_are_rounded(owner, width, scheme):
    desk = owner(width, scheme)
    assert not desk.is_wide()
    assert desk.refusals() == []
    form = desk.page.get_by_role("form", name="Working time and pay")
    form.get_by_label("Friday").set_checked(width == 1280)
    form.get_by_label("Rounding of punches").fill("90")
    assert saved(desk.page, form) == 422
    step = form.locator("[name='punchRounding.step'][aria-invalid=true]")
    step.fill("15")
    form.get_by_label("Rounded", exact=True).select_option("up")
    assert saved(desk.page, form) == 200
    now = settings(desk)
    assert now["weekend"] == (["fri", "sat", "sun"] if width == 1280 else ["sat", "sun"])
    assert now["punchRounding"] == {"step": 15, "mode": "up"}


def test_small_amounts_and_the_year_that_is_fixed(owner):
    desk = owner()
    form = desk.page.get_by_role("form", name="Bookkeeping")
    form.get_by_label("Smallest coin").fill("0.05")
    form.get_by_label("Days of grace for discounts").fill("3")
    assert saved(desk.page, form) == 200
    now = settings(desk)
    assert (now["cashRounding"], now["discountGraceDays"], now["smallDifferenceLimit"]) == ("0.05", 3, "1.00")
    form.get_by_label("Start of the fiscal year").select_option("04-06")
    assert saved(desk.page, form) == 409
    expect(form.get_by_text("The start of the fiscal year can no longer be changed.").first).to_be_visible()


def test_sales_count_when_they_are_paid_from_a_day_on(owner):
    desk = owner()
    form = desk.page.get_by_role("form", name="Accounting basis")
    form.get_by_label("Valid from").fill("1.7.2026")
    form.get_by_role("button", name="Add").click()
    row = desk.page.get_by_text("Since 1 Jul 2026: when they are paid")
    expect(row).to_be_visible()
    assert settings(desk)["taxBasis"] == [{"since": "2026-07-01", "basis": "cash"}]
    desk.page.get_by_role("listitem").filter(has=row).get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    assert settings(desk)["taxBasis"] == []
    form.get_by_label("Valid from").fill("")
    form.get_by_role("button", name="Add").click()
    expect(form.get_by_text("Enter the first day.").first).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_default_account_is_chosen(owner, width, scheme):
    desk = owner(width, scheme)
    page = desk.page
    desk.api("PATCH", f"/workspace/{settings(desk)['id']}", {"defaultAccounts": {"sales": "4100"}})
    page.get_by_role("link", name="Default accounts").click()
    form = page.get_by_role("form", name="Default accounts")
    sales = form.locator("[name='defaultAccounts.sales']")
    expect(sales).to_have_value("4100 Services")
    assert not desk.is_wide()
    assert desk.refusals() == []
    sales.fill("1000")
    page.locator("[role=option]:visible", has_text="1000").click()
    assert saved(page, form) == 422
    expect(form.get_by_text("Account 1000 cannot be used here.").first).to_be_visible()
    desk.api("PATCH", f"/workspace/{settings(desk)['id']}", {"defaultAccounts": {"bank": "1000"}})  # by a colleague
    desk.come_back()
    expect(form.locator("[name='defaultAccounts.bank']")).to_have_value("1000 Cash")
    sales.fill("4000")
    page.locator("[role=option]:visible", has_text="4000").click()
    assert saved(page, form) == 200
    (account,) = [one for one in desk.api("GET", "/finance/accounts") if one["code"] == "4000"]
    now = settings(desk)["defaultAccounts"]
    assert now["sales"] == account["id"] != now["bank"]
    desk.api("PATCH", f"/workspace/{settings(desk)['id']}", {"defaultAccounts": {"bank": "1010"}})


def test_a_workspace_is_archived_and_taken_back_into_use(owner):
    desk = owner()
    page = desk.page
    desk.act("Archive this workspace")
    page.get_by_role("alertdialog").get_by_role("button", name="Archive").click()
    mark = page.get_by_role("main").get_by_text("archived", exact=True)
    expect(mark).to_be_visible()
    form = page.get_by_role("form", name="Bookkeeping")
    form.get_by_label("Days of grace for discounts").fill("9")
    assert saved(page, form) == 409
    assert settings(desk)["status"] == "archived"
    desk.act("Unarchive this workspace")
    expect(mark).to_have_count(0)
    form.get_by_role("button", name="Save").click()

    expect(page.get_by_text("Saved.").first).to_be_visible()
    assert settings(desk)["discountGraceDays"] == 9
