import pytest

from erp.hr.payroll.models import PaidDay, PayrollRun, Payslip
from erp.store.events import Event
from erp.store.router import WORKSPACE
from tests.hr.attendance.records import grant_leave, marked_day, punch, settle
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    JANUARY,
    act,
    add_components,
    amounts,
    hourly,
    leave_type,
    log_time,
    paid_employee,
    path,
    pay_from,
    payroll_run,
    payslip_of,
    salary,
    warnings_of,
)
from tests.refusals import complaint

pytestmark = pytest.mark.usefixtures("wednesday")

RUN = "/hr/payroll/run"


def counts(office):
    """How many runs, payslips, paid days and events there are, and the last number taken."""
    with office.books():
        number = WORKSPACE.rows("SELECT coalesce(max(last), 0) FROM number_counter WHERE series = 'payrollRun'")
        rows = [model.select().count() for model in (PayrollRun, Payslip, PaidDay, Event)]
    return *rows, number


def test_a_run_pays_everyone_due_and_explains_every_line(acme):
    add_components(acme)
    anna, ben = paid_employee(acme), paid_employee(acme, "Ben", salary("2000.00"))
    answer = acme.call("POST", RUN, JANUARY)
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/hr/payroll/runs/{made['id']}"
    assert (made["number"], made["status"], made["payDate"]) == ("PR-2026-001", "draft", "2026-01-31")
    assert amounts(payslip_of(made, anna)) == {
        "salary": "3000.00",
        "tax": "400.00",
        "fund": "150.00",
        "insurance": "300.00",
    }
    assert payslip_of(made, ben)["net"] == "1700.00"
    assert made["totals"] == {
        "gross": "5000.00", "deductions": "850.00", "employerContributions": "500.00", "net": "4150.00",
        "payable": "4150.00",
    }  # fmt: skip
    explanations = [line["explanation"] for line in payslip_of(made, anna)["lines"]]
    assert explanations[0] == "3,000.00 × 22 of 22 working days = 3,000.00"
    assert all(explanations)
    assert payslip_of(made, anna)["snapshot"] == {"name": "Anna", "jobTitle": None, "employeeNumber": "EMP-0001"}
    assert acme.ok("GET", path(made)) == made
    with acme.books():
        assert PaidDay.select().count() == 62


def test_a_dry_run_shows_the_same_and_stores_nothing(acme):
    anna = paid_employee(acme)
    before = counts(acme)
    answer = acme.call("POST", RUN, {**JANUARY, "dryRun": True})
    assert answer.status_code == 200
    assert "location" not in answer.headers
    shown = answer.json["data"]
    assert (shown["number"], payslip_of(shown, anna)["net"]) == (None, "3000.00")
    assert counts(acme) == before
    made = payroll_run(acme)
    assert (made["totals"], made["warnings"]) == (shown["totals"], shown["warnings"])
    assert made["number"] == "PR-2026-001"


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"periodStart": "2026-02-01"}, "periodEnd", "before_start"),
        ({"periodEnd": "2027-01-02"}, "periodEnd", "too_long"),
        ({"employeeIds": []}, "employeeIds", "too_few"),
        ({"employeeIds": ["nobody"]}, "employeeIds[0]", "unknown_reference"),
        ({"employeeIds": ["EMP-0001", "EMP-0002"]}, "employeeIds[1]", "not_employed"),
    ],
)
def test_a_run_with_a_wrong_period_or_employee_is_refused(acme, fields, field, code):
    paid_employee(acme)
    paid_employee(acme, "Late", hireDate="2026-02-01")
    assert complaint(acme.refused("POST", RUN, {**JANUARY, **fields}, status=422)) == (field, code)


def test_a_period_of_a_leap_year_is_not_too_long(acme):
    paid_employee(acme, hireDate="2024-01-01")
    made = payroll_run(acme, {"periodStart": "2024-01-01", "periodEnd": "2024-12-31"})
    assert made["totals"]["gross"] == "36000.00"


def test_a_run_without_anyone_due_is_refused(acme):
    acme.refused("POST", RUN, JANUARY, status=422, code="nobody_due")
    paid_employee(acme, hireDate="2026-02-01")
    acme.refused("POST", RUN, JANUARY, status=422, code="nobody_due")


def test_a_run_is_created_with_all_payslips_or_none(acme):
    bonus = {"code": "bonus", "name": "Bonus", "kind": "earning", "calculation": "fixed", "amount": "99999999999999.99"}
    add_components(acme, bonus)
    (bonus_id,) = (
        component["id"] for component in acme.ok("GET", "/hr/pay-components") if component["code"] == "bonus"
    )
    paid_employee(acme)
    paid_employee(acme, "Midas", salary("1.00", components=[{"componentId": bonus_id}]))
    before = counts(acme)
    error = acme.refused("POST", RUN, JANUARY, status=422, code="pay_too_large")
    assert error["message"] == "The pay of Midas is more than the books can hold."
    assert counts(acme) == before


def test_a_run_beyond_what_the_books_hold_is_refused(acme):
    paid_employee(acme, pay=salary("60000000000000.00"))
    paid_employee(acme, "Ben", salary("60000000000000.00"))
    error = acme.refused("POST", RUN, JANUARY, status=422, code="pay_too_large")
    assert error["message"] == "The pay of everyone together is more than the books can hold."


def test_an_employee_without_pay_is_left_out_with_a_warning(acme):
    paid_employee(acme)
    acme.ok("POST", "/hr/employees", {"name": "Volunteer", "hireDate": "2026-01-01"})
    made = payroll_run(acme)
    assert warnings_of(made) == [("Volunteer", "missing_pay")]
    assert made["headCount"] == 1


def test_days_of_another_run_are_left_out_of_a_run_for_everyone(acme):
    anna, ben = paid_employee(acme), paid_employee(acme, "Ben", salary("2200.00"))
    first = payroll_run(acme, {"periodStart": "2026-01-01", "periodEnd": "2026-01-15"}, employeeIds=[anna, "EMP-0002"])
    assert payslip_of(first, ben)["gross"] == "1100.00"
    rest = payroll_run(acme)
    assert warnings_of(rest) == [("Anna", "days_already_paid"), ("Ben", "days_already_paid")]
    assert (
        rest["warnings"][0]["items"][0]["message"]
        == "Left out: 15 days between 1 Jan 2026 and 15 Jan 2026, already paid by PR-2026-001."
    )
    assert (payslip_of(rest, anna)["gross"], payslip_of(rest, ben)["gross"]) == ("1500.00", "1100.00")
    acme.refused("POST", RUN, JANUARY, status=422, code="nobody_due")


def test_a_named_employee_is_not_paid_twice_for_a_day(acme):
    anna = paid_employee(acme)
    payroll_run(acme, {"periodStart": "2026-01-10", "periodEnd": "2026-01-15"})
    error = acme.refused("POST", RUN, {**JANUARY, "employeeIds": [anna]}, status=409, code="days_in_other_run")
    assert error["message"] == (
        "Payroll run PR-2026-001 already pays Anna for 10 Jan 2026. Choose a period without that day, "
        "or reverse that run."
    )


def test_joining_leaving_and_a_raise_within_the_month_count_by_working_days(acme):
    joined = paid_employee(acme, "Joiner", salary("2200.00"), hireDate="2026-01-19")
    left = paid_employee(acme, "Leaver", salary("2200.00"))
    acme.ok("POST", f"/hr/employees/{left}/terminate", {"date": "2026-01-16", "reason": "Moved"})
    raised = paid_employee(acme, "Raised", salary("2200.00"))
    pay_from(acme, raised, "2026-01-19", salary("4400.00"))
    made = payroll_run(acme)
    assert payslip_of(made, joined)["gross"] == "1000.00"
    assert payslip_of(made, left)["gross"] == "1200.00"
    assert payslip_of(made, raised)["gross"] == "3200.00"
    assert [line["amount"] for line in payslip_of(made, raised)["lines"]] == ["1200.00", "2000.00"]
    acme.refused("POST", RUN, {**FEBRUARY, "employeeIds": [left]}, status=422)


def test_unpaid_leave_is_deducted_and_paid_leave_is_not(acme):
    anna = paid_employee(acme, pay=salary("2200.00"), hireDate="2025-01-01")
    grant_leave(acme, anna, "2026-01-05", leaveTypeId=leave_type(acme, "unpaid"))
    grant_leave(acme, anna, "2026-01-06", leaveTypeId=leave_type(acme, "annual"), startHalf=True)
    slip = payslip_of(payroll_run(acme), anna)
    assert slip["gross"] == "2100.00"
    assert (slip["workingDays"], slip["paidDays"]) == ("22", "21")
    assert (slip["unpaidLeaveDays"], slip["paidLeaveDays"]) == ("1", "0.5")


def test_the_proration_basis_is_a_workspace_setting(acme):
    settle(acme, prorationBasis="calendar_days")
    anna = paid_employee(acme, pay=salary("3100.00"), hireDate="2026-01-22")
    assert payslip_of(payroll_run(acme), anna)["gross"] == "1000.00"


def test_hourly_pay_is_by_attendance_if_there_is_any(acme):
    person = acme.colleague("member")
    anna = paid_employee(acme, pay=hourly(), user=person, hireDate="2025-12-01")
    marked_day(acme, anna, "2026-01-05", punch("01-05 08:00", "12:30"))
    log_time(person, "2026-01-06", 600)
    slip = payslip_of(payroll_run(acme), anna)
    assert (slip["gross"], slip["workedMinutes"]) == ("90.00", 270)
    assert slip["lines"][0]["explanation"] == "4 h 30 min × 20.00 an hour = 90.00; hours from attendance"


def test_hourly_pay_is_by_time_logs_if_there_is_no_attendance(acme):
    person = acme.colleague("member")
    anna = paid_employee(acme, pay=hourly(), user=person, hireDate="2025-12-01")
    marked_day(acme, anna, "2025-12-31", {"in": "2025-12-31T08:00:00Z", "out": "2025-12-31T12:00:00Z"})
    for day, minutes in (("2026-01-05", 60), ("2026-01-05", 30), ("2026-02-01", 500)):
        log_time(person, day, minutes)
    made = payroll_run(acme)
    assert payslip_of(made, anna)["gross"] == "30.00"
    assert payslip_of(made, anna)["lines"][0]["explanation"].endswith("; hours from time entries")
    assert warnings_of(made) == []


def test_time_logs_of_a_salaried_employee_are_not_working_time(acme):
    person = acme.colleague("member")
    anna = paid_employee(acme, user=person)
    log_time(person, "2026-01-05", 60)
    assert payslip_of(payroll_run(acme), anna)["workedMinutes"] == 0


def test_a_bank_account_that_has_been_entered_is_missing_no_longer(acme):
    keen = paid_employee(acme, "Keen", bankAccount=None)
    made = payroll_run(acme)
    assert warnings_of(made) == [("Keen", "missing_bank_account")]
    acme.ok("PATCH", f"/hr/employees/{keen}", {"bankAccount": {"holder": "Keen", "iban": "DE89370400440532013000"}})
    path = f"/hr/payroll/runs/{made['id']}"
    assert "missing_bank_account" not in [code for _, code in warnings_of(acme.ok("GET", path))]
    acme.ok("POST", f"{path}/approve", {})
    assert warnings_of(acme.ok("GET", path)) == [("Keen", "iban_changed")]


def test_a_run_warns_of_what_to_check(acme):
    add_components(acme, {"code": "loan", "name": "Loan", "kind": "deduction", "calculation": "fixed", "amount": "90"})
    components = acme.ok("GET", "/hr/pay-components")
    loan_id = next(component["id"] for component in components if component["code"] == "loan")
    paid_employee(acme, "Debtor", salary("50.00", components=[{"componentId": loan_id}]))
    paid_employee(acme, "Idle", hourly(), bankAccount=None)
    keen = paid_employee(acme, "Keen", bankAccount={"holder": "Keen"})
    marked_day(acme, keen, "2026-01-05", punch("01-05 08:00", "16:00"))
    acme.ok("POST", "/hr/leaves", {"employeeId": keen, "startDate": "2026-01-06", "endDate": "2026-01-06"})
    made = payroll_run(acme, {"periodStart": "2026-01-05", "periodEnd": "2026-01-09"})
    assert warnings_of(made) == [
        ("Debtor", "net_below_zero"),
        ("Keen", "missing_bank_account"),
        ("Idle", "no_time"),
        ("Idle", "unmarked_days"),
        ("Keen", "unmarked_days"),
        ("Keen", "pending_leave"),
    ]
    kinds = {warning["code"]: warning for warning in made["warnings"]}
    assert (kinds["unmarked_days"]["message"], kinds["unmarked_days"]["count"]) == (
        "Attendance or leave is missing for 2 employees.", 2,
    )  # fmt: skip
    messages = {code: warning["items"][-1]["message"] for code, warning in kinds.items()}
    assert messages["unmarked_days"] == "Attendance or leave is missing for 4 days between 6 Jan 2026 and 9 Jan 2026."
    assert messages["pending_leave"] == ("An undecided leave request from 6 Jan 2026 to 6 Jan 2026 is paid as work.")


def test_the_variance_compares_with_each_previous_payslip(acme):
    anna = paid_employee(acme)
    first = payroll_run(acme)
    assert first["variance"] == [
        {
            "employeeId": anna,
            "name": "Anna",
            "previousGross": None,
            "gross": "3000.00",
            "previousNet": None,
            "net": "3000.00",
            "difference": "3000.00",
        }
    ]
    pay_from(acme, anna, "2026-02-01", salary("2500.00"))
    (variance,) = payroll_run(acme, FEBRUARY)["variance"]
    assert (variance["previousGross"], variance["previousNet"], variance["net"], variance["difference"]) == (
        "3000.00", "3000.00", "2500.00", "-500.00",
    )  # fmt: skip


def test_a_correction_compares_with_no_pay_and_is_compared_with_none(acme):
    anna = paid_employee(acme)
    act(acme, payroll_run(acme), "approve")
    pay_from(acme, anna, "2026-01-01", salary("3100.00"))
    correction = payroll_run(acme, {}, kind="correction")
    assert correction["variance"] == []
    act(acme, correction, "approve")
    (variance,) = payroll_run(acme, FEBRUARY)["variance"]
    assert (variance["previousNet"], variance["difference"]) == ("3000.00", "100.00")


def test_a_payslip_of_a_reversed_run_is_not_a_previous_one(acme):
    paid_employee(acme)
    first = payroll_run(acme)
    act(acme, first, "approve")
    act(acme, first, "reverse")
    (variance,) = payroll_run(acme, FEBRUARY)["variance"]
    assert variance["previousNet"] is None


def test_the_year_to_date_is_the_calendar_year_of_the_pay_date(acme):
    add_components(acme)
    anna = paid_employee(acme, hireDate="2025-12-01")
    payroll_run(acme, {"periodStart": "2025-12-01", "periodEnd": "2025-12-31"})
    payroll_run(acme, JANUARY)
    year = payslip_of(payroll_run(acme, FEBRUARY), anna)["yearToDate"]
    assert (year["gross"], year["deductions"]) == ("6000.00", "1100.00")
    assert (year["employerContributions"], year["net"]) == ("600.00", "4900.00")
    assert {component["code"]: component["amount"] for component in year["components"]} == {
        "salary": "6000.00", "tax": "800.00", "fund": "300.00", "insurance": "600.00",
    }  # fmt: skip


def test_cumulative_tax_takes_what_earlier_payslips_left(acme):
    yearly = {
        "code": "tax",
        "name": "Tax",
        "kind": "deduction",
        "calculation": "brackets",
        "method": "cumulative",
        "brackets": [{"upTo": "4000.00", "rate": "0"}, {"rate": "50"}],
        "appliesToAll": True,
    }
    add_components(acme, yearly)
    anna = paid_employee(acme)
    assert payslip_of(payroll_run(acme, JANUARY), anna)["deductions"] == "0.00"
    assert payslip_of(payroll_run(acme, FEBRUARY), anna)["deductions"] == "1000.00"


def test_a_pay_date_can_be_chosen(acme):
    paid_employee(acme)
    made = payroll_run(acme, payDate="2026-01-28")
    assert (made["payDate"], made["payslips"][0]["payDate"]) == ("2026-01-28", "2026-01-28")
