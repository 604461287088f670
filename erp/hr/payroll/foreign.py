"""Payroll runs in another currency than the books': their postings at the rate of approval, and their payment."""

from collections import Counter
from collections.abc import Mapping
from datetime import date

import msgspec

from erp.finance.books import default_accounts
from erp.finance.books.accounts import AccountRef
from erp.finance.books.exchange_rates import rates
from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.books.ledger import Leg
from erp.finance.payments import worth
from erp.finance.payments.worth import Side
from erp.hr.payroll.models import PayrollRun
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.store.router import WORKSPACE
from erp.web.scalars import ExchangeRate

Amounts = Mapping[tuple[str, str | None], int]
"""By account and dimensions as stored, debit above zero."""


class Accrual(msgspec.Struct, frozen=True):
    """The postings of an approval in the base currency; `payable` and `carried` as the run keeps them."""

    amounts: Amounts
    payable: int
    carried: int


def rate(run: PayrollRun, given: ExchangeRate | None, day: date) -> int | None:
    """The exchange rate for a run, times `RATE_SCALE`: as given, else of the day; None in the base currency.

    Raises:
        Invalid: there is none for the day, or none is needed.
    """
    complaints = Complaints()
    _, found = rates.read_rate(run.currency, rates.scaled(given), complaints, day=day, field="exchangeRate")
    complaints.refuse()
    return found


def valued(run: PayrollRun, amounts: Amounts, payable_id: str, rate: int | None) -> Accrual:
    """The postings of an approval at a rate; what rounding leaves is added to the largest.

    What payslips carry on or take up is valued at this rate from now on, and the difference is realised.
    """
    if rate is None:
        return Accrual(amounts, run.payable, run.net - run.payable)
    values = Counter({key: in_base(amount, run.currency, rate) for key, amount in amounts.items()})
    largest = max(values, key=lambda key: abs(values[key]))
    values[largest] -= sum(values.values())
    net = -values[payable_id, None] if amounts[payable_id, None] == -run.net else in_base(run.net, run.currency, rate)
    payable = net if run.payable == run.net else in_base(run.payable, run.currency, rate)
    carried = _carried(run, rate)
    values[payable_id, None] -= payable + carried - net
    _realise(values, payable + carried - net)
    return Accrual(values, payable, carried)


def _realise(values: Counter[tuple[str, str | None]], loss: int) -> None:
    if loss:
        values[_difference_account(-loss), None] += loss


def _difference_account(gain: int) -> str:
    return default_accounts.of(f"realised_exchange_{'gains' if gain > 0 else 'losses'}")


_SLIPS = """
SELECT slip.employee_id, slip.run_id = :run_id, run.exchange_rate, slip.net, slip.carried_in, slip.payable
FROM payslip AS slip JOIN payroll_run AS run ON run.id = slip.run_id
WHERE run.currency = :currency AND (run.status IN ('approved', 'paid') OR run.id = :run_id)
AND slip.employee_id IN (SELECT employee_id FROM payslip WHERE run_id = :run_id)
ORDER BY slip.run_id = :run_id, run.accrual_entry_id
"""


def _carried(run: PayrollRun, rate: int) -> int:
    """The value of what the payslips of a run carry on, less the value at which they take up what was carried on."""
    open_amounts: Counter[str] = Counter()
    open_values: Counter[str] = Counter()
    carried = 0
    for id, is_this, of_run, net, carried_in, payable in WORKSPACE.rows(
        _SLIPS, {"run_id": run.id, "currency": run.currency}
    ):
        amount = open_amounts[id]
        taken = money.divide(open_values[id] * carried_in, amount) if amount else 0
        left = net + carried_in - payable
        value = in_base(left, run.currency, rate if is_this else of_run)
        open_amounts[id] += left - carried_in
        open_values[id] += value - taken
        carried += value - taken if is_this else 0
    return carried


def settlement(run: PayrollRun, account: AccountRef, rate: int, day: date) -> list[Leg]:
    """The payment of a run at the rate of its day; the difference to what was posted is realised."""
    assert run.payable_account_id is not None
    assert run.payable_base is not None
    if not run.payable:
        return []
    value = in_base(run.payable, run.currency, rate)
    is_foreign = account.currency == run.currency
    side = Side(account.id, account.currency, -run.payable if is_foreign else -value)
    change = worth.book_change(side, value, day)
    gain = run.payable_base + change
    legs = [
        Leg(run.payable_account_id, run.payable_base),
        Leg(account.id, change, currency=run.currency, foreign_amount=-run.payable)
        if is_foreign
        else Leg(account.id, change),
        *([Leg(_difference_account(gain), -gain)] if gain else []),
    ]
    return [leg for leg in legs if leg.amount]
