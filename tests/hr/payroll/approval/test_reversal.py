"""Reversing a run: its entries are taken back, and its days can be paid again."""

import pytest

from tests.finance.books.balances import balances
from tests.hr.payroll.approval.approvals import PAID, entry_of, lock, paid
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    JANUARY,
    act,
    amounts,
    override,
    path,
    payroll_run,
    payslip_of,
    warnings_of,
)
from tests.refusals import complaint

pytestmark = pytest.mark.usefixtures("wednesday")


def test_reversing_leaves_every_account_as_before(acme, draft):
    act(acme, draft, "approve")
    act(acme, draft, "pay")
    done = act(acme, draft, "reverse", reason="Wrong account", moneyReturnedOn="2026-03-10")
    assert (done["status"], done["reversedOn"], done["reverseReason"], done["moneyReturnedOn"]) == (
        "reversed", "2026-01-31", "Wrong account", "2026-03-10",
    )  # fmt: skip
    assert balances(acme) == {}
    assert entry_of(acme, done)["status"] == entry_of(acme, done, "paymentEntryId")["status"] == "reversed"


def mirror_dates(office):
    """The dates of the reversing entries, by the kind of the entry that they reverse."""
    entries = {entry["id"]: entry for entry in office.ok("GET", "/finance/journals")}
    return {
        entries[entry["reversesId"]]["kind"]: entry["date"] for entry in entries.values() if entry.get("reversesId")
    }


def test_a_paid_run_is_reversed_only_once_the_money_is_back(acme, draft):
    paid(acme, draft)
    error = acme.refused("POST", path(draft, "reverse"), {"reason": "No"}, status=409, code="money_not_returned")
    assert error["message"] == (
        "PR-2026-001 has been paid. Enter when the money was returned, or correct the pay in the next payroll run."
    )
    assert balances(acme) == PAID


def test_the_payment_is_reversed_when_the_money_came_back_and_the_accrual_on_its_own_date(acme, draft):
    paid(acme, draft)
    act(acme, draft, "reverse", moneyReturnedOn="2026-02-04")
    assert mirror_dates(acme) == {"payroll_payment": "2026-02-04", "payroll": "2026-01-31"}


def test_in_a_locked_month_the_accrual_is_reversed_today(acme, draft):
    paid(acme, draft)
    lock(acme, "2026-01-31")
    act(acme, draft, "reverse", moneyReturnedOn="2026-02-04")
    assert mirror_dates(acme) == {"payroll_payment": "2026-02-04", "payroll": "2026-03-11"}


def test_an_unpaid_run_is_reversed_on_the_date_of_its_accrual(acme, draft):
    act(acme, draft, "approve")
    assert act(acme, draft, "reverse")["reversedOn"] == "2026-01-31"
    assert mirror_dates(acme) == {"payroll": "2026-01-31"}


@pytest.mark.parametrize(
    ("day", "status", "code"),
    [
        ("2026-01-30", 422, "dated_too_early"),
        ("2026-03-12", 422, "in_future"),
        ("2026-02-10", 409, "period_locked"),
    ],
)
def test_money_comes_back_after_the_payment_in_an_open_period_and_not_in_the_future(acme, draft, day, status, code):
    paid(acme, draft)
    lock(acme, "2026-02-28")
    body = {"reason": "No", "moneyReturnedOn": day}
    error = acme.refused("POST", path(draft, "reverse"), body, status=status)
    assert complaint(error) == ("moneyReturnedOn", code)


def test_a_payment_recorded_ahead_of_its_day_comes_back_on_that_day(acme, draft):
    paid(acme, draft, date="2026-03-30")
    act(acme, draft, "reverse", moneyReturnedOn="2026-03-30")
    assert mirror_dates(acme)["payroll_payment"] == "2026-03-30"


def test_no_money_comes_back_that_was_not_paid(acme, draft):
    act(acme, draft, "approve")
    error = acme.refused("POST", path(draft, "reverse"), {"reason": "No", "moneyReturnedOn": "2026-02-04"}, status=422)
    assert complaint(error) == ("moneyReturnedOn", "not_applicable")


LESS = {"code": "salary", "amount": "2000.00", "reason": "Advance"}


@pytest.fixture
def reversed_run(acme, anna, draft):
    """A run with an override that was paid and came back."""
    override(acme, payslip_of(draft, anna), LESS)
    paid(acme, draft)
    return act(acme, draft, "reverse", moneyReturnedOn="2026-02-04")


def test_a_new_run_for_the_period_offers_the_overrides_of_the_reversed_one(acme, anna, reversed_run):
    again = payroll_run(acme)
    assert again["proposedOverrides"] == [
        {
            "employeeId": anna, "name": "Anna", "code": "salary", "lineName": "Salary", "amount": "2000.00",
            "reason": "Advance", "runId": reversed_run["id"], "runNumber": "PR-2026-001",
        }
    ]  # fmt: skip
    assert payslip_of(again, anna)["gross"] == "3000.00"
    assert ("Anna", "override_proposed") in warnings_of(again)
    assert payroll_run(acme, FEBRUARY)["proposedOverrides"] == []


def test_the_offered_overrides_are_taken_over_when_the_run_is_made(acme, anna, reversed_run):
    shown = payroll_run(acme, takeOverrides=True, dryRun=True)
    assert (shown["totals"]["gross"], shown["proposedOverrides"]) == ("2000.00", [])
    again = payroll_run(acme, takeOverrides=True)
    assert (payslip_of(again, anna)["gross"], again["proposedOverrides"]) == ("2000.00", [])
    assert payslip_of(again, anna)["lines"][0]["overrideReason"] == "Advance"


def test_the_offered_overrides_are_taken_over_by_a_draft_and_its_own_stay(acme, anna, reversed_run):
    again = payroll_run(acme)
    override(acme, payslip_of(again, anna), {"code": "fund", "amount": "1.00", "reason": "Agreed"})
    taken = acme.ok("POST", path(again, "recalculate"), {"takeOverrides": True})
    assert amounts(payslip_of(taken, anna))["salary"] == "2000.00"
    assert amounts(payslip_of(taken, anna))["fund"] == "1.00"
    assert taken["proposedOverrides"] == []


def test_a_period_that_was_paid_before_warns_with_both_sums_in_the_run_and_the_bank_file(acme, anna, reversed_run):
    again = payroll_run(acme)
    (warning,) = [warning for warning in again["warnings"] if warning["code"] == "period_paid_before"]
    (item,) = warning["items"]
    assert (item["runNumber"], item["paidBefore"], item["paidNow"]) == ("PR-2026-001", "1700.00", "2450.00")
    assert item["message"] == (
        "PR-2026-001 already paid 1,700.00 EUR on 31 Jan 2026 and was reversed. The money was returned on "
        "4 Feb 2026; this payroll run pays the same people 2,450.00 EUR. Check the bank account "
        "before you send the bank file."
    )
    act(acme, again, "approve")
    answer = acme.call("GET", path(again, "bank-file"), params={"format": "csv"})
    assert answer.status_code == 200
    assert answer.headers["x-payroll-warning"] == "period_paid_before; paidBefore=1700.00; paidNow=2450.00"
    first = acme.call("GET", path(payroll_run(acme, FEBRUARY)))
    assert "period_paid_before" not in first.text


def test_a_run_that_was_reversed_before_it_was_paid_warns_of_nothing(acme, draft):
    act(acme, draft, "approve")
    act(acme, draft, "reverse")
    again = payroll_run(acme)
    assert again["warnings"] == []
    act(acme, again, "approve")
    answer = acme.call("GET", path(again, "bank-file"), params={"format": "csv"})
    assert "x-payroll-warning" not in answer.headers


def test_an_approved_run_that_was_not_paid_can_be_reversed(acme, draft):
    act(acme, draft, "approve")
    act(acme, draft, "reverse")
    assert balances(acme) == {}


def test_the_days_of_a_reversed_run_are_paid_by_another(acme, anna, draft):
    act(acme, draft, "approve")
    acme.refused("POST", "/hr/payroll/run", JANUARY, status=422, code="nobody_due")
    act(acme, draft, "reverse")
    again = payroll_run(acme)
    assert payslip_of(again, anna)["gross"] == "3000.00"
    assert again["warnings"] == []
    assert payslip_of(acme.ok("GET", path(draft)), anna)["gross"] == "3000.00", "what was reversed stays on record"


def test_a_reversal_cannot_be_dated_before_the_entries_it_reverses(acme, draft):
    act(acme, draft, "approve", date="2026-02-03")
    error = acme.refused("POST", path(draft, "reverse"), {"reason": "No", "date": "2026-02-02"}, status=422)
    assert complaint(error) == ("date", "dated_too_early")
    assert "3 Feb 2026" in error["message"]


def test_a_reversal_needs_a_reason(acme, draft):
    act(acme, draft, "approve")
    error = acme.refused("POST", path(draft, "reverse"), {}, status=422)
    assert complaint(error) == ("reason", "required")


def test_the_entries_of_a_run_can_only_be_reversed_with_it(acme, draft):
    act(acme, draft, "approve")
    paid = act(acme, draft, "pay")
    for name in ("accrualEntryId", "paymentEntryId"):
        error = acme.refused("POST", f"/finance/journals/{paid[name]}/reverse", {}, status=409, code="not_reversible")
        assert error["message"] == ("This entry belongs to payroll run PR-2026-001. Reverse the payroll run instead.")
