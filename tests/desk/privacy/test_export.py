"""Everything that the workspace holds of one person, for them."""

import io
import zipfile

import pytest

from tests.desk.files import pdf
from tests.desk.privacy.people import EMAIL, IBAN, MAY, NAME, WORKING, data_of, events, hired, leaver, worked
from tests.finance.documents.invoices import invoice
from tests.hr.documents.documents import document
from tests.hr.payroll.payrolls import act, payroll_run, salary


def exported(office, path):
    answer = office.call("GET", path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(answer.content))


@pytest.fixture
def eve(acme, clock_at):
    return leaver(acme, clock_at)


def test_an_export_has_every_row_the_files_and_the_payslips(acme, eve):
    acme.ok("POST", "/hr/employees", {"name": "Adam Apfel", "hireDate": "2022-01-01"})
    zipped = exported(acme, f"/workspace/people/employee/{eve}/export")
    data = data_of(zipped)
    (row,) = data["employee"]
    assert (row["name"], row["email"], row["bank_account"]["iban"]) == (NAME, EMAIL, IBAN)
    assert [day["note"] for day in data["attendance_record"] if day["note"]] == [f"{NAME} was late"]
    assert data["leave_application"][0]["reason"] == f"{NAME} marries"
    assert data["payslip"][0]["snapshot"]["name"] == NAME
    assert data["payslip_line"][0]["explanation"] == "3,000.00 × 23 of 23 working days = 3,000.00"
    assert {event["type"] for event in data["event"]} >= {"employee.created", "leave.approved", "employee.terminated"}
    assert min(zipped.namelist()) == "README.txt"
    (slip,) = [name for name in zipped.namelist() if name.startswith("payslips/")]
    assert zipped.read(slip).startswith(b"%PDF")
    files = [zipped.read(name) for name in zipped.namelist() if name.startswith("files/")]
    assert sorted(files) == sorted([pdf(), pdf(500, NAME.encode())])


def test_other_people_are_another_person(acme, clock_at):
    clock_at(WORKING)
    boss = acme.ok("POST", "/hr/employees", {"name": "Berta Boss", "hireDate": "2022-01-01"})
    eve = hired(acme, managerEmployeeId=boss["id"])
    worked(acme, eve)
    note = {"employeeId": eve, "date": "2023-05-03", "status": "absent", "note": "Berta Boss sent her home"}
    acme.ok("POST", "/hr/attendance", note)
    zipped = exported(acme, f"/workspace/people/employee/{eve}/export")
    text = zipped.read("data.json").decode()
    data = data_of(zipped)
    assert data["employee"][0]["manager_employee_id"] == "another person"
    assert "another person sent her home" in [day["note"] for day in data["attendance_record"]]
    assert {event["actor"] for event in data["event"]} == {"another person"}
    for other in ("Berta Boss", boss["id"], acme.user["name"], acme.user["id"]):
        assert other not in text


def test_pay_of_others_is_in_no_export(acme, clock_at):
    """A run pays two people: its totals, less one's own pay, would be the other's."""
    clock_at(WORKING)
    mia = acme.colleague("member")
    id = hired(acme, userId=mia.user["id"])
    adam = acme.ok("POST", "/hr/employees", {"name": "Adam", "hireDate": "2022-01-01", "compensation": salary("7777")})
    act(acme, payroll_run(acme, MAY, employeeIds=[id, adam["id"]]), "approve")
    for path in (f"/workspace/people/employee/{id}/export", "/hr/me/export"):
        zipped = exported(acme if "people" in path else mia, path)
        (run,) = data_of(zipped)["payroll_run"]
        assert run.keys() == {"id", "number", "warnings", "variance"}
        assert {part["employeeId"] for part in run["warnings"] + run["variance"]} <= {id}
        assert "7777" not in zipped.read("data.json").decode()


def test_ones_own_export_has_nothing_that_one_may_not_read(acme, clock_at):
    clock_at(WORKING)
    mia = acme.colleague("member")
    id = hired(acme, userId=mia.user["id"])
    payroll_run(acme, MAY, employeeIds=[id])
    document(acme, id, title="Warning")
    document(acme, id, title="Permit", visibility="person")
    acme.ok("POST", f"/hr/employees/{id}/cost-rates", {"from": "2023-01-01", "method": "given", "hourlyCost": "41"})
    acme.ok("PUT", f"/hr/employees/{id}/kiosk-pin", {"pin": "4711"})
    whole = data_of(exported(acme, f"/workspace/people/employee/{id}/export"))
    own = data_of(exported(mia, "/hr/me/export"))
    assert {"payslip", "payroll_run", "cost_rate"} <= whole.keys() - own.keys()
    assert sorted(row["title"] for row in whole["employee_document"]) == ["Permit", "Warning"]
    assert [row["title"] for row in own["employee_document"]] == ["Permit"]
    assert len(whole["attachment"]) == len(own["attachment"]) + 1
    for data in (whole, own):
        assert data["kiosk_pin"][0].keys() == {"employee_id", "set_at"}


def test_everyone_exports_themself(acme, clock_at):
    clock_at(WORKING)
    mia = acme.colleague("member")
    id = hired(acme, userId=mia.user["id"])
    worked(acme, id)
    data = data_of(exported(mia, "/hr/me/export"))
    assert data["user"]["email"] == mia.email
    assert data["member"]["role"] == "member"
    assert data["employee"][0]["id"] == id
    assert data["attendance_record"][0]["employee_id"] == id
    viewer = acme.colleague("viewer")
    assert "employee" not in data_of(exported(viewer, "/hr/me/export"))


def test_the_log_says_who_asked(acme, eve):
    hr = acme.colleague("hr")
    exported(hr, f"/workspace/people/employee/{eve}/export")
    (event,) = events(acme, "person.exported")
    assert (event["actor"]["name"], event["resource"]["id"]) == (hr.user["name"], eve)


def test_contacts_and_users_are_for_owners_and_admins(acme, eve):
    customer = acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Clara Kunde"})
    invoice(acme, customerId=customer["id"])
    mia, hr = acme.colleague("member"), acme.colleague("hr")
    paths = [f"/workspace/people/contact/{customer['id']}/export", f"/workspace/people/user/{mia.user['id']}/export"]
    for path in paths:
        hr.refused("GET", path, status=403, code="forbidden")
    data = data_of(exported(acme, paths[0]))
    assert (data["contact"][0]["name"], len(data["invoice"])) == ("Clara Kunde", 1)
    assert data_of(exported(acme.colleague("admin"), paths[1]))["user"]["email"] == mia.email
    acme.refused("GET", f"/workspace/people/user/{eve}/export", status=404, code="not_found")


def test_a_token_without_payroll_exports_no_one(acme, eve):
    token = acme.ok("POST", "/auth/tokens", {"name": "HR", "workspaceId": acme.workspace_id, "scopes": ["hr:read"]})
    headers = {"Authorization": f"Bearer {token['token']}"}
    answer = acme.call("GET", f"/workspace/people/employee/{eve}/export", headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "forbidden")
    assert events(acme, "person.exported") == []
