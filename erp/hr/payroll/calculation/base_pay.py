"""Base pay: the salary for the days paid, or for their hours, by the terms in force on each day."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction

from erp.hr.calendar.work_days import WorkDay
from erp.hr.payroll.calculation import proration, wording
from erp.hr.payroll.calculation.values import WHOLE_DAY, MonthPart, PayInputs, PayLine, PayTerms, Work
from erp.kernel.language import Word, says

SALARY, HOURS, LEAVE = "salary", "hours", "paid_leave"
"""The codes of the lines of base pay."""

Paid = tuple[PayLine, MonthPart | None]
"""A line, and the part of a month that it pays, if any."""


def works(inputs: PayInputs) -> list[Work]:
    """The days to pay on which the employee is employed and has pay, grouped by the terms in force."""
    by_terms: dict[int, list[WorkDay]] = {}
    for day in paid_days(inputs):
        begun = bisect_right(inputs.terms, day.date, key=lambda terms: terms.effective_from)
        if begun:
            by_terms.setdefault(begun - 1, []).append(day)
    return [Work(inputs.terms[index], days) for index, days in by_terms.items()]


def paid_days(inputs: PayInputs) -> list[WorkDay]:
    """The days to pay on which the employee is employed."""
    due = frozenset(inputs.due)
    return [day for day in inputs.work_days if day.employed and day.date in due]


def lines(inputs: PayInputs, works: Sequence[Work]) -> Iterator[Paid]:
    """The lines of base pay, one per amount and month."""
    for work in _by_pay(works):
        if work.terms.pay_type == "salary":
            yield from _salary(inputs, work)
        else:
            yield from ((line, None) for line in _hourly(inputs, work))


def _by_pay(works: Sequence[Work]) -> list[Work]:
    """Join the days of terms that differ only in their components."""
    by_pay: dict[tuple[str, int, str], Work] = {}
    for work in works:
        key = work.terms.pay_type, work.terms.amount, work.terms.frequency
        earlier = by_pay.get(key)
        by_pay[key] = Work(work.terms, [*earlier.days, *work.days]) if earlier else work
    return list(by_pay.values())


def _salary(inputs: PayInputs, work: Work) -> Iterator[Paid]:
    for portion in proration.portions(inputs, work, SALARY, work.terms.amount):
        line = _line(
            inputs,
            work.terms,
            code=SALARY,
            name=Word("Salary"),
            quantity=portion.share.fraction,
            amount=portion.amount,
            words=portion.words,
        )
        yield line, portion.part


def _hourly(inputs: PayInputs, work: Work) -> Iterator[PayLine]:
    """Hours worked, and hours scheduled on days of paid leave. A holiday is paid only for the hours worked on it."""
    minutes = Fraction(sum(inputs.worked_minutes.get(day.date, 0) for day in work.days))
    yield _time(inputs, work.terms, minutes, code=HOURS, name=Word("Hours"))
    leave = sum((_leave_minutes(inputs, day) for day in work.days), Fraction(0))
    if leave:
        yield _time(inputs, work.terms, leave, code=LEAVE, name=Word("Paid leave"))


def _leave_minutes(inputs: PayInputs, day: WorkDay) -> Fraction:
    whole = day.working_halves * WHOLE_DAY // 2
    return Fraction(day.expected_minutes * min(inputs.paid_leave.get(day.date, 0), whole), whole or 1)


def _time(inputs: PayInputs, terms: PayTerms, minutes: Fraction, *, code: str, name: str) -> PayLine:
    amount = wording.rounded(terms.amount * minutes / 60)
    figures = {
        "time": wording.hours(minutes),
        "rate": wording.amount(terms.amount, inputs.currency),
        "amount": wording.amount(amount, inputs.currency),
    }
    if code == LEAVE:
        words = says("{time} of paid leave × {rate} an hour = {amount}", **figures)
    else:
        words = says("{time} × {rate} an hour = {amount}", **figures)
    return _line(inputs, terms, code=code, name=name, quantity=minutes / 60, amount=amount, words=words)


def _line(
    inputs: PayInputs, terms: PayTerms, *, code: str, name: str, quantity: Fraction, amount: int, words: str
) -> PayLine:
    rate = wording.micro(wording.major(terms.amount, inputs.currency))
    return PayLine(
        component_id=None,
        code=code,
        name=name,
        kind="earning",
        quantity=wording.micro(quantity),
        rate=rate,
        amount=amount,
        computed_amount=amount,
        explanation=words,
        expense_account_id=inputs.salaries_account_id,
    )
