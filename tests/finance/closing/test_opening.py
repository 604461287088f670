"""Opening balances: what the books were taken over with, each receivable and payable item by item (AC-1)."""

import base64
import io
import zipfile
from datetime import date

import pytest

from erp.store import router
from erp.system.checks import files as checking
from tests.finance.books.balances import balances
from tests.finance.contacts.contacts import customer
from tests.finance.payments.payments import payment


@pytest.fixture
def firms(acme, clock_at):
    """The contacts of the worked month: Alster owes 1,190.00, Meyer is owed 595.00."""
    clock_at("2026-01-10T09:00:00Z")
    alster = customer(acme, name="Alster AG")["id"]
    meyer = acme.ok("POST", "/finance/contacts", {"kind": "supplier", "name": "Meyer"})["id"]
    return alster, meyer


def opening(alster, meyer, **changes):
    return {
        "date": "2025-12-31",
        "lines": [
            {"accountId": "1010", "debit": "10000.00"},
            {"accountId": "1100", "debit": "1190.00"},
            {"accountId": "2000", "credit": "595.00"},
            {"accountId": "2200", "credit": "190.00"},
            {"accountId": "3000", "credit": "10405.00"},
        ],
        "items": [
            {
                "accountId": "1100",
                "contactId": alster,
                "number": "R-0815",
                "documentDate": "2025-12-01",
                "dueDate": "2025-12-15",
                "debit": "1190.00",
            },
            {
                "accountId": "2000",
                "contactId": meyer,
                "number": "4711",
                "documentDate": "2025-12-11",
                "dueDate": "2026-01-10",
                "credit": "595.00",
            },
        ],
    } | changes


def test_the_books_begin_with_what_was_taken_over(acme, firms):
    made = acme.ok("POST", "/finance/opening-balances", opening(*firms))
    assert (made["total"], made["difference"], made["accounts"], made["items"]) == ("11190.00", "0.00", 3, 2)
    expected = {"1010": 1_000_000, "1100": 119_000, "2000": -59_500, "2200": -19_000, "3000": -1_040_500}
    assert balances(acme) == expected
    old, bill = acme.ok("GET", "/finance/open-items", params={"asOf": "2025-12-31", "sort": "dueDate"})
    assert (old["number"], old["open"], old["documentDate"], old["daysOverdue"]) == (
        *("R-0815", "1190.00"),
        *("2025-12-01", 16),
    )
    assert (bill["number"], bill["open"], bill["side"], bill["dueDate"]) == ("4711", "-595.00", "payable", "2026-01-10")
    assert acme.ok("GET", "/finance/opening-balances")["journalEntryId"] == made["journalEntryId"]
    entry = acme.ok("GET", f"/finance/journals/{made['journalEntryId']}")
    assert (entry["kind"], entry["description"]) == ("opening", "Opening balances")


def test_old_items_are_paid_and_no_phantom_credit_remains(acme, firms):
    alster, meyer = firms
    acme.ok("POST", "/finance/opening-balances", opening(alster, meyer))
    received = payment(acme, "1190.00", contactId=alster, date="2026-01-07")
    made = payment(acme, "595.00", contactId=meyer, direction="made", date="2026-01-10")
    by_number = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    for paid, old in ((received, "R-0815"), (made, "4711")):
        body = {"fromItemId": by_number[paid["number"]], "toItemId": by_number[old], "amount": paid["amount"]}
        acme.ok("POST", "/finance/allocations", body)
    assert acme.ok("GET", "/finance/open-items") == []
    for contact in (alster, meyer):
        shown = acme.ok("GET", f"/finance/contacts/{contact}")
        assert (shown["balance"], shown["overdue"], shown["unallocatedCredit"]) == ("0.00", "0.00", "0.00")


def test_a_payment_settles_an_old_item_at_once(acme, firms):
    alster, meyer = firms
    acme.ok("POST", "/finance/opening-balances", opening(alster, meyer))
    by_number = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    old = [{"itemId": by_number["R-0815"], "amount": "1190.00"}]
    paid = payment(acme, "1190.00", contactId=alster, settles=old)
    assert paid["unallocatedAmount"] == "0.00"
    bill = [{"itemId": by_number["4711"], "amount": "595.00"}]
    error = acme.refused(
        "POST", "/finance/payments", {"contactId": meyer, "amount": "595.00", "settles": bill}, status=422
    )
    assert [(each["field"], each["code"]) for each in error["details"]] == [("settles[0].itemId", "wrong_direction")]
    expected = "4711 (credit) can only be paid by a payment made. Open amount: 595.00 EUR."
    assert error["details"][0]["message"] == expected
    payment(acme, "595.00", contactId=meyer, direction="made", settles=bill)
    assert acme.ok("GET", "/finance/open-items") == []
    again = {"contactId": alster, "amount": "1.00", "settles": [{**old[0], "amount": "1.00"}]}
    error = acme.refused("POST", "/finance/payments", again, status=422)
    assert error["details"][0]["message"] == "R-0815 is fully allocated."


def test_what_is_missing_on_one_side_goes_to_the_opening_balance_account(acme, firms):
    lines = [{"accountId": "1010", "debit": "10000.00"}]
    made = acme.ok("POST", "/finance/opening-balances", opening(*firms, lines=lines))
    assert made["difference"] == "-10595.00"
    assert balances(acme)["3900"] == -1_059_500


def test_items_add_up_to_the_balance_of_their_account(acme, firms):
    body = opening(*firms)
    body["lines"][1]["debit"] = "1200.00"
    error = acme.refused("POST", "/finance/opening-balances", body, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("lines[1].debit", "wrong_sum")]
    expected = "The documents of account 1100 do not add up to its balance: 10.00 EUR debit is missing."
    assert error["details"][0]["message"] == expected


def test_they_can_be_entered_again_until_the_first_lock(acme, firms):
    first = acme.ok("POST", "/finance/opening-balances", opening(*firms))
    body = opening(*firms)
    body["lines"][0]["debit"], body["lines"][4]["credit"] = "9000.00", "9405.00"
    second = acme.ok("POST", "/finance/opening-balances", body)
    assert second["replacedEntryId"] == first["journalEntryId"]
    assert balances(acme)["1010"] == 900_000
    numbers = [item["number"] for item in acme.ok("GET", "/finance/open-items", params={"asOf": "2025-12-31"})]
    assert numbers == ["R-0815", "4711"]
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2025-12-31", "reason": "Closed"})
    acme.refused("POST", "/finance/opening-balances", body, status=409, code="period_locked")
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_an_item_that_has_been_paid_is_not_replaced(acme, firms):
    alster, meyer = firms
    acme.ok("POST", "/finance/opening-balances", opening(alster, meyer))
    received = payment(acme, "1190.00", contactId=alster)
    by_number = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    body = {"fromItemId": by_number[received["number"]], "toItemId": by_number["R-0815"], "amount": "1190.00"}
    acme.ok("POST", "/finance/allocations", body)
    error = acme.refused("POST", "/finance/opening-balances", opening(alster, meyer), status=409)
    assert error["message"] == f"R-0815 is allocated to {received['number']}. Remove the allocation first."


def test_a_dry_run_checks_and_posts_nothing(acme, firms):
    made = acme.ok("POST", "/finance/opening-balances", opening(*firms, dryRun=True))
    assert (made["dryRun"], made["journalEntryId"], made["total"]) == (True, None, "11190.00")
    assert balances(acme) == {}
    shown = acme.ok("GET", "/finance/opening-balances")
    assert shown == {"date": None, "journalEntryId": None, "number": None, "months": []}


def test_a_spreadsheet_says_the_same(acme, firms):
    sheet = """\ufeffaccount;debit;credit;contact;number;documentDate;dueDate
1010;10000.00
1100;1190.00
1100;1190.00;;Alster AG;R-0815;2025-12-01;2025-12-15
2000;;595.00;Meyer;4711;2025-12-11;2026-01-10
2200;;190.00
3000;;10405.00
"""
    made = acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "csv": sheet})
    assert (made["total"], made["difference"], made["accounts"], made["items"]) == ("11190.00", "0.00", 3, 2)
    assert [item["dueDate"] for item in acme.ok("GET", "/finance/open-items")] == ["2025-12-15", "2026-01-10"]


def test_a_spreadsheet_has_amounts_and_days_as_a_language_writes_them(acme, firms):
    sheet = (
        "account;debit;credit;contact;number;documentDate;dueDate\n1010;10.000,00\n"
        "1100;1.190,00;;Alster AG;R-0815;01.12.2025;15.12.2025\n3000;;11.190,00\n"
    )
    made = acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "csv": sheet})
    assert (made["total"], made["difference"]) == ("11190.00", "0.00")
    assert [item["dueDate"] for item in acme.ok("GET", "/finance/open-items")] == ["2025-12-15"]


def excel(rows):
    """An Excel file with one sheet, in base64: dates as days since 1899-12-30 in a date format, numbers as numbers."""
    cells = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    link = '<Relationship Id="{1}" Type="{0}/{1}" Target="{2}"/>'
    links = '<Relationships xmlns="{}">{}</Relationships>'
    sheet, styles = link.format(office, "worksheet", "worksheets/1.xml"), link.format(office, "styles", "styles.xml")
    formats = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    named = '<sheets><sheet name="S" sheetId="1" r:id="worksheet"/></sheets>'
    parts = {
        "_rels/.rels": links.format(package, link.format(office, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}">{named}</workbook>',
        "xl/_rels/workbook.xml.rels": links.format(package, sheet + styles),
        "xl/styles.xml": f'<styleSheet xmlns="{main}">{formats}</styleSheet>',
        "xl/worksheets/1.xml": f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>',
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return base64.b64encode(file.getvalue()).decode()


def cell(value):
    if value is None:
        return "<c/>"
    if isinstance(value, date):
        return f'<c s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, float):
        return f"<c><v>{value!r}</v></c>"
    return f'<c t="inlineStr"><is><t>{value}</t></is></c>'


def test_an_excel_file_says_the_same(acme, firms):
    sheet = [
        ["account", "debit", "credit", "contact", "number", "documentDate", "dueDate"],
        [1010.0, 10000.1],
        ["1100", 1190.0, None, "Alster AG", "R-0815", date(2025, 12, 1), date(2025, 12, 15)],
        ["3000", None, 11190.1],
    ]
    made = acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "xlsx": excel(sheet)})
    assert (made["total"], made["difference"], made["accounts"], made["items"]) == ("11190.10", "0.00", 2, 1)
    (item,) = acme.ok("GET", "/finance/open-items")
    assert (item["number"], item["documentDate"], item["dueDate"]) == ("R-0815", "2025-12-01", "2025-12-15")


@pytest.mark.parametrize("file", ["no base64!", "AAAA", base64.b64encode(b"PK\x05\x06" + bytes(18)).decode()])
def test_what_is_no_excel_file_is_refused(acme, file):
    error = acme.refused("POST", "/finance/opening-balances", {"date": "2025-12-31", "xlsx": file}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("xlsx", "not_xlsx")]


def test_a_huge_excel_file_is_refused(acme):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(26 << 20))
    body = {"date": "2025-12-31", "xlsx": base64.b64encode(file.getvalue()).decode()}
    error = acme.refused("POST", "/finance/opening-balances", body, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("xlsx", "too_large")]


@pytest.mark.parametrize(
    ("row", "field", "code"),
    [
        ("1010,x,", "rows[2].debit", "not_a_number"),
        ("9999,1,", "rows[2].accountId", "unknown_reference"),
        ("1010,1,1", "rows[2].credit", "one_side"),
        ("1100,1,,Nobody,R-1,2025-12-01", "rows[2].contactId", "unknown_reference"),
        ("1100,1,,Alster AG,R-1,", "rows[2].documentDate", "required"),
        ("1010,1,,Alster AG,R-1,2025-12-01", "rows[2].accountId", "unsuitable_account"),
        ("1100,1,,Alster AG,R-1,2025-12-02,2025-12-01", "rows[2].dueDate", "too_early"),
    ],
)
def test_a_row_that_is_wrong_is_named_as_the_spreadsheet_counts(acme, firms, row, field, code):
    sheet = f"account,debit,credit,contact,number,documentDate,dueDate\n{row}\n"
    error = acme.refused("POST", "/finance/opening-balances", {"date": "2025-12-31", "csv": sheet}, status=422)
    assert (field, code) in [(each["field"], each["code"]) for each in error["details"]]


def test_a_sheet_without_the_headings_is_refused(acme):
    body = {"date": "2025-12-31", "csv": "konto,soll\n1010,5\n"}
    error = acme.refused("POST", "/finance/opening-balances", body, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("csv", "wrong_headings")]


def test_an_item_in_a_foreign_currency_keeps_its_worth(acme, firms):
    item = {"accountId": "1100", "contactId": firms[0], "number": "R-1", "documentDate": "2025-12-01"}
    item |= {"debit": "920.00", "currency": "USD", "foreignAmount": "1000.00"}
    acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "items": [item]})
    (open_item,) = acme.ok("GET", "/finance/open-items")
    assert (open_item["open"], open_item["currency"], open_item["openBase"]) == ("1000.00", "USD", "920.00")


def test_they_are_entered_again_after_what_settled_them_was_released_and_every_day_adds_up(acme, firms):
    """A payment paid R-0815 from the 3rd to the 9th; until then, what was replaced makes up for it."""
    alster, meyer = firms
    acme.ok("POST", "/finance/opening-balances", opening(alster, meyer))
    received = payment(acme, "1190.00", contactId=alster, date="2026-01-03")
    by_number = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    body = {"fromItemId": by_number[received["number"]], "toItemId": by_number["R-0815"], "amount": "1190.00"}
    settled = acme.ok("POST", "/finance/allocations", body | {"date": "2026-01-03"})
    acme.ok("POST", f"/finance/allocations/{settled['id']}/release", {"date": "2026-01-09"})
    acme.ok("POST", "/finance/opening-balances", opening(alster, meyer))
    for day, expected in (("2026-01-02", ["1190.00"]), ("2026-01-05", ["-1190.00", "1190.00"])):
        params = {"asOf": day, "side": "receivable"}
        assert sorted(item["open"] for item in acme.ok("GET", "/finance/open-items", params=params)) == expected
    assert acme.ok("GET", f"/finance/contacts/{alster}")["balance"] == "0.00"


def test_a_payment_settles_several_old_items_at_once(acme, firms):
    alster, meyer = firms
    first = {"accountId": "1100", "contactId": alster, "documentDate": "2025-12-01", "number": "R-1", "debit": "190.00"}
    items = [first, {**first, "number": "R-2", "debit": "1000.00"}, opening(alster, meyer)["items"][1]]
    acme.ok("POST", "/finance/opening-balances", opening(alster, meyer, items=items))
    by_number = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    old = [{"itemId": by_number["R-1"], "amount": "190.00"}, {"itemId": by_number["R-2"], "amount": "900.00"}]
    payment(acme, "1090.00", contactId=alster, settles=old)
    left = [(item["number"], item["open"]) for item in acme.ok("GET", "/finance/open-items", params={"sort": "number"})]
    assert left == [("4711", "-595.00"), ("R-2", "100.00")]
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_an_old_credit_settles_an_old_invoice_and_is_released(acme, firms):
    """Both belong to one entry."""
    alster, meyer = firms
    owed = {"accountId": "1100", "contactId": alster, "documentDate": "2025-12-01", "number": "R-1", "debit": "1250.00"}
    note = {"accountId": "1100", "contactId": alster, "documentDate": "2025-12-02", "number": "G-1", "credit": "60.00"}
    items = [owed, note, opening(alster, meyer)["items"][1]]
    acme.ok("POST", "/finance/opening-balances", opening(alster, meyer, items=items))
    by_number = {item["number"]: item["id"] for item in acme.ok("GET", "/finance/open-items")}
    body = {"fromItemId": by_number["G-1"], "toItemId": by_number["R-1"], "amount": "60.00"}
    settled = acme.ok("POST", "/finance/allocations", body)
    receivable = {"side": "receivable", "sort": "number"}
    shown = acme.ok("GET", "/finance/open-items", params=receivable)
    assert [(item["number"], item["open"]) for item in shown] == [("R-1", "1190.00")]
    acme.ok("POST", f"/finance/allocations/{settled['id']}/release", {})
    shown = acme.ok("GET", "/finance/open-items", params=receivable)
    assert [(item["number"], item["open"]) for item in shown] == [("G-1", "-60.00"), ("R-1", "1250.00")]


def comparing(alster, meyer, **changes):
    """The opening balances with those of two months of 2025: 9,000.00 in March, of which 4,000.00 are its result."""
    months = [
        {"accountId": "1010", "month": "2025-03", "debit": "9000.00"},
        {"accountId": "3000", "month": "2025-03", "credit": "5000.00"},
        {"accountId": "4000", "month": "2025-03", "credit": "6500.00"},
        {"accountId": "6100", "month": "2025-03", "debit": "2500.00"},
        {"accountId": "4000", "month": "2025-12", "credit": "26000.00"},
        {"accountId": "6100", "month": "2025-12", "debit": "10000.00"},
    ]
    return opening(alster, meyer, months=months, **changes)


def compared(office, day):
    """The figures that the balance sheet of the end of January compares with those of a day."""
    params = {"date": "2026-01-31", "compareDate": day}
    return office.ok("GET", "/finance/reports/balance-sheet", params=params)["previous"]


def test_the_balance_sheet_is_compared_with_a_month_of_the_year_before(acme, firms):
    made = acme.ok("POST", "/finance/opening-balances", comparing(*firms))
    assert (made["comparisons"], made["accounts"], made["items"], made["total"]) == (6, 3, 2, "11190.00")
    march = compared(acme, "2025-03-31")
    assert march == {
        "date": "2025-03-31",
        "assets": "9000.00",
        "liabilities": "0.00",
        "equity": "9000.00",
        "retainedEarnings": "0.00",
        "currentYearEarnings": "4000.00",
    }
    assert compared(acme, "2025-06-15") == march
    assert compared(acme, "2025-03-30")["assets"] == "0.00"
    params = {"date": "2026-01-31", "compareDate": "2025-03-31"}
    groups = acme.ok("GET", "/finance/reports/balance-sheet", params=params)["assets"]["groups"]
    shown = {account["code"]: (account["balance"], account["previous"]) for g in groups for account in g["accounts"]}
    assert shown == {"1010": ("10000.00", "9000.00"), "1100": ("1190.00", "0.00")}


def test_from_the_day_of_the_opening_balances_on_the_books_are_compared(acme, firms):
    acme.ok("POST", "/finance/opening-balances", comparing(*firms))
    assert compared(acme, "2025-12-30")["date"] == "2025-03-31"
    then = compared(acme, "2025-12-31")
    assert (then["date"], then["assets"], then["currentYearEarnings"]) == ("2025-12-31", "11190.00", "0.00")


def test_balances_to_compare_with_are_no_part_of_the_books(acme, firms):
    acme.ok("POST", "/finance/opening-balances", comparing(*firms))
    expected = {"1010": 1_000_000, "1100": 119_000, "2000": -59_500, "2200": -19_000, "3000": -1_040_500}
    assert balances(acme) == expected
    assert acme.ok("GET", "/finance/opening-balances")["months"] == ["2025-03", "2025-12"]
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_they_are_replaced_with_the_opening_balances_until_the_lock(acme, firms):
    acme.ok("POST", "/finance/opening-balances", comparing(*firms))
    acme.ok("POST", "/finance/opening-balances", comparing(*firms, dryRun=True) | {"months": []})
    assert compared(acme, "2025-03-31")["assets"] == "9000.00"
    months = [{"accountId": "1010", "month": "2025-11", "debit": "8000.00"}]
    acme.ok("POST", "/finance/opening-balances", opening(*firms, months=months))
    assert acme.ok("GET", "/finance/opening-balances")["months"] == ["2025-11"]
    assert compared(acme, "2025-11-30")["assets"] == "8000.00"
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2025-12-31", "reason": "Closed"})
    acme.refused("POST", "/finance/opening-balances", comparing(*firms), status=409, code="period_locked")
    assert acme.ok("GET", "/finance/opening-balances")["months"] == ["2025-11"]
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


@pytest.mark.parametrize("in_excel", [False, True])
def test_a_spreadsheet_has_a_column_for_the_month(acme, firms, in_excel):
    sheet: list[list[object]] = [
        ["account", "debit", "credit", "month"],
        [1010.0, 500.0],
        ["3000", None, 500.0],
        ["1010", 400.0, None, date(2025, 3, 1) if in_excel else "2025-03"],
    ]
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in sheet)
    table = {"xlsx": excel(sheet)} if in_excel else {"csv": text.replace("1010.0", "1010")}
    made = acme.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", **table})
    assert (made["accounts"], made["comparisons"]) == (2, 1)
    assert compared(acme, "2025-03-31")["assets"] == "400.00"


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"month": "2026-01"}, "months[0].month", "too_late"),
        ({"month": "2025-13"}, "months[0].month", "bad_format"),
        ({"credit": "1.00"}, "months[0].debit", "one_side"),
        ({"accountId": "9999"}, "months[0].accountId", "unknown_reference"),
        ({"debit": "1.001"}, "months[0].debit", "too_many_decimals"),
    ],
)
def test_a_balance_to_compare_with_that_is_wrong_is_named(acme, firms, changes, field, code):
    month = {"accountId": "1010", "month": "2025-03", "debit": "9000.00"} | changes
    body = opening(*firms, months=[month])
    error = acme.refused("POST", "/finance/opening-balances", body, status=422)
    assert (field, code) in [(each["field"], each["code"]) for each in error["details"]]
    assert balances(acme) == {}


def test_an_account_has_one_balance_a_month(acme, firms):
    month = {"accountId": "1010", "month": "2025-03", "debit": "9000.00"}
    error = acme.refused("POST", "/finance/opening-balances", opening(*firms, months=[month, month]), status=422)
    (said,) = error["details"]
    assert (said["field"], said["message"]) == ("months[1].accountId", "Account 1010 appears twice for 2025-03.")
