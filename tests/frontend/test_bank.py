"""The bank in the browser: a statement comes in, and its lines are confirmed, booked and taken back by keys."""

import re
from decimal import Decimal
from typing import Any

import pytest

from tests.frontend.conftest import expect
from tests.servers import wait_for

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


def post_to(desk, text, account):
    """Post a transaction to an account that is chosen by hand; without one, nothing is posted."""
    page = desk.page
    line(page, text).get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Post to an account").click()
    dialog = page.get_by_role("dialog")
    desk.quiet = False
    dialog.get_by_role("button", name="Post").click()
    dialog.locator("[name=accountId][aria-invalid=true]").wait_for()  # rather than the first suggestion
    dialog.get_by_label("Account", exact=True).fill(account["code"])
    page.get_by_role("option", name=f"{account['code']} {account['name']}").click()
    dialog.get_by_role("button", name="Post").click()
    expect(dialog).to_be_hidden()


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
        page.get_by_role("button", name="Import statement").first.click()
    chooser.value.set_files({"name": "b.sta", "mimeType": "text/plain", "buffer": statement(opening, lines)})
    expect(page.get_by_text("b.sta: 2 new transactions, 0 known.").first).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []

    payment = f"{owed['number']} {width}"
    line(page, payment).get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name=f"Match: {owed['number']} in the text").click()
    expect(page.locator(".toast", has_text=owed["customerName"])).to_be_visible()
    expect(line(page, payment)).to_have_count(0)
    desk.settle()
    assert desk.api("GET", f"/finance/invoices/{owed['id']}")["status"] == "paid"

    post_to(desk, fee, cost)
    desk.go("/bank?status=matched")
    line(page, payment).get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Unmatch").click()
    expect(line(page, payment)).to_have_count(0)
    assert desk.api("GET", f"/finance/invoices/{owed['id']}")["status"] == "issued"


def paid(desk, line_id):
    """The amounts of the entry that a line is matched with, by account."""
    (match,) = desk.api("GET", f"/finance/bank/lines/{line_id}")["matches"]
    rows = desk.api("GET", f"/finance/journals/{match['entryId']}")["lines"]
    return [(row["accountCode"], row["debit"]) for row in rows if row["debit"]]


@pytest.fixture
def giro(at_desk):
    """A desk, and a bank account of its own."""
    desk = at_desk("amara")
    known = {one["code"] for one in desk.api("GET", "/finance/accounts")}
    code = next(str(code) for code in range(1030, 1060) if str(code) not in known)
    body = {"code": code, "name": f"Giro {code}", "type": "asset", "subtype": "bank"}
    bank = desk.api("POST", "/finance/accounts", body)["id"]
    return desk, bank


def import_lines(desk, bank, *lines):
    """Import lines as amount, text and party; their ids by text."""
    file = statement(500, [(Decimal(amount), text, party) for amount, text, party in lines]).decode()
    desk.api("POST", "/finance/bank/statements/import", {"accountId": bank, "file": file})
    return {one["text"]: one["id"] for one in desk.api("GET", f"/finance/bank/lines?accountId={bank}")}


def rows_at(desk, bank, count):
    """The rows of an account's lines, once they are there."""
    rows = desk.go(f"/bank?accountId={bank}").locator("main [data-row]")
    expect(rows).to_have_count(count)
    return rows


def is_matched(desk, bank, count):
    """Wait until so many lines of an account are matched: the page sends one after the other."""
    matched = f"/finance/bank/lines?accountId={bank}&status=matched"
    wait_for(lambda: len(desk.api("GET", matched)) == count)


def test_a_line_takes_a_key_and_waits_for_its_turn(giro):
    desk, bank = giro
    desk.api("POST", "/finance/bank/rules", {"text": "Gebuehr", "accountId": "6800"})
    import_lines(desk, bank, *((f"-{n}.00", f"Gebuehr {n}", "Bank") for n in (1, 2, 3)))
    rows, page = rows_at(desk, bank, 3), desk.page
    desk.press("j", "Enter", "Enter", "Enter")
    assert desk.keys == 4  # to the first, and a key a line
    expect(rows).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")
    is_matched(desk, bank, 3)
    desk.press("z", "z")
    expect(rows).to_have_count(2)
    is_matched(desk, bank, 1)

    held: list[Any] = []
    page.route("**/confirm", lambda route: route.continue_() if held else held.append(route))
    rows = rows_at(desk, bank, 2)
    desk.press("j", "Enter", "Enter")
    expect(rows).to_have_count(0)
    with page.expect_response("**/confirm"):  # of the second, which had to wait for the first
        page.evaluate("dispatchEvent(new Event('pagehide'))")
    held[0].continue_()
    page.unroute("**/confirm")
    is_matched(desk, bank, 3)


def test_a_line_is_split_over_accounts_with_their_taxes(giro):
    desk, bank = giro
    rates = {one["rate"]: one["id"] for one in desk.api("GET", "/finance/tax-rates")}
    ids = import_lines(desk, bank, ("-119.00", "Baumarkt", "Hammer"))
    rows, page = rows_at(desk, bank, 1), desk.page
    desk.press("j", "S")
    parts = page.get_by_role("group", name="Part")
    expect(parts.nth(0).get_by_label("Account")).to_be_focused()
    for at, (code, amount, tax) in enumerate([("6100", "71.40", "19"), ("6400", "47.60", "7")]):
        expect(page.get_by_role("main").get_by_role("button", name="Match", exact=True)).to_be_disabled()
        parts.nth(at).get_by_label("Account").fill(code)
        page.get_by_role("option", name=code).first.click()
        parts.nth(at).get_by_label("Amount", exact=True).fill(amount)
        parts.nth(at).get_by_label("Tax in the amount").select_option(rates[tax])
    expect(parts.nth(1)).to_contain_text("44.49 and 3.11 tax")
    assert desk.refusals() == []
    desk.press("Control+Enter")
    expect(rows).to_have_count(0)
    desk.settle()
    assert [amount for _, amount in paid(desk, ids["Baumarkt"])] == ["60.00", "11.40", "44.49", "3.11"]


def test_a_split_that_is_refused_is_there_again_and_a_locked_day_leads_to_its_year(giro):
    desk, bank = giro
    desk.quiet = False
    import_lines(desk, bank, ("-10.00", "Kiosk", "Zeitung"))
    rows, page = rows_at(desk, bank, 1), desk.page
    error = {"code": "period_locked", "status": 409, "message": "The books are locked.", "details": []}
    page.route("**/confirm", lambda route: route.fulfill(status=409, json={"success": False, "error": error}))
    desk.press("j", "S")
    parts = page.get_by_role("group", name="Part")
    for at, amount in enumerate(["4.00", "6.00"]):
        parts.nth(at).get_by_label("Account").fill("6400")
        page.get_by_role("option", name="6400").first.click()
        parts.nth(at).get_by_label("Amount", exact=True).fill(amount)
    expect(page.get_by_text("left 0.00")).to_be_visible()
    desk.press("Control+Enter")
    expect(rows.get_by_role("note")).to_contain_text("The books are locked.")
    expect(rows.get_by_role("link", name="Close")).to_have_attribute("href", "/close")
    rows.first.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Split").click()
    expect(parts.nth(1).get_by_label("Amount", exact=True)).to_have_value("6.00")
    page.unroute("**/confirm")
    expect(page.get_by_text("left 0.00")).to_be_visible()
    desk.press("Control+Enter")
    expect(rows).to_have_count(0)
    is_matched(desk, bank, 1)


def test_a_line_is_matched_with_a_part_of_what_is_found(giro):
    desk, bank = giro
    open_ones = desk.api("GET", "/finance/invoices?status=issued&kind=sales_invoice&currency=EUR&limit=50")
    owed = next(one for one in open_ones if Decimal(one["amountDue"]) > 200)
    import_lines(desk, bank, ("150.00", "Anzahlung", owed["customerName"]))
    rows, page = rows_at(desk, bank, 1), desk.page
    desk.press("j", "f")
    search = page.get_by_label("Name, or several numbers")
    expect(search).to_be_focused()
    search.fill(f"{owed['number']} 999999")
    page.get_by_role("checkbox", name=owed["number"]).click()
    pays = page.get_by_label(f"{owed['number']} pays")
    expect(pays).to_have_value("150.00")
    expect(page.get_by_text("left 0.00")).to_be_visible()
    pays.fill("100.00")
    desk.press("Control+Enter")  # before it is added up
    expect(page.get_by_text("left 50.00")).to_be_visible()
    match = page.get_by_role("main").get_by_role("button", name="Match", exact=True).last
    expect(match).to_be_disabled()
    page.locator("summary", has_text="Bank fee and rest").click()
    page.get_by_label("Rest", exact=True).select_option(label="to an account")
    page.get_by_label("Account of the rest").fill("4000")
    page.get_by_role("option", name="4000").first.click()
    expect(match).to_be_enabled()
    assert desk.refusals() == []
    desk.press("Control+Enter")
    expect(rows).to_have_count(0)
    desk.settle()
    left = desk.api("GET", f"/finance/invoices/{owed['id']}")["amountDue"]
    assert Decimal(owed["amountDue"]) - Decimal(left) == 100


def test_one_who_chooses_invoices_of_two_customers_is_told_before_the_match(giro):
    desk, bank = giro
    open_ones = desk.api("GET", "/finance/invoices?status=issued&kind=sales_invoice&currency=EUR&limit=50")
    first = next(one for one in open_ones if Decimal(one["amountDue"]) > 0)
    other = next(one for one in open_ones if Decimal(one["amountDue"]) > 0 and one["customerId"] != first["customerId"])
    import_lines(desk, bank, ("900000.00", "Sammelzahlung", first["customerName"]))
    rows_at(desk, bank, 1)
    desk.quiet = False
    desk.press("j", "f")
    page = desk.page
    page.get_by_label("Name, or several numbers").fill(f"{first['number']} {other['number']}")
    for number in (first["number"], other["number"]):
        page.get_by_role("checkbox", name=number).click()
    expect(page.get_by_text(f"{other['number']} and {first['number']} belong to different contacts.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button", name="Match", exact=True).last).to_be_disabled()


def test_the_iban_of_a_file_decides_about_its_account(giro):
    desk, bank = giro
    iban = "DE02120300000000202051"
    file = statement(500, [(Decimal("70.00"), "Danke", "Hansen")]).replace(b":25:1/2", f":25:{iban}".encode())
    desk.api("POST", "/finance/bank/statements/import", {"accountId": bank, "file": file.decode()})
    banks = [one["id"] for one in desk.api("GET", "/finance/accounts") if one["subtype"] == "bank"]
    other = next(id for id in banks if desk.api("GET", f"/finance/bank/accounts/{id}")["iban"] not in (None, iban))
    desk.quiet = False
    page = desk.go(f"/bank?accountId={other}")

    def choose(content):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Import statement").first.click()
        chooser.value.set_files({"name": "bank.sta", "mimeType": "text/plain", "buffer": content})

    choose(file)
    expect(page.get_by_text("bank.sta: 0 new transactions, 1 known.").first).to_be_visible()
    expect(page).to_have_url(re.compile(f"accountId={bank}"))
    choose(file.replace(iban.encode(), b"DE02500105170137075030"))
    expect(page.get_by_text("The statement belongs to DE02500105170137075030, but account").first).to_be_visible()


CSV = (
    "Umsätze;;;;\nBuchungstag;Empfänger;Verwendungszweck;Betrag;Hinweis\n"
    "20.11.2026;Stadtwerke;Strom {width};-80,10;\n21.11.2026;Hansen;Danke;1.200,00;\n"
)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_the_columns_of_a_csv_are_asked_for_once(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    code = f"10{width // 20}"
    body = {"code": code, "name": f"Savings {width}", "type": "asset", "subtype": "bank"}
    account = desk.api("POST", "/finance/accounts", body)["id"]
    page = desk.go(f"/bank?accountId={account}")

    def choose(text):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Import statement").first.click()
        chooser.value.set_files({"name": "bank.csv", "mimeType": "text/csv", "buffer": text.encode("cp1252")})

    choose(CSV.format(width=width))
    dialog = page.get_by_role("dialog", name="The columns of bank.csv")
    expect(dialog.get_by_label("Amount")).to_have_value("Betrag")
    expect(dialog.get_by_role("checkbox", name="Verwendungszweck")).to_be_checked()
    expect(dialog.get_by_label("Rows before the headings")).to_have_value("1")
    assert desk.refusals() == []
    assert not desk.is_wide()
    dialog.get_by_label("Date", exact=True).select_option("no column")
    dialog.get_by_role("button", name="Save and import").click()
    dialog.locator("[name='csvMapping.columns.date'][aria-invalid=true]").wait_for()
    dialog.get_by_label("Date", exact=True).select_option("Buchungstag")
    dialog.get_by_role("button", name="Save and import").click()
    opening = page.get_by_role("dialog", name="Balance before bank.csv")
    opening.get_by_label("Balance in EUR").fill("500")
    opening.get_by_role("button", name="Import").click()
    expect(page.get_by_text("bank.csv: 2 new transactions, 0 known.").first).to_be_visible()
    expect(line(page, "Stadtwerke")).to_be_visible()
    found = desk.api("GET", f"/finance/bank/lines?accountId={account}&sort=date")
    assert [(one["amount"], one["party"], one["text"]) for one in found] == [
        ("-80.10", "Stadtwerke", f"Strom {width}"),
        ("1200.00", "Hansen", "Danke"),
    ]
    choose(CSV.format(width=width) + "22.11.2026;Hansen;Nachtrag;1,00;\n")
    expect(page.get_by_text("bank.csv: 1 new transaction, 2 known.").first).to_be_visible()


def test_accounts_in_other_currencies_have_a_tab_too(at_desk):
    desk = at_desk("amara", 360)
    body = {"code": "1061", "name": "Dollars", "type": "asset", "subtype": "bank", "currency": "USD"}
    bank = desk.api("POST", "/finance/accounts", body)["id"]
    rent = {"accountId": bank, "openingBalance": "0", "file": "Date;Amount;Text\n05.11.2026;-12,50;Hosting\n"}
    columns = {"date": "Date", "amount": "Amount", "text": ["Text"]}
    desk.api("POST", f"/finance/bank/accounts/{bank}/format", {"csvMapping": {"columns": columns}})
    desk.api("POST", "/finance/bank/statements/import", rent)
    page = desk.go("/bank")
    page.get_by_role("link", name="1061 Dollars").click()
    expect(page.locator("main [data-row]")).to_have_count(1)
    expect(page.locator("main [data-row]")).to_contain_text("12.50")
    assert not desk.is_wide()
    assert desk.refusals() == []


def test_a_rule_is_added_and_deleted(at_desk):
    desk = at_desk("amara")
    page = desk.go("/bank")
    page.get_by_role("button", name="Bank rules").click()
    page.get_by_role("heading", name="Bank rules").wait_for()
    desk.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Transactions with").fill("Kontoführungsentgelt")
    dialog.get_by_label("Account", exact=True).fill("6100")
    page.get_by_role("option", name="6100 Rent").click()
    dialog.get_by_text("Post automatically").click()
    dialog.get_by_label("Tax in the amount").select_option(index=1)
    tax = dialog.get_by_label("Tax in the amount").input_value()
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Add").click()
    row = line(page, "Kontoführungsentgelt")
    expect(row).to_contain_text("automatically")
    (rule,) = [one for one in desk.api("GET", "/finance/bank/rules") if one["text"] == "Kontoführungsentgelt"]
    assert (rule["accountCode"], rule["isAutomatic"]) == ("6100", True)
    desk.press("n")
    dialog.get_by_label("Account", exact=True).fill("6100")
    page.get_by_role("option", name="6100 Rent").click()
    expect(dialog.get_by_label("Tax in the amount")).to_have_value(tax)  # as the other rule takes it
    desk.press("Escape")
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
