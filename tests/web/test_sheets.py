"""Records from spreadsheets: by their headings, all or none, with what is wrong by row."""

import base64
import io
import zipfile
from decimal import Decimal
from xml.sax.saxutils import escape

import pytest
import xlsxwriter

from tests.projects.projects import plan

CONTACTS = "Kind,Legal name,NAME,address.city,address.country,paymentTermsDays\r\n"
GOOD = CONTACTS + "customer,Globex AG,Globex,Köln,DE,14\r\nsupplier,,Meyer,,,\r\n"
ADDED = {"rows": 2, "dryRun": False, "known": 0, "duplicates": []}


def load(office, path, csv, **fields):
    return office.ok("POST", path, {"csv": csv, **fields})


def names(office, path="/finance/contacts"):
    return sorted(record["name"] for record in office.ok("GET", path))


def complaints(office, path, **body):
    details = office.refused("POST", path, body, status=422, code="validation_failed")["details"]
    return [(each["field"], each["code"]) for each in details]


def workbook(*rows):
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        for place, row in enumerate(rows):
            sheet.write_row(place, 0, row)
    return base64.b64encode(file.getvalue()).decode()


def test_each_row_is_a_contact(acme):
    assert load(acme, "/finance/contacts/import", GOOD) == ADDED
    shown = {contact["name"]: contact for contact in acme.ok("GET", "/finance/contacts")}
    globex, meyer = shown["Globex"], shown["Meyer"]
    assert (globex["kind"], globex["legalName"], globex["paymentTermsDays"]) == ("customer", "Globex AG", 14)
    assert (globex["address"]["city"], globex["address"]["country"]) == ("Köln", "DE")
    assert (meyer["kind"], meyer["legalName"], meyer["address"]) == ("supplier", None, None)
    types = [event["type"] for event in acme.ok("GET", "/workspace/events", params={"type": "contact.created"})]
    assert len(types) == 2


def test_a_dry_run_adds_nothing(acme):
    assert load(acme, "/finance/contacts/import", GOOD, dryRun=True) == ADDED | {"dryRun": True}
    assert names(acme) == []


def test_a_file_is_the_body_as_it_is(acme):
    headers = {"Content-Type": "text/csv"}
    path = "/finance/contacts/import"
    for sign in ";\t":
        raw = GOOD.replace(",", sign).encode()
        answer = acme.call("POST", path, headers=headers, params={"dryRun": "true"}, raw=raw)
        assert answer.json["data"] == ADDED | {"dryRun": True}


def test_an_excel_file_is_read_too(acme):
    table = workbook(["name", "unitPrice", "unit"], ["Consulting", 95.5, "hour"], ["Travel", 30, ""])
    assert acme.ok("POST", "/finance/products/import", {"xlsx": table}) == {"rows": 2, "dryRun": False}
    shown = {product["name"]: product["unitPrice"] for product in acme.ok("GET", "/finance/products")}
    assert shown == {"Consulting": "95.50", "Travel": "30.00"}


def test_a_cell_whose_formula_failed_is_not_empty(acme):
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["name", "unitPrice"])
        sheet.write_string(1, 0, "Consulting")
        sheet.write_formula(1, 1, "=95/0", None, "#DIV/0!")
    table = base64.b64encode(file.getvalue()).decode()
    (complaint,) = complaints(acme, "/finance/products/import", xlsx=table)
    assert complaint[0] == "rows[2].unitPrice"


def test_every_mistake_is_said_by_row_and_nothing_is_added(acme):
    csv = CONTACTS + "customer,,Globex,,,\r\nfriend,,,,,many\r\n\r\nsupplier,,Meyer,,,-1\r\n"
    assert set(complaints(acme, "/finance/contacts/import", csv=csv)) == {
        ("rows[3].kind", "not_one_of"),
        ("rows[3].paymentTermsDays", "wrong_type"),
        ("rows[3].name", "required"),
        ("rows[5].paymentTermsDays", "out_of_range"),
    }
    assert names(acme) == []


def test_what_a_rule_refuses_is_said_by_row_and_nothing_is_added(acme):
    csv = "code,name,type,subtype,parentId\r\n7000,Fleet,expense,expense,\r\n7000,Cars,expense,expense,9999\r\n"
    before = len(acme.ok("GET", "/finance/accounts"))
    found = complaints(acme, "/finance/accounts/import", csv=csv)
    assert {field.partition(".")[0] for field, _ in found} == {"rows[3]"}
    assert len(acme.ok("GET", "/finance/accounts")) == before


def test_a_group_and_the_accounts_below_it_come_in_one_file(acme):
    csv = "code;name;type;subtype;parentId;isGroup\r\n70;Cars;expense;expense;;true\r\n701;Fuel;expense;expense;70;\r\n"
    load(acme, "/finance/accounts/import", csv)
    shown = {account["code"]: account for account in acme.ok("GET", "/finance/accounts")}
    assert (shown["70"]["isGroup"], shown["701"]["parentId"]) == (True, shown["70"]["id"])


def test_tasks_and_employees_come_in_the_same_way(acme):
    plan(acme, code="TOWER")
    load(acme, "/tasks/import", "title,projectId,dueDate\r\nDig,TOWER,2026-05-01\r\nBuild,TOWER,\r\n")
    tasks = {task["title"]: task for task in acme.ok("GET", "/tasks")}
    assert (tasks["Dig"]["dueDate"], tasks["Build"]["projectCode"]) == ("2026-05-01", "TOWER")
    load(acme, "/hr/employees/import", "name,hireDate,email\r\nAda,2026-01-01,ada@example.com\r\nBen,2026-02-01,\r\n")
    assert names(acme, "/hr/employees") == ["Ada", "Ben"]


PRODUCTS = "name;number;unitPrice\n"


@pytest.mark.parametrize(
    ("prices", "read"),
    [
        (["1.120,50", "99,9"], ["1120.50", "99.90"]),
        (["1.120,50", "1.120", "99,90", "12.50"], ["1120.50", "1120.00", "99.90", "12.50"]),
        (["1,120.50", "1120.5"], ["1120.50", "1120.50"]),
        (["1.120", "-0,5"], ["1120.00", "-0.50"]),
    ],
)
def test_amounts_are_read_as_the_spreadsheet_of_a_language_writes_them(acme, prices, read):
    rows = "".join(f"Lamp;L-{place};{price}\n" for place, price in enumerate(prices))
    load(acme, "/finance/products/import", PRODUCTS + rows)
    found = sorted(acme.ok("GET", "/finance/products"), key=lambda product: product["number"])
    assert [Decimal(product["unitPrice"]) for product in found] == [Decimal(price) for price in read]


def test_a_comma_that_may_be_either_mark_is_refused(acme):
    assert complaints(acme, "/finance/products/import", csv=PRODUCTS + "Lamp;L-1;1,120\n") == [
        ("rows[2].unitPrice", "not_a_number")
    ]


def test_the_numbers_of_a_workbook_have_a_point_whatever_its_texts_have(acme):
    rows = [["name", "number", "unitPrice"], ["Lamp", "L-1", 1.25], ["Bulb", "L-2", "2,50"], ["Wire", "L-3", "0,5"]]
    acme.ok("POST", "/finance/products/import", {"xlsx": workbook(*rows)})
    assert {one["number"]: Decimal(one["unitPrice"]) for one in acme.ok("GET", "/finance/products")} == {
        "L-3": Decimal("0.5"),
        "L-1": Decimal("1.25"),
        "L-2": Decimal("2.5"),
    }


@pytest.mark.parametrize(
    ("days", "read"),
    [
        (["01.02.2026", "3.4.2026"], ["2026-02-01", "2026-04-03"]),
        (["01/02/2026", "31/01/2026"], ["2026-02-01", "2026-01-31"]),
        (["01/02/2026", "01/31/2026"], ["2026-01-02", "2026-01-31"]),
    ],
)
def test_days_are_read_as_the_spreadsheet_of_a_language_writes_them(acme, days, read):
    rows = "".join(f"{place} Anna;{day}\n" for place, day in enumerate(days))
    load(acme, "/hr/employees/import", f"name;hireDate\n{rows}")
    found = sorted(acme.ok("GET", "/hr/employees"), key=lambda employee: employee["name"])
    assert [employee["hireDate"] for employee in found] == read


def test_texts_of_a_workbook_that_fit_both_ways_are_refused_beside_a_comma(acme):
    rows = [["name", "number", "unitPrice"], ["Lamp", "L-1", "1.120"], ["Bulb", "L-2", "2,50"]]
    assert complaints(acme, "/finance/products/import", xlsx=workbook(*rows)) == [("rows[3].unitPrice", "not_a_number")]


def test_days_with_dashes_are_refused_unless_the_year_is_first(acme):
    csv = "name;hireDate\nAnna;01-02-2026\nBen;2026-01-31\nCem;31.1.2026\n"
    assert complaints(acme, "/hr/employees/import", csv=csv) == [("rows[2].hireDate", "not_a_date")]


def test_days_that_can_be_read_in_two_ways_are_refused_by_row(acme):
    csv = "name;hireDate\nAnna;01/02/2026\nBen;2026-01-31\nCem;31.2.2026\n"
    assert complaints(acme, "/hr/employees/import", csv=csv) == [
        ("rows[2].hireDate", "not_a_date"),
        ("rows[4].hireDate", "not_a_date"),
    ]


@pytest.mark.parametrize(("word", "is_group"), [("no", False), ("ja", True), ("WAHR", True), ("false", False)])
def test_yes_and_no_are_read_as_such(acme, word, is_group):
    rows = f"6350,Books,expense,expense,{word}\n"
    load(acme, "/finance/accounts/import", "code,name,type,subtype,isGroup\n" + rows)
    assert {one["code"]: one["isGroup"] for one in acme.ok("GET", "/finance/accounts")}["6350"] == is_group


def test_the_headings_that_there_are_come_in_the_order_of_the_fields(acme):
    body = {"csv": "name,colour\nAnna,red\n"}
    refusal = acme.refused("POST", "/hr/employees/import", body, status=422, code="validation_failed")
    assert "Use headings of employeeNumber, payrollNumber, email, " in refusal["details"][0]["message"]


@pytest.mark.parametrize(
    ("csv", "code"),
    [
        ("kind,name,colour\r\ncustomer,Globex,red\r\n", "wrong_headings"),
        ("kind\r\ncustomer\r\n", "wrong_headings"),
        ("kind,name,Name\r\ncustomer,Globex,Globex\r\n", "wrong_headings"),
        ("kind,name\r\n" + "customer,Globex\r\n" * 10_001, "too_long"),
        ('kind,name\r\n"customer,Globex', "not_csv"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_as_a_whole(acme, csv, code):
    assert complaints(acme, "/finance/contacts/import", csv=csv) == [("csv", code)]
    assert names(acme) == []


def test_one_table_is_sent_at_a_time(acme):
    assert complaints(acme, "/finance/contacts/import") == [("csv", "exactly_one")]
    assert complaints(acme, "/finance/contacts/import", csv=GOOD, xlsx="eA==") == [("csv", "exactly_one")]


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = "xl/worksheets/sheet1.xml"


def repacked(table, **parts):
    """A workbook of which parts are replaced by text, given by the last word of their names."""
    packed = io.BytesIO()
    packing = zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(table))) as archive, packing as changed:
        for name in archive.namelist():
            word = name.rpartition("/")[2].partition(".")[0]
            changed.writestr(name, parts[word] if word in parts else archive.read(name))
    return base64.b64encode(packed.getvalue()).decode()


def sheet(*cells):
    """A workbook of one sheet with cells at places, such as `("A1", "name")`; a cell of None has only a format."""
    rows = "".join(
        f'<row r="{place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}"><c r="{place}" t="inlineStr">'
        f"{'' if text is None else f'<is><t>{escape(text)}</t></is>'}</c></row>"
        for place, text in cells
    )
    return repacked(workbook(["name"]), sheet1=f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>')


@pytest.mark.parametrize("path", ["/finance/contacts/import", "/tasks/import", "/finance/opening-balances"])
@pytest.mark.parametrize("place", ["XFD1048576", "A10002", "GS2", "ZZ100000"])
def test_a_sheet_with_cells_far_apart_is_refused_before_it_is_read(acme, path, place):
    others = {"date": "2026-01-01"} if path.endswith("balances") else {}
    assert complaints(acme, path, xlsx=sheet(("A1", "name"), (place, "x")), **others) == [("xlsx", "too_long")]


def test_cells_without_places_are_counted(acme):
    row = "<row>" + "<c><v>1</v></c>" * 201 + "</row>"
    table = repacked(workbook(["name"]), sheet1=f'<worksheet xmlns="{MAIN}"><sheetData>{row}</sheetData></worksheet>')
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", "too_long")]


def test_the_last_place_is_read_and_cells_with_only_a_format_do_not_count(acme):
    table = sheet(("A1", "name"), ("A2", "Consulting"), ("A10001", "Travel"), ("XFD1048576", None))
    assert acme.ok("POST", "/finance/products/import", {"xlsx": table})["rows"] == 2
    assert names(acme, "/finance/products") == ["Consulting", "Travel"]


def smaller_on_paper(table):
    """A workbook whose directory says that its sheet unpacks to 10 bytes."""
    content = bytearray(base64.b64decode(table))
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        size = archive.getinfo(SHEET).file_size.to_bytes(4, "little")
    entry = content.rindex(b"PK\x01\x02", 0, content.rindex(SHEET.encode()))
    assert content[entry + 24 : entry + 28] == size
    content[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    return base64.b64encode(bytes(content)).decode()


def of_another_program():
    """An OpenDocument sheet, which can repeat a cell a million times."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", "<a/>")
    return base64.b64encode(packed.getvalue()).decode()


@pytest.mark.parametrize(
    "table",
    [
        smaller_on_paper(workbook(["name"], ["Globex"])),
        of_another_program(),
        repacked(workbook(["name"]), sheet1="<worksheet"),
        repacked(workbook(["name"]), sheet1=f'<worksheet xmlns="{MAIN}"><row r="x"/></worksheet>'),
        repacked(workbook(["name"]), workbook="<workbook/>"),
    ],
)
def test_what_is_no_workbook_is_refused(acme, table):
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", "not_xlsx")]


def test_a_workbook_that_unpacks_to_too_much_is_refused(acme):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(SHEET, bytes(25 << 20))
        archive.writestr("xl/sharedStrings.xml", b"x")
    table = base64.b64encode(packed.getvalue()).decode()
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", "too_large")]


def test_a_text_that_thousands_of_cells_share_is_counted_in_each(acme):
    """10 kB of it once ended the server: the library makes a copy for each cell."""
    rows = "<row>" + "<c t='s'><v>0</v></c>" * 20 + "</row>"
    table = repacked(
        workbook(["name"]),
        sheet1=f'<worksheet xmlns="{MAIN}"><sheetData>{rows * 2_000}</sheetData></worksheet>',
        sharedStrings=f'<sst xmlns="{MAIN}"><si><t>{"x" * 30_000}</t></si></sst>',
    )
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", "too_long")]


def test_cells_are_counted_over_all_rows(acme):
    rows = f"<row>{'<c><v>1</v></c>' * 51}</row>" * 10_000
    table = repacked(workbook(["name"]), sheet1=f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>')
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", "too_long")]


WHOLE_SHEET = f'<worksheet xmlns="{MAIN}">{{}}<sheetData/></worksheet>'
SHEETS = f'<workbook xmlns="{MAIN}"><sheets>{"<sheet/>" * 200_001}</sheets></workbook>'
MANY = " ".join(f"b{n}=''" for n in range(200_000))
HEAVY = {
    "a long comment": ({"sheet1": WHOLE_SHEET.format(f"<!--{'x' * (2 << 20)}-->")}, "too_large"),
    "a tag of many attributes": ({"sheet1": WHOLE_SHEET.format(f"<a {MANY}/>")}, "too_large"),
    "cells in cells": ({"sheet1": WHOLE_SHEET.format("<c>" * 60 + "</c>" * 60)}, "too_large"),
    "texts in texts": ({"sharedStrings": f'<sst xmlns="{MAIN}">{"<si>" * 60}{"</si>" * 60}</sst>'}, "too_large"),
    "more texts than cells": ({"sharedStrings": f'<sst xmlns="{MAIN}">{"<si/>" * 500_051}</sst>'}, "too_long"),
    "hundreds of thousands of sheets": ({"workbook": SHEETS}, "too_large"),
    "a document type": ({"sheet1": f"<!DOCTYPE worksheet>{WHOLE_SHEET.format('')}"}, "not_xlsx"),
}


@pytest.mark.parametrize(("parts", "code"), HEAVY.values(), ids=HEAVY)
def test_a_workbook_of_a_few_kilobytes_that_takes_much_memory_is_refused(acme, parts, code):
    table = repacked(workbook(["name"]), **parts)
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", code)]


def test_a_workbook_packed_in_another_way_is_refused(acme):
    """Other methods unpack a piece to any size at once."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr(SHEET, "<worksheet/>")
    table = base64.b64encode(packed.getvalue()).decode()
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", "not_xlsx")]


def test_a_sheet_in_an_unknown_encoding_is_refused(acme):
    table = repacked(workbook(["name"]), sheet1=f'<?xml version="1.0" encoding="UTF-99"?><worksheet xmlns="{MAIN}"/>')
    assert complaints(acme, "/finance/contacts/import", xlsx=table) == [("xlsx", "not_xlsx")]
