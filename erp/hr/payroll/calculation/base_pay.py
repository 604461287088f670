"""Base pay: the salary of the days paid, or their hours, by the terms in force on each."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction

from erp.hr.calendar.work_days import WorkDay
from erp.hr.payroll.calculation import proration, wording
from erp.hr.payroll.calculation.values import WHOLE_DAY, MonthPart, PayInputs, PayLine, PayTerms, Work

SALARY, HOURS, LEAVE = "salary", "hours", "paid_leave"
"""The codes of the lines of base pay."""

Paid = tuple[PayLine, MonthPart | None]
"""A line, and the part of a month that it pays, if it does."""


def works(given: PayInputs) -> list[Work]:
    """The days to be paid on which somebody is employed and has terms, by these."""
    found: dict[int, list[WorkDay]] = {}
    for day in paid_days(given):
        place = bisect_right(given.terms, day.date, key=lambda terms: terms.effective_from)
        if place:
            found.setdefault(place - 1, []).append(day)
    return [Work(given.terms[place], days) for place, days in found.items()]


def paid_days(given: PayInputs) -> list[WorkDay]:
    """The days to be paid on which somebody is employed."""
    due = frozenset(given.due)
    return [day for day in given.roster if day.employed and day.date in due]


def lines(given: PayInputs, done: Sequence[Work]) -> Iterator[Paid]:
    """The lines of base pay, one for each amount and month."""
    for work in _by_pay(done):
        if work.terms.pay_type == "salary":
            yield from _salary(given, work)
        else:
            yield from ((line, None) for line in _hourly(given, work))


def _by_pay(done: Sequence[Work]) -> list[Work]:
    """Terms that differ in their components alone are one."""
    found: dict[tuple[str, int, str], Work] = {}
    for work in done:
        key = work.terms.pay_type, work.terms.amount, work.terms.frequency
        known = found.get(key)
        found[key] = Work(work.terms, [*known.days, *work.days]) if known else work
    return list(found.values())


def _salary(given: PayInputs, work: Work) -> Iterator[Paid]:
    for portion in proration.portions(given, work, SALARY, work.terms.amount):
        quantity = portion.share.fraction
        yield _line(given, SALARY, "Salary", quantity, work.terms, portion.amount, portion.words), portion.part


def _hourly(given: PayInputs, work: Work) -> Iterator[PayLine]:
    """Hours worked, and those scheduled on days of paid leave; holidays are paid where somebody worked."""
    minutes = Fraction(sum(given.worked_minutes.get(day.date, 0) for day in work.days))
    yield _time(given, HOURS, "Hours", minutes, work.terms)
    leave = sum((_leave_minutes(given, day) for day in work.days), Fraction(0))
    if leave:
        yield _time(given, LEAVE, "Paid leave", leave, work.terms)


def _leave_minutes(given: PayInputs, day: WorkDay) -> Fraction:
    return Fraction(day.expected_minutes * min(given.paid_leave.get(day.date, 0), WHOLE_DAY), WHOLE_DAY)


def _time(given: PayInputs, code: str, name: str, minutes: Fraction, terms: PayTerms) -> PayLine:
    amount = wording.rounded(terms.amount * minutes / 60)
    rate, shown = wording.amount(terms.amount, given.currency), wording.amount(amount, given.currency)
    of_leave = " of paid leave" if code == LEAVE else ""
    words = f"{wording.hours(minutes)}{of_leave} × {rate} an hour = {shown}"
    return _line(given, code, name, minutes / 60, terms, amount, words)


def _line(
    given: PayInputs, code: str, name: str, quantity: Fraction, terms: PayTerms, amount: int, words: str
) -> PayLine:
    rate = wording.micro(wording.major(terms.amount, given.currency))
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
        expense_account_id=given.salaries_account_id,
    )
