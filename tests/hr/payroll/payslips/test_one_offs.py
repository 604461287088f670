"""One-off lines: entered by hand on a draft, in gross and percentages, kept when the run is recalculated."""

import pytest

from tests.hr.payroll.payrolls import (
    FEBRUARY,
    JANUARY,
    act,
    add_components,
    amounts,
    hourly,
    paid_employee,
    payroll_run,
    payslip_of,
)
from tests.hr.payroll.test_differences import PENSION, differences
from tests.refusals import complaint

pytestmark = pytest.mark.usefixtures("wednesday")

BONUS = {"code": "bonus", "name": "Bonus", "kind": "earning", "calculation": "fixed", "amount": "1.00"}
SHIFT = {"quantity": "7.5", "rate": "25.00", "reason": "Extra shift"}


@pytest.fixture
def bonus(acme):
    add_components(acme, PENSION)
    return acme.ok("POST", "/hr/pay-components", BONUS)["id"]


def add(office, slip, component_id, **fields):
    body = {"componentId": component_id, "amount": "100.00", "reason": "Fair", **fields}
    return office.ok("POST", f"/hr/payroll/payslips/{slip['id']}/lines", body)


def test_a_one_off_line_counts_in_gross_and_percentages_and_stays(acme, bonus):
    anna = paid_employee(acme)
    made = payroll_run(acme)
    slip = add(acme, payslip_of(made, anna), bonus)
    assert (slip["gross"], slip["deductions"], slip["net"]) == ("3100.00", "310.00", "2790.00")
    (line,) = [line for line in slip["lines"] if line["code"] == "bonus"]
    assert (line["reason"], line["explanation"]) == ("Fair", "Fair")
    again = act(acme, made, "recalculate")
    assert again["totals"]["gross"] == "3100.00"
    acme.ok("DELETE", f"/hr/payroll/payslips/{slip['id']}/lines/{line['id']}")
    assert acme.ok("GET", f"/hr/payroll/runs/{made['id']}")["totals"]["gross"] == "3000.00"
    path = f"/hr/payroll/payslips/{slip['id']}/lines/{line['id']}"
    acme.refused("DELETE", path, status=404, code="not_found")


def test_an_extra_shift_is_its_hours_times_the_rate(acme, bonus):
    dan = paid_employee(acme, "Dan")
    slip = add(acme, payslip_of(payroll_run(acme), dan), bonus, amount=None, **SHIFT)
    assert amounts(slip)["bonus"] == "187.50"
    assert slip["lines"][1]["explanation"] == "Extra shift: 7.5 × 25 = 187.50"


def test_a_line_below_zero_takes_off(acme, bonus):
    anna = paid_employee(acme)
    assert add(acme, payslip_of(payroll_run(acme), anna), bonus, amount="-50.00")["gross"] == "2950.00"


def test_an_approved_payslip_takes_no_line_and_its_own_are_no_difference(acme, bonus):
    anna = paid_employee(acme)
    made = payroll_run(acme)
    slip = add(acme, payslip_of(made, anna), bonus)
    act(acme, made, "approve")
    body = {"componentId": bonus, "amount": "1.00", "reason": "Late"}
    acme.refused("POST", f"/hr/payroll/payslips/{slip['id']}/lines", body, status=409, code="invalid_transition")
    acme.ok("POST", f"/hr/employees/{anna}/terminate", {"date": "2026-03-31"})
    assert differences(acme) == []


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"quantity": "1"}, "amount", "exactly_one"),
        ({"amount": None}, "amount", "exactly_one"),
        ({"componentId": "nothing"}, "componentId", "unknown_reference"),
        ({"reason": ""}, "reason", "required"),
        ({"amount": "1.001"}, "amount", "too_many_decimals"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(acme, bonus, fields, field, code):
    anna = paid_employee(acme)
    slip = payslip_of(payroll_run(acme), anna)
    body = {"componentId": bonus, "amount": "1.00", "reason": "Fair", **fields}
    error = acme.refused("POST", f"/hr/payroll/payslips/{slip['id']}/lines", body, status=422)
    assert complaint(error) == (field, code)


def test_a_leaver_gets_a_payslip_of_one_off_lines(acme, bonus):
    anna, leo = paid_employee(acme), paid_employee(acme, "Leo", hourly())
    acme.ok("POST", f"/hr/employees/{leo}/terminate", {"date": "2026-01-31"})
    act(acme, payroll_run(acme, JANUARY), "approve")
    made = payroll_run(acme, FEBRUARY)
    line = {"componentId": bonus, "amount": "200.00", "reason": "Commission"}
    body = {"employeeId": leo, "lines": [line]}
    slip = acme.ok("POST", f"/hr/payroll/runs/{made['id']}/payslips", body)
    assert (slip["gross"], slip["deductions"], slip["net"], slip["paidDays"]) == ("200.00", "20.00", "180.00", "0")
    acme.refused("POST", f"/hr/payroll/runs/{made['id']}/payslips", body, status=409, code="already_exists")
    again = act(acme, made, "recalculate")
    assert [each["employeeId"] for each in again["payslips"]] == [anna, leo]
    acme.ok("DELETE", f"/hr/payroll/payslips/{slip['id']}/lines/{slip['lines'][0]['id']}")
    assert [each["employeeId"] for each in acme.ok("GET", f"/hr/payroll/runs/{made['id']}")["payslips"]] == [anna]


def test_a_leaver_is_added_to_a_correction_run(acme, bonus):
    anna, leo = paid_employee(acme), paid_employee(acme, "Leo")
    act(acme, payroll_run(acme, JANUARY), "approve")
    pay = {"payType": "salary", "amount": "3300.00", "frequency": "monthly", "effectiveFrom": "2026-01-01"}
    acme.ok("POST", f"/hr/employees/{anna}/compensations", pay)
    made = payroll_run(acme, {"kind": "correction"})
    line = {"componentId": bonus, "amount": "200.00", "reason": "Commission"}
    acme.ok("POST", f"/hr/payroll/runs/{made['id']}/payslips", {"employeeId": leo, "lines": [line]})
    assert act(acme, made, "approve")["totals"]["gross"] == "500.00"
