"""The inputs of a payslip, and its result: plain values, without a database or a clock.

Amounts are minor units of the pay's currency, percentages and multipliers millionths, days hundredths, working time
minutes.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Literal

import msgspec

from erp.hr.calendar.work_days import WorkDay

PayType = Literal["salary", "hourly"]
Frequency = Literal["monthly", "semimonthly", "biweekly", "weekly"]
Basis = Literal["working_days", "calendar_days", "fixed_30"]
Kind = Literal["earning", "deduction", "employer_contribution"]
LineKind = Literal["earning", "deduction", "employer_contribution", "reimbursement"]
"""A reimbursement adds to what is paid out, and is not pay."""
KINDS: tuple[LineKind, ...] = ("earning", "deduction", "employer_contribution")
"""The kinds of pay in the order of a payslip."""

Calculation = Literal["fixed", "percent_of_base", "percent_of_gross", "per_hour", "overtime", "brackets"]
BracketPeriod = Literal["period", "year"]
Method = Literal["period", "cumulative"]
LineRounding = Literal["half_up", "half_down", "down"]

WHOLE_DAY = 100
"""A day in hundredths."""


class Bracket(msgspec.Struct, frozen=True):
    """A slice of pay from the previous bracket's end up to and including `up_to`, which is None for the last.

    `fixed` is due for the pay up to where it begins, instead of what the brackets below come to.
    """

    up_to: int | None
    rate: int
    fixed: int | None = None


class Overtime(msgspec.Struct, frozen=True):
    """The threshold of overtime, and the multiplier of its regular rate."""

    after_minutes: int
    per: Literal["day", "week"]
    multiplier: int


class Component(msgspec.Struct, frozen=True):
    """A pay component with the accounts its lines are posted to."""

    id: str
    code: str
    name: str
    kind: Kind
    calculation: Calculation
    currency: str | None = None
    amount: int | None = None
    percent: int | None = None
    brackets: tuple[Bracket, ...] = ()
    bracket_period: BracketPeriod = "period"
    method: Method = "period"
    base_cap: int | None = None
    amount_cap: int | None = None
    overtime: Overtime | None = None
    rounding: LineRounding = "half_up"
    is_taxable: bool = True
    is_pre_tax: bool = False
    is_prorated: bool = False
    applies_to_all: bool = False
    expense_account_id: str | None = None
    liability_account_id: str | None = None


class NamedComponent(msgspec.Struct, frozen=True):
    """A component named in an employee's terms, with their own amount or percentage if set."""

    component_id: str
    amount: int | None = None
    percent: int | None = None


class PayTerms(msgspec.Struct, frozen=True):
    """An employee's pay from a day on: per month, half of one, two weeks or week, or per hour."""

    effective_from: date
    pay_type: PayType
    amount: int
    frequency: Frequency
    components: Sequence[NamedComponent] = ()


class Work(msgspec.Struct, frozen=True):
    """The days of a payslip that are paid by one set of terms."""

    terms: PayTerms
    days: Sequence[WorkDay]


class MonthPart(msgspec.Struct, frozen=True):
    """A paid part of a calendar month: `units` out of its `of` units (hundredths), at `rate` for the whole month.

    Args:
        key: `salary`, or the id of a prorated component; of half a month, with that.
        month: its first day; the 16th of a second half.
    """

    key: str
    month: date
    rate: int
    units: int
    of: int
    amount: int


class YearToDate(msgspec.Struct, frozen=True):
    """Sums of the earlier payslips in the calendar year of the pay date; `components` by id."""

    base: int = 0
    gross: int = 0
    taxable: int = 0
    components: Mapping[str, int] = msgspec.field(default_factory=dict)


class PayInputs(msgspec.Struct, frozen=True):
    """Everything that the payslip of one employee and period depends on.

    Args:
        terms: the terms in force, by `effective_from`; the first may begin long before the period.
        work_days: every day in the range of `payslip.days_needed`, employed or not.
        due: the days of the period that this payslip pays, because no other does.
        components: all pay components, in order; `terms` and `applies_to_all` say which of them apply.
        unpaid_leave: hundredths of a day by date, as is `paid_leave`.
        worked_minutes: by date, from the Monday of the week in which the period begins.
        before: the `parts` of the payslips that pay other days of the same months.
        overrides: amounts that replace the computed ones, by `line_keys`.
        one_offs: lines entered by hand, which count in gross; a payslip that pays no day takes percentages of them.
    """

    period_start: date
    period_end: date
    currency: str
    basis: Basis
    terms: Sequence[PayTerms]
    work_days: Sequence[WorkDay]
    due: Collection[date]
    components: Sequence[Component] = ()
    unpaid_leave: Mapping[date, int] = msgspec.field(default_factory=dict)
    paid_leave: Mapping[date, int] = msgspec.field(default_factory=dict)
    worked_minutes: Mapping[date, int] = msgspec.field(default_factory=dict)
    before: Sequence[MonthPart] = ()
    year_to_date: YearToDate = msgspec.field(default_factory=YearToDate)
    salaries_account_id: str | None = None
    overrides: Mapping[str, int] = msgspec.field(default_factory=dict)
    one_offs: "Sequence[PayLine]" = ()


class PayLine(msgspec.Struct, frozen=True):
    """A line of a payslip; `component_id` is None for base pay.

    `quantity` and `rate` are millionths: hours and the hourly rate, months or weeks and the pay for one, or an amount
    and the percentage of it. Their product is the amount, but for rounding.
    `computed_amount` differs from `amount` where the line is overridden.
    """

    component_id: str | None
    code: str
    name: str
    kind: LineKind
    quantity: int | None
    rate: int | None
    amount: int
    computed_amount: int
    explanation: str
    expense_account_id: str | None = None
    liability_account_id: str | None = None


class PayWarning(msgspec.Struct, frozen=True):
    """Something about a payslip to check before it is paid."""

    code: str
    message: str


class DayCount(msgspec.Struct, frozen=True):
    """Scheduled and paid days of the period and its leave, in hundredths of a day, and the time worked on paid days."""

    working: int
    paid: int
    unpaid_leave: int
    paid_leave: int
    worked_minutes: int


class PayResult(msgspec.Struct, frozen=True):
    """A payslip: net = gross − deductions, each the sum of its lines.

    `base` is base pay alone, `taxable` the base of brackets. `parts` must be stored: the next payslip of the same month
    takes them as `before`.
    """

    lines: tuple[PayLine, ...]
    base: int
    gross: int
    deductions: int
    net: int
    employer_contributions: int
    taxable: int
    days: DayCount
    parts: tuple[MonthPart, ...]
    warnings: tuple[PayWarning, ...]
