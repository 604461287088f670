"""Query strings: each parameter once, each value taken at its word, records named by id or as people name them."""

import csv
import io

import pytest

from erp.web.csv_list import cell, quoted
from tests.conftest import Office
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import entry
from tests.refusals import complaints

MISSING = "00000000-0000-7000-8000-000000000000"

FILTERS = [
    ("/projects", "customerId"),
    ("/tasks", "projectId"),
    ("/tasks", "parentId"),
    ("/tasks/time-logs", "projectId"),
    ("/tasks/time-logs", "taskId"),
    ("/tasks/time-logs", "customerId"),
    ("/finance/journals", "accountId"),
    ("/finance/journals", "contactId"),
    ("/finance/invoices", "customerId"),
    ("/finance/invoices", "projectId"),
    ("/finance/payments", "contactId"),
    ("/finance/payments", "accountId"),
    ("/finance/payments", "invoiceId"),
    ("/hr/employees", "managerEmployeeId"),
    ("/hr/attendance", "employeeId"),
    ("/hr/attendance/summary", "employeeId"),
    ("/hr/attendance-corrections", "employeeId"),
    ("/hr/leaves", "employeeId"),
    ("/hr/leaves", "leaveTypeId"),
    ("/hr/leave-balances", "employeeId"),
    ("/hr/leave-balances", "leaveTypeId"),
    ("/hr/payroll/payslips", "employeeId"),
    ("/hr/payroll/payslips", "runId"),
]


@pytest.mark.parametrize("value", [MISSING, "null", "nothing"])
def test_a_filter_that_names_no_record_is_refused(acme: Office, value: str) -> None:
    for path, name in FILTERS:
        error = acme.refused("GET", path, params={name: value}, status=422, code="unknown_reference")
        assert complaints(error) == {name: "unknown_reference"}, path


def test_a_filter_takes_the_name_that_people_use(acme: Office) -> None:
    project = acme.ok("POST", "/projects", {"name": "Web shop", "code": "WEB"})
    task = acme.ok("POST", "/tasks", {"title": "Design", "projectId": project["id"]})
    child = acme.ok("POST", "/tasks", {"title": "Logo", "parentId": task["id"]})
    assert {each["id"] for each in acme.ok("GET", "/tasks", params={"projectId": "WEB"})} == {task["id"], child["id"]}
    assert [each["id"] for each in acme.ok("GET", "/tasks", params={"parentId": task["key"]})] == [child["id"]]
    posted = entry(acme)
    assert [each["id"] for each in acme.ok("GET", "/finance/journals", params={"accountId": "1010"})] == [posted["id"]]
    assert acme.ok("GET", "/finance/journals", params={"accountId": "1200"}) == []
    issued = invoice(acme)
    assert acme.ok("GET", "/finance/payments", params={"invoiceId": issued["number"]}) == []
    boss = acme.ok("POST", "/hr/employees", {"name": "Ada", "hireDate": "2026-01-01"})
    aide = acme.ok("POST", "/hr/employees", {"name": "Ben", "hireDate": "2026-01-01", "managerEmployeeId": boss["id"]})
    by_number = acme.ok("GET", "/hr/employees", params={"managerEmployeeId": boss["employeeNumber"]})
    assert [each["id"] for each in by_number] == [aide["id"]]
    first = acme.ok("GET", "/hr/leave-types")[0]
    balances = acme.ok("GET", "/hr/leave-balances", params={"leaveTypeId": first["code"]})
    assert {each["leaveTypeId"] for each in balances} == {first["id"]}


def test_who_may_not_see_others_learns_nothing_from_a_filter(acme: Office) -> None:
    member = acme.colleague("member")
    for value in ("EMP-0001", MISSING):
        member.refused("GET", "/hr/leaves", params={"employeeId": value}, status=403, code="forbidden")


@pytest.mark.parametrize("name", ["status", "type", "dateFrom", "overdue", "limit"])
def test_null_is_no_way_to_leave_a_parameter_out(acme: Office, name: str) -> None:
    acme.refused("GET", "/finance/invoices", params={name: "null"}, status=400, code="bad_parameter")


def test_null_is_a_text_like_any_other(acme: Office) -> None:
    acme.ok("POST", "/finance/contacts", {"name": "Null & Sons", "kind": "customer"})
    acme.ok("POST", "/finance/contacts", {"name": "Initech", "kind": "customer"})
    for text in ("null", "NULL"):
        assert [each["name"] for each in acme.ok("GET", "/finance/contacts", params={"q": text})] == ["Null & Sons"]


def test_a_parameter_that_is_given_twice_is_refused(acme: Office) -> None:
    error = acme.refused("GET", "/finance/invoices?q=a&q=b", status=400, code="bad_parameter")
    assert error["message"] == "q: The value is there more than once. Enter it once."
    error = acme.refused("GET", "/finance/invoices?limit=1&limit=1", status=400, code="bad_parameter")
    assert error["message"].startswith("limit: The value is there more than once.")


def test_a_list_of_values_may_repeat_its_parameter(acme: Office) -> None:
    draft, issued = invoice(acme, draft=True), invoice(acme)
    listed = acme.ok("GET", "/finance/invoices?status=draft&status=issued&sort=createdAt")
    assert [each["id"] for each in listed] == [draft["id"], issued["id"]]


@pytest.mark.parametrize(
    "path",
    ["/workspace/countries", "/hr/component-sets", "/hr/leave-balances", "/finance/accounts", "/finance/contacts"],
)
def test_every_list_is_a_spreadsheet_on_request(acme: Office, path: str) -> None:
    assert acme.call("GET", path, params={"format": "csv"}).headers["Content-Type"].startswith("text/csv")
    assert acme.ok("GET", path, params={"format": "json"}) == acme.ok("GET", path)
    acme.refused("GET", path, params={"format": "xml"}, status=400, code="bad_parameter")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("Work;=1+1", "Work;'=1+1"),
        ("Work\t@SUM(A1)", "Work\t'@SUM(A1)"),
        ('Work,"=1+1"', 'Work,"\'=1+1"'),
        ("Work; +49 30", "Work; '+49 30"),
        ("a;=b;-c", "a;'=b;'-c"),
        ("Work; then rest", "Work; then rest"),
        ("A-B=C", "A-B=C"),
        ("-12.50", "-12.50"),
        ("1;-12.50;2", "1;-12.50;2"),
    ],
)
def test_no_spreadsheet_finds_a_formula_in_a_text(text: str, shown: str) -> None:
    assert cell(text) == shown


@pytest.mark.parametrize(
    ("value", "written"),
    [("Emma", '"Emma"'), ('Say "hi"', '"Say ""hi"""'), ("12.50", "12.50"), (7, "7"), (-7, "-7"), (None, ""), ("", "")],
)
def test_texts_are_quoted_and_numbers_are_not(value: object, written: str) -> None:
    assert quoted(value) == written


def test_a_quoted_table_is_read_back_as_it_was(acme: Office) -> None:
    name = 'Söhne; "Co", Ltd.'
    acme.ok("POST", "/finance/contacts", {"name": name, "kind": "customer"})
    (row,) = csv.DictReader(io.StringIO(acme.call("GET", "/finance/contacts", params={"format": "csv"}).text))
    assert row["name"] == name
