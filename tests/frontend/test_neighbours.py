"""From one record of a list to the next: by its order and filters, past what is loaded, over what leaves the list."""

import re

import pytest

from tests.frontend.conftest import expect
from tests.servers import wait_for

pytestmark = pytest.mark.browser


def place(page):
    """What the pager says: "2 of 9"."""
    return page.get_by_role("navigation", name="Records")


def numbers(page):
    return [link.inner_text() for link in page.locator("main .row-link").all()]


def test_brackets_go_through_the_invoices_of_the_filter_one_came_from(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices?state=paid&sort=total")
    page.get_by_role("link", name="INV-").first.wait_for()
    first, second, third = numbers(page)[:3]
    page.get_by_role("link", name=second).click()
    page.get_by_role("heading", name=second).wait_for()
    place(page).get_by_text("2 of ").wait_for()
    desk.press("]")
    page.get_by_role("heading", name=third).wait_for()
    desk.press("[", "[")
    page.get_by_role("heading", name=first).wait_for()
    expect(place(page).get_by_role("link", name="No record before this one")).not_to_have_attribute(
        "href", re.compile("")
    )
    desk.press("[")  # nothing is before it
    desk.press("u")
    page.get_by_role("heading", name="Invoices").wait_for()
    expect(page).to_have_url(re.compile(r"/invoices\?state=paid&sort=total$"))


def test_an_invoice_that_leaves_the_list_by_its_payment_keeps_its_place(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices?state=open&sort=dueDate")
    page.get_by_role("link", name="INV-").first.wait_for()
    first, second = numbers(page)[:2]
    page.get_by_role("link", name=first).click()
    place(page).get_by_text("1 of ").wait_for()
    page.get_by_role("heading", name=first).wait_for()
    desk.press("p")
    page.get_by_role("dialog").get_by_label("Amount in EUR").wait_for()
    desk.press("Enter")
    page.locator("main h1 + .pill", has_text="paid").wait_for()
    desk.press("]")
    expect(page.get_by_role("heading", name=second)).to_be_visible()


def test_a_record_that_one_reloads_still_knows_its_list_and_another_knows_none(at_desk):
    desk = at_desk("amara")
    page = desk.go("/payments?direction=received")
    page.get_by_role("link", name="PAY-").nth(1).click()
    place(page).get_by_text("2 of ").wait_for()
    page.reload()
    place(page).get_by_text("2 of ").wait_for()
    made = desk.api("GET", "/finance/payments?direction=made&limit=1")[0]
    desk.go(f"/payments/{made['id']}").get_by_role("heading", name=made["number"]).wait_for()
    desk.settle()
    expect(place(page)).to_have_count(0)


def test_the_next_page_of_a_list_is_read_when_its_last_record_is_reached(at_desk):
    desk = at_desk("amara")
    page = desk.page
    page.route(  # pages of two instead of 200
        "**/api/v1/finance/contacts?*",
        lambda route: route.continue_(url=re.sub("limit=200", "limit=2", route.request.url)),
    )
    names = [one["name"] for one in desk.api("GET", "/finance/contacts?isArchived=false&sort=name&limit=4")]
    desk.go("/contacts").get_by_role("link", name=names[0], exact=True).click()
    for at, name in enumerate(names, 1):
        page.get_by_role("heading", name=name, exact=True).wait_for()
        place(page).get_by_text(f"{at} of ").wait_for()
        place(page).get_by_role("link", name="Next record").wait_for()
        desk.press("]")
    assert desk.refusals() == []


def test_a_draft_opens_in_the_editor_on_the_way_through_the_list(at_desk):
    desk = at_desk("amara")
    customer = desk.api("GET", "/finance/contacts?q=Hansen&limit=1")[0]["id"]
    lines = [{"description": "Advice", "quantity": "1", "unitPrice": "10"}]
    desk.api(
        "POST", "/finance/invoices", {"customerId": customer, "draft": True, "lines": lines, "kind": "sales_invoice"}
    )
    page = desk.go("/invoices?state=draft")
    page.get_by_role("link", name="draft", exact=True).first.click()
    page.get_by_role("heading", name="Edit invoice").wait_for()
    place(page).get_by_text("1 of ").wait_for()
    page.get_by_role("heading", name="Edit invoice").focus()
    desk.press("]")
    expect(place(page).get_by_text("2 of ")).to_be_visible()


@pytest.mark.parametrize("path", ["/tasks", "/board"])
def test_the_panel_of_a_task_goes_on_to_the_task_below(at_desk, path):
    desk = at_desk("mei")
    page = desk.go(path)
    page.locator("main a[href^='/tasks/']").nth(1).wait_for()
    keys = [link.get_attribute("href") for link in page.locator("main a[href^='/tasks/']").all()]
    page.locator(f"main a[href='{keys[0]}']").first.click()
    page.get_by_role("dialog").get_by_text("1 of ").wait_for()
    desk.press("]")
    page.get_by_role("dialog").get_by_text("2 of ").wait_for()
    expect(page).to_have_url(re.compile(f"task={keys[1].split('/')[-1]}$"))
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    expect(page).to_have_url(re.compile(f"{path}$"))  # the address follows once the panel is gone


def test_back_finds_the_row_and_the_place_one_left(at_desk):
    desk = at_desk("amara")
    page = desk.go("/journals")
    page.locator("main .row-link").first.wait_for()
    page.evaluate("scrollTo(0, 4500)")
    link = page.locator("main [aria-rowindex='130'] .row-link")
    name = link.inner_text()
    desk.settle()
    link.focus()
    top = link.bounding_box()["y"]
    desk.press("Enter")
    page.get_by_role("heading", name=name, level=1).wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.go_back()
    expect(link).to_be_focused()
    expect(link).to_have_text(name)
    expect(link).to_be_in_viewport()
    wait_for(lambda: abs(link.bounding_box()["y"] - top) < 40)
