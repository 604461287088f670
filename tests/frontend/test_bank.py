"""The bank in the browser: a statement comes in, and its lines are confirmed, booked and taken back by keys."""

from decimal import Decimal

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def statement(opening, lines):
    """A statement as MT940, of lines of 20 November."""
    rows = "".join(
        f":61:2611201120{'D' if amount < 0 else 'C'}{abs(amount)!s}NTRFNONREF//{text}\n:86:166?20{text}?32{party}\n"
        for amount, text, party in lines
    )
    closing = opening + sum(amount for amount, *_ in lines)
    return (
        f":20:START\n:25:1/2\n:28C:1/1\n:60F:C261119EUR{opening!s}\n{rows}:62F:C261120EUR{closing!s}\n-\n".replace(
            ".", ","
        )
    ).encode()


def line(page, text):
    return page.locator("main [data-row]", has_text=text)


@pytest.mark.parametrize("width", [1280, 360])
def test_a_statement_comes_in_and_each_line_is_put_into_the_books(at_desk, width):
    desk = at_desk("amara", width)
    accounts = desk.api("GET", "/finance/accounts")
    (account,) = [one for one in accounts if one["subtype"] == "bank"]
    cost = next(one for one in accounts if one["subtype"] == "expense" and not one["isGroup"])
    owed = next(
        one
        for one in desk.api("GET", "/finance/invoices?status=issued&limit=50")
        if one["currency"] == "EUR" and one["kind"] == "sales_invoice" and one["dueDate"] > "2026"
    )
    before = desk.api("GET", f"/finance/bank/accounts/{account['id']}")
    opening = Decimal(before["statementBalance"] or before["bookBalance"])
    fee = f"Kontofuehrung {width}"
    lines = [
        (Decimal(owed["amountDue"]), f"{owed['number']} {width}", owed["customerName"]),
        (Decimal("-9.90"), fee, "Bank"),
    ]
    page = desk.go("/bank")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Import a statement").first.click()
    chooser.value.set_files({"name": "b.sta", "mimeType": "text/plain", "buffer": statement(opening, lines)})
    expect(page.get_by_text("b.sta: 2 new lines, 0 known.").first).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []

    line(page, owed["customerName"]).first.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name=f"Confirm: {owed['number']} is in the text").click()
    expect(page.get_by_text(f"{owed['customerName']} is in the books.").first).to_be_visible()
    assert desk.api("GET", f"/finance/invoices/{owed['id']}")["status"] == "paid"

    line(page, "Bank").first.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Book to an account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Account", exact=True).select_option(cost["id"])
    dialog.get_by_role("button", name="Book it").click()
    expect(dialog).to_be_hidden()
    desk.go("/bank?status=matched")
    line(page, owed["customerName"]).first.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Take it back").click()
    expect(line(page, owed["customerName"])).to_have_count(0)
    assert desk.api("GET", f"/finance/invoices/{owed['id']}")["status"] == "issued"
