"""Request bodies of pay components."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.finance.books.bodies import AccountIdOrCode
from erp.hr.payroll.calculation.values import BracketPeriod, Calculation, Kind, LineRounding, Method
from erp.kernel.language import says
from erp.web.scalars import Name, Note, NotNegativeAmount, Number, PayPercent, PositiveAmount, Unfit, shaped
from erp.web.schema import Body, Unset
from erp.web.text_scalars import KnownCurrency

Code = Annotated[
    str,
    shaped(
        r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$",
        says("Must be 1 to 32 letters, digits, dots, dashes and underscores; a letter or digit first."),
        examples=["transport"],
    ),
]
Position = Annotated[int, msgspec.Meta(ge=0, le=9999, description="Its position in the list, and on payslips.")]
AppliesToAll = Annotated[
    bool, msgspec.Meta(description="Applies to all employees, even if their pay does not name it.")
]
Source = Annotated[Note, msgspec.Meta(description="Source of the figures: the table and its year.")]


class Multiplier(Number):
    """The multiplier of the regular rate of an hour of overtime."""

    whole_digits = 2
    json_schema = {
        "type": "string",
        "description": "What the regular rate of an hour of overtime is multiplied by, 1 or more.",
    }

    @classmethod
    def read(cls, value: object) -> "Multiplier":
        number = super().read(value)
        if number < 1:
            raise Unfit("out_of_range", says("Must be 1 or more."))
        return number


class NewBracket(Body):
    """A slice of pay: above the previous bracket's end, up to and including its own; the last has none.

    With a `fixed` amount, pay in it comes to that and the rate of what is above the previous end, as tables of tax
    say; without one, to the sum of its slices.
    """

    rate: PayPercent
    up_to: PositiveAmount | None = None
    fixed: NotNegativeAmount | None = None


class OvertimeRule(Body):
    """The threshold of overtime, and the multiplier of its regular rate."""

    after_minutes: Annotated[int, msgspec.Meta(ge=0, le=7 * 24 * 60)]
    per: Literal["day", "week"]
    multiplier: Multiplier


Brackets = Annotated[list[NewBracket], msgspec.Meta(min_length=1, max_length=50)]


class NewPayComponent(Body):
    """An earning, deduction or employer contribution, and how it is calculated.

    `fixed` is an amount per payslip or, if `isProrated`, per pay period in proportion to the days paid; `per_hour` an
    amount per hour worked; `percent_of_base` a percentage of base pay, `percent_of_gross` of all earnings; `overtime`
    follows its rule; `brackets` apply to taxable earnings less pre-tax deductions. Amounts and percentages can be left
    to each employee's pay. With a `bracketPeriod` of `year`, the table applies to the pay of the period times the
    periods of a year, and the result is divided by them; with the method `cumulative`, to the pay of the year so far,
    less earlier amounts. Caps are for the same period as the table. With a `currency`, its amounts are in it, and it is
    only for pay in it; it cannot be changed. Accounts are named by id or code.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "code": "transport",
        "name": "Transport allowance",
        "kind": "earning",
        "calculation": "fixed",
        "amount": "60.00",
        "isProrated": True,
        "expenseAccountId": "6400",
    }

    code: Code
    name: Name
    kind: Kind
    calculation: Calculation
    currency: (
        Annotated[KnownCurrency, msgspec.Meta(description="Of its amounts; the base currency by default.")] | None
    ) = None
    amount: NotNegativeAmount | None = None
    percent: PayPercent | None = None
    brackets: Brackets | None = None
    bracket_period: BracketPeriod | Unset = UNSET
    method: Method = "period"
    base_cap: PositiveAmount | None = None
    amount_cap: PositiveAmount | None = None
    overtime: OvertimeRule | None = None
    rounding: LineRounding = "half_up"
    is_taxable: bool = True
    is_pre_tax: bool = False
    is_prorated: bool = False
    applies_to_all: AppliesToAll = False
    expense_account_id: AccountIdOrCode | None = None
    liability_account_id: AccountIdOrCode | None = None
    position: Position | None = None
    source: Source | None = None


class PayComponentChange(Body):
    """Fields of a pay component to change; absent fields stay as they are, null clears."""

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
    overtime: OvertimeRule | Unset | None = UNSET
    rounding: LineRounding | Unset = UNSET
    is_taxable: bool | Unset = UNSET
    is_pre_tax: bool | Unset = UNSET
    is_prorated: bool | Unset = UNSET
    applies_to_all: bool | Unset = UNSET
    expense_account_id: AccountIdOrCode | Unset | None = UNSET
    liability_account_id: AccountIdOrCode | Unset | None = UNSET
    position: Position | Unset = UNSET
    source: Source | Unset | None = UNSET
