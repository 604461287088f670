import pytest

from tests.finance.books.balances import balances
from tests.hr.attendance.records import marked_day, punch
from tests.hr.employees.employees import events_about
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    JANUARY,
    act,
    add_components,
    amounts,
    override,
    paid_employee,
    path,
    payroll_run,
    payslip_of,
    salary,
    warnings_of,
)
from tests.refusals import complaint

pytestmark = pytest.mark.usefixtures("wednesday")

OWED = {
    "2300": -245_000,
    "2310": -40_000,
    "2320": -15_000,
    "2330": -30_000,
    "6000": 300_000,
    "6010": 30_000,
}
PAID = {"1010": -245_000, **{code: amount for code, amount in OWED.items() if code != "2300"}}


@pytest.fixture
def draft(acme, anna):
    return payroll_run(acme)


def entry_of(office, made, name="accrualEntryId"):
    return office.ok("GET", f"/finance/journals/{made[name]}")


def lock(office, day):
    office.ok("POST", "/finance/periods/lock", {"throughDate": day})


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


def test_reversing_leaves_every_account_as_before(acme, draft):
    act(acme, draft, "approve")
    act(acme, draft, "pay")
    done = act(acme, draft, "reverse", reason="Wrong account", moneyReturnedOn="2026-03-10")
    assert (done["status"], done["reversedOn"], done["reverseReason"], done["moneyReturnedOn"]) == (
        "reversed", "2026-01-31", "Wrong account", "2026-03-10",
    )  # fmt: skip
    assert balances(acme) == {}
    assert entry_of(acme, done)["status"] == entry_of(acme, done, "paymentEntryId")["status"] == "reversed"


def paid(office, made, **fields):
    act(office, made, "approve")
    return act(office, made, "pay", **fields)


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
        "PR-2026-001 has been paid."
        " Say when the money came back (`moneyReturnedOn`), or correct the pay in the next run."
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
        "PR-2026-001 already paid 1700.00 EUR on 2026-01-31 and was reversed. The money came back on 2026-02-04;"
        " this run pays the same people 2450.00 EUR. Check the account before you send the bank file."
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


def test_a_reversal_cannot_be_dated_before_the_entries_it_reverses(acme, draft):
    act(acme, draft, "approve", date="2026-02-03")
    error = acme.refused("POST", path(draft, "reverse"), {"reason": "No", "date": "2026-02-02"}, status=422)
    assert complaint(error) == ("date", "dated_too_early")
    assert "2026-02-03" in error["message"]


def test_a_reversal_needs_a_reason(acme, draft):
    act(acme, draft, "approve")
    error = acme.refused("POST", path(draft, "reverse"), {}, status=422)
    assert complaint(error) == ("reason", "required")


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
    assert error["message"] == "Net pay is below zero for Anna. Correct or override their lines first."
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


def test_the_entries_of_a_run_can_only_be_reversed_with_it(acme, draft):
    act(acme, draft, "approve")
    paid = act(acme, draft, "pay")
    for name in ("accrualEntryId", "paymentEntryId"):
        error = acme.refused("POST", f"/finance/journals/{paid[name]}/reverse", {}, status=409, code="not_reversible")
        assert error["message"] == ("The entry belongs to payroll run PR-2026-001. Reverse that to reverse the entry.")


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


def test_paid_days_are_locked_for_attendance_and_leave_until_the_run_is_reversed(acme, anna, draft):
    body = {"employeeId": anna, "date": "2026-01-05", "punches": [punch("01-05 08:00", "12:00")]}
    leave = {"employeeId": anna, "startDate": "2026-01-06", "endDate": "2026-01-06"}
    pending = acme.ok("POST", "/hr/leaves", {**leave, "startDate": "2026-01-07", "endDate": "2026-01-07"})
    marked_day(acme, anna, "2026-01-08", punch("01-08 08:00", "12:00"))  # a draft locks nothing
    act(acme, draft, "approve")
    error = acme.refused("POST", "/hr/attendance", body, status=409, code="paid_already")
    assert "Payroll run PR-2026-001" in error["message"]
    acme.refused("POST", "/hr/leaves", leave, status=409, code="paid_already")
    acme.refused("POST", f"/hr/leaves/{pending['id']}/approve", {}, status=409, code="paid_already")
    pay = {**salary("4000.00"), "effectiveFrom": "2026-01-15"}
    acme.refused("POST", f"/hr/employees/{anna}/compensations", pay, status=409, code="paid_already")
    act(acme, draft, "reverse")
    for route, sent in (("/hr/attendance", body), ("/hr/leaves", leave), (f"/hr/employees/{anna}/compensations", pay)):
        acme.ok("POST", route, sent)


def test_two_consecutive_months_are_two_entries(acme, anna, draft):
    act(acme, draft, "approve")
    february = payroll_run(acme, FEBRUARY)
    assert amounts(payslip_of(february, anna))["tax"] == "400.00"
    act(acme, february, "approve")
    assert balances(acme)["2300"] == -490_000
