"""The lines of invoices and bills in a real browser: accounts, products, and what else a line has."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
def test_a_bill_asks_for_an_account_once_and_knows_it_from_then_on(at_desk, width):
    desk = at_desk("ines", width, "light")
    desk.quiet = False
    workspace = desk.api("GET", "/auth/session")["workspace"]["id"]
    desk.api("PATCH", f"/workspace/{workspace}", {"billsNeedAccount": True})
    supplier = desk.api("POST", "/finance/contacts", {"kind": "supplier", "name": f"Telekom {width}"})["id"]
    for is_known in (False, True):
        page = desk.go("/bills/new")
        page.get_by_role("combobox", name="Supplier").fill(f"Telekom {width}")
        page.get_by_role("option", name=re.compile(f"Telekom {width}")).click()
        account = page.get_by_role("combobox", name="Account, line 1")
        page.locator("[name='lines[0].description']").fill("Phone")
        page.locator("[name='lines[0].unitPrice']").fill("40")
        if not is_known:
            expect(account).to_have_attribute("placeholder", "Choose an account")
            desk.press("Control+Enter")
            expect(page.locator("[name='lines[0].accountId'][aria-invalid=true]")).to_be_focused()
            account.fill("6400")
            account.press("Enter")
            expect(page.locator("[name='lines[0].quantity']")).to_be_focused()
        expect(account).to_have_value(re.compile("^6400 "))
        more = page.get_by_role("button", name="More of line 1")
        size = more.bounding_box()
        assert min(size["width"], size["height"]) >= (44 if width == 360 else 24)  # a finger, or a mouse
        more.click()
        page.locator("[name='lines[0].discount']").fill("5")
        page.locator("[name='lines[0].unit']").fill("month")
        assert not desk.is_wide()
        assert desk.refusals() == []
        more.click()
        expect(page.locator(".line-chips .pill")).to_have_text(["month", "−5%"])
        expect(more).to_be_focused()
        desk.act("Post")
        page.get_by_role("alertdialog").get_by_role("button", name="Post", exact=True).click()
        page.wait_for_url(re.compile(r"/bills/[0-9a-f-]{36}$"))
        expect(page.get_by_text(re.compile("Posted to 6400 "))).to_be_visible()
    bills = desk.api("GET", f"/finance/invoices?supplierId={supplier}&include=lines")
    reasons = sorted(line["accountBecause"] for bill in bills for line in bill["lines"])
    assert reasons == ["line", "supplier"]
    desk.api("PATCH", f"/workspace/{workspace}", {"billsNeedAccount": False})


@pytest.mark.parametrize("width", [1280])
def test_a_product_fills_what_is_empty_and_free_text_stays_free(at_desk, width):
    desk = at_desk("amara", width, "light")
    desk.api("POST", "/finance/products", {"name": "Workshop day", "unitPrice": "1100.00", "unit": "day"})
    page = desk.go("/invoices/new")
    page.get_by_role("combobox", name="Customer").fill("Hansen")
    page.get_by_role("option", name=re.compile("Hansen")).first.click()
    description = page.get_by_role("combobox", name="Description, line 1")
    description.press_sequentially("Worksh")
    expect(page.get_by_role("option", name=re.compile("Workshop day")).first).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("option", name="Create product “Worksh”")).to_be_visible()
    desk.press("Enter")
    expect(page.locator("[name='lines[0].quantity']")).to_be_focused()
    expect(page.locator("[name='lines[0].unitPrice']")).to_have_value("1,100.00")
    desk.press("Enter")
    free = page.get_by_role("combobox", name="Description, line 2")
    expect(free).to_be_focused()
    free.press_sequentially("Worksh and more")
    desk.press("Tab")
    expect(free).to_have_value("Worksh and more")
    page.locator("[name='lines[1].unitPrice']").fill("77.98")
    page.locator("summary", has_text="Terms").click()
    page.get_by_label("Cash discount in %").fill("2")
    page.get_by_label("Days for the discount").fill("8")
    expect(page.get_by_text(re.compile("less 28.04 = 1,373.76"))).to_be_visible()  # 2 % of 1,401.80
    page.get_by_label("Kind").select_option(label="Final invoice")
    expect(page.get_by_role("heading", name="New final invoice")).to_be_visible()
    expect(page.get_by_text("Deposits applied")).to_be_visible()
    page.get_by_label("Kind").select_option(label="Invoice")
    desk.press("Control+s")
    page.get_by_text("Draft saved.").first.wait_for()
    drafts = desk.api("GET", "/finance/invoices?status=draft&include=lines")
    (draft,) = [one for one in drafts if one["total"] == "1401.80"]
    assert [(line["productName"], line["unit"], line["description"]) for line in draft["lines"]] == [
        ("Workshop day", "day", "Workshop day"),
        (None, None, "Worksh and more"),
    ]


COUNT_FORMATS = """() => {
  const { get } = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, "format");
  window.formats = 0;
  Object.defineProperty(Intl.NumberFormat.prototype, "format", {
    configurable: true,
    get() {
      const format = get.call(this);
      return (one) => { window.formats += 1; return format(one); };
    },
  });
}"""


def test_a_key_draws_no_net_cell_and_the_answer_only_those_that_it_changes(at_desk):
    """Of 40 lines, a price changes one net amount; the totals below take a dozen more."""
    desk = at_desk("amara")
    customer = desk.api("POST", "/finance/contacts", {"name": "Forty Lines", "kind": "customer"})
    lines = [{"description": f"Line {n}", "quantity": "1", "unitPrice": f"{n}.00"} for n in range(1, 41)]
    body = {"customerId": customer["id"], "lines": lines, "draft": True}
    draft = desk.api("POST", "/finance/invoices", body)
    page = desk.go(f"/invoices/{draft['id']}/edit")
    net = page.locator("[data-line]").nth(6).locator(".is-shown")
    expect(net).to_contain_text("7.00")
    desk.settle()
    page.evaluate(COUNT_FORMATS)
    page.locator("[name='lines[6].description']").press("x")
    assert page.evaluate("window.formats") == 0
    page.locator("[name='lines[6].unitPrice']").fill("9")
    page.locator("[name='lines[6].unitPrice']").press("Tab")
    expect(net).to_contain_text("9.00")
    desk.settle()
    assert page.evaluate("window.formats") < 25
