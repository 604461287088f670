"""The palette finds a screen by the words that users of other programs know, in English and German."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

FOUND = [
    *(("unmatch", "Bank"), ("reconcile", "Bank"), ("bank transactions", "Bank"), ("Kontoumsätze", "Bank")),
    *(("import", "Import data"), ("EB-Werte", "Import data"), ("VAT return", "VAT return"), ("UStVA", "VAT return")),
    *(("P&L", "Profit and loss"), ("GuV", "Profit and loss"), ("vendor bill", "Bills"), ("Mahnung", "Contacts")),
    *(("Steuerberater", "Tax advisor"), ("festschreiben", "Close"), ("sales invoice", "New invoice")),
]


def typed(desk, text):
    desk.press("Control+k")
    field = desk.page.locator(".palette-input")
    field.fill(text)
    return desk.page.locator(".palette-item").first


@pytest.mark.parametrize(("text", "name"), FOUND)
def test_a_screen_is_found_by_a_word_that_its_name_does_not_have(at_desk, text, name):
    desk = at_desk("ines")
    desk.go("/")
    first = typed(desk, text)
    expect(first.locator("span").first).to_have_text(name)
    desk.press("Escape")


def test_what_is_found_by_a_word_of_another_program_is_opened(at_desk):
    desk = at_desk("ines")
    page = desk.go("/")
    expect(typed(desk, "reconcile").locator("span").first).to_have_text("Bank")
    desk.press("Enter")
    expect(page.get_by_role("heading", name="Bank", level=1)).to_be_visible()


def test_a_name_comes_before_a_word_and_nonsense_finds_no_screen(at_desk):
    desk = at_desk("ines")
    desk.go("/")
    expect(typed(desk, "time").locator("span").first).to_have_text("Log time")
    desk.page.locator(".palette-input").fill("zzz unheard of")
    expect(desk.page.locator(".palette-list").get_by_text("No results.")).to_be_visible()
    desk.press("Escape")


def test_a_palette_that_is_just_being_closed_opens_again(at_desk):
    desk = at_desk("ines")
    page = desk.go("/")
    typed(desk, "time")
    page.evaluate("""() => {
      const key = (name, more) =>
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, ...more }));
      document.querySelector("dialog[open]").close();
      key("k", { ctrlKey: true });
    }""")
    expect(page.locator(".palette-input")).to_have_count(1)
    expect(page.locator(".palette-input")).to_be_focused()
    expect(page.locator(".palette-input")).to_have_value("")


def test_an_archived_record_is_marked_where_it_is_found(at_desk):
    desk = at_desk("ines")
    for path, body in (
        ("/finance/contacts", {"name": "Zephyr Contact", "kind": "customer"}),
        ("/tasks", {"title": "Zephyr Task"}),
    ):
        made = desk.api("POST", path, body)
        if path == "/tasks":
            desk.api("PATCH", f"{path}/{made['id']}", {"status": "done"})
        desk.api("POST", f"{path}/{made['id']}/archive", {})
    page = desk.go("/")
    typed(desk, "zephyr")
    for name in ("Zephyr Contact", "Zephyr Task"):
        expect(page.get_by_role("option").filter(has_text=name)).to_contain_text("archived")
    desk.press("Escape")


def test_a_bill_opens_among_the_bills_wherever_it_is_found_and_a_view_in_its_list(at_desk):
    desk = at_desk("ines")
    page = desk.go("/")
    bill = desk.api("GET", "/finance/invoices?kind=purchase_invoice&status=paid&limit=1")[0]
    typed(desk, bill["number"])
    found = page.get_by_role("option", name=bill["number"]).first
    found.click()
    page.wait_for_url(f"**/bills/{bill['id']}")
    for path in (
        f"/invoices/{bill['id']}",
        f"/invoices/{bill['id']}?from=log",
    ):  # a link that knows no more than its id
        desk.go(path)
        page.wait_for_url(path.replace("/invoices/", "**/bills/"))
    expect(page.locator(".back, nav").get_by_role("link", name="Bills").first).to_be_visible()
    desk.go("/")
    desk.press("Control+k")
    recent = page.get_by_role("option", name=bill["number"])
    expect(recent).to_have_count(1)
    desk.press("Escape")
    sale = desk.api("GET", "/finance/invoices?kind=sales_invoice&status=paid&limit=1")[0]
    desk.go(f"/bills/{sale['id']}")
    page.wait_for_url(f"**/invoices/{sale['id']}")
    desk.api("POST", "/workspace/views", {"page": "report_cash_flow", "name": "Zebra", "query": "period=last_year"})
    typed(desk, "Zebra")
    page.get_by_role("option", name="Zebra").click()
    page.wait_for_url("**/reports/cash-flow?period=last_year&saved=*")
