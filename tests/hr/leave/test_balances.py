import json
from calendar import monthrange
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from erp.hr.leave import accrual as accruals
from erp.hr.leave.models import LeaveEntry
from erp.store import workspace_settings
from tests.hr.leave.applications import ask, balance, decide, hired, hired_colleague, left, type_id
from tests.paths import DATA
from tests.refusals import complaint

CASES = json.loads((DATA / "payroll.json").read_text())["leave_entitlement"]


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


def entries(office, employee):
    """An employee's entries in the ledger: kind, date and hundredths."""
    with office.books():
        select = LeaveEntry.select().where(LeaveEntry.employee == employee).order_by(LeaveEntry.id)
        return [(entry.kind, entry.date.isoformat(), entry.days) for entry in select]


def adjust(office, employee, days, **fields):
    return office.ok("POST", "/hr/leave-adjustments", {"employeeId": employee, "days": days, "note": "Test", **fields})


def monthly(office, allowance="12", **fields):
    sent = {"name": "Monthly", "code": "monthly", "accrual": "monthly", "allowanceDays": allowance, **fields}
    return office.ok("POST", "/hr/leave-types", sent)["id"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_part_of_an_allowance_matches_the_published_example(case):
    expected = case["expected"]

    def hundredths(text):
        return round(float(text) * 100)

    if case["kind"] == "accrual_by_days":
        accrued = accruals.prorated(hundredths(case["yearly"]), case["days_employed"], case["days_in_year"])
        assert accrued == hundredths(expected["accrued"])
        assert accrued - hundredths(case["taken"]) == hundredths(expected["left"])
    elif case["kind"] == "ratio":
        part = accruals.prorated(hundredths(case["full"]), int(case["num"]), int(case["den"]))
        assert part == hundredths(expected["entitlement"])
    else:
        part = accruals.prorated(hundredths(case["weeks"]), int(case["days_per_week"]), 1)
        assert part == hundredths(expected["entitlement"])


@pytest.mark.parametrize(
    ("hire_date", "allocated"),
    [
        ("2020-05-01", "20"),
        ("2026-01-01", "20"),
        ("2026-01-02", "19.95"),
        ("2026-07-01", "10.08"),
        ("2026-12-31", "0.05"),
    ],
)
def test_the_first_year_grants_by_the_days_employed(acme, hire_date, allocated):
    found = balance(acme, hired(acme, hired=hire_date))
    assert (found["allocated"], found["balance"], found["available"]) == (allocated,) * 3


def test_a_leap_year_has_one_more_day(acme):
    mia = hired(acme, hired="2024-07-02")
    assert balance(acme, mia, year=2024)["allocated"] == "10"
    assert balance(acme, mia, year=2025)["allocated"] == "20"
    assert balance(acme, mia, year=2023)["allocated"] == "0"


def test_hiring_writes_the_allocation_of_the_year(acme):
    mia = hired(acme, hired="2026-07-01")
    assert entries(acme, mia) == [("allocation", "2026-07-01", 1008)]


def test_a_reader_sees_entries_that_are_due_and_writes_nothing(acme, monkeypatch):
    mia, kind = hired(acme), monthly(acme)
    written = entries(acme, mia)
    assert balance(acme, mia, "monthly")["accrued"] == "3"
    assert balance(acme, mia, year=2027)["allocated"] == "20"
    assert entries(acme, mia) == written == [("allocation", "2026-01-01", 2000)]
    monkeypatch.setattr(workspace_settings, "today", lambda: date(2027, 1, 4))
    assert balance(acme, mia)["allocated"] == "20"
    ask(acme, "2027-02-01", employeeId=mia)
    ask(acme, "2027-02-02", employeeId=mia, leaveTypeId=kind)
    assert entries(acme, mia)[1:] == [
        ("allocation", "2027-01-01", 2000),
        ("accrual", "2027-01-01", 100),
        ("accrual", "2027-02-01", 100),
    ]


def test_twelve_months_accrue_to_the_allowance(acme):
    mia = hired(acme)
    monthly(acme, "25")
    days = [balance(acme, mia, "monthly", date=f"2026-{month:02}-01")["accrued"] for month in range(1, 13)]
    assert days == [
        "2.08", "4.17", "6.25", "8.33", "10.42", "12.5", "14.58", "16.67", "18.75", "20.83", "22.92", "25",
    ]  # fmt: skip


def test_the_first_month_accrues_by_the_days_employed(acme):
    mia = hired(acme, hired="2026-02-15")
    monthly(acme)
    assert balance(acme, mia, "monthly", date="2026-02-14")["accrued"] == "0"
    assert balance(acme, mia, "monthly", date="2026-02-28")["accrued"] == "0.5"
    assert balance(acme, mia, "monthly", date="2026-03-01")["accrued"] == "1.5"


def test_nothing_accrues_after_the_last_day(acme):
    mia = hired(acme)
    monthly(acme)
    acme.ok("POST", f"/hr/employees/{mia}/terminate", {"date": "2026-05-15"})
    assert balance(acme, mia, "monthly", date="2026-12-31")["accrued"] == "4.48", "four months and 15 of 31 days"
    assert balance(acme, mia, "monthly", year=2027)["accrued"] == "0"
    assert balance(acme, mia)["balance"] == "7.4", "20 × 135 ÷ 365"
    assert balance(acme, mia, year=2027)["balance"] == "0"


def test_leave_in_a_later_month_is_taken_from_what_accrues_until_then(acme):
    member, id = hired_colleague(acme)
    kind = monthly(acme)
    body = {"startDate": "2026-06-01", "endDate": "2026-06-09", "leaveTypeId": kind}
    error = member.refused("POST", "/hr/leaves", body, status=422, code="too_little_leave")
    assert error["message"].startswith("Monthly 2026: 6 days remain")
    decide(acme, ask(member, "2026-06-01", "2026-06-08", leaveTypeId=kind))
    assert left(member, id, "monthly") == ("0", "0", "0")
    assert left(member, id, "monthly", date="2026-12-31") == ("6", "0", "6")
    error = member.refused(
        "POST", "/hr/leaves", body | {"startDate": "2026-03-03", "endDate": "2026-03-03"}, status=422
    )
    assert error["message"].startswith("Monthly 2026: 0 days remain")
    ask(member, "2026-07-01", leaveTypeId=kind)


def test_the_balance_on_a_day_is_that_of_its_year(acme):
    mia = hired(acme)
    assert balance(acme, mia, date="2027-01-01")["year"] == 2027
    wrong = {"employeeId": mia, "year": 2026, "date": "2027-01-01"}
    acme.refused("GET", "/hr/leave-balances", params=wrong, status=400, code="bad_parameter")
    acme.refused("GET", "/hr/leave-balances", params={"year": 1800}, status=400, code="bad_parameter")


def test_members_see_only_their_own_balances(acme):
    member, id = hired_colleague(acme)
    other = hired(acme, "Ben")
    for params, ids in (({"employeeId": f"{id},{other}"}, {id, other}), ({"not.employeeId": other}, {id})):
        assert {each["employeeId"] for each in acme.ok("GET", "/hr/leave-balances", params=params)} == ids
    assert {each["employeeId"] for each in member.ok("GET", "/hr/leave-balances")} == {id}
    member.refused("GET", "/hr/leave-balances", params={"employeeId": other}, status=403, code="forbidden")
    assert acme.colleague("viewer").ok("GET", "/hr/leave-balances") == []
    shown = acme.colleague("hr").ok("GET", "/hr/leave-balances")
    assert [(each["employeeName"], each["name"]) for each in shown] == [
        (name, kind) for name in ("Ben", "Member") for kind in ("Annual leave", "Sick leave", "Unpaid leave")
    ]


def test_a_year_has_balances_of_those_who_were_employed_in_it(acme):
    hired(acme, "Ann", hired="2027-01-01")
    assert acme.ok("GET", "/hr/leave-balances") == []
    assert acme.ok("GET", "/hr/leave-balances", params={"year": 2027})[0]["allocated"] == "20"


def test_human_resources_adjusts_a_balance(acme):
    mia, hr = hired(acme), acme.colleague("hr")
    answer = hr.call(
        "POST", "/hr/leave-adjustments", {"employeeId": mia, "days": "1.25", "year": 2027, "note": "Worked on Sunday"}
    )
    made = answer.json["data"]
    assert answer.status_code == 201
    shown = {name: made[name] for name in ("days", "year", "date", "note", "createdByUserId")}
    assert shown == {
        "days": "1.25",
        "year": 2027,
        "date": "2027-01-01",
        "note": "Worked on Sunday",
        "createdByUserId": hr.user["id"],
    }
    assert balance(acme, mia, year=2027)["balance"] == "21.25"
    adjust(hr, mia, "-0.5")
    found = balance(acme, mia)
    assert (found["adjusted"], found["balance"]) == ("-0.5", "19.5")
    (event,) = acme.ok("GET", "/workspace/events", params={"resourceId": made["id"]})
    assert (event["type"], event["data"]["days"]) == ("leave.adjusted", "1.25")


def test_an_adjustment_takes_no_more_than_there_is(acme):
    mia = hired(acme)
    ask(acme, "2026-05-04", "2026-05-08", employeeId=mia)
    body = {"employeeId": mia, "days": "-15.01", "note": "Test"}
    error = acme.refused("POST", "/hr/leave-adjustments", body, status=422, code="leave_below_zero")
    assert error["message"] == "The account can be reduced by at most 15 days."
    adjust(acme, mia, "-15")
    assert left(acme, mia) == ("5", "5", "0")
    adjust(acme, mia, "-3", leaveTypeId=type_id(acme, "unpaid"))
    assert left(acme, mia, "unpaid") == ("-3", "0", "-3")


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"days": "0"}, "days", "zero"),
        ({"days": "0.125"}, "days", "too_many_decimals"),
        ({"employeeId": "nobody"}, "employeeId", "unknown_reference"),
        ({"leaveTypeId": "none"}, "leaveTypeId", "unknown_reference"),
        ({"kind": "taken"}, "kind", "unknown_field"),
        ({"note": ""}, "note", "required"),
    ],
)
def test_an_adjustment_that_does_not_fit_is_refused(acme, fields, field, code):
    body = {"employeeId": hired(acme), "days": "1", "note": "Test"} | fields
    assert complaint(acme.refused("POST", "/hr/leave-adjustments", body, status=422)) == (field, code)


def test_only_an_owner_adjusts_their_own_balance(acme):
    hr, id = hired_colleague(acme, "hr")
    body = {"employeeId": id, "days": "1", "note": "Test"}
    hr.refused("POST", "/hr/leave-adjustments", body, status=403, code="own_leave")
    for role in ("manager", "member", "accountant", "viewer"):
        acme.colleague(role).refused("POST", "/hr/leave-adjustments", body, status=403, code="forbidden")
    adjust(acme, hired(acme, "Olga", user=acme), "1")


def allocated(office, employee, **params):
    found = balance(office, employee, **params)
    return found["allocated"], found["accrued"], found["balance"]


def test_leave_follows_a_hire_date_that_is_corrected(acme):
    mia = hired(acme, hired="2026-07-01")
    assert allocated(acme, mia) == ("10.08", "0", "10.08")
    acme.ok("PATCH", f"/hr/employees/{mia}", {"hireDate": "2026-01-01"})
    assert allocated(acme, mia) == ("20", "0", "20")
    acme.ok("PATCH", f"/hr/employees/{mia}", {"hireDate": "2026-07-01"})
    assert allocated(acme, mia) == ("10.08", "0", "10.08")
    assert entries(acme, mia) == [("allocation", "2026-07-01", days) for days in (1008, 992, -992)]


def test_months_that_accrued_follow_a_hire_date_that_is_corrected(acme):
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"accrual": "monthly", "allowanceDays": "24"})
    mia = hired(acme, hired="2026-01-16")
    year = {"date": "2026-12-31"}
    before = allocated(acme, mia, **year)
    acme.ok("PATCH", f"/hr/employees/{mia}", {"hireDate": "2026-01-01"})
    assert before == ("0", "23.03", "23.03")
    assert allocated(acme, mia, **year) == ("0", "24", "24")
    acme.ok("PATCH", f"/hr/employees/{mia}", {"hireDate": "2026-02-01"})
    assert allocated(acme, mia, **year) == ("0", "22", "22")


def test_someone_who_left_before_the_year_gets_no_leave_until_they_are_rehired(acme):
    mia = hired(acme, hired="2025-01-01")
    assert allocated(acme, mia) == ("20", "0", "20")
    acme.ok("POST", f"/hr/employees/{mia}/terminate", {"date": "2025-12-31"})
    assert allocated(acme, mia) == ("0", "0", "0")
    acme.ok("POST", f"/hr/employees/{mia}/terminate/undo", {})
    assert allocated(acme, mia) == ("20", "0", "20")
    acme.ok("POST", f"/hr/employees/{mia}/terminate", {"date": "2025-12-31"})
    acme.ok("POST", f"/hr/employees/{mia}/rehire", {"date": "2026-07-01"})
    assert allocated(acme, mia) == ("10.08", "0", "10.08")


def test_a_closed_year_does_not_change_when_the_hire_date_is_corrected(acme, monkeypatch):
    mia = hired(acme, hired="2026-07-01")
    monkeypatch.setattr(workspace_settings, "today", lambda: date(2027, 1, 10))
    acme.ok("POST", "/hr/leave-years/2026/close", {})
    closed = balance(acme, mia, year=2026)
    acme.ok("PATCH", f"/hr/employees/{mia}", {"hireDate": "2026-01-01"})
    assert balance(acme, mia, year=2026) == closed


@given(
    accrual=st.sampled_from(["yearly", "monthly"]),
    allowance=st.integers(0, 4000),
    hired=st.lists(st.dates(date(2027, 6, 1), date(2028, 12, 31)), min_size=2, max_size=4),
    through=st.integers(1, 12).map(lambda month: date(2028, month, monthrange(2028, month)[1])),
)
def test_a_corrected_hire_date_grants_what_it_would_have_granted_at_first(accrual, allowance, hired, through):
    account = accruals.Account(2028, accruals.Rules(accrual, allowance), [(hired[0], None)])
    account = account.plus(lines=accruals.due(account, through, through))
    for day in hired[1:]:
        moved = replace(account, employments=[(day, None)])
        moved = moved.plus(lines=accruals.corrections(moved, account))
        account = merged(moved.plus(lines=accruals.due(moved, through, through)))
    fresh = replace(account, lines=())
    assert account.balance == sum(line.days for line in accruals.due(fresh, through, through))


def merged(account):
    """The account as it is read: one line for each kind and date."""
    sums: Counter[tuple[date, str]] = Counter()
    for line in account.lines:
        sums[line.date, line.kind] += line.days
    return replace(account, lines=tuple(accruals.Line(day, kind, days) for (day, kind), days in sums.items()))


def test_months_granted_in_advance_are_taken_back_from_someone_who_leaves_before_them(acme):
    mia, kind = hired(acme), monthly(acme)
    asked = ask(acme, "2026-12-01", employeeId=mia, leaveTypeId=kind)
    decide(acme, asked, "cancel")
    acme.ok("POST", f"/hr/employees/{mia}/terminate", {"date": "2026-06-30"})
    assert balance(acme, mia, "monthly", date="2026-12-31")["accrued"] == "6"
    assert balance(acme, mia, "monthly")["accrued"] == "6"


def test_an_adjustment_is_for_its_employee_and_for_those_who_read_all_leave(acme):
    (mia, employee_id), ben = hired_colleague(acme), acme.colleague("viewer")
    made = acme.ok("POST", "/hr/leave-adjustments", {"employeeId": employee_id, "days": "2", "note": "Moved house"})
    path = f"/hr/leave-adjustments/{made['id']}"
    assert acme.ok("GET", path) == mia.ok("GET", path) == made
    ben.refused("GET", path, status=404, code="not_found")
