"""Postings of payroll runs: pay as an expense that is owed on approval, its payment, and the reversal of both."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from erp.finance.books import accounts, default_accounts, descriptions, ledger, periods
from erp.finance.books.accounts import AccountRef
from erp.finance.books.dimensions import assigning
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.books.models import EntryKind
from erp.finance.items import expense_claims
from erp.hr.access import own_pay
from erp.hr.payroll import foreign, inputs, reimbursements, runs, store
from erp.hr.payroll.bodies import PaymentUndo, PayrollApproval, PayrollPayment, PayrollReversal
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.warnings import later
from erp.kernel import caller
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.language import Listed, Word, says
from erp.store import events, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import ExchangeRate


class NetBelowZero(Refusal):
    """Net pay is below zero for {names}. Correct their lines or enter manual amounts first."""


class BankLineMatched(Refusal):
    """A bank line is matched with the payment of {number}. Unmatch it first."""


class CorrectedLater(Refusal):
    """Payroll run {runs} corrects {number} or takes up what it carried on. Reverse or delete that run first."""


Action = Literal["approve", "delete", "pay", "recalculate", "reverse", "undoPayment"]


class MoneyNotReturned(Refusal):
    """{number} has been paid. Enter when the money was returned, or correct the pay in the next payroll run."""


class FourEyes(Refusal):
    """You have created or changed {number}, so you cannot approve it. Ask {whom}."""

    status = 403


def approve(id: str, body: PayrollApproval) -> PayrollRun:
    """Approve a draft: freeze its payslips, post its pay as owed, and settle the expense claims that it pays.

    Raises:
        InvalidTransition: it is no longer a draft.
        OwnPay: the run pays the caller, and someone else could approve it.
        FourEyes: the caller has prepared it, and the workspace asks for two people.
        NetBelowZero: the net pay of an employee is below zero.
        ClaimsChanged: an expense claim of a payslip is void since.
        Invalid: an exchange rate is missing, or not needed.
        PeriodLocked: the date is in the locked period.
    """
    run = runs.find_draft(id, "approved")
    _refuse_preparer(run)
    _refuse_own(run, "payroll.write")
    _refuse_below_zero(run)
    day, payable_id = body.date or run.period_end, default_accounts.of("payroll_payable")
    rate = foreign.rate(run, body.exchange_rate, run.pay_date)
    accrual = foreign.valued(run, _accrual(run, payable_id), payable_id, rate)
    claims = reimbursements.of_run(run)
    legs = [*_legs(accrual.amounts), *reimbursements.legs(claims, payable_id)]
    entry = _post(run, day, says("Payroll {number}", number=run.number), legs, "payroll")
    run.change(
        status="approved",
        exchange_rate=rate,
        payable_base=accrual.payable,
        carried_base=accrual.carried,
        rules=inputs.rules(),
        approved_on=day,
        approved_by=caller.current().user_id,
        accrual_entry_id=entry and entry.id,
        payable_account_id=payable_id,
    )
    reimbursements.settle(claims, entry, day)
    _write_event(run, "approved", day, entry)
    expense_claims.write_paid(claims)
    return run


def pay(id: str, body: PayrollPayment) -> PayrollRun:
    """Post the payment of an approved run out of a bank account.

    Raises:
        OwnPay: the run pays the caller, and someone else could pay it.
        UnknownReference: there is no such account in this workspace.
        Invalid: the account holds no money of the run's or the base currency, or an exchange rate is missing.
        InvalidTransition: it is not approved, or has been paid.
        PeriodLocked: the date is in the locked period.
    """
    run = PayrollRun.find_to_change(id)
    account = accounts.refer_money(body.account_id, "accountId", run.currency)
    runs.refuse_unless(run, ("approved",), "paid")
    _refuse_own(run, "payroll.pay")
    day = body.date or run.pay_date
    entry = _post(
        run,
        day,
        descriptions.PAY.fill(number=run.number),
        _settlement(run, account, body.exchange_rate, day),
        "payroll_payment",
    )
    run.change(
        status="paid",
        paid_on=day,
        paid_by=caller.current().user_id,
        payment_entry_id=entry and entry.id,
        bank_account_id=account.id,
        warnings=[*run.warnings, *later.changed_ibans(run)],
    )
    _write_event(run, "paid", day, entry)
    return run


def undo_payment(id: str, body: PaymentUndo) -> PayrollRun:
    """Undo the recorded payment of a run, which is then only approved; the mirror entry has the payment's date.

    Raises:
        InvalidTransition: it is not paid.
        BankLineMatched: a line of a bank statement is matched with the payment.
        PeriodLocked: the date of the payment is in the locked period.
    """
    run = PayrollRun.find_to_change(id)
    runs.refuse_unless(run, ("paid",), "changed")
    day = run.paid_on
    assert day is not None
    if WORKSPACE.rows("SELECT 1 FROM bank_match WHERE entry_id = ? LIMIT 1", (run.payment_entry_id,)):
        raise BankLineMatched(number=run.number)
    periods.check_open(day)
    text = says("Payment of payroll run {number} undone", number=run.number)
    entry = run.payment_entry_id and ledger.reverse(run.payment_entry_id, day, text)
    run.change(status="approved", paid_on=None, paid_by=None, payment_entry_id=None, bank_account_id=None)
    _write_event(run, "payment_undone", day, entry or None, reason=body.reason)
    return run


def reverse(id: str, body: PayrollReversal) -> PayrollRun:
    """Reverse the entries of an approved or paid run, and free its days for another run.

    Raises:
        InvalidTransition: it is a draft, or has been reversed.
        CorrectedLater: another live run corrects it, or has taken up what it carried on.
        MoneyNotReturned: it has been paid, and the request lacks the date of the returned money.
        Invalid: no money can have come back, or not yet.
        DatedTooEarly: a date is before its entry's.
        PeriodLocked: a date is in the locked period.
    """
    run = PayrollRun.find_to_change(id)
    runs.refuse_unless(run, ("approved", "paid"), "reversed")
    _refuse_corrected(run)
    returned_on = _returned_on(run, body)
    day = _reversal_day(run, body)
    text = says("Reversal of payroll run {number}", number=run.number)
    back_on = returned_on and run.paid_on and max(returned_on, run.paid_on)
    reimbursements.release(run, day)
    dated = ((run.payment_entry_id, back_on), (run.accrual_entry_id, day))
    entries = [ledger.reverse(entry_id, on, text) for entry_id, on in dated if entry_id is not None and on is not None]
    WORKSPACE.run(_FREE, (id,))
    run.change(
        status="reversed",
        reversed_on=day,
        reversed_by=caller.current().user_id,
        reverse_reason=body.reason,
        money_returned_on=returned_on,
    )
    _write_event(run, "reversed", day, *entries, reason=body.reason)
    return run


def _returned_on(run: PayrollRun, body: PayrollReversal) -> date | None:
    """The date on which the money of a run was returned; None if none was paid."""
    day, field = body.money_returned_on, "moneyReturnedOn"
    if run.payment_entry_id is None:
        if day is not None:
            raise Invalid.one(
                field,
                "not_applicable",
                says("{number} is not paid, so no money can be returned. Clear the date.", number=run.number),
            )
        return None
    if day is None:
        raise MoneyNotReturned(number=run.number)
    assert run.paid_on is not None
    if day > max(workspace_settings.today(), run.paid_on):
        raise Invalid.one(
            field, "in_future", says("Must not be in the future. Reverse the run once the money is back.")
        )
    earliest = min(workspace_settings.today(), run.paid_on)
    if day < earliest:
        raise DatedTooEarly(earliest=earliest, field=field)
    periods.check_open(max(day, run.paid_on), field)
    return day


def _reversal_day(run: PayrollRun, body: PayrollReversal) -> date:
    """The date of the entry that reverses the accrual: by default the accrual's, or today if that is locked."""
    accrued_on, lock_date = run.approved_on, workspace_settings.current().lock_date
    assert accrued_on is not None
    is_open = lock_date is None or accrued_on > lock_date
    day = body.date or (accrued_on if is_open else max(workspace_settings.today(), accrued_on))
    if day < accrued_on:
        raise DatedTooEarly(earliest=accrued_on, field="date")
    periods.check_open(day, "date")
    return day


_PAYEES = """
SELECT run_id, user_id FROM employee JOIN payslip ON payslip.employee_id = employee.id
WHERE run_id IN (SELECT value FROM json_each(?)) AND user_id IS NOT NULL
"""
_STEPS: Mapping[str, tuple[Action, str]] = {"draft": ("approve", "payroll.write"), "approved": ("pay", "payroll.pay")}
"""The next step of a run, and the right to it, by its status."""
_ACTS = {
    "payroll.write": Word("approve a payroll run with your own payslip"),
    "payroll.pay": Word("pay a payroll run with your own payslip"),
}
_FREE = "DELETE FROM paid_day WHERE payslip_id IN (SELECT id FROM payslip WHERE run_id = ?)"
_BELOW_ZERO = """
SELECT snapshot ->> 'name' FROM payslip JOIN payslip_line AS line ON payslip_id = payslip.id
WHERE run_id = ? AND origin_payslip_id IS NULL AND kind IN ('earning', 'deduction') GROUP BY payslip.id, snapshot
HAVING sum(CASE kind WHEN 'earning' THEN line.amount ELSE -line.amount END) < 0 ORDER BY 1
"""
_CORRECTING = """
SELECT DISTINCT run.number FROM payslip_line JOIN payslip ON payslip.id = payslip_id
JOIN payroll_run AS run ON run.id = payslip.run_id WHERE run.status <> 'reversed' AND origin_payslip_id IN (
    SELECT id FROM payslip WHERE run_id = ?) ORDER BY run.number
"""
_CARRYING = """
SELECT DISTINCT run.number FROM payslip JOIN payroll_run AS run ON run.id = run_id
WHERE run.status <> 'reversed' AND carried_in < 0 AND run.id <> ? AND run.currency = ? AND employee_id IN (
    SELECT value FROM json_each(?)) ORDER BY run.number
"""
_SUMS = """
SELECT kind, expense_account_id, liability_account_id, department, sum(payslip_line.amount) FROM payslip_line
JOIN payslip ON payslip.id = payslip_id JOIN employee ON employee.id = employee_id WHERE run_id = ? AND claim_id IS NULL
GROUP BY kind, expense_account_id, liability_account_id, department
"""

_Amounts = Counter[tuple[str, str | None]]
"""By account and dimensions as stored, debit above zero."""


def _accrual(run: PayrollRun, payable_id: str) -> _Amounts:
    """The accrual of a run; an expense has the dimensions of its account, else of the employee's department."""
    amounts: _Amounts = Counter({(payable_id, None): -run.net})
    of_departments = assigning.of_departments()
    rows = WORKSPACE.rows(_SUMS, (run.id,))
    of_accounts = assigning.of_accounts(row[1] for row in rows if row[1] is not None)
    for kind, expense_id, liability_id, department, amount in rows:
        if kind != "deduction":
            text = assigning.merged(None, of_accounts.get(expense_id), of_departments.get(department))
            amounts[expense_id, text] += amount
        if kind != "earning":
            amounts[liability_id, None] -= amount
    return amounts


def _settlement(run: PayrollRun, account: AccountRef, given: ExchangeRate | None, day: date) -> list[Leg]:
    """The payment of a run, from the account in which it was posted as owed; nothing moves within one account."""
    rate = foreign.rate(run, given, day)
    if rate is not None:
        return foreign.settlement(run, account, rate, day)
    assert run.payable_account_id is not None
    amounts: _Amounts = Counter({(run.payable_account_id, None): run.payable})
    amounts[account.id, None] -= run.payable
    return _legs(amounts)


def _legs(amounts: Mapping[tuple[str, str | None], int]) -> list[Leg]:
    return [Leg(account, amount, dimensions=text) for (account, text), amount in amounts.items() if amount]


def _post(run: PayrollRun, day: date, description: str, legs: Sequence[Leg], kind: EntryKind) -> Entry | None:
    """Post an entry of a run; none if every amount is 0."""
    periods.check_open(day, "date")
    return ledger.post(day, description, legs, kind=kind, source=("payroll_run", run.id)) if legs else None


def actions(run: PayrollRun, payee_user_ids: Collection[str]) -> list[Action]:
    """The caller's actions on a run that pays these users; checked as the rules refuse, except for amounts and days."""

    def check_approvable() -> None:
        runs.refuse_unless(run, ("draft",), "approved")
        _refuse_preparer(run)
        own_pay.refuse_paying_oneself(payee_user_ids, "payroll.write", _ACTS["payroll.write"])

    def check_payable() -> None:
        runs.refuse_unless(run, ("approved",), "paid")
        own_pay.refuse_paying_oneself(payee_user_ids, "payroll.pay", _ACTS["payroll.pay"])

    checks: dict[Action, Callable[[], object]] = {
        "approve": check_approvable,
        "delete": lambda: runs.refuse_unless(run, ("draft",), "deleted"),
        "recalculate": lambda: runs.refuse_unless(run, ("draft",), "recalculated"),
        "reverse": lambda: runs.refuse_unless(run, ("approved", "paid"), "reversed"),
    }
    pays: dict[Action, Callable[[], object]] = {
        "pay": check_payable,
        "undoPayment": lambda: runs.refuse_unless(run, ("paid",), "changed"),
    }
    return sorted([*caller.allowed("payroll.write", checks), *caller.allowed("payroll.pay", pays)])


def approvers(run: PayrollRun) -> list[str]:
    """The users who may take the next step of a run: approve a draft, or pay an approved run."""
    return sorted(_deciding([run])[run.id])


def to_handle() -> list[PayrollRun] | None:
    """The runs whose next step the caller may take, the earliest pay date first; None without the right to any."""
    statuses = [status for status, (_, permission) in _STEPS.items() if caller.may(permission)]
    if not statuses:
        return None
    found = PayrollRun.fetch(_OPEN, sql.array(statuses))
    deciding, me = _deciding(found), caller.current().user_id
    return [run for run in found if me in deciding[run.id]]


_OPEN = "SELECT * FROM payroll_run WHERE status IN (SELECT value FROM json_each(?)) ORDER BY pay_date, id"


def _deciding(found: Sequence[PayrollRun]) -> dict[str, set[str]]:
    """The users who may take the next step of each run, by its id; three queries, however many runs there are."""
    paid = payees(found)
    holders = {permission: own_pay.holders(permission) for _, permission in _STEPS.values()}

    def users(run: PayrollRun) -> set[str]:
        if run.status not in _STEPS:
            return set()
        permitted = own_pay.permitted(paid[run.id], holders[_STEPS[run.status][1]])
        return permitted - _preparers(run) if run.status == "draft" else permitted

    return {run.id: users(run) for run in found}


def _preparers(run: PayrollRun) -> set[str]:
    """The users who may not approve a run as they have prepared it, where the workspace asks for two people."""
    users = (run.created_by, *run.prepared_by) if workspace_settings.current().payroll_four_eyes else ()
    return {user_id for user_id in users if user_id is not None}


def _refuse_preparer(run: PayrollRun) -> None:
    """Refuse to approve a run that the caller has prepared, where the workspace asks for two people."""
    if caller.current().user_id in _preparers(run):
        raise FourEyes(number=run.number, whom=own_pay.another())


def _refuse_own(run: PayrollRun, permission: str) -> None:
    """Refuse the next step of a run that pays the caller, where someone else may take it."""
    own_pay.refuse_paying_oneself(payees([run])[run.id], permission, _ACTS[permission])


def payees(found: Sequence[PayrollRun]) -> dict[str, set[str]]:
    """The users whom each run pays, by its id."""
    users: dict[str, set[str]] = {run.id: set() for run in found}
    for run_id, user_id in WORKSPACE.rows(_PAYEES, (sql.array(users),)):
        users[run_id].add(user_id)
    return users


def _refuse_below_zero(run: PayrollRun) -> None:
    """Lines of the period itself; what corrections take off is carried on."""
    names = [name for (name,) in WORKSPACE.rows(_BELOW_ZERO, (run.id,))]
    if names:
        raise NetBelowZero(names=", ".join(names))


def _refuse_corrected(run: PayrollRun) -> None:
    numbers = WORKSPACE.rows(_CORRECTING, (run.id,))
    if not numbers:
        carrying = store.taken_up(run.id, run.currency)
        numbers = WORKSPACE.rows(_CARRYING, (run.id, run.currency, sql.array(carrying))) if carrying else []
    if numbers:
        raise CorrectedLater(number=run.number, runs=Listed.of([number for (number,) in numbers]))


def _write_event(run: PayrollRun, action: str, day: date, *entries: Entry | None, **more: Any) -> None:
    posted: Sequence[Entry] = [entry for entry in entries if entry is not None]
    data = {**runs.event_data(run, runs.head_count(run.id)), "date": day.isoformat(), **more}
    events.write(f"payroll_run.{action}", "payroll_run", run.id, data, entries=posted)
