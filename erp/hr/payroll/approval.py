"""What payroll runs post: pay as an expense that is owed when they are approved, what is paid, and both undone."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, ClassVar

import msgspec

from erp.finance.books import accounts, ledger, periods
from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.ledger import DatedTooEarly, Entry, Leg
from erp.finance.books.models import JournalEntry
from erp.hr.payroll import runs
from erp.hr.payroll.models import PayrollRun
from erp.kernel import caller
from erp.kernel.errors import Refusal
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import Day, Line
from erp.web.schema import Body


class PayrollApproval(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {}

    date: (
        Annotated[Day, msgspec.Meta(description="Of the journal entry; the end of the period when absent.")] | None
    ) = None


class PayrollPayment(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"accountId": "1010"}

    date: Annotated[Day, msgspec.Meta(description="Of the journal entry; the pay date when absent.")] | None = None
    account_id: AccountIdOrCode | None = None


class PayrollReversal(Body, kw_only=True):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Run before the raises were entered"}

    date: Annotated[Day, msgspec.Meta(description="Of the journal entries; today when absent.")] | None = None
    reason: Annotated[Line, msgspec.Meta(min_length=1)]


class NetBelowZero(Refusal):
    """Net pay is below zero for {names}; override or correct their lines first."""


def approve(id: str, wanted: PayrollApproval) -> PayrollRun:
    """Approve a draft: its days are locked, and what it comes to is posted as owed.

    Raises:
        InvalidTransition: it is no draft any more.
        NetBelowZero: somebody would have to pay.
        PeriodLocked: the day is in the locked period.
    """
    run = runs.find_draft(id, "approved")
    _refuse_below_zero(run)
    day, payable_id = wanted.date or run.period_end, ledger.default_account("payroll_payable")
    entry = _post(run, day, f"Payroll {run.number}", _accrual(run, payable_id), "payroll")
    run.change(
        status="approved",
        approved_on=day,
        approved_by=caller.current().user_id,
        accrual_entry_id=entry and entry.id,
        payable_account_id=payable_id,
    )
    _tell(run, "approved", day, entry)
    return run


def pay(id: str, wanted: PayrollPayment) -> PayrollRun:
    """Pay an approved run out of a bank account.

    Raises:
        UnknownReference: there is no such account in this workspace.
        Invalid: the account holds no money of the base currency.
        InvalidTransition: it is not approved, or paid already.
        PeriodLocked: the day is in the locked period.
    """
    run = PayrollRun.find_to_change(id)
    account_id = accounts.refer_money(wanted.account_id, "accountId", workspace_settings.current().base_currency).id
    runs.refuse_unless(run, ("approved",), "paid")
    day = wanted.date or run.pay_date
    entry = _post(run, day, f"Payment of payroll {run.number}", _settlement(run, account_id), "payroll_payment")
    run.change(
        status="paid",
        paid_on=day,
        paid_by=caller.current().user_id,
        payment_entry_id=entry and entry.id,
        bank_account_id=account_id,
    )
    _tell(run, "paid", day, entry)
    return run


def reverse(id: str, wanted: PayrollReversal) -> PayrollRun:
    """Undo an approved or paid run in the books, and leave its days to another one.

    Raises:
        InvalidTransition: it is a draft, or reversed already.
        DatedTooEarly: the day is before one of the entries.
        PeriodLocked: the day is in the locked period.
    """
    run = PayrollRun.find_to_change(id)
    runs.refuse_unless(run, ("approved", "paid"), "reversed")
    posted = [each for each in (run.payment_entry_id, run.accrual_entry_id) if each is not None]
    first = max([run.approved_on, *(JournalEntry.get_by_id(each).date for each in posted)])
    day = wanted.date or max(workspace_settings.today(), first)
    if day < first:
        raise DatedTooEarly(earliest=first, field="date")
    periods.check_open(day, "date")
    entries = [ledger.reverse(each, day, f"Reversal of payroll {run.number}") for each in posted]
    WORKSPACE.run(_FREE, (id,))
    run.change(status="reversed", reversed_on=day, reversed_by=caller.current().user_id, reverse_reason=wanted.reason)
    _tell(run, "reversed", day, *entries, reason=wanted.reason)
    return run


_FREE = "DELETE FROM paid_day WHERE payslip_id IN (SELECT id FROM payslip WHERE run_id = ?)"
_SUMS = """
SELECT kind, expense_account_id, liability_account_id, sum(payslip_line.amount) FROM payslip_line
JOIN payslip ON payslip.id = payslip_id WHERE run_id = ? GROUP BY kind, expense_account_id, liability_account_id
"""


def _accrual(run: PayrollRun, payable_id: str) -> dict[str, int]:
    """What is owed for the work: amounts by account, debit above zero."""
    found = Counter({payable_id: -run.net})
    for kind, expense_id, liability_id, amount in WORKSPACE.rows(_SUMS, (run.id,)):
        if kind != "deduction":
            found[expense_id] += amount
        if kind != "earning":
            found[liability_id] -= amount
    return dict(found)


def _settlement(run: PayrollRun, account_id: str) -> dict[str, int]:
    """What is owed is paid, from wherever it was owed when it was approved; nothing moves within one account."""
    assert run.payable_account_id is not None
    found = Counter({run.payable_account_id: run.net})
    found[account_id] -= run.net
    return dict(found)


def _post(run: PayrollRun, day: date, description: str, amounts: dict[str, int], kind: str) -> Entry | None:
    """Post an entry of a run; none when it comes to nothing."""
    periods.check_open(day, "date")
    legs = [Leg(account_id, amount) for account_id, amount in amounts.items() if amount]
    return ledger.post(day, description, legs, kind=kind, source=("payroll_run", run.id)) if legs else None


def _refuse_below_zero(run: PayrollRun) -> None:
    below = "SELECT snapshot ->> 'name' FROM payslip WHERE run_id = ? AND net < 0 ORDER BY 1"
    names = [name for (name,) in WORKSPACE.rows(below, (run.id,))]
    if names:
        raise NetBelowZero(names=", ".join(names))


def _tell(run: PayrollRun, what: str, day: date, *entries: Entry | None, **more: Any) -> None:
    posted: Sequence[Entry] = [entry for entry in entries if entry is not None]
    facts = {**runs.told(run, runs.head_count(run.id)), "date": day.isoformat(), **more}
    events.write(f"payroll_run.{what}", "payroll_run", run.id, facts, entries=posted)
