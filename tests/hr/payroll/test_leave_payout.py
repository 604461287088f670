"""Pay for the leave that is left when somebody leaves: its value, and its proposal in the draft of the last month."""

import pytest

from tests.finance.books.balances import balances
from tests.hr.payroll.payrolls import (
    act,
    amounts,
    hourly,
    paid_employee,
    payroll_run,
    payslip_of,
    salary,
    warnings_of,
)

NOVEMBER = {"periodStart": "2026-11-01", "periodEnd": "2026-11-30"}


@pytest.fixture(autouse=True)
def today(clock_at):
    clock_at("2026-11-27T12:00:00Z")


@pytest.fixture
def ivy(acme):
    """4,000.00 a month, with 14.3 days of leave left."""
    id = paid_employee(acme, "Ivy", salary("4000.00"))
    (balance, *_) = [row for row in acme.ok("GET", "/hr/leave-balances") if float(row["balance"])]
    given = round(14.3 - float(balance["balance"]), 2)
    body = {"employeeId": id, "leaveTypeId": balance["leaveTypeId"], "days": str(given), "note": "Agreed", "year": 2026}
    acme.ok("POST", "/hr/leave-adjustments", body)
    return id


def leaving(acme, id, day="2026-11-30"):
    acme.ok("POST", f"/hr/employees/{id}/terminate", {"date": day})


def payout(acme, id, **params):
    return acme.ok("GET", f"/hr/employees/{id}/leave-payout", params=params)


def proposals(run):
    return [(one["kind"], one["employeeName"], one["amount"]) for one in run["proposals"]]


def test_a_day_is_a_years_pay_by_its_working_days(acme, ivy):
    shown = payout(acme, ivy, date="2026-12-31")
    assert (shown["days"], shown["dailyRate"], shown["amount"], shown["method"]) == (
        "14.3", "184.62", "2640.07", "year_days",
    )  # fmt: skip
    assert shown["explanation"].endswith("14.3 days × 184.62 = 2,640.07")


def test_the_hours_of_a_week_value_a_day_of_hourly_pay(acme):
    ben = paid_employee(acme, "Ben", hourly("30.00"), workSchedule={"mon": 480, "tue": 480, "wed": 240})
    assert payout(acme, ben)["dailyRate"] == "200.00"  # 20 h × 30.00 ÷ 3


def test_the_pay_of_the_last_13_weeks_leaves_out_overtime_and_one_off_lines(acme, ivy):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"leavePayout": "last_13_weeks"})
    assert payout(acme, ivy, date="2026-11-30")["method"] == "year_days"  # nothing is paid yet
    bonus = next(row["id"] for row in acme.ok("GET", "/hr/pay-components") if row["code"] == "generic-bonus")
    for month, last in ((9, 30), (10, 31), (11, 30)):
        made = payroll_run(acme, {"periodStart": f"2026-{month:02}-01", "periodEnd": f"2026-{month:02}-{last}"})
        line = {"componentId": bonus, "amount": "500.00", "reason": "Fair"}
        acme.ok("POST", f"/hr/payroll/payslips/{payslip_of(made, ivy)['id']}/lines", line)
        act(acme, acme.ok("GET", f"/hr/payroll/runs/{made['id']}"), "approve")
    shown = payout(acme, ivy, date="2026-11-30")  # 1 September to 30 November are 91 days
    assert (shown["method"], shown["dailyRate"]) == ("last_13_weeks", "184.62")  # 12,000.00 ÷ 65


def test_the_draft_of_the_last_month_proposes_it_and_takes_it_once(acme, ivy):
    leaving(acme, ivy)
    draft = payroll_run(acme, NOVEMBER)
    amount = payout(acme, ivy)["amount"]
    assert proposals(draft) == [("leave_payout", "Ivy", amount)]
    assert "leave_payout" not in amounts(payslip_of(act(acme, draft, "recalculate"), ivy))
    taken = acme.ok("POST", f"/hr/payroll/runs/{draft['id']}/recalculate", {"take": True})
    slip = payslip_of(taken, ivy)
    assert (amounts(slip)["leave_payout"], proposals(taken)) == (amount, [])
    (line,) = [line for line in slip["lines"] if line["code"] == "leave_payout"]
    assert line["id"]
    again = acme.ok("POST", f"/hr/payroll/runs/{draft['id']}/recalculate", {"take": True})
    assert amounts(payslip_of(again, ivy)) == amounts(slip)
    acme.ok("POST", f"/hr/employees/{ivy}/terminate", {"date": "2026-11-29"})
    assert proposals(acme.ok("GET", f"/hr/payroll/runs/{draft['id']}")) == []
    leaving(acme, ivy)
    acme.ok("DELETE", f"/hr/payroll/payslips/{payslip_of(again, ivy)['id']}/lines/{line['id']}")
    assert proposals(acme.ok("GET", f"/hr/payroll/runs/{draft['id']}")) == [("leave_payout", "Ivy", amount)]
    act(acme, draft, "approve")
    assert proposals(acme.ok("GET", f"/hr/payroll/runs/{draft['id']}")) == []


def test_it_is_posted_as_salaries_and_is_no_longer_left(acme, ivy):
    leaving(acme, ivy)
    draft = payroll_run(acme, NOVEMBER)
    assert ("Ivy", "leave_left") in warnings_of(draft)
    taken = acme.ok("POST", f"/hr/payroll/runs/{draft['id']}/recalculate", {"take": True})
    assert "leave_left" not in [code for _, code in warnings_of(taken)]
    act(acme, taken, "approve")
    assert max(balances(acme).values()) == int(taken["totals"]["gross"].replace(".", ""))


def test_whoever_stays_or_has_no_component_for_it_is_not_proposed(acme, ivy):
    assert proposals(payroll_run(acme, NOVEMBER, dryRun=True)) == []
    draft = payroll_run(acme, NOVEMBER)
    assert proposals(draft) == []
    leaving(acme, ivy, "2026-12-31")
    assert proposals(act(acme, draft, "recalculate")) == []
    leaving(acme, ivy)
    assert len(act(acme, draft, "recalculate")["proposals"]) == 1
    (component,) = [row["id"] for row in acme.ok("GET", "/hr/pay-components") if row["code"] == "leave_payout"]
    acme.ok("POST", f"/hr/pay-components/{component}/archive", {})
    assert proposals(act(acme, draft, "recalculate")) == []


def test_without_pay_a_day_has_no_value(acme):
    id = acme.ok("POST", "/hr/employees", {"name": "Cem", "hireDate": "2026-01-01"})["id"]
    acme.refused("GET", f"/hr/employees/{id}/leave-payout", status=422, code="no_pay_in_force")


def test_no_one_takes_their_own_proposal(acme, ivy):
    hr = acme.colleague("hr")
    own = paid_employee(acme, "Hanna", salary("3000.00"), user=hr)
    leaving(acme, own)
    draft = payroll_run(acme, NOVEMBER)
    run = f"/hr/payroll/runs/{draft['id']}/recalculate"
    assert "leave_payout" not in amounts(payslip_of(hr.ok("POST", run, {"take": True}), own))
    assert "leave_payout" in amounts(payslip_of(acme.ok("POST", run, {"take": True}), own))
