"""Lists: their columns, filters with several values, views, and what is done with several rows."""

import re
from typing import Any

import pytest

from tests.frontend.conftest import TIMEOUT, expect, today

pytestmark = pytest.mark.browser


def headings(page):
    return page.locator(".table thead th:not(.is-check)")


def has_headings(page, *names):
    expect(headings(page)).to_have_text(names, use_inner_text=True)


def column_menu(page):
    page.get_by_role("button", name="Columns").click()
    return page.get_by_role("dialog", name="Columns")


def test_columns_are_chosen_and_ordered_by_keyboard(at_desk):
    desk = at_desk()
    page = desk.go("/invoices?saved=-")
    menu = column_menu(page)
    expect(menu.get_by_role("checkbox", name="Number", exact=True)).to_be_disabled()
    expect(menu.get_by_role("checkbox", name="Customer", exact=True)).to_be_focused()
    menu.get_by_role("checkbox", name="Due date", exact=True).uncheck()
    menu.get_by_role("checkbox", name="Project", exact=True).check()
    for _ in range(3):
        desk.press("Alt+ArrowUp")  # past a column that is shown, each
    expect(menu.get_by_role("checkbox", name="Project", exact=True)).to_be_focused()
    assert desk.refusals() == []
    desk.press("Escape")
    expect(page.get_by_role("button", name="Columns")).to_be_focused()
    has_headings(page, "Number", "Customer", "Date", "Project", "Total", "Open", "Status", "Actions")
    expect(page).to_have_url(re.compile("columns=party%2Cdate%2Cproject%2Ctotal%2Copen%2Cstate"))
    expect(page.locator("td[data-label=Project]", has_text="Hansen stores").first).to_be_visible()
    column_menu(page)
    for keys in ("Alt+ArrowRight", "Alt+ArrowRight", "Alt+ArrowLeft"):
        desk.press(keys)
    menu.get_by_role("button", name="Move Project down").click()
    expect(menu.get_by_role("button", name="Move Project down")).to_be_focused()
    desk.press("Escape")
    expect(headings(page).nth(4)).to_have_text("Project")
    expect(page).to_have_url(re.compile(r"columns=party%3A\d+%2Cdate%2Ctotal%2Cproject"))


def test_a_column_is_made_wider_by_the_mouse(at_desk):
    desk = at_desk()
    page = desk.go("/invoices?saved=-")
    heading = page.get_by_role("columnheader", name="Total")
    page.locator(".row-line").first.wait_for()
    desk.settle()
    edge, width = heading.locator(".column-edge").bounding_box(), heading.bounding_box()["width"]
    page.mouse.move(edge["x"] + 4, edge["y"] + 10)
    page.mouse.down()
    expect(heading).to_have_attribute("data-sized", "")  # what follows the mouse is imported now
    page.mouse.move(edge["x"] + 44, edge["y"] + 10, steps=2)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"total%3A\d+"))
    assert abs(heading.bounding_box()["width"] - width - 40) < 2


def test_the_browser_keeps_the_columns_until_they_are_as_they_were(at_desk):
    desk = at_desk()
    page = desk.go("/invoices?saved=-")
    page.locator(".row-line").first.wait_for()
    usual = headings(page).all_inner_texts()
    column_menu(page).get_by_role("checkbox", name="Project", exact=True).check()
    desk.press("Escape")
    expect(page).to_have_url(re.compile("columns=.*project"))
    desk.go("/invoices?saved=-")
    expect(page.get_by_role("columnheader", name="Project")).to_be_visible()
    column_menu(page).get_by_role("button", name="As it was").click()
    has_headings(page, *usual)


def test_chosen_columns_and_several_values_fit_a_phone(at_desk):
    desk = at_desk(width=360)
    customers = ",".join(one["id"] for one in desk.api("GET", "/finance/contacts?kind=customer&limit=5"))
    page = desk.go(f"/payments?contactId={customers}")
    expect(page.get_by_text("+3", exact=True)).to_be_visible()
    assert not desk.is_wide()
    desk.go("/invoices?saved=-&columns=party,project,total,state,nowhere")
    expect(page.locator("td[data-label=Project]", has_text="Hansen stores").first).to_be_visible()
    assert (desk.is_wide(), desk.refusals()) == (False, [])


@pytest.mark.parametrize(
    ("path", "name", "head"),
    [
        ("/invoices?saved=-&columns=party,paid,net", "Invoices", "number,customerName,amountPaid,netTotal"),
        ("/attendance?view=month&columns=due,worked", "Totals", "employeeName,expectedMinutes,workedMinutes"),
        ("/payments?columns=for,contact", "Payments", "number,allocations.invoiceNumber,contactName"),
    ],
)
def test_a_file_has_the_columns_that_are_shown(at_desk, path, name, head):
    desk = at_desk()
    page = desk.go(path)
    page.get_by_role("table").get_by_role("row").nth(1).wait_for()
    with page.expect_download() as saved:
        desk.act("CSV")
    assert re.fullmatch(rf"{name}[ a-z]* \d{{4}}-\d\d-\d\d\.csv", saved.value.suggested_filename)
    assert saved.value.path().read_text("utf-8-sig").splitlines()[0] == head


def test_a_filter_takes_several_values_or_all_but_them_and_days_by_words(at_desk):
    desk = at_desk()
    page = desk.go("/invoices?saved=-")
    chips = page.get_by_role("group", name="Filters")
    chips.get_by_role("button", name="Customer").click()
    menu = page.get_by_role("dialog", name="Customer")
    for name in ("Moritz", "Hansen"):
        menu.get_by_role("searchbox").fill(name)
        menu.get_by_label(re.compile(name)).check()
    shown = page.locator(".row-line td.at-name")
    chosen, others = (shown.filter(**{about: re.compile("^(Café|Hansen)")}) for about in ("has_text", "has_not_text"))
    for name in ("Café", "Hansen"):
        expect(chosen.filter(has_text=name).first).to_be_visible()
    expect(others).to_have_count(0)
    assert desk.refusals() == []
    menu.get_by_label("is not").check()
    expect(page.locator(".chip.is-set")).to_contain_text("not")
    expect(others.first).to_be_visible()
    expect(chosen).to_have_count(0)
    desk.press("Escape")
    chips.get_by_role("button", name="Period").click()
    page.get_by_role("menuitem", name="Last year").click()
    desk.settle()
    assert "not.customerId=" in page.url
    assert "period=last_year" in page.url
    page.get_by_role("button", name="Clear Customer").click()
    chips.get_by_role("button", name="Period").first.click()
    page.get_by_role("menuitem", name="First day").click()
    page.get_by_role("dialog", name="First day").locator(".days [tabindex='0']").click()
    expect(page.locator(".chip.is-set")).to_have_text(re.compile("First day"))
    assert "period" not in page.url


def test_a_view_is_saved_shared_changed_and_opens_the_list(at_desk):
    desk = at_desk()
    page = desk.go("/invoices?state=overdue&sort=-total")
    views = page.locator(".views")
    expect(views).to_have_text("Views")  # its module, and with it the key, may come after the list
    desk.press("v", "ArrowUp", "Enter")
    form = page.get_by_role("dialog", name="Save as")
    form.get_by_label("Name").fill("Late")
    form.get_by_label(re.compile("Share")).check()
    form.get_by_label("Name").focus()
    desk.press("Enter")
    assert desk.keys == 4
    expect(views).to_have_text("View: Late")
    page.get_by_role("link", name="Drafts").click()
    expect(views).to_contain_text("View: Late*")
    views.get_by_role("button", name="Save", exact=True).click()
    expect(views).to_have_text("View: Late")
    page.get_by_role("button", name="Undo").click()  # what the view had before
    expect(views).to_contain_text("View: Late*")
    for name in ("Default for all", "Default for me"):
        views.get_by_role("button", name="View: Late").click()
        with page.expect_response(re.compile(r"/workspace/views\?")):  # read again, with its new version
            page.get_by_role("menuitem", name=name).click()
        desk.settle()
    expect(views).to_contain_text("★")
    assert desk.refusals() == []
    desk.go("/invoices")
    page.wait_for_url(re.compile(r"state=overdue.*sort=-total.*saved="))
    desk.go("/invoices?state=draft")  # the address wins
    expect(views).to_have_text("Views")
    desk.press("v")
    expect(page.get_by_role("menu").locator("hr")).to_have_count(1)  # between the views and what else there is
    desk.press("Escape")
    colleague = at_desk("amara")
    colleague.go("/invoices")
    colleague.page.wait_for_url(re.compile("state=overdue"))
    expect(colleague.page.locator(".views")).to_contain_text("View: Late")
    colleague.press("v")
    names = colleague.page.get_by_role("menuitem").all_inner_texts()
    assert "Rename" not in names
    assert any("Late" in name for name in names)


def test_a_view_with_what_the_list_does_not_know_shows_the_rest_and_says_so(at_desk):
    desk = at_desk()
    columns = [{"key": "number"}, {"key": "gone"}, {"key": "net"}]
    about = {"page": "invoices", "name": "Old", "query": "foo=1&state=open", "columns": columns, "sort": "-bar"}
    made = desk.api("POST", "/workspace/views", about)
    desk.offer_undo_longer()
    page = desk.go(f"/invoices?saved={made['id']}")
    expect(page.locator(".toasts")).to_contain_text("Left out of Old, as it is not known here: foo, gone, -bar.")
    page.get_by_role("columnheader", name="Net").wait_for()
    has_headings(page, "Number", "Net", "Actions")
    desk.press("v")
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.locator(".views")).to_have_text("Views")
    page.get_by_role("button", name="Undo").click()
    desk.press("v")
    expect(page.get_by_role("menuitem", name="Old")).to_be_visible()


def test_more_invoices_than_a_request_takes_are_paid_together(at_desk):
    desk = at_desk()
    customer = desk.api("POST", "/finance/contacts", {"name": "Crowd", "kind": "customer"})["id"]
    lines = [{"description": "Paint", "quantity": "1", "unitPrice": "1.00"}]
    for _ in range(201):
        desk.api("POST", "/finance/invoices", {"customerId": customer, "lines": lines})
    page = desk.go(f"/invoices?state=open&customerId={customer}&saved=-")
    page.locator(".row-line").nth(2).wait_for()
    page.get_by_role("checkbox", name="Select all").check()
    bar = page.get_by_role("region", name="Selected rows")
    expect(bar).to_contain_text("200 selected")
    bar.get_by_role("button", name="All 201 that match").click()
    expect(bar).to_contain_text("201 selected")
    desk.press("r")
    dialog = page.get_by_role("dialog", name="Record 201 payments")
    expect(dialog.get_by_role("status")).to_contain_text("€239.19", timeout=3 * TIMEOUT)  # of 201 that are tried
    sent: list[dict[str, Any]] = []
    page.on("request", lambda request: sent.extend([request.post_data_json] if "/batch" in request.url else ()))
    desk.press("Control+Enter")
    expect(page.locator(".toasts")).to_contain_text("201 payments recorded.", timeout=3 * TIMEOUT)
    assert [len(one["payments"]) for one in sent if not one.get("dryRun")] == [200, 1]
    assert desk.api("GET", f"/finance/invoices?customerId={customer}&status=issued") == []
    assert len(desk.api("GET", f"/finance/invoices?customerId={customer}&status=paid&limit=200")) == 200
    assert desk.complaints == []


def test_several_invoices_are_paid_together_after_their_sum_is_shown(at_desk):
    desk = at_desk()
    page = desk.go("/invoices?state=open&currency=EUR&saved=-")
    page.locator(".row-line").nth(2).wait_for()
    desk.settle()
    for _ in range(3):
        desk.press("j", "x")
    bar = page.get_by_role("region", name="Selected rows")
    expect(bar).to_contain_text("3 selected · ")
    ids = [row.get_attribute("data-row") for row in page.locator("[data-row]:has(:checked)").all()]
    open_ones = [desk.api("GET", f"/finance/invoices/{id}") for id in ids]
    desk.press("r")
    dialog = page.get_by_role("dialog", name="Record 3 payments")
    cents = sum(int(row["amountDue"].replace(".", "")) for row in open_ones)
    expect(dialog.get_by_role("status")).to_contain_text(f"€{cents / 100:,.2f}")
    assert desk.refusals() == []
    desk.press("Control+Enter")
    assert desk.keys == 8
    expect(page.locator(".toasts")).to_contain_text("3 payments recorded.")
    statuses = {desk.api("GET", f"/finance/invoices/{row['id']}")["status"] for row in open_ones}
    assert statuses == {"paid"}
    page.get_by_role("button", name="Undo").click()
    for row in open_ones:
        expect(page.locator(f"[data-row='{row['id']}']")).to_be_visible()


def test_invoices_in_another_currency_are_paid_at_the_latest_rate_alone_and_with_others(at_desk):
    desk = at_desk("amara")
    rate = {"currency": "CAD", "date": f"{today()}", "rate": "0.65"}
    desk.api("POST", "/finance/exchange-rates", rate)
    customer = desk.api("POST", "/finance/contacts", {"name": "Maple Kayaks", "kind": "customer"})
    line = {"description": "Paddles", "quantity": "1", "unitPrice": "100", "taxRateId": None}
    for currency in ("CAD", "EUR", "CAD"):
        body = {"kind": "sales_invoice", "customerId": customer["id"], "currency": currency, "lines": [line]}
        desk.api("POST", "/finance/invoices", {**body, "draft": False})
    page = desk.go(f"/invoices?customerId={customer['id']}&saved=-")
    rows = page.locator("main [data-row]")
    expect(rows).to_have_count(3)
    foreign = rows.filter(has_text="CA$").first
    foreign.locator("[data-opens]").focus()
    desk.press("p")
    page.get_by_role("button", name="Record payment").last.click()
    expect(rows.filter(has_text="paid")).to_have_count(1)
    for row in rows.filter(has_not_text="paid").all():
        row.get_by_role("checkbox").click()
    page.get_by_role("region", name="Selected rows").get_by_role("button", name="Record payments").click()
    dialog = page.get_by_role("dialog", name="Record 2 payments")
    expect(dialog.get_by_role("status")).to_contain_text("CA$")
    dialog.get_by_role("button", name="Record payments").click()
    expect(rows.filter(has_text="paid")).to_have_count(3)
    paid = desk.api("GET", f"/finance/payments?contactId={customer['id']}")
    assert sorted(one["exchangeRate"] or "" for one in paid) == ["", "0.65", "0.65"]


def test_a_range_of_contacts_is_exported_and_archived(at_desk):
    desk = at_desk()
    page = desk.go("/contacts")
    for at in (1, 3):
        page.locator(".row-line").nth(at).get_by_role("checkbox").click(modifiers=["Shift"] if at == 3 else [])
    bar = page.get_by_role("region", name="Selected rows")
    with page.expect_download() as saved:
        bar.get_by_role("button", name="Export").click()
        page.get_by_role("dialog", name="Export 3 rows").get_by_role("button", name="CSV").click()
    assert len(saved.value.path().read_text("utf-8-sig").splitlines()) == 4
    bar.get_by_role("button", name="Archive").click()
    expect(page.locator(".toasts")).to_contain_text("3 archived.")
    page.get_by_role("button", name="Undo").last.click()
    desk.settle()
    assert desk.complaints == []
