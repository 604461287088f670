"""Properties of payroll for any office: schedules, holidays, joining, leaving, raises and unpaid leave."""

import os
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.store.router import WORKSPACE
from tests.conftest import Office, examples
from tests.finance.books.balances import balances
from tests.hr.leave.applications import week
from tests.hr.payroll.payrolls import act, add_components, override, path, payroll_run

RUNS = int(os.environ.get("TRY_PAYROLL_RUNS", examples(15)))
FIRST, LAST = date(2026, 1, 1), date(2026, 1, 31)
DAYS = st.integers(0, 30).map(lambda days: FIRST + timedelta(days))
AMOUNTS = st.integers(0, 2_000_000).map(lambda cents: f"{Decimal(cents).scaleb(-2):f}")
EMPLOYMENT_BEGAN = date(2025, 12, 1)
WEEKS = st.lists(st.sampled_from("01"), min_size=7, max_size=7).map("".join)


@dataclass
class Person:
    """An employee of a made-up office; no one leaves before they join."""

    week: str
    joined: date
    left: date | None
    pay: dict[str, Any]
    raised: tuple[date, dict[str, Any]] | None
    unpaid: date | None


@st.composite
def people(draw: st.DrawFn, pay_types: tuple[str, ...] = ("salary", "hourly")) -> Person:
    def pay() -> dict[str, Any]:
        frequency = draw(st.sampled_from(["monthly", "monthly", "weekly", "biweekly"]))
        return {"payType": draw(st.sampled_from(pay_types)), "amount": draw(AMOUNTS), "frequency": frequency}

    joined = draw(st.one_of(st.just(EMPLOYMENT_BEGAN), DAYS))
    left = draw(st.none() | DAYS.filter(lambda day: day >= joined))
    raised = draw(st.none() | st.tuples(DAYS.filter(lambda day: day >= joined), st.just(None)))
    return Person(draw(WEEKS), joined, left, pay(), (raised[0], pay()) if raised else None, draw(st.none() | DAYS))


def settle_down(office: Office, staff: list[Person], holidays: list[date], basis: str) -> None:
    """A new workspace with these employees."""
    workspace = office.ok("POST", "/workspace", {"name": "Example"})
    office.select(workspace["id"])
    office.ok("PATCH", f"/workspace/{workspace['id']}", {"prorationBasis": basis})
    for day in set(holidays):
        office.ok("POST", "/hr/holidays", {"date": day.isoformat(), "name": "Feast"})
    for number, person in enumerate(staff):
        move_in(office, person, f"Person {number}")


def move_in(office: Office, person: Person, name: str) -> None:
    body = {"name": name, "hireDate": str(person.joined), "workSchedule": week(person.week), "compensation": person.pay}
    id = office.ok("POST", "/hr/employees", body)["id"]
    if person.raised:
        day, pay = person.raised
        office.ok("POST", f"/hr/employees/{id}/compensations", {**pay, "effectiveFrom": str(day)})
    if person.unpaid and person.joined <= person.unpaid:
        kinds = {kind["code"]: kind["id"] for kind in office.ok("GET", "/hr/leave-types")}
        free = str(person.unpaid)
        answer = office.call(
            "POST",
            "/hr/leaves",
            {"employeeId": id, "leaveTypeId": kinds["unpaid"], "startDate": free, "endDate": free},
        )
        if answer.status_code == 201:  # refused on days off
            office.ok("POST", f"/hr/leaves/{answer.json['data']['id']}/approve", {})
    if person.left and not (person.unpaid and person.unpaid > person.left):
        office.ok("POST", f"/hr/employees/{id}/terminate", {"date": str(person.left), "reason": "Moved"})


def summed(office: Office, made: dict[str, Any]) -> dict[str, int]:
    """The sums of the payslips' lines, by kind."""
    sql = (
        "SELECT kind, sum(payslip_line.amount) FROM payslip_line JOIN payslip ON payslip.id = payslip_id"
        " WHERE run_id = ? GROUP BY kind"
    )
    with office.books():
        sums = dict(WORKSPACE.rows(sql, (made["id"],)))
    return {kind: sums.get(kind, 0) for kind in ("earning", "deduction", "employer_contribution")}


def cents(text: str) -> int:
    return int(Decimal(text).scaleb(2))


@pytest.fixture
def office(acme: Office, clock_at: Any) -> Office:
    clock_at("2026-03-11T17:00:00Z")
    return acme


FREELY = settings(
    max_examples=RUNS, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
BASES = st.sampled_from(["working_days", "calendar_days", "fixed_30"])


@FREELY
@given(staff=st.lists(people(), min_size=1, max_size=4), holidays=st.lists(DAYS, max_size=3), basis=BASES)
def test_payslips_sum_to_the_entry_and_a_reversed_run_leaves_every_account_as_before(
    office: Office, staff: list[Person], holidays: list[date], basis: str
) -> None:
    settle_down(office, staff, holidays, basis)
    add_components(office)
    made = payroll_run(office)
    before = balances(office)
    approved = act(office, made, "approve")
    lines = summed(office, made)
    posted = balances(office)
    assert approved["totals"]["net"] == f"{Decimal(lines['earning'] - lines['deduction']).scaleb(-2):f}"
    assert posted.get("6000", 0) == lines["earning"]
    assert posted.get("6010", 0) == lines["employer_contribution"] == -posted.get("2330", 0)
    assert posted.get("2310", 0) + posted.get("2320", 0) == -lines["deduction"]
    assert posted.get("2300", 0) == -cents(approved["totals"]["net"])
    assert sum(cents(slip["net"]) for slip in made["payslips"]) == cents(approved["totals"]["net"])
    has_money_left = act(office, made, "pay")["paymentEntryId"] is not None
    assert balances(office).get("2300", 0) == 0
    act(office, made, "reverse", **({"moneyReturnedOn": "2026-01-31"} if has_money_left else {}))
    assert balances(office) == before == {}


@FREELY
@given(
    person=people(pay_types=("salary",)),
    holidays=st.lists(DAYS, max_size=3),
    basis=BASES,
    cuts=st.sets(DAYS.filter(lambda day: day < LAST), min_size=1, max_size=3),
)
def test_runs_of_parts_of_a_month_come_to_what_one_run_would(
    office: Office, person: Person, holidays: list[date], basis: str, cuts: set[date]
) -> None:
    person.pay["frequency"] = "monthly"
    if person.raised:
        person.raised[1]["frequency"] = "monthly"
    settle_down(office, [person], holidays, basis)
    whole = office.ok(
        "POST", "/hr/payroll/run", {"periodStart": "2026-01-01", "periodEnd": "2026-01-31", "dryRun": True}
    )
    paid, start = 0, FIRST
    for end in [*sorted(cuts), LAST]:
        body = {"periodStart": str(start), "periodEnd": str(end), "payDate": "2026-01-31"}
        answer = office.call("POST", "/hr/payroll/run", body)
        if answer.status_code == 201:
            paid += cents(answer.json["data"]["totals"]["gross"])
        else:
            assert answer.json["error"]["code"] == "nobody_due"
        start = end + timedelta(days=1)
    is_whole = person.joined == EMPLOYMENT_BEGAN and not (person.left or person.raised or person.unpaid)
    if is_whole:
        assert paid == cents(whole["totals"]["gross"]) == cents(person.pay["amount"])
    # In a month that is not paid in full, each part is rounded separately, and after a raise each amount of each part.
    assert abs(paid - cents(whole["totals"]["gross"])) <= 2 * len(cuts) + 2


@FREELY
@given(staff=st.lists(people(), min_size=1, max_size=3), amount=AMOUNTS)
def test_recalculating_a_draft_that_nothing_has_happened_to_changes_nothing(
    office: Office, staff: list[Person], amount: str
) -> None:
    settle_down(office, staff, [], "working_days")
    add_components(office)
    made = payroll_run(office)
    override(office, made["payslips"][0], {"position": 0, "amount": amount, "reason": "Agreed"})
    first = office.ok("GET", path(made))
    again = act(office, made, "recalculate")
    changing = ("version", "updatedAt")
    assert [_without(slip, changing) for slip in again["payslips"]] == [
        _without(slip, changing) for slip in first["payslips"]
    ]
    assert (again["totals"], again["warnings"], again["variance"]) == (
        first["totals"], first["warnings"], first["variance"],
    )  # fmt: skip


def _without(payslip: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in payslip.items() if name not in names}
