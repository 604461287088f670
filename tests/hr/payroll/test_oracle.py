"""Published worked examples over HTTP: a year of payslips, single payslips, overtime."""

import calendar
import json
from datetime import date, timedelta
from decimal import Decimal

import pytest

from tests.finance.books.balances import balances
from tests.hr.attendance.records import marked_day
from tests.hr.payroll.payrolls import act, add_components, hourly, paid_employee, payroll_run, salary
from tests.paths import DATA

pytestmark = pytest.mark.usefixtures("wednesday")

CASES = json.loads((DATA / "payroll.json").read_text())
YEARS = [case for case in CASES["payslips"] if case["kind"] == "year_of_monthly_brackets"]
SLIPS = [case for case in CASES["payslips"] if case["kind"] == "payslip"]
MONDAY = date(2026, 1, 5)


def named(case):
    return case["id"]


def money(text):
    return f"{Decimal(text):.2f}"


def fixed(code, kind, amount):
    amount = {"calculation": "fixed", "amount": money(amount), "appliesToAll": True}
    return {"code": code, "name": code.capitalize(), "kind": kind, **amount}


def month(number):
    last = calendar.monthrange(2026, number)[1]
    return {"periodStart": f"2026-{number:02}-01", "periodEnd": f"2026-{number:02}-{last}"}


@pytest.mark.parametrize("case", YEARS, ids=named)
def test_a_year_of_payslips_takes_the_published_amounts(acme, case):
    ends = [money(row["over"]) for row in case["brackets"][1:]] + [None]
    table = [{"upTo": end, "rate": row["rate_percent"]} for end, row in zip(ends, case["brackets"], strict=True)]
    rule = {"kind": "deduction", "calculation": "brackets", "brackets": table, "appliesToAll": True}
    add_components(acme, {"code": "nic", "name": "National insurance", **rule})
    id = paid_employee(acme, pay=salary(money(case["monthly_pay"][0])))
    taken = []
    for number, amount in enumerate(case["monthly_pay"], 1):
        pay = {**salary(money(amount)), "effectiveFrom": f"2026-{number:02}-01"}
        acme.ok("POST", f"/hr/employees/{id}/compensations", pay)
        made = payroll_run(acme, month(number))
        act(acme, made, "approve")
        taken.append(made["totals"]["deductions"])
    assert taken == [money(amount) for amount in case["expected"]["per_month"]]
    year = made["payslips"][0]["yearToDate"]
    assert year["deductions"] == money(case["expected"]["year"])
    assert -balances(acme)["2310"] == int(Decimal(case["expected"]["year"]).scaleb(2))


@pytest.mark.parametrize("case", SLIPS, ids=named)
def test_a_published_payslip_comes_to_its_totals_and_so_do_the_books(acme, case):
    kinds = {"deductions": "deduction", "employer": "employer_contribution"}
    components = [
        fixed(f"{field}{number}", kind, amount)
        for field, kind in kinds.items()
        for number, amount in enumerate(case[field])
    ]
    add_components(acme, *components)
    (earned,) = case["earnings"]
    paid_employee(acme, pay=salary(money(earned["rate"])))
    made = payroll_run(acme)
    expected = case["expected"]
    assert {name: made["totals"][name] for name in ("gross", "deductions", "net")} == {
        name: expected[name] for name in ("gross", "deductions", "net")
    }
    act(acme, made, "approve")
    balance = balances(acme)
    assert balance["6000"] + balance["6010"] == int(Decimal(expected["employer_cost"]).scaleb(2))
    assert -balance["2300"] == int(Decimal(expected["net"]).scaleb(2))


@pytest.mark.parametrize("case", CASES["overtime"], ids=named)
def test_published_overtime_is_paid_from_attendance(acme, case):
    rule = {
        "afterMinutes": int(case["threshold_hours"]) * 60,
        "per": "week",
        "multiplier": case["multiplier"],
    }
    late = {"code": "late", "name": "Overtime", "kind": "earning", "calculation": "overtime", "overtime": rule}
    add_components(acme, {**late, "appliesToAll": True}, fixed("bonus", "earning", case["bonus"]))
    anna = paid_employee(acme, pay=hourly(case["hourly_rate"]))
    minutes = int(case["hours"]) * 60 // 5
    for day in (MONDAY + timedelta(days) for days in range(5)):
        start = f"{day}T06:00:00Z"
        marked_day(acme, anna, str(day), {"in": start, "out": f"{day}T{6 + minutes // 60:02}:{minutes % 60:02}:00Z"})
    made = payroll_run(acme, {"periodStart": str(MONDAY), "periodEnd": str(MONDAY + timedelta(days=6))})
    assert made["totals"]["gross"] == case["expected"]["total"]
