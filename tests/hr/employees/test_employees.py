"""Employees: what their records hold, who can see it, and who can change it."""

import csv
import io

import pytest

from erp.store.router import WORKSPACE
from tests.hr.employees.employees import (
    ANNA,
    IBAN,
    SALARY,
    ask_leave,
    at,
    change,
    events_about,
    hire,
    path_of,
    pay,
    stored_day,
)
from tests.refusals import complaint

PRIVATE = {"compensation", "bankAccount", "taxNumber"}
USUAL = {"mon": 480, "tue": 480, "wed": 480, "thu": 480, "fri": 480, "sat": 0, "sun": 0}
WHOLE = {
    "employeeNumber": "B-7",
    "email": "anna@example.com",
    "phone": "+49 40 1",
    "jobTitle": "Baker",
    "department": "Bakery",
    "employmentType": "part_time",
    "bankAccount": {"holder": "Anna Ritter", "iban": "de89 3704 0044 0532 0130 00"},
    "taxNumber": "12 345",
    "address": {"line1": "4 Mill Lane", "city": "Hamburg", "country": "DE"},
}


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def names(office, **params):
    return [each["name"] for each in office.ok("GET", "/hr/employees", params=params)]


def test_an_employee_is_hired_with_every_field(acme):
    answer = acme.call("POST", "/hr/employees", ANNA | WHOLE)
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1{path_of(made)}"
    assert {name: made[name] for name in WHOLE if name not in ("bankAccount", "address")} == {
        name: value for name, value in WHOLE.items() if name not in ("bankAccount", "address")
    }
    account = {name: value for name, value in made["bankAccount"].items() if value is not None}
    assert account == {"holder": "Anna Ritter", "country": "DE", "iban": IBAN}
    assert made["address"]["city"] == "Hamburg"
    assert (made["status"], made["hireDate"], made["terminationDate"]) == ("active", "2026-01-01", None)
    assert (made["createdByUserId"], made["userId"], made["managerEmployeeId"]) == (acme.user["id"], None, None)
    assert made["workSchedule"] == USUAL
    assert acme.ok("GET", path_of(made)) == made
    ((event, data),) = events_about(acme, made["id"])
    assert event == "employee.created"
    assert IBAN not in data


def test_a_new_employee_works_on_the_days_outside_the_offices_weekend(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"weekend": ["fri", "sat"]})
    assert hire(acme)["workSchedule"] == USUAL | {"fri": 0, "sun": 480}


def test_days_that_a_schedule_leaves_out_are_free(acme):
    assert hire(acme, workSchedule={"tue": 300})["workSchedule"] == dict.fromkeys(USUAL, 0) | {"tue": 300}


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"name": " "}, "name", "required"),
        ({"email": "nowhere"}, "email", "bad_format"),
        ({"hireDate": "2026-02-30"}, "hireDate", "not_a_date"),
        ({"employmentType": "owner"}, "employmentType", "not_one_of"),
        ({"workSchedule": {"mon": 1441}}, "workSchedule.mon", "out_of_range"),
        ({"workSchedule": {"mon": -1}}, "workSchedule.mon", "out_of_range"),
        ({"workSchedule": {"monday": 480}}, "workSchedule.monday", "unknown_field"),
        ({"bankAccount": {"iban": IBAN}}, "bankAccount.holder", "required"),
        ({"bankAccount": {"holder": "A", "iban": "DE88370400440532013000"}}, "bankAccount.iban", "not_an_iban"),
        ({"bankAccount": {"holder": "A", "iban": "DE3437040044053201300"}}, "bankAccount.iban", "not_an_iban"),
        ({"address": {"country": "XX"}}, "address.country", "unknown_country"),
        ({"managerEmployeeId": "nobody"}, "managerEmployeeId", "unknown_reference"),
        ({"userId": "nobody"}, "userId", "unknown_reference"),
        ({"invite": "boss"}, "invite", "not_one_of"),
        ({"status": "active"}, "status", "read_only"),
        ({"terminationDate": "2026-12-31"}, "terminationDate", "read_only"),
    ],
)
def test_no_one_is_hired_with_a_wrong_field(acme, fields, field, code):
    assert complaint(acme.refused("POST", "/hr/employees", ANNA | fields, status=422)) == (field, code)
    assert names(acme) == []


def test_a_refusal_lists_everything_that_is_wrong(acme):
    pay = {"payType": "salary", "amount": "1.001", "frequency": "monthly"}
    wrong = {"managerEmployeeId": "x", "userId": "y", "compensation": pay}
    error = acme.refused("POST", "/hr/employees", ANNA | wrong, status=422)
    fields = ["managerEmployeeId", "userId", "compensation.amount"]
    assert [each["field"] for each in error["details"]] == fields


def test_numbers_are_consecutive_and_skip_those_assigned_by_hand(acme):
    by_hand = hire(acme, employeeNumber="EMP-0002")
    assert [hire(acme)["employeeNumber"] for _ in range(2)] == ["EMP-0001", "EMP-0003"]
    error = acme.refused("POST", "/hr/employees", ANNA | {"employeeNumber": "EMP-0001"}, status=409)
    assert (error["code"], complaint(error)[0]) == ("already_exists", "employeeNumber")
    acme.refused("PATCH", path_of(by_hand), {"employeeNumber": "EMP-0003"}, status=409, code="already_exists")
    assert change(acme, by_hand, employeeNumber="EMP-0002")["version"] == by_hand["version"]


def test_a_number_can_contain_the_fiscal_year_of_the_hire_date(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"numberFormats": {"employee": "E{year}-{seq:2}"}})
    assert hire(acme, hireDate="2024-05-01")["employeeNumber"] == "E2024-01"


def test_a_user_is_a_member_and_has_one_employee_record(acme, stranger):
    anna, bert = hire(acme, userId=acme.user["id"]), hire(acme, name="Bert")
    assert anna["userId"] == acme.user["id"]
    error = acme.refused("POST", "/hr/employees", ANNA | {"userId": acme.user["id"]}, status=409, code="already_exists")
    assert complaint(error)[0] == "userId"
    acme.refused("PATCH", path_of(bert), {"userId": acme.user["id"]}, status=409, code="already_exists")
    error = acme.refused("PATCH", path_of(bert), {"userId": stranger.user["id"]}, status=422)
    assert complaint(error) == ("userId", "unknown_reference")
    change(acme, anna, userId=None)
    assert change(acme, bert, userId=acme.user["id"])["userId"] == acme.user["id"]


def test_someone_who_left_the_workspace_cannot_be_linked(acme):
    gone = acme.colleague("member")
    gone.ok("POST", "/workspace/leave")
    acme.refused("POST", "/hr/employees", ANNA | {"userId": gone.user["id"]}, status=422, code="unknown_reference")


def test_members_show_their_employee_record(acme):
    member, anna = acme.colleague("member"), hire(acme, userId=acme.user["id"])
    shown = {row["user"]["id"]: row for row in acme.ok("GET", "/workspace/members")}
    assert shown[acme.user["id"]]["employeeId"] == anna["id"]
    assert shown[member.user["id"]]["employeeId"] is None
    mia = hire(acme, name="Mia", userId=member.user["id"])
    path = f"/workspace/members/{shown[member.user['id']]['id']}"
    assert acme.ok("PATCH", path, {"role": "viewer"})["employeeId"] == mia["id"]


def test_the_status_follows_the_date(acme, clock_at):
    anna = hire(acme, hireDate="2026-03-03")
    acme.ok("POST", path_of(anna, "/terminate"), {"date": "2026-03-05"})
    for today, status in (("02", "upcoming"), ("03", "active"), ("05", "active"), ("06", "terminated")):
        at(acme, clock_at, f"2026-03-{today}")
        assert acme.ok("GET", path_of(anna))["status"] == status
        for filtered in ("upcoming", "active", "terminated"):
            assert names(acme, status=filtered) == (["Anna Ritter"] if filtered == status else [])


def test_the_date_is_that_of_the_office(acme, clock_at):
    clock_at("2026-03-02T23:30:00Z")
    anna = hire(acme, hireDate="2026-03-03")
    assert anna["status"] == "upcoming"
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeZone": "Europe/Berlin"})
    assert acme.ok("GET", path_of(anna))["status"] == "active"


def test_employees_are_listed_and_found(acme):
    zoe = hire(acme, name="Zoe", employeeNumber="1", department="Shop", hireDate="2025-01-01", jobTitle="Head of sales")
    hire(
        acme,
        name="Ben",
        employeeNumber="3",
        email="b@heron.example",
        hireDate="2026-06-01",
        managerEmployeeId=zoe["id"],
    )
    cleo = hire(acme, name="Cleo 100%", employeeNumber="2", employmentType="intern", department="Shop")
    acme.ok("POST", path_of(cleo, "/terminate"), {"date": "2026-02-28"})
    assert names(acme) == ["Cleo 100%", "Ben", "Zoe"]
    for sort, found in {
        "name": "Ben Cleo Zoe",
        "-name": "Zoe Cleo Ben",
        "employeeNumber": "Zoe Cleo Ben",
        "-hireDate": "Ben Cleo Zoe",
        "createdAt": "Zoe Ben Cleo",
    }.items():
        assert " ".join(name.removesuffix(" 100%") for name in names(acme, sort=sort)) == found
    for params, expected in (
        ({"status": "active"}, ["Zoe"]),
        ({"status": "upcoming,terminated"}, ["Cleo 100%", "Ben"]),
        ({"department": "Shop"}, ["Cleo 100%", "Zoe"]),
        ({"managerEmployeeId": zoe["id"]}, ["Ben"]),
        ({"employmentType": "intern"}, ["Cleo 100%"]),
        ({"q": "heron"}, ["Ben"]),
        ({"q": "sales"}, ["Zoe"]),
        ({"q": "2"}, ["Cleo 100%"]),
        ({"q": "%"}, ["Cleo 100%"]),
        ({"q": "nobody"}, []),
        ({"department": "Shop", "status": "active"}, ["Zoe"]),
    ):
        assert names(acme, **params) == expected, params
    acme.refused("GET", "/hr/employees", params={"status": "active,gone"}, status=400, code="bad_parameter")


def test_a_list_takes_as_many_queries_for_many_as_for_one(acme, monkeypatch):
    asked = []
    run = WORKSPACE.execute_sql

    def count(sql, *more):
        asked.append(sql)
        return run(sql, *more)

    monkeypatch.setattr(WORKSPACE, "execute_sql", count)

    def queries():
        asked.clear()
        acme.ok("GET", "/hr/employees")
        return len(asked)

    hire(acme, compensation=SALARY)
    alone = queries()
    for _ in range(5):
        hire(acme, compensation=SALARY)
    assert queries() == alone


def test_the_list_is_a_spreadsheet(acme):
    hire(acme, compensation=SALARY)
    (row,) = csv.DictReader(io.StringIO(acme.call("GET", "/hr/employees", params={"format": "csv"}).text))
    assert (row["name"], row["workSchedule.mon"], row["compensation.amount"]) == ("Anna Ritter", "480", "3200.00")


@pytest.mark.parametrize(
    ("role", "sees_all", "sees_pay", "sees_address"),
    [
        ("owner", True, True, True),
        ("admin", True, True, True),
        ("hr", True, True, True),
        ("accountant", True, True, False),
        ("manager", True, False, False),
        ("member", False, False, False),
        ("viewer", False, False, False),
    ],
)
def test_a_role_sees_of_others_what_it_is_allowed_to(acme, role, sees_all, sees_pay, sees_address):
    anna, person = hire(acme, compensation=SALARY, **WHOLE), acme.colleague(role)
    if not sees_all:
        assert person.ok("GET", "/hr/employees") == []
        person.refused("GET", path_of(anna), status=403, code="forbidden")
        person.refused("GET", path_of({"id": "nobody"}), status=403, code="forbidden")
        return
    for shown in (person.ok("GET", path_of(anna)), person.ok("GET", "/hr/employees")[0]):
        assert {"phone", "address"} & set(shown) == ({"phone", "address"} if sees_address else set())
        assert PRIVATE & set(shown) == (PRIVATE if sees_pay else set())
    text = person.call("GET", "/hr/employees").text
    assert ("3200.00" in text, IBAN in text) == (sees_pay, sees_pay)
    table = person.call("GET", "/hr/employees", params={"format": "csv"}).text
    assert ("3200.00" in table, IBAN in table) == (sees_pay, sees_pay)


@pytest.mark.parametrize("role", ["manager", "member", "viewer"])
def test_employees_see_their_own_pay_whatever_their_role(acme, role):
    person = acme.colleague(role)
    hire(acme, name="Bert", compensation=SALARY)
    mine = hire(acme, compensation=SALARY, userId=person.user["id"], **WHOLE)
    shown = person.ok("GET", path_of(mine))
    assert set(shown) >= PRIVATE
    assert shown["compensation"]["amount"] == "3200.00"
    listed = {each["name"]: set(each) >= PRIVATE for each in person.ok("GET", "/hr/employees")}
    assert listed == {"Anna Ritter": True} | ({"Bert": False} if role == "manager" else {})


@pytest.mark.parametrize("role", ["accountant", "manager", "member", "viewer"])
def test_without_the_right_no_one_changes_any_record_not_even_their_own(acme, role):
    person = acme.colleague(role)
    mine = hire(acme, userId=person.user["id"])
    for verb, path, body in (
        ("POST", "/hr/employees", ANNA),
        ("PATCH", path_of(mine), {"name": "Boss"}),
        ("POST", path_of(mine, "/terminate"), {"date": "2026-12-31"}),
        ("POST", path_of(mine, "/rehire"), {"date": "2027-12-31"}),
        ("POST", path_of(mine, "/compensations"), SALARY | {"effectiveFrom": "2026-12-01"}),
    ):
        person.refused(verb, path, body, status=403, code="forbidden")
    assert acme.ok("GET", path_of(mine)) == mine


def test_human_resources_hires_and_changes(acme):
    hr = acme.colleague("hr")
    made = hire(hr, compensation=SALARY)
    assert change(hr, made, phone="1")["phone"] == "1"


def test_a_change_clears_some_fields_and_is_logged_without_values(acme):
    made = hire(acme, **WHOLE)
    changed = change(acme, made, phone=None, taxNumber="99 secret", bankAccount={"holder": "A. R."}, address=None)
    assert (changed["phone"], changed["taxNumber"], changed["email"]) == (None, "99 secret", "anna@example.com")
    account = {name: value for name, value in changed["bankAccount"].items() if value is not None}
    assert (account, changed["address"]) == ({"holder": "A. R."}, None)
    event, data = events_about(acme, made["id"])[-1]
    assert event == "employee.updated"
    assert '"changed":["phone","bankAccount","taxNumber","address"]' in data
    assert "secret" not in data
    assert "A. R." not in data
    assert change(acme, made, bankAccount=None)["bankAccount"] is None


def test_a_change_to_the_present_values_changes_nothing(acme):
    made = hire(acme, **WHOLE)
    assert change(acme, made, **ANNA, **WHOLE) == made
    assert len(events_about(acme, made["id"])) == 1


def test_a_request_for_an_older_version_changes_nothing(acme):
    made = hire(acme)
    stale = {"If-Match": '"1"'}
    acme.ok("PATCH", path_of(made), {"name": "First"}, headers=stale)
    for verb, path, body in (
        ("PATCH", path_of(made), {"name": "Late"}),
        ("POST", path_of(made, "/terminate"), {"date": "2026-12-31"}),
        ("POST", path_of(made, "/rehire"), {"date": "2026-12-31"}),
        ("POST", path_of(made, "/compensations"), SALARY | {"effectiveFrom": "2026-12-01"}),
    ):
        acme.refused(verb, path, body, headers=stale, status=412, code="version_mismatch")


def test_the_record_of_someone_who_left_can_be_corrected(acme, clock_at):
    at(acme, clock_at, "2026-06-01")
    made = hire(acme)
    acme.ok("POST", path_of(made, "/terminate"), {"date": "2026-03-31"})
    changed = change(acme, made, taxNumber="7", hireDate="2025-12-01")
    assert (changed["taxNumber"], changed["hireDate"], changed["status"]) == ("7", "2025-12-01", "terminated")


def test_the_hire_date_moves_with_the_pay_and_the_schedule_that_begin_on_it(acme, clock_at):
    at(acme, clock_at, "2026-06-01")
    made = hire(acme, compensation=SALARY, workSchedule={"mon": 60})
    for day in ("2025-11-01", "2026-02-01"):
        changed = change(acme, made, hireDate=day)
        assert (changed["hireDate"], changed["compensation"]["effectiveFrom"]) == (day, day)
        assert changed["workSchedule"]["mon"] == 60
    raised = SALARY | {"amount": "4000.00", "effectiveFrom": "2026-03-01"}
    acme.ok("POST", path_of(made, "/compensations"), raised)
    change(acme, made, hireDate="2026-03-15")
    history = acme.ok("GET", path_of(made, "/compensations"))
    assert [each["effectiveFrom"] for each in history] == ["2026-03-01", "2026-02-01"]


def test_the_hire_date_does_not_cut_off_attendance_or_leave(acme, clock_at):
    at(acme, clock_at, "2026-06-01")
    marked, on_leave, paid, asking = (hire(acme, name=name) for name in ("Ada", "Bo", "Cy", "Di"))
    stored_day(acme, marked, "2026-01-05")
    ask_leave(acme, on_leave, "2026-01-05", "2026-01-06")
    pay(acme, paid, "2026-01-05")
    ask_leave(acme, asking, "2026-01-05", "2026-01-06", "rejected")
    for person, code, what in (
        (marked, "days_cut_off", "attendance on 5 Jan 2026"),
        (on_leave, "days_cut_off", "approved leave from 5 Jan 2026 to 6 Jan 2026"),
    ):
        error = acme.refused("PATCH", path_of(person), {"hireDate": "2026-01-06"}, status=409, code=code)
        assert what in error["message"]
        assert complaint(error)[0] == "hireDate"
        assert change(acme, person, hireDate="2026-01-05")["hireDate"] == "2026-01-05"
    for person in (asking, paid):
        assert change(acme, person, hireDate="2026-02-01")["hireDate"] == "2026-02-01"


def test_the_hire_date_stays_between_the_previous_employment_and_the_termination_date(acme, clock_at):
    at(acme, clock_at, "2026-06-01")
    made = hire(acme)
    acme.ok("POST", path_of(made, "/terminate"), {"date": "2026-02-28"})
    error = acme.refused("PATCH", path_of(made), {"hireDate": "2026-03-01"}, status=422)
    assert complaint(error) == ("hireDate", "after_termination")
    acme.ok("POST", path_of(made, "/rehire"), {"date": "2026-05-01"})
    error = acme.refused("PATCH", path_of(made), {"hireDate": "2026-02-28"}, status=422)
    assert complaint(error) == ("hireDate", "overlap")
    assert change(acme, made, hireDate="2026-03-01")["hireDate"] == "2026-03-01"


def test_no_one_sees_employees_of_another_office(acme, stranger):
    made = hire(acme)
    stranger.refused("GET", path_of(made), status=404, code="not_found")
    assert stranger.ok("GET", "/hr/employees") == []
    stranger.refused(
        "POST", "/hr/employees", ANNA | {"managerEmployeeId": made["id"]}, status=422, code="unknown_reference"
    )
