"""Pay components as requests give them."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.books.bodies import AccountIdOrCode
from erp.hr.payroll.calculation.values import BracketPeriod, Calculation, Kind, LineRounding, Method
from erp.web.scalars import Name, Note, NotNegativeAmount, Number, PayPercent, PositiveAmount, Unfit
from erp.web.schema import Body, Unset

Code = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$", examples=["transport"])]
Place = Annotated[int, msgspec.Meta(ge=0, le=9999, description="Its place in the list, and on payslips.")]
AppliesToAll = Annotated[bool, msgspec.Meta(description="Whether everybody has it, without being named in their pay.")]
Source = Annotated[Note, msgspec.Meta(description="Where the figures come from: the table and its year.")]


class Multiplier(Number):
    """How many times the regular rate an hour is worth."""

    whole_digits = 2
    json_schema = {
        "type": ["string", "number"],
        "description": "How many times the regular rate an hour of overtime is worth, 1 or more.",
    }

    @classmethod
    def read(cls, value: object) -> "Multiplier":
        number = super().read(value)
        if number < 1:
            raise Unfit("out_of_range", "Must be 1 or more.")
        return number


class GivenBracket(Body):
    """A slice of pay: above the end of the one before, up to and with its own; the last has none."""

    rate: PayPercent
    up_to: PositiveAmount | None = None


class GivenOvertime(Body):
    """From when on time counts as overtime."""

    after_minutes: Annotated[int, msgspec.Meta(ge=0, le=7 * 24 * 60)]
    per: Literal["day", "week"]
    multiplier: Multiplier


Brackets = Annotated[list[GivenBracket], msgspec.Meta(min_length=1, max_length=50)]


class NewPayComponent(Body):
    """An earning, deduction or employer contribution, and how it is reckoned.

    `fixed` is an amount a payslip, or if `prorated`, a pay period's in proportion to the days paid; `per_hour` an
    amount for each hour worked; `percent_of_base` of base pay alone, `percent_of_gross` of all earnings; `overtime` as
    its rule says; `brackets` of taxable earnings less pre-tax deductions. Amounts and percentages may be left to each
    person's pay. A table of a year (`bracketPeriod`) is applied to the pay of the period times the periods of a year
    and divided again, or by the method `cumulative` to the year so far, less what was taken of it; caps are of the
    same period as the table. Accounts are named by id or by code.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "code": "transport",
        "name": "Transport allowance",
        "kind": "earning",
        "calculation": "fixed",
        "amount": "60.00",
        "prorated": True,
        "expenseAccountId": "6400",
    }

    code: Code
    name: Name
    kind: Kind
    calculation: Calculation
    amount: NotNegativeAmount | None = None
    percent: PayPercent | None = None
    brackets: Brackets | None = None
    bracket_period: BracketPeriod | Unset = UNSET
    method: Method = "period"
    base_cap: PositiveAmount | None = None
    amount_cap: PositiveAmount | None = None
    overtime: GivenOvertime | None = None
    rounding: LineRounding = "half_up"
    taxable: bool = True
    pre_tax: bool = False
    prorated: bool = False
    applies_to_all: AppliesToAll = False
    expense_account_id: AccountIdOrCode | None = None
    liability_account_id: AccountIdOrCode | None = None
    position: Place | None = None
    source: Source | None = None


class PayComponentChange(Body):
    """Fields of a pay component to change; those left out stay, null clears."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Travel allowance"}

    code: Code | Unset = UNSET
    name: Name | Unset = UNSET
    kind: Kind | Unset = UNSET
    calculation: Calculation | Unset = UNSET
    amount: NotNegativeAmount | Unset | None = UNSET
    percent: PayPercent | Unset | None = UNSET
    brackets: Brackets | Unset | None = UNSET
    bracket_period: BracketPeriod | Unset = UNSET
    method: Method | Unset = UNSET
    base_cap: PositiveAmount | Unset | None = UNSET
    amount_cap: PositiveAmount | Unset | None = UNSET
    overtime: GivenOvertime | Unset | None = UNSET
    rounding: LineRounding | Unset = UNSET
    taxable: bool | Unset = UNSET
    pre_tax: bool | Unset = UNSET
    prorated: bool | Unset = UNSET
    applies_to_all: bool | Unset = UNSET
    expense_account_id: AccountIdOrCode | Unset | None = UNSET
    liability_account_id: AccountIdOrCode | Unset | None = UNSET
    position: Place | Unset = UNSET
    source: Source | Unset | None = UNSET
