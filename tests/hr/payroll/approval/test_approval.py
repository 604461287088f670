"""Approving and paying a run: what is posted, when it is allowed, and what it locks."""

import pytest

from tests.finance.books.balances import balances
from tests.hr.attendance.records import punch
from tests.hr.employees.employees import events_about
from tests.hr.payroll.approval.approvals import OWED, PAID, entry_of, lock
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    act,
    add_components,
    amounts,
    override,
    paid_employee,
    path,
    payroll_run,
    payslip_of,
    salary,
)
from tests.refusals import complaint

pytestmark = pytest.mark.usefixtures("wednesday")


def test_a_draft_posts_nothing(acme, draft):
    assert balances(acme) == {}


def test_approving_posts_what_is_owed_in_one_entry(acme, draft):
    approved = act(acme, draft, "approve")
    assert (approved["status"], approved["approvedOn"], approved["approvedByUserId"]) == (
        "approved", "2026-01-31", acme.user["id"],
    )  # fmt: skip
    assert balances(acme) == OWED
    entry = entry_of(acme, approved)
    assert (entry["kind"], entry["date"], entry["source"]) == (
        "payroll", "2026-01-31", {"type": "payroll_run", "id": draft["id"]},
    )  # fmt: skip
    assert len(entry["lines"]) == len(OWED)


def test_paying_takes_the_net_from_the_bank(acme, draft):
    act(acme, draft, "approve")
    paid = act(acme, draft, "pay")
    assert (paid["status"], paid["paidOn"]) == ("paid", "2026-01-31")
    assert balances(acme) == PAID
    assert entry_of(acme, paid, "paymentEntryId")["kind"] == "payroll_payment"


def test_dates_and_the_account_can_be_chosen(acme, draft):
    approved = act(acme, draft, "approve", date="2026-02-01")
    assert entry_of(acme, approved)["date"] == "2026-02-01"
    paid = act(acme, draft, "pay", date="2026-02-03", accountId="1000")
    assert entry_of(acme, paid, "paymentEntryId")["date"] == "2026-02-03"
    assert balances(acme)["1000"] == -245_000
    done = act(acme, draft, "reverse", date="2026-02-03", moneyReturnedOn="2026-02-05")
    assert (done["reversedOn"], done["moneyReturnedOn"]) == ("2026-02-03", "2026-02-05")


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"accountId": "9999"}, "accountId", "unknown_reference"),
        ({"accountId": "6000"}, "accountId", "unsuitable_account"),
    ],
)
def test_a_run_is_paid_from_an_account_that_holds_money(acme, draft, body, field, code):
    act(acme, draft, "approve")
    assert complaint(acme.refused("POST", path(draft, "pay"), body, status=422)) == (field, code)


def test_a_run_is_not_paid_from_an_account_of_another_currency(acme, draft):
    dollars = {"code": "1011", "name": "Dollars", "type": "asset", "subtype": "bank", "currency": "USD"}
    acme.ok("POST", "/finance/accounts", dollars)
    act(acme, draft, "approve")
    error = acme.refused("POST", path(draft, "pay"), {"accountId": "1011"}, status=422)
    assert complaint(error) == ("accountId", "wrong_currency")


ALLOWED = {
    "draft": {"recalculate", "approve", "delete"},
    "approved": {"pay", "reverse"},
    "paid": {"reverse"},
    "reversed": set(),
}


@pytest.mark.parametrize("status", ALLOWED)
def test_each_status_allows_what_comes_after_it_and_nothing_else(acme, draft, status):
    for action in {"approved": ["approve"], "paid": ["approve", "pay"], "reversed": ["approve", "reverse"]}.get(
        status, []
    ):
        act(acme, draft, action)
    before = balances(acme)
    for action in {"recalculate", "approve", "pay", "reverse"} - ALLOWED[status]:
        body = {"reason": "No"} if action == "reverse" else None if action == "recalculate" else {}
        error = acme.refused("POST", path(draft, action), body, status=409, code="invalid_transition")
        assert error["message"].startswith(f"PR-2026-001 is {status}. Only ")
    if "delete" not in ALLOWED[status]:
        acme.refused("DELETE", path(draft), status=409, code="invalid_transition")
        slip = acme.ok("GET", path(draft))["payslips"][0]
        line = {"code": "salary", "amount": "1.00", "reason": "No"}
        acme.refused(
            "PATCH", f"/hr/payroll/payslips/{slip['id']}", {"lines": [line]}, status=409, code="invalid_transition"
        )
    assert balances(acme) == before


def test_net_below_zero_blocks_approval_and_names_the_employee(acme, anna):
    made = payroll_run(acme)
    override(acme, payslip_of(made, anna), {"code": "fund", "amount": "9000.00", "reason": "Garnishment"})
    error = acme.refused("POST", path(made, "approve"), {}, status=409, code="net_below_zero")
    assert error["message"] == "Net pay is below zero for Anna. Correct their lines or enter manual amounts first."
    assert balances(acme) == {}


def test_nothing_is_approved_paid_or_reversed_in_a_locked_period(acme, draft):
    lock(acme, "2026-01-31")
    acme.refused("POST", path(draft, "approve"), {}, status=409, code="period_locked")
    act(acme, draft, "approve", date="2026-02-01")
    acme.refused("POST", path(draft, "pay"), {}, status=409, code="period_locked")
    act(acme, draft, "pay", date="2026-02-01")
    lock(acme, "2026-03-10")
    body = {"reason": "No", "date": "2026-03-10", "moneyReturnedOn": "2026-03-11"}
    error = acme.refused("POST", path(draft, "reverse"), body, status=409, code="period_locked")
    assert complaint(error) == ("date", "period_locked")
    act(acme, draft, "reverse", moneyReturnedOn="2026-03-11")


def test_an_overridden_line_is_posted_with_its_override(acme, anna, draft):
    override(acme, payslip_of(draft, anna), {"code": "salary", "amount": "2000.00", "reason": "Advance"})
    act(acme, draft, "approve")
    assert balances(acme) == {
        "2300": -170_000, "2310": -20_000, "2320": -10_000, "2330": -20_000, "6000": 200_000, "6010": 20_000,
    }  # fmt: skip


def test_lines_go_to_the_accounts_of_their_components(acme):
    bonus = {"code": "meal", "name": "Meals", "kind": "earning", "calculation": "fixed", "amount": "100.00"}
    union = {"code": "union", "name": "Union", "kind": "deduction", "calculation": "fixed", "amount": "10.00"}
    add_components(
        acme,
        {**bonus, "appliesToAll": True, "expenseAccountId": "6900"},
        {**union, "appliesToAll": True, "liabilityAccountId": "2310"},
    )
    paid_employee(acme)
    paid_employee(acme, "Ben")
    act(acme, payroll_run(acme), "approve")
    assert balances(acme) == {"2300": -618_000, "2310": -2_000, "6000": 600_000, "6900": 20_000}


def test_payment_is_from_the_account_of_the_approval_even_if_the_default_has_changed(acme, draft):
    act(acme, draft, "approve")
    other = {"code": "2301", "name": "Wages payable", "type": "liability", "subtype": "payroll_liability"}
    id = acme.ok("POST", "/finance/accounts", other)["id"]
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"defaultAccounts": {"payroll_payable": id}})
    act(acme, draft, "pay")
    assert balances(acme) == PAID


def test_a_run_that_comes_to_nothing_posts_nothing(acme):
    paid_employee(acme, pay=salary("0.00"))
    made = payroll_run(acme)
    approved = act(acme, made, "approve")
    paid = act(acme, made, "pay")
    assert (approved["accrualEntryId"], paid["paymentEntryId"], paid["status"]) == (None, None, "paid")
    assert act(acme, made, "reverse")["status"] == "reversed"
    assert acme.ok("GET", "/finance/journals") == []


def test_each_change_is_one_event_that_names_its_entries_and_no_pay(acme, draft):
    approved = act(acme, draft, "approve")
    paid = act(acme, draft, "pay")
    act(acme, draft, "reverse", moneyReturnedOn="2026-03-10")
    events = events_about(acme, draft["id"])
    kinds = [kind for kind, _ in events]
    assert kinds == [f"payroll_run.{action}" for action in ("draft", "approved", "paid", "reversed")]
    assert approved["accrualEntryId"] in events[1][1]
    assert paid["paymentEntryId"] in events[2][1]
    assert events[3][1].count('"hash"') == 2
    assert not any(amount in data for _, data in events for amount in ("245000", "2450.00", "3000.00", "Anna"))
    assert acme.ok("GET", "/workspace/events/verify")["isValid"] is True


def test_an_approved_run_closes_no_day(acme, anna, draft):
    body = {"employeeId": anna, "date": "2026-01-05", "punches": [punch("01-05 08:00", "12:00")]}
    leave = {"employeeId": anna, "startDate": "2026-01-06", "endDate": "2026-01-06"}
    pending = acme.ok("POST", "/hr/leaves", {**leave, "startDate": "2026-01-07", "endDate": "2026-01-07"})
    act(acme, draft, "approve")
    pay = {**salary("4000.00"), "effectiveFrom": "2026-01-15"}
    for route, sent in (("/hr/attendance", body), ("/hr/leaves", leave), (f"/hr/employees/{anna}/compensations", pay)):
        acme.ok("POST", route, sent)
    assert acme.ok("POST", f"/hr/leaves/{pending['id']}/approve", {})["status"] == "approved"
    assert acme.ok("GET", f"/hr/payroll/runs/{draft['id']}")["totals"]["gross"] == draft["totals"]["gross"]


def test_two_consecutive_months_are_two_entries(acme, anna, draft):
    act(acme, draft, "approve")
    february = payroll_run(acme, FEBRUARY)
    assert amounts(payslip_of(february, anna))["tax"] == "400.00"
    act(acme, february, "approve")
    assert balances(acme)["2300"] == -490_000
