"""Many records at once in the browser: a table from another program, checked before anything is added."""

import re
import zipfile
from datetime import timedelta

import pytest

from tests.frontend.conftest import a_month_ago, expect, today
from tests.frontend.test_records import of_row, row

pytestmark = pytest.mark.browser

LAST = today().replace(day=1) - timedelta(days=1)
"""The last day of the last month."""
TABLES = (
    *("books/contacts", "books/products", "books/assets", "books/accounts", "books/opening", "books/journals"),
    *("people/employees", "people/attendance", "work/tasks", "work/time"),
)

OF_THE_RECORDS = {"unknown_reference", "already_exists", "period_locked"}
"""What may be wrong with an example: another company has other accounts, people and days."""


NOTHING_NEW = "Each row is here already. There is nothing to import."


def chosen(page, text, name="table.csv"):
    """Choose a file; text is as Windows' spreadsheets write it."""
    content = text.encode("windows-1252") if isinstance(text, str) else text
    page.get_by_label("File", exact=True).set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def wrong(page):
    return [row.inner_text().split("\n") for row in page.locator("main [data-row]").all()]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_contacts_are_checked_and_then_added_all_at_once(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    page = desk.go("/contacts")
    desk.act("Import data")
    expect(page.get_by_role("heading", name="Import data")).to_be_visible()

    def found():
        return desk.api("GET", f"/finance/contacts?q=B%C3%A4ckerei+{width}")

    chosen(page, f"kind;name;address.country\ncustomer;Bäckerei {width};DE\nfriend;Joe;Mars\n;Nobody;\n")
    expect(page.get_by_text("2 rows have errors. Nothing was imported.")).to_be_visible()
    rows = page.locator("main [data-row]")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="kind").first).to_contain_text("Must be one of: customer, supplier, both.")
    expect(rows.first).to_contain_text("3")
    expect(rows.last).to_contain_text("This field is required.")
    assert not desk.is_wide()
    assert desk.refusals() == []

    chosen(page, f"kind;name;address.country\ncustomer;Bäckerei {width};DE\nsupplier;Joe {width};\n")
    expect(page.get_by_text("No errors found. 2 rows to import.")).to_be_visible()
    assert found() == []
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Contacts")).to_be_visible()
    expect(page.get_by_text("2 rows imported.").first).to_be_visible()
    assert [one["address"]["country"] for one in found()] == ["DE"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_rows_that_are_here_already_are_shown_and_left_out_unless_wanted(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    twice, once = f"Twice {width}", f"Once {width}"
    desk.api("POST", "/finance/contacts", {"kind": "customer", "name": twice, "email": f"a{width}@twice.example"})
    page = desk.go("/import/books/contacts")

    def found():
        return sorted(one["name"] for one in desk.api("GET", f"/finance/contacts?q={width}") if "ce " in one["name"])

    chosen(page, f"kind;name;email\ncustomer;{twice};a{width}@twice.example\n")
    expect(page.get_by_text("Each row is here already. There is nothing to import.")).to_be_visible()
    expect(page.get_by_role("link", name=twice)).to_be_visible()
    expect(page.get_by_role("button", name="Import", exact=True)).to_have_count(0)

    chosen(page, f"kind;name;email\ncustomer;{twice};a{width}@twice.example\nsupplier;{once};\n")
    expect(page.get_by_text("No errors found. 1 row to import.")).to_be_visible()
    expect(page.get_by_text("1 row is here already and will be left out.")).to_be_visible()
    assert not desk.is_wide()
    anyway = page.get_by_label("Import duplicates anyway")
    anyway.check()
    expect(page.get_by_text("No errors found. 2 rows to import.")).to_be_visible()
    anyway.uncheck()
    expect(page.get_by_text("No errors found. 1 row to import.")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("1 row imported.").first).to_be_visible()
    assert found() == [once, twice]


def test_entries_that_are_posted_already_are_left_out_unless_wanted(at_desk):
    desk = at_desk("amara")
    day, text = f"{today():%Y-%m-%d}", "Twice by file"
    lines = [{"accountId": "6100", "debit": "7.00"}, {"accountId": "1010", "credit": "7.00"}]
    desk.api("POST", "/finance/journals", {"date": day, "description": text, "lines": lines})
    page = desk.go("/import/books/journals")
    rows = f"1,{day},{text},6100,7.00,\n1,{day},{text},1010,,7.00\n"
    chosen(page, "entry,date,text,accountId,debit,credit\n" + rows)
    expect(page.get_by_text("Each row is here already. There is nothing to import.")).to_be_visible()
    page.get_by_label("Import duplicates anyway").check()
    expect(page.get_by_text("No errors found. 2 rows to import.")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("2 rows imported.").first).to_be_visible()
    assert len(desk.api("GET", f"/finance/journals?q={text.replace(' ', '+')}")) == 2


@pytest.mark.parametrize("table", TABLES)
def test_an_example_of_each_table_has_headings_that_the_server_knows(at_desk, table):
    desk = at_desk("ines")
    desk.quiet = False
    page = desk.go(f"/import/{table}")
    expect(page.get_by_text("CSV or Excel (.xlsx)")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save an example").click()
    assert download.value.suggested_filename == f"{table.split('/')[1]}.csv"
    content = download.value.path().read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    if table == "books/opening":
        page.get_by_label("Last day in the other program").fill(f"{LAST}")
        page.keyboard.press("Tab")
    with page.expect_response(re.compile("dryRun=true")) as answer:
        chosen(page, content)
    refused = answer.value.json().get("error", {"details": []})["details"]
    assert all(re.match(r"rows\[[23]\]", each["field"]) for each in refused), refused
    assert {each["code"] for each in refused} <= OF_THE_RECORDS, refused


def test_opening_balances_are_entered_as_at_a_day(at_desk):
    desk = at_desk("amara")
    page = desk.go("/import/books/opening")
    sheet = (
        "account,debit,credit,contact,number,documentDate,dueDate\n1010,500.00,,,,,\n"
        f"1100,119.00,,Hansen & Söhne,OLD-1,{LAST.replace(day=1)},{LAST.replace(day=15)}\n3000,,619.00,,,,\n"
    )
    chosen(page, sheet)
    page.get_by_label("Last day in the other program").fill(f"{LAST:%d.%m.%Y}")
    page.keyboard.press("Tab")
    expect(page.get_by_text(re.compile(r"No errors found. \d balances and 1 open documents"))).to_be_visible()
    expect(page.get_by_text("€619.00")).to_be_visible()
    assert desk.api("GET", "/finance/opening-balances")["date"] != f"{LAST}"


@pytest.mark.parametrize(
    ("who", "there"),
    [("mei", ["Tasks", "Working time"]), ("leila", ["Employees", "Attendance"]), ("hanna", [])],
)
def test_each_role_brings_in_what_it_may_add(at_desk, who, there):
    page = at_desk(who).go("/import")
    if not there:
        expect(page.get_by_text("Your role cannot import anything here.")).to_be_visible()
    tabs = page.get_by_role("navigation", name="Data").get_by_role("link")
    expect(tabs).to_have_text(there)


def test_the_owner_saves_everything_that_the_workspace_holds(at_desk):
    desk = at_desk("ines")
    page = desk.go("/settings/export")
    page.get_by_role("button", name="Download everything").click()
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text("pay and bank accounts")).to_be_visible()
    with page.expect_download() as download:
        asked.get_by_role("button", name="Download").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert any(name.endswith("contact.csv") for name in archive.namelist()), archive.namelist()
    expect(at_desk("tomasz").go("/settings/export").locator("main h1")).to_have_text("Page not found")


def test_time_of_another_program_comes_with_its_projects_and_only_once(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    page = desk.go("/import/work/clockify")
    headings = (
        "Project,Client,Description,Task,User,Email,Billable,Start Date,Start Time,End Date,End Time,Duration (h)"
    )
    row = "Moved house,Heron,Boxes,,Ines,ines@alderfinch.example,No,{},06:00,{},06:30,00:30:00"
    chosen(page, f"{headings}\n{row.format('01/02/2020', '01/02/2020')}\n")
    expect(page.get_by_text("Its dates can be read in two ways.")).to_be_visible()
    page.get_by_label("Dates").select_option("Month before day")
    expect(page.get_by_text("No errors found. 1 row to import.")).to_be_visible()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("1 row imported.").first).to_be_visible()
    (log,) = desk.api("GET", "/tasks/time-logs?dateFrom=2020-01-02&dateTo=2020-01-02")
    assert (log["projectName"], log["taskTitle"], log["minutes"]) == ("Moved house", "Time", 30)
    desk.go("/import/work/clockify")
    chosen(page, f"{headings}\n{row.format('2020-01-02', '2020-01-02')}\n")
    expect(page.get_by_text(NOTHING_NEW)).to_be_visible()


def test_entries_of_gnucash_come_once(at_desk):
    desk = at_desk("amara")
    page = desk.go("/import/books/gnucash")
    headings = "Date,Transaction ID,Description,Memo,Full Account Name,Amount Num.\n"
    row = f"{a_month_ago(10)},{'ab' * 16},{{}}\n"
    rows = row.format("Rent of a hall,,Expenses:6100,33.00") + row.format(",,Assets:1010,-33.00")
    chosen(page, headings + rows)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("2 rows imported").first).to_be_visible()
    chosen(desk.go("/import/books/gnucash"), headings + rows)
    expect(page.get_by_text(NOTHING_NEW)).to_be_visible()
    found = desk.api("GET", "/finance/journals?q=Rent+of+a+hall")
    assert [each["total"] for each in found] == ["33.00"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_columns_of_another_program_are_matched_once(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    page = desk.go("/import/books/contacts")
    headings = f"Kundennummer;Firmenname;Ort {width};Land"
    chosen(page, f"{headings}\n1;Elbwerft {width};Hamburg;Deutschland\n", "shop.csv")
    expect(page.get_by_text("The file has other headings.")).to_be_visible()
    page.get_by_role("button", name="Match the columns").click()
    asked = page.get_by_role("dialog")
    expect(asked.get_by_label("Name", exact=True)).to_have_value("Firmenname")
    expect(asked.get_by_role("cell", name=f"Elbwerft {width}")).to_be_visible()
    asked.get_by_text("Further columns").click()
    asked.get_by_label("City").select_option(f"Ort {width}")
    asked.get_by_label("Name of the column mapping").fill(f"Old shop {width}")
    assert not desk.is_wide()
    assert desk.refusals() == []
    asked.get_by_role("button", name="Save and check").click()
    expect(page.get_by_text("No errors found. 1 row to import.")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Contacts")).to_be_visible()
    (found,) = desk.api("GET", f"/finance/contacts?q=Elbwerft+{width}")
    assert (found["kind"], found["address"]["city"], found["address"]["country"]) == ("customer", "Hamburg", "DE")

    page = desk.go("/import/books/contacts")
    chosen(page, f"{headings}\n2;Deichbau {width};Husum;Germany\n", "later.csv")
    expect(page.get_by_text("No errors found. 1 row to import.")).to_be_visible()

    page = desk.go("/settings/column-mappings")
    expect(row(page, f"Old shop {width}")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    (mapping,) = [one for one in desk.api("GET", "/finance/column-mappings") if one["name"] == f"Old shop {width}"]
    of_row(page, f"Old shop {width}", "Edit")
    page.get_by_role("dialog").get_by_label("Name").fill(f"Shop {width}")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"Shop {width}", exact=True)).to_be_visible()
    assert desk.api("GET", f"/finance/column-mappings/{mapping['id']}")["name"] == f"Shop {width}"


def test_what_is_open_in_xero_joins_the_opening_balances(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/import/books/xero-invoices")
    headings = "ContactName,InvoiceNumber,InvoiceDate,DueDate,InvoiceAmountDue,Currency,Type,Status\n"
    invoice = f"{{}},XERO-1,{LAST.replace(day=1)},{LAST.replace(day=15)},50.00,EUR,Sales invoice,Awaiting Payment\n"
    chosen(page, headings + invoice.format("No such firm"))
    page.get_by_label("Last day in the other program").fill(f"{LAST:%d.%m.%Y}")
    page.keyboard.press("Tab")
    expect(page.get_by_text("1 row has errors.")).to_be_visible()
    chosen(page, headings + invoice.format("Hansen & Söhne"))
    expect(page.get_by_text("No errors found. 0 balances and 1 open documents")).to_be_visible()
