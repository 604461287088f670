"""The pay of a year before this program: it counts in the year to date, in yearly caps and in cumulative brackets."""

import pytest

from tests.hr.payroll.payrolls import (
    act,
    add_components,
    amounts,
    paid_employee,
    payroll_run,
    payslip_of,
    warnings_of,
)

YEARLY_TAX = {
    "code": "tax",
    "name": "Income tax",
    "kind": "deduction",
    "calculation": "brackets",
    "brackets": [{"upTo": "12000.00", "rate": "0"}, {"rate": "20"}],
    "bracketPeriod": "year",
    "method": "cumulative",
    "appliesToAll": True,
}
PENSION = {
    "code": "pension",
    "name": "Pension",
    "kind": "deduction",
    "calculation": "percent_of_gross",
    "percent": "10",
    "baseCap": "20000.00",
    "bracketPeriod": "year",
    "method": "cumulative",
    "appliesToAll": True,
}
JULY = {"periodStart": "2026-07-01", "periodEnd": "2026-07-31"}


def year_path(employee_id, year=2026):
    return f"/hr/employees/{employee_id}/year-to-date/{year}"


@pytest.fixture
def components(acme):
    add_components(acme, YEARLY_TAX, PENSION)
    return {row["code"]: row["id"] for row in acme.ok("GET", "/hr/pay-components")}


def opening(components, **fields):
    """18,000.00 through June; 1,200.00 of tax (20 % of 6,000.00) and 1,800.00 of pension were withheld."""
    return {
        "throughDate": "2026-06-30",
        "taxable": "18000.00",
        "lines": [
            {"code": "base", "kind": "earning", "amount": "18000.00"},
            {"componentId": components["tax"], "kind": "deduction", "amount": "1200.00"},
            {"componentId": components["pension"], "amount": "1800.00"},
        ],
        **fields,
    }


def test_the_year_before_counts_in_the_next_payslips(acme, components):
    anna = paid_employee(acme)
    shown = acme.ok("PUT", year_path(anna), opening(components))
    assert acme.ok("GET", year_path(anna)) == shown
    assert [(line["code"], line["amount"]) for line in shown["lines"]] == [
        ("base", "18000.00"), ("tax", "1200.00"), ("pension", "1800.00"),
    ]  # fmt: skip
    slip = payslip_of(payroll_run(acme, JULY), anna)
    # tax: 20 % of 21,000 − 12,000 = 1,800 − 1,200; pension: 10 % of 20,000 at most = 2,000 − 1,800
    assert amounts(slip) == {"salary": "3000.00", "tax": "600.00", "pension": "200.00"}
    year = slip["yearToDate"]
    assert (year["gross"], year["deductions"], year["net"]) == ("21000.00", "3800.00", "17200.00")
    assert {entry["code"]: entry["amount"] for entry in year["components"]} == {
        "base": "18000.00", "salary": "3000.00", "tax": "1800.00", "pension": "2000.00",
    }  # fmt: skip


def test_it_counts_for_later_pay_dates_of_its_year_alone(acme, components):
    anna = paid_employee(acme)
    acme.ok("PUT", year_path(anna), opening(components))
    june = payroll_run(acme, {"periodStart": "2026-06-01", "periodEnd": "2026-06-30"})
    assert payslip_of(june, anna)["yearToDate"]["gross"] == "3000.00"
    late = payroll_run(acme, JULY, payDate="2027-01-05")
    assert payslip_of(late, anna)["yearToDate"]["gross"] == "3000.00"


def test_it_is_replaced_until_a_payslip_of_the_year_is_approved(acme, components):
    anna = paid_employee(acme)
    acme.ok("PUT", year_path(anna), opening(components))
    run = payroll_run(acme, JULY)
    shown = acme.ok("PUT", year_path(anna), opening(components, lines=[], taxable="0"))
    assert (shown["lines"], shown["taxable"]) == ([], "0.00")
    assert ("Anna", "changed_after") in warnings_of(acme.ok("GET", f"/hr/payroll/runs/{run['id']}"))
    run = act(acme, act(acme, run, "recalculate"), "approve")
    assert payslip_of(run, anna)["yearToDate"]["gross"] == "3000.00"
    error = acme.refused("PUT", year_path(anna), opening(components), status=409, code="in_use")
    assert run["number"] in error["message"]
    acme.ok("PUT", year_path(anna, 2025), opening(components, throughDate="2025-12-31"))
    act(acme, run, "reverse")
    acme.ok("PUT", year_path(anna), opening(components))
    (event, *_) = [row for row in acme.ok("GET", "/workspace/events") if row["type"] == "employee.year_to_date_set"]
    assert event["resource"] == {"type": "employee", "id": anna}


def test_a_difference_is_computed_with_the_year_as_it_stood(acme, components):
    anna = paid_employee(acme)
    acme.ok("PUT", year_path(anna), opening(components))
    act(acme, payroll_run(acme, JULY), "approve")
    acme.ok("PATCH", f"/hr/employees/{anna}", {"jobTitle": "Baker"})
    assert acme.ok("GET", "/hr/payroll/differences") == []


def test_what_does_not_fit_is_refused_with_its_place(acme, components):
    anna = paid_employee(acme)
    body = opening(components, throughDate="2025-06-30")
    body["lines"] += [
        {"code": "base", "amount": "1"},
        {"amount": "1"},
        {"componentId": components["tax"] + "0", "amount": "1"},
    ]
    body["lines"][1]["kind"] = "earning"
    error = acme.refused("PUT", year_path(anna), body, status=422)
    assert {(one["field"], one["code"]) for one in error["details"]} == {
        ("throughDate", "outside_year"),
        ("lines[1].kind", "other_kind"),
        ("lines[3].componentId", "duplicate"),
        ("lines[4].code", "exactly_one"),
        ("lines[5].componentId", "unknown_reference"),
    }
    acme.refused("GET", year_path(anna), status=404)
    for year in ("x", "20２6", "1899"):
        acme.refused("PUT", year_path(anna, year), opening(components), status=404)


def test_nobody_sets_their_own(acme, components):
    hr = acme.colleague("hr")
    own = paid_employee(acme, "Hanna", user=hr)
    hr.refused("PUT", year_path(own), opening(components), status=403, code="own_pay")
