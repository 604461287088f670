"""Leave of people who leave, come back, or stay after all: prorated by the days employed, by entries in the ledger.

Expectations are days employed ÷ days of the year × allowance, half up: 20 × 261 ÷ 365 = 14.30.
"""

import json
from calendar import monthrange
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from erp.hr.leave import accrual as accruals
from erp.hr.leave.accrual import Account, Rules
from erp.hr.leave.models import LeaveEntry
from tests.hr.leave.applications import ask, balance, decide, hired, type_id

LAST = "2026-09-18"


@pytest.fixture(autouse=True)
def _march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


def path(who, what):
    return f"/hr/employees/{who}/{what}"


def leave_office(office, who, day=LAST):
    office.ok("POST", path(who, "terminate"), {"date": day})


def written(office, who):
    """The sum of what the ledger has, by kind, in hundredths."""
    sums: Counter[str] = Counter()
    with office.books():
        for entry in LeaveEntry.select().where(LeaveEntry.employee == who):
            sums[entry.kind] += entry.days
    return {kind: days for kind, days in sums.items() if days}


def test_a_leaver_has_the_leave_of_the_days_employed(acme):
    mia = hired(acme)
    assert balance(acme, mia)["balance"] == "20"
    leave_office(acme, mia)
    assert balance(acme, mia)["balance"] == "14.3"
    assert written(acme, mia) == {"allocation": 1430}
    with acme.books():
        entries = {entry.days: entry.note for entry in LeaveEntry.select().where(LeaveEntry.employee == mia)}
    assert entries == {2000: None, -570: "The employment was changed."}


def test_a_termination_that_is_changed_or_undone_changes_the_leave(acme):
    mia = hired(acme)
    leave_office(acme, mia)
    leave_office(acme, mia, "2026-06-30")
    assert balance(acme, mia)["balance"] == "9.92", "20 × 181 ÷ 365"
    acme.ok("POST", path(mia, "terminate/undo"))
    assert balance(acme, mia)["balance"] == "20"
    assert written(acme, mia) == {"allocation": 2000}


def test_someone_who_comes_back_in_the_same_year_has_the_leave_of_both_employments(acme, clock_at):
    mia = hired(acme)
    leave_office(acme, mia, "2026-02-28")
    assert balance(acme, mia)["balance"] == "3.23", "20 × 59 ÷ 365"
    acme.ok("POST", path(mia, "rehire"), {"date": "2026-07-01"})
    assert balance(acme, mia)["balance"] == "13.32", "20 × (59 + 184) ÷ 365"
    leave_office(acme, mia, LAST)
    assert balance(acme, mia)["balance"] == "7.62", "20 × (59 + 80) ÷ 365"


def test_someone_who_starts_and_leaves_in_one_year_has_the_leave_of_those_days(acme):
    mia = hired(acme, hired="2026-04-01")
    leave_office(acme, mia)
    assert balance(acme, mia)["balance"] == "9.37", "20 × 171 ÷ 365"


def test_the_last_month_of_a_leaver_accrues_by_the_days_employed(acme):
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"accrual": "monthly", "allowanceDays": "24"})
    mia = hired(acme)
    decide(acme, ask(acme, "2026-12-01", employeeId=mia), "cancel")
    assert balance(acme, mia, date="2026-12-31")["accrued"] == "24"
    leave_office(acme, mia)
    assert balance(acme, mia, date="2026-12-31")["accrued"] == "17.2", "8 × 2 + 2 × 18 ÷ 30"
    leave_office(acme, mia, "2026-09-30")
    assert balance(acme, mia, date="2026-12-31")["accrued"] == "18"
    acme.ok("POST", path(mia, "terminate/undo"))
    assert balance(acme, mia, date="2026-12-31")["accrued"] == "24"


def test_a_month_in_which_someone_leaves_and_comes_back_accrues_for_both_parts(acme):
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"accrual": "monthly", "allowanceDays": "24"})
    mia = hired(acme)
    leave_office(acme, mia, "2026-02-07")
    acme.ok("POST", path(mia, "rehire"), {"date": "2026-02-22"})
    assert balance(acme, mia, date="2026-02-28")["accrued"] == "3", "2 + 2 × (7 + 7) ÷ 28"


def test_an_allowance_that_was_raised_for_later_years_does_not_change_what_a_leaver_keeps(acme):
    mia = hired(acme)
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"allowanceDays": "30"})
    leave_office(acme, mia)
    assert balance(acme, mia)["balance"] == "14.3"
    acme.ok("POST", path(mia, "terminate/undo"))
    assert balance(acme, mia)["balance"] == "20"


def test_leave_that_accrued_before_its_type_became_yearly_is_part_of_a_leavers_share(acme):
    kind = type_id(acme)
    acme.ok("PATCH", f"/hr/leave-types/{kind}", {"accrual": "monthly"})
    mia = hired(acme)
    acme.ok("PATCH", f"/hr/leave-types/{kind}", {"accrual": "yearly"})
    decide(acme, ask(acme, "2026-05-04", employeeId=mia), "cancel")
    assert balance(acme, mia)["balance"] == "20"
    leave_office(acme, mia)
    assert balance(acme, mia)["balance"] == "14.3"


def test_leave_is_granted_in_the_next_year_by_a_last_day_known_before(acme):
    mia = hired(acme)
    leave_office(acme, mia, "2027-03-31")
    assert balance(acme, mia, year=2026)["balance"] == "20"
    assert balance(acme, mia, year=2027)["balance"] == "4.93", "20 × 90 ÷ 365"
    assert balance(acme, mia, year=2028)["balance"] == "0"


def leavers_warnings(office, start, end):
    run = {"periodStart": start, "periodEnd": end, "dryRun": True}
    warnings = office.ok("POST", "/hr/payroll/run", run)["warnings"]
    of_leave = [
        (each["code"], item) for each in warnings if each["code"].startswith("leave_") for item in each["items"]
    ]
    return sorted((item["name"], code, item["message"]) for code, item in of_leave)


def test_a_draft_run_says_what_a_leaver_has_left_or_has_taken_too_much(acme):
    pay = {"payType": "salary", "amount": "3000.00", "frequency": "monthly"}
    ann, ben, eve = (hired(acme, name, compensation=pay) for name in ("Ann", "Ben", "Eve"))
    hired(acme, "Zoe", compensation=pay)
    decide(acme, ask(acme, "2026-05-04", "2026-05-29", employeeId=ben))
    for who in (ann, ben):
        leave_office(acme, who)
    leave_office(acme, eve, "2026-10-31")
    assert leavers_warnings(acme, "2026-09-01", "2026-09-30") == [
        (
            "Ann",
            "leave_left",
            "Annual leave: 14.3 days remain on the last day, 18 Sep 2026. Grant the leave or pay it out.",
        ),
        (
            "Ben",
            "leave_overdrawn",
            (
                "Annual leave: 5.7 days were taken beyond the entitlement by the last day, 18 Sep 2026. "
                "Deduct them, or adjust the account."
            ),
        ),
    ]
    assert leavers_warnings(acme, "2026-08-01", "2026-08-31") == []
    assert json.dumps(acme.ok("GET", "/hr/payroll/runs")) == "[]"


DAY = st.dates(date(2027, 10, 1), date(2029, 3, 31))


@st.composite
def states(draw):
    """Employments in order, the last one perhaps running, and weeks in order."""
    days = sorted(draw(st.sets(DAY, min_size=1, max_size=4)))
    periods = [(start, end) for start, end in zip(days[::2], [*days[1::2], None], strict=False)]
    weeks = [(day, draw(st.integers(0, 6))) for day in sorted(draw(st.sets(DAY, min_size=1, max_size=3)))]
    return periods, weeks


def merged(account):
    """The account as it is read: one line for each kind and date."""
    sums: Counter[tuple[date, str]] = Counter()
    for line in account.lines:
        sums[line.date, line.kind] += line.days
    return replace(account, lines=tuple(accruals.Line(day, kind, days) for (day, kind), days in sums.items()))


@given(
    accrual=st.sampled_from(["yearly", "monthly"]),
    allowance=st.integers(0, 4000),
    full_week=st.sampled_from([None, 5, 6]),
    history=st.lists(states(), min_size=2, max_size=4),
    through=st.integers(1, 12).map(lambda month: date(2028, month, monthrange(2028, month)[1])),
)
def test_whatever_changes_the_leave_is_that_of_the_last_state(accrual, allowance, full_week, history, through):
    """Employments and weeks change in any way; the corrected ledger is what it would have been from the start."""
    employments, weeks = history[0]
    rules = Rules(accrual, allowance, own_week=full_week is not None)
    account = Account(2028, rules, employments, weeks, full_week or 1)
    account = account.plus(lines=accruals.due(account, through, through))
    for employments, weeks in history[1:]:
        changed = replace(account, employments=employments, weeks=weeks)
        changed = changed.plus(lines=accruals.corrections(changed, account))
        account = merged(changed.plus(lines=accruals.due(changed, through, through)))
    fresh = replace(account, lines=())
    assert account.balance == sum(line.days for line in accruals.due(fresh, through, through))
