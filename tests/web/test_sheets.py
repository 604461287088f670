"""Records from spreadsheets: by their headings, all or none, with what is wrong by row."""

import base64
import io

import pytest
import xlsxwriter

from tests.projects.projects import plan

CONTACTS = "Kind,Legal name,NAME,address.city,address.country,paymentTermsDays\r\n"
GOOD = CONTACTS + "customer,Globex AG,Globex,Köln,DE,14\r\nsupplier,,Meyer,,,\r\n"


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
    assert load(acme, "/finance/contacts/import", GOOD) == {"rows": 2, "dryRun": False}
    shown = {contact["name"]: contact for contact in acme.ok("GET", "/finance/contacts")}
    globex, meyer = shown["Globex"], shown["Meyer"]
    assert (globex["kind"], globex["legalName"], globex["paymentTermsDays"]) == ("customer", "Globex AG", 14)
    assert (globex["address"]["city"], globex["address"]["country"]) == ("Köln", "DE")
    assert (meyer["kind"], meyer["legalName"], meyer["address"]) == ("supplier", None, None)
    types = [event["type"] for event in acme.ok("GET", "/workspace/events", params={"type": "contact.created"})]
    assert len(types) == 2


def test_a_dry_run_adds_nothing(acme):
    assert load(acme, "/finance/contacts/import", GOOD, dryRun=True) == {"rows": 2, "dryRun": True}
    assert names(acme) == []


def test_a_file_is_the_body_as_it_is(acme):
    headers = {"Content-Type": "text/csv"}
    path = "/finance/contacts/import"
    answer = acme.call("POST", path, headers=headers, params={"dryRun": "true"}, raw=GOOD.replace(",", ";").encode())
    assert answer.json["data"] == {"rows": 2, "dryRun": True}


def test_an_excel_file_is_read_too(acme):
    table = workbook(["name", "unitPrice", "unit"], ["Consulting", 95.5, "hour"], ["Travel", 30, ""])
    assert acme.ok("POST", "/finance/products/import", {"xlsx": table}) == {"rows": 2, "dryRun": False}
    shown = {product["name"]: product["unitPrice"] for product in acme.ok("GET", "/finance/products")}
    assert shown == {"Consulting": "95.50", "Travel": "30.00"}


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
