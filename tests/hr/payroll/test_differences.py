"""What payslips of approved runs lack by today's facts: found, paid by a later run, and posted as a difference."""

import pytest

from tests.finance.books.balances import balances
from tests.hr.attendance.records import marked_day, punch
from tests.hr.payroll.payrolls import (
    act,
    add_components,
    hourly,
    log_time,
    paid_employee,
    pay_from,
    payroll_run,
    payslip_of,
    salary,
)
from tests.refusals import complaint

PENSION = {
    "code": "pension",
    "name": "Pension",
    "kind": "deduction",
    "calculation": "percent_of_gross",
    "percent": "10",
    "appliesToAll": True,
}


def differences(office, **params):
    return office.ok("GET", "/hr/payroll/differences", params=params)


def nets(office, **params):
    return [row["difference"]["net"] for row in differences(office, **params)]


def period(start, end, **fields):
    return {"periodStart": start, "periodEnd": end, **fields}


def approved(office, *days, **fields):
    made = payroll_run(office, period(*days), **fields)
    return act(office, made, "approve")


def paid(office, *days, **fields):
    return act(office, approved(office, *days, **fields), "pay")


class TestHoursAfterAPayment:
    """20.00 an hour by time logs; 5 hours of 1 to 15 November are paid."""

    FIRST, SECOND = ("2026-11-01", "2026-11-15"), ("2026-11-16", "2026-11-30")

    @pytest.fixture
    def ben(self, acme, clock_at):
        clock_at("2026-11-30T17:00:00Z")
        id = paid_employee(acme, "Ben", hourly("20.00"), user=acme)
        log_time(acme, "2026-11-10", 300)
        self.run = paid(acme, *self.FIRST)
        assert self.run["totals"]["gross"] == "100.00"
        log_time(acme, "2026-11-12", 240)
        return id

    def test_hours_logged_late_are_a_difference_with_its_cause(self, acme, ben):
        (row,) = differences(acme)
        assert (row["paid"]["gross"], row["due"]["gross"], row["difference"]["gross"]) == ("100.00", "180.00", "80.00")
        assert (row["status"], row["inRunId"], row["runNumber"], row["employeeName"]) == (
            "open", None, "PR-2026-001", "Ben",
        )  # fmt: skip
        (cause,) = row["causes"]
        assert (cause["kind"], cause["date"], cause["byName"]) == ("time_logs", "2026-11-12", acme.user["name"])
        (line,) = row["lines"]
        assert (line["code"], line["paid"], line["due"], line["difference"]) == ("hours", "100.00", "180.00", "80.00")

    def test_the_next_run_pays_them_once(self, acme, ben):
        log_time(acme, "2026-11-20", 60)
        second = payroll_run(acme, period(*self.SECOND))
        slip = payslip_of(second, ben)
        assert slip["gross"] == "100.00"
        own, correction = slip["lines"]
        assert (own["amount"], correction["amount"]) == ("20.00", "80.00")
        assert correction["originRunNumber"] == self.run["number"]
        assert correction["explanation"] == (
            "Correction of 1 Nov 2026 to 15 Nov 2026 (PR-2026-001): 180.00 − 100.00 paid before = 80.00"
        )
        assert slip["yearToDate"]["gross"] == "200.00"
        assert differences(acme) == []
        assert differences(acme, status="in_draft")[0]["inRunId"] == second["id"]
        act(acme, second, "approve")
        assert (differences(acme), len(differences(acme, status="settled"))) == ([], 1)

    def test_fewer_hours_are_taken_back(self, acme, ben):
        paid(acme, *self.SECOND)
        assert differences(acme) == []
        (log,) = [log for log in acme.ok("GET", "/tasks/time-logs") if log["date"] == "2026-11-10"]
        acme.ok("PATCH", f"/tasks/time-logs/{log['id']}", {"minutes": 60})
        assert nets(acme) == ["-80.00"]

    def test_a_draft_that_is_deleted_frees_them(self, acme, ben):
        second = payroll_run(acme, period(*self.SECOND))
        acme.ok("DELETE", f"/hr/payroll/runs/{second['id']}")
        assert nets(acme) == ["80.00"]

    def test_recalculating_takes_what_has_been_logged_since(self, acme, ben):
        second = payroll_run(acme, period(*self.SECOND))
        log_time(acme, "2026-11-13", 60)
        again = act(acme, second, "recalculate")
        assert payslip_of(again, ben)["gross"] == "100.00"

    def test_a_run_can_leave_differences_out(self, acme, ben):
        log_time(acme, "2026-11-20", 60)
        second = payroll_run(acme, period(*self.SECOND), includeDifferences=False)
        assert payslip_of(second, ben)["gross"] == "20.00"
        assert nets(acme) == ["80.00"]

    def test_of_two_drafts_the_second_finds_none(self, acme, ben):
        payroll_run(acme, {"kind": "correction"})
        acme.refused("POST", "/hr/payroll/run", {"kind": "correction"}, status=422, code="nobody_due")

    def test_a_reversed_correction_opens_them_again(self, acme, ben):
        correction = act(acme, payroll_run(acme, {"kind": "correction"}), "approve")
        error = acme.refused(
            "POST", f"/hr/payroll/runs/{self.run['id']}/reverse",
            {"reason": "No", "moneyReturnedOn": "2026-11-30"}, status=409, code="corrected_later",
        )  # fmt: skip
        assert correction["number"] in error["message"]
        act(acme, correction, "reverse")
        assert nets(acme) == ["80.00"]
        act(acme, self.run, "reverse", moneyReturnedOn="2026-11-30")
        assert differences(acme) == []

    def test_one_late_clock_record_does_not_take_the_logged_hours_away(self, acme, ben):
        marked_day(acme, ben, "2026-11-13", punch("11-13 08:00", "12:00"))
        assert nets(acme) == ["80.00"]


class TestARaise:
    """2000.00 a month, paid for September and October 2026."""

    @pytest.fixture
    def mia(self, acme, clock_at):
        clock_at("2026-11-10T12:00:00Z")
        id = paid_employee(acme, "Mia", salary("2000.00"))
        for days in (("2026-09-01", "2026-09-30"), ("2026-10-01", "2026-10-31")):
            paid(acme, *days)
        return id

    def test_a_raise_from_a_past_first_of_the_month(self, acme, mia):
        pay_from(acme, mia, "2026-09-01", salary("2300.00"))
        assert nets(acme) == ["300.00", "300.00"]
        assert {cause["kind"] for row in differences(acme) for cause in row["causes"]} == {"compensation"}
        correction = payroll_run(acme, {"kind": "correction"})
        assert (correction["totals"]["gross"], correction["periodStart"], correction["periodEnd"]) == (
            "600.00", "2026-09-01", "2026-10-31",
        )  # fmt: skip
        assert (correction["payDate"], correction["kind"]) == ("2026-11-10", "correction")
        words = [line["explanation"].split(" (")[0] for line in correction["payslips"][0]["lines"]]
        assert words == ["Correction of September 2026", "Correction of October 2026"]

    def test_a_raise_from_the_middle_of_a_month(self, acme, mia):
        pay_from(acme, mia, "2026-09-16", salary("2300.00"))
        september, october = differences(acme)
        assert (september["due"]["gross"], september["difference"]["gross"]) == ("2150.00", "150.00")
        assert october["difference"]["gross"] == "300.00"
        assert nets(acme, dateFrom="2026-10-01") == ["300.00"]

    def test_a_correction_takes_the_runs_and_people_that_it_names(self, acme, mia):
        pay_from(acme, mia, "2026-09-01", salary("2300.00"))
        run_id = differences(acme)[0]["runId"]
        made = payroll_run(acme, {"kind": "correction", "ofRunIds": [run_id], "employeeIds": [mia]})
        assert made["totals"]["gross"] == "300.00"
        assert nets(acme) == ["300.00"]
        error = acme.refused("POST", "/hr/payroll/run", {"kind": "correction", "ofRunIds": ["nothing"]}, status=422)
        assert complaint(error) == ("ofRunIds[0]", "unknown_reference")

    def test_a_manual_amount_is_never_computed_again(self, acme, mia):
        made = payroll_run(acme, period("2026-08-01", "2026-08-31"))
        slip = payslip_of(made, mia)
        line = {"code": "salary", "amount": "1500.00", "reason": "Agreed"}
        acme.ok("PATCH", f"/hr/payroll/payslips/{slip['id']}", {"lines": [line]})
        act(acme, made, "approve")
        pay_from(acme, mia, "2026-08-10", salary("2300.00"))
        assert [row["runNumber"] for row in differences(acme)] == ["PR-2026-001", "PR-2026-002"]


class TestLessThanNothing:
    """2100.00 a month less 10 % pension; November 2026 is approved on the 20th."""

    @pytest.fixture
    def eve(self, acme, clock_at):
        clock_at("2026-11-20T12:00:00Z")
        add_components(acme, PENSION)
        id = paid_employee(acme, "Eve", salary("2100.00"))
        self.november = approved(acme, "2026-11-01", "2026-11-30")
        return id

    def leave(self, office, id, code):
        types = {each["code"]: each["id"] for each in office.ok("GET", "/hr/leave-types")}
        body = {"employeeId": id, "leaveTypeId": types[code], "startDate": "2026-11-27", "endDate": "2026-11-27"}
        made = office.ok("POST", "/hr/leaves", body)
        return office.ok("POST", f"/hr/leaves/{made['id']}/approve", {})

    def test_the_clock_and_a_sick_note_go_on_and_change_nothing(self, acme, eve):
        acme.ok("POST", "/hr/attendance/clock-in", {"employeeId": eve})
        self.leave(acme, eve, "sick")
        assert differences(acme) == []

    def test_an_unpaid_day_is_taken_back_with_its_deduction_and_carried_on(self, acme, eve):
        act(acme, self.november, "pay")
        self.leave(acme, eve, "unpaid")
        (row,) = differences(acme)
        assert (row["difference"]["gross"], row["difference"]["deductions"], row["difference"]["net"]) == (
            "-100.00", "-10.00", "-90.00",
        )  # fmt: skip
        assert [cause["kind"] for cause in row["causes"]] == ["leave"]
        correction = payroll_run(acme, {"kind": "correction"})
        (slip,) = correction["payslips"]
        assert (slip["gross"], slip["net"], slip["payable"], slip["carriedForward"]) == (
            "-100.00", "-90.00", "0.00", "-90.00",
        )  # fmt: skip
        correction = act(acme, correction, "approve", date="2026-11-30")
        assert balances(acme)["2300"] == 90_00
        act(acme, correction, "pay")
        december = approved(acme, "2026-12-01", "2026-12-31")
        slip = payslip_of(december, eve)
        assert (slip["gross"], slip["deductions"], slip["net"]) == ("2100.00", "210.00", "1890.00")
        assert (slip["carriedIn"], slip["payable"], slip["carriedForward"]) == ("-90.00", "1800.00", "0.00")
        assert december["totals"]["payable"] == "1800.00"
        act(acme, december, "pay")
        assert "2300" not in balances(acme)

    def test_the_bank_file_pays_what_is_payable(self, acme, eve):
        self.leave(acme, eve, "unpaid")
        correction = act(acme, payroll_run(acme, {"kind": "correction"}), "approve", date="2026-11-30")
        answer = acme.call("GET", f"/hr/payroll/runs/{correction['id']}/bank-file", params={"format": "csv"})
        assert answer.text.count("\n") == 1
        december = approved(acme, "2026-12-01", "2026-12-31")
        answer = acme.call("GET", f"/hr/payroll/runs/{december['id']}/bank-file", params={"format": "csv"})
        assert "1800.00" in answer.text

    def test_what_a_later_run_has_taken_up_is_not_reversed(self, acme, eve):
        self.leave(acme, eve, "unpaid")
        correction = act(acme, payroll_run(acme, {"kind": "correction"}), "approve", date="2026-11-30")
        december = approved(acme, "2026-12-01", "2026-12-31")
        body = {"reason": "No"}
        error = acme.refused(
            "POST", f"/hr/payroll/runs/{correction['id']}/reverse", body, status=409, code="corrected_later"
        )
        assert december["number"] in error["message"]
        act(acme, december, "reverse")
        act(acme, correction, "reverse")
        assert nets(acme) == ["-90.00"]

    def test_lines_of_the_period_itself_do_not_fall_below_zero(self, acme, eve):
        fine = {"code": "fine", "name": "Fine", "kind": "deduction", "calculation": "fixed", "amount": "5000.00"}
        add_components(acme, {**fine, "appliesToAll": True})
        december = payroll_run(acme, period("2026-12-01", "2026-12-31"))
        acme.refused("POST", f"/hr/payroll/runs/{december['id']}/approve", {}, status=409, code="net_below_zero")

    def test_pay_components_that_change_later_change_nothing_that_is_paid(self, acme, eve):
        (pension,) = [each for each in acme.ok("GET", "/hr/pay-components") if each["code"] == "pension"]
        acme.ok("PATCH", f"/hr/pay-components/{pension['id']}", {"percent": "20"})
        self.leave(acme, eve, "unpaid")
        assert nets(acme) == ["-90.00"]


def test_an_extra_shift_pays_its_net_difference_alone(acme, clock_at):
    clock_at("2026-11-30T17:00:00Z")
    add_components(acme, {**PENSION, "percent": "22.76"})
    dan = paid_employee(acme, "Dan", hourly("25.00"))
    for day in range(2, 22):
        start = f"2026-11-{day:02}T07:00:00Z"
        marked_day(acme, dan, f"2026-11-{day:02}", {"in": start, "out": f"2026-11-{day:02}T15:00:00Z"})
    paid(acme, "2026-11-01", "2026-11-30")
    marked_day(acme, dan, "2026-11-28", punch("11-28 08:00", "15:30"))
    made = payroll_run(acme, {"kind": "correction"})
    assert made["totals"] | {"employerContributions": ""} == {
        "gross": "187.50", "deductions": "42.68", "net": "144.82", "payable": "144.82", "employerContributions": "",
    }  # fmt: skip


def test_what_an_older_draft_has_taken_up_keeps_its_correction(acme, clock_at):
    clock_at("2026-11-30T17:00:00Z")
    dan = paid_employee(acme, "Dan", salary("2000.00"))
    paid(acme, "2026-10-01", "2026-10-31")
    november = payroll_run(acme, period("2026-11-01", "2026-11-30"), includeDifferences=False)
    pay_from(acme, dan, "2026-10-01", salary("1900.00"))
    correction = act(acme, payroll_run(acme, {"kind": "correction"}), "approve")
    assert payslip_of(correction, dan)["carriedForward"] == "-100.00"
    november = act(acme, november, "recalculate")
    slip = payslip_of(november, dan)
    assert (slip["net"], slip["carriedIn"], slip["payable"]) == ("1900.00", "-100.00", "1800.00")
    act(acme, november, "approve")
    error = acme.refused(
        "POST", f"/hr/payroll/runs/{correction['id']}/reverse", {"reason": "No"}, status=409, code="corrected_later"
    )
    assert november["number"] in error["message"]


def test_the_time_of_someone_who_is_no_employee_is_no_cause(acme, clock_at):
    clock_at("2026-11-30T17:00:00Z")
    anna = paid_employee(acme, "Anna", salary("2000.00"))
    approved(acme, "2026-10-01", "2026-10-31")
    log_time(acme.colleague("admin"), "2026-10-12", 60)
    pay_from(acme, anna, "2026-10-01", salary("2100.00"))
    (row,) = differences(acme)
    assert [cause["kind"] for cause in row["causes"]] == ["compensation"]


class TestBackDatedPay:
    """2,000.00 a month; September and October are paid."""

    @pytest.fixture
    def ivy(self, acme, clock_at):
        clock_at("2026-11-10T17:00:00Z")
        id = paid_employee(acme, "Ivy", salary("2000.00"))
        paid(acme, "2026-09-01", "2026-09-30")
        paid(acme, "2026-10-01", "2026-10-31")
        return id

    def change(self, acme, ivy, day, amount="2300.00", **fields):
        body = {**salary(amount), "effectiveFrom": day, **fields}
        return acme.call("POST", f"/hr/employees/{ivy}/compensations", body)

    @pytest.mark.parametrize(
        ("day", "periods", "gross"),
        [
            ("2026-09-01", 2, "600.00"),
            ("2026-09-16", 2, "450.00"),
            ("2026-11-01", 0, "0.00"),
        ],
    )
    def test_a_raise_tells_its_arrears_before_and_when_it_is_saved(self, acme, ivy, day, periods, gross):
        told = {"periods": periods, "gross": gross}
        preview = self.change(acme, ivy, day, dryRun=True)
        assert (preview.status_code, preview.json["data"]["arrears"]) == (200, told)
        assert differences(acme) == []
        assert len(acme.ok("GET", f"/hr/employees/{ivy}/compensations")) == 1
        saved = self.change(acme, ivy, day)
        assert (saved.status_code, saved.json["data"]["arrears"]) == (201, told)
        assert [row["difference"]["gross"] for row in differences(acme)] == (
            {"600.00": ["300.00", "300.00"], "450.00": ["150.00", "300.00"], "0.00": []}[gross]
        )

    def test_the_arrears_of_a_second_raise_are_what_it_adds(self, acme, ivy):
        self.change(acme, ivy, "2026-10-01", "2100.00")
        second = self.change(acme, ivy, "2026-09-01", "2050.00")
        assert second.json["data"]["arrears"] == {"periods": 1, "gross": "50.00"}
        lower = self.change(acme, ivy, "2026-10-01", "1950.00")
        assert lower.json["data"]["arrears"] == {"periods": 1, "gross": "-150.00"}


def test_what_a_leaver_owes_is_a_warning_of_their_last_payslip(acme, clock_at):
    clock_at("2026-11-30T17:00:00Z")
    dan = paid_employee(acme, "Dan", salary("2000.00"), hireDate="2026-01-01")
    paid(acme, "2026-10-01", "2026-10-31")
    acme.ok("POST", f"/hr/employees/{dan}/terminate", {"date": "2026-10-31"})
    pay_from(acme, dan, "2026-10-01", salary("1900.00"))
    correction = payroll_run(acme, {"kind": "correction"})
    (warning,) = [one for one in correction["warnings"] if one["code"] == "carried_by_leaver"]
    assert "100.00" in warning["items"][0]["message"]


def test_differences_are_found_by_the_currency_of_the_pay(acme, clock_at):
    clock_at("2026-11-30T17:00:00Z")
    anna = paid_employee(acme, "Anna", salary("2000.00"))
    days = period("2026-10-01", "2026-10-31")
    act(acme, payroll_run(acme, days, currency="EUR"), "approve")
    pay_from(acme, anna, "2026-10-01", salary("2100.00"))
    assert (len(differences(acme, currency="EUR")), differences(acme, currency="USD")) == (1, [])


def test_a_component_changed_between_draft_and_approval_is_a_difference_at_once(acme, clock_at):
    clock_at("2026-11-30T17:00:00Z")
    add_components(acme, PENSION)
    (pension,) = [row["id"] for row in acme.ok("GET", "/hr/pay-components") if row["code"] == "pension"]
    paid_employee(acme, "Anna", salary("2000.00"))
    draft = payroll_run(acme, period("2026-10-01", "2026-10-31"))
    acme.ok("PATCH", f"/hr/pay-components/{pension}", {"percent": "12"})
    act(acme, draft, "approve")
    assert nets(acme) == ["-40.00"]
    acme.ok("PATCH", f"/hr/pay-components/{pension}", {"percent": "15"})
    assert nets(acme) == ["-40.00"]


def test_pay_beyond_what_the_books_hold_closes_neither_the_list_nor_the_home_page(acme, clock_at):
    clock_at("2026-11-30T17:00:00Z")
    ben = paid_employee(acme, "Ben", hourly("20.00"), user=acme)
    log_time(acme, "2026-10-10", 60)
    paid(acme, "2026-10-01", "2026-10-31")
    pay_from(acme, ben, "2026-10-01", hourly("9000000000000.00"))
    log_time(acme, "2026-10-12", 1400)
    log_time(acme, "2026-10-13", 1400)
    assert differences(acme) == []
    assert acme.ok("GET", "/workspace/home")["payDifferences"] is None
