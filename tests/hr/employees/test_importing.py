"""Employees from a spreadsheet: our own list, people who are known already, and two rows about one."""

import pytest

from tests.hr.employees.employees import SALARY, at, hire
from tests.refusals import complaint, complaints

PATH = "/hr/employees/import"


@pytest.fixture(autouse=True)
def _in_march(acme, clock_at):
    at(acme, clock_at, "2026-03-02")


def own_list(office):
    return office.call("GET", "/hr/employees?format=csv").text


def brought(office, text, **more):
    return office.ok("POST", PATH, {"csv": text, **more})


def refused(office, text, **more):
    return complaints(office.refused("POST", PATH, {"csv": text, **more}, status=422))


def counts(answer):
    return [answer[name] for name in ("created", "updated", "skipped")]


def test_the_own_list_can_be_read_back_and_changes_nothing(acme):
    boss = hire(acme, name="Bo", phone="+49 40 1234")
    hire(
        acme,
        email="Anna@Example.com",
        managerEmployeeId=boss["id"],
        compensation=SALARY,
        address={"line1": "Elbe 1", "city": "Hamburg"},
        bankAccount={"holder": "Anna, -Ritter", "iban": "DE89370400440532013000"},
        workSchedule={"mon": 300, "tue": 300},
    )
    before = acme.ok("GET", "/hr/employees")
    assert counts(brought(acme, own_list(acme), dryRun=True)) == [0, 0, 2]
    assert counts(brought(acme, own_list(acme), onDuplicate="update")) == [0, 0, 2]
    assert acme.ok("GET", "/hr/employees") == before


def test_someone_who_is_known_is_refused_by_row_skipped_or_updated(acme):
    anna = hire(acme, email="anna@example.com", compensation=SALARY, jobTitle="Baker")
    text = (
        "name,hireDate,email,jobTitle,compensation.payType,compensation.amount,compensation.frequency,"
        "compensation.effectiveFrom\n"
        "Bo,2026-02-01,bo@example.com,,,,,\n"
        "Anna Ritter,2026-01-01,ANNA@example.com,Head baker,salary,3400.00,monthly,2026-05-01\n"
    )
    assert refused(acme, text) == {"rows[3].email": "already_exists"}
    assert counts(brought(acme, text, onDuplicate="skip", dryRun=True)) == [1, 0, 1]
    assert counts(brought(acme, text, onDuplicate="update")) == [1, 1, 0]
    shown = acme.ok("GET", f"/hr/employees/{anna['id']}")
    assert (shown["jobTitle"], shown["email"]) == ("Head baker", "ANNA@example.com")
    later, first = acme.ok("GET", f"/hr/employees/{anna['id']}/compensations")
    assert [later["amount"], later["effectiveFrom"], first["amount"]] == ["3400.00", "2026-05-01", "3200.00"]


def test_the_number_tells_before_the_address(acme):
    hire(acme, employeeNumber="7", email="seven@example.com")
    text = "name,hireDate,employeeNumber,email\nAnna,2026-01-01,7,new@example.com\n"
    assert refused(acme, text) == {"rows[2].employeeNumber": "already_exists"}


def test_two_rows_about_one_person_are_refused(acme):
    text = "name,hireDate,email\nAnna,2026-01-01,a@example.com\nAnna R,2026-01-01,A@example.com\n"
    assert refused(acme, text, onDuplicate="update") == {"rows[3].name": "duplicate"}
    assert refused(acme, text) == {"rows[3].email": "already_exists"}


def test_a_row_names_the_manager_by_number_or_address(acme):
    hire(acme, name="Bo", employeeNumber="B1", email="bo@example.com")
    text = "name,hireDate,managerEmployeeId\nAnna,2026-01-01,BO@example.com\nCem,2026-01-01,B1\n"
    brought(acme, text)
    assert {row["name"]: row["managerName"] for row in acme.ok("GET", "/hr/employees")} == {
        "Bo": None,
        "Anna": "Bo",
        "Cem": "Bo",
    }


def test_nobody_is_hired_twice_with_one_address(acme):
    anna = hire(acme, email="anna@example.com")
    again = {"name": "Anna R", "hireDate": "2026-02-01", "email": "Anna@example.com"}
    error = acme.refused("POST", "/hr/employees", again, status=409)
    assert complaint(error) == ("email", "already_exists")
    assert anna["employeeNumber"] in error["message"]


def test_a_namesake_hired_on_the_same_day_is_pointed_out(acme):
    assert "warnings" not in hire(acme)
    assert [warning["code"] for warning in hire(acme)["warnings"]] == ["possible_duplicate"]
    assert "warnings" not in hire(acme, email="other@example.com")
