"""Payroll requests at once: no day is paid twice, and everything is posted once."""

from typing import Any

import pytest
from peewee import IntegrityError

from erp.hr.payroll.models import PaidDay, Payslip
from erp.store import router
from erp.store.router import WORKSPACE
from tests.crowds import all_at_once
from tests.finance.books.balances import balances
from tests.hr.payroll.payrolls import FEBRUARY, JANUARY, act, paid_employee, path, pay_from, payroll_run, salary

CROWD, SIXTEEN = 8, 16


@pytest.fixture(autouse=True)
def _patient(monkeypatch, clock_at):
    """Every request waits its turn, even on a slow machine."""
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)
    clock_at("2026-03-11T17:00:00Z")


def test_the_same_month_run_several_times_at_once_is_paid_once(acme):
    ids = [paid_employee(acme, name) for name in ("Anna", "Ben", "Cleo")]
    bodies = [JANUARY, {**JANUARY, "employeeIds": ids}] * (CROWD // 2)
    answers, statuses = all_at_once(acme, [("/hr/payroll/run", body) for body in bodies])
    assert statuses[201] == 1
    assert {answer.json["error"]["code"] for answer in answers if answer.status_code != 201} <= {
        "nobody_due",
        "days_in_other_run",
    }
    with acme.books():
        assert (Payslip.select().count(), PaidDay.select().count()) == (3, 93)
        assert WORKSPACE.rows("SELECT count(*), max(seq) FROM payroll_run") == [(1, 1)]


def test_overlapping_periods_at_once_share_the_days(acme):
    paid_employee(acme)
    halves = [{"periodStart": f"2026-01-{day:02}", "periodEnd": f"2026-01-{day + 14:02}"} for day in range(1, 17, 3)]
    _, statuses = all_at_once(acme, [("/hr/payroll/run", {**period, "payDate": "2026-01-31"}) for period in halves])
    assert set(statuses) <= {201, 422}
    payroll_run(acme)
    with acme.books():
        assert WORKSPACE.rows("SELECT count(*), count(DISTINCT date) FROM paid_day") == [(31, 31)]
        assert WORKSPACE.rows("SELECT sum(gross) FROM payslip") == [(300_000,)]


def test_a_run_is_approved_paid_and_reversed_once(acme):
    paid_employee(acme)
    made = payroll_run(acme)
    back = {"reason": "Wrong month", "moneyReturnedOn": "2026-02-03"}
    for action, body in (("approve", {}), ("pay", {}), ("reverse", back)):
        _, statuses = all_at_once(acme, [(path(made, action), body)] * CROWD)
        assert statuses == {200: 1, 409: CROWD - 1}, action
    assert balances(acme) == {}
    with acme.books():
        assert WORKSPACE.rows("SELECT kind, count(*) FROM journal_entry GROUP BY kind ORDER BY kind") == [
            ("payroll", 1),
            ("payroll_payment", 1),
            ("reversal", 2),
        ]


def test_a_draft_is_recalculated_and_approved_in_some_order(acme):
    paid_employee(acme)
    made = payroll_run(acme)
    requests: list[Any] = [(path(made, "recalculate"), None), (path(made, "approve"), {})] * (CROWD // 2)
    _, statuses = all_at_once(acme, requests)
    assert set(statuses) == {200, 409}
    assert balances(acme) == {"2300": -300_000, "6000": 300_000}
    act(acme, payroll_run(acme, FEBRUARY), "approve")
    assert balances(acme)["6000"] == 600_000


def test_a_difference_is_corrected_approved_and_paid_once(acme):
    anna = paid_employee(acme)
    act(acme, payroll_run(acme), "approve")
    pay_from(acme, anna, "2026-01-01", salary("3300.00"))
    answers, statuses = all_at_once(acme, [("/hr/payroll/run", {"kind": "correction"})] * SIXTEEN)
    assert statuses == {201: 1, 422: SIXTEEN - 1}
    (made,) = [answer.json["data"] for answer in answers if answer.status_code == 201]
    for action in ("approve", "pay", "pay/undo"):
        body = {"reason": "Wrong account"} if action == "pay/undo" else {}
        _, statuses = all_at_once(acme, [(path(made, action), body)] * SIXTEEN)
        assert statuses == {200: 1, 409: SIXTEEN - 1}, action
    assert balances(acme) == {"2300": -330_000, "6000": 330_000}


def test_the_database_keeps_two_payslips_from_paying_one_day(acme):
    paid_employee(acme)
    payroll_run(acme)
    with pytest.raises(IntegrityError), acme.books(write=True):
        WORKSPACE.run("INSERT INTO paid_day SELECT * FROM paid_day")


def test_the_database_keeps_an_approved_payslip_unchanged(acme):
    paid_employee(acme)
    act(acme, payroll_run(acme), "approve")
    for attack in (
        "UPDATE payslip SET net = 0",
        "DELETE FROM payslip",
        "UPDATE payslip_line SET amount = 0",
        "DELETE FROM payroll_run",
        "UPDATE payroll_run SET status = 'draft'",
        "UPDATE payroll_run SET net = 0",
    ):
        with pytest.raises(IntegrityError), acme.books(write=True):
            WORKSPACE.run(attack)
