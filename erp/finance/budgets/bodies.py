"""Request bodies of budgets."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import UNSET, Meta

from erp.finance.books.bodies import AccountIdOrCode
from erp.finance.books.dimensions.codes import Dimensions
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Id, Name, NotNegativeAmount, Number, Unfit
from erp.web.schema import Body, RecordQuery, Unset
from erp.web.transport.sheets import SheetImport


class PercentChange(Number):
    """A change in per cent."""

    decimals = 4
    json_schema: ClassVar[dict[str, Any]] = {
        "type": "string",
        "description": "From -100 to 1000 per cent, with at most 4 decimals.",
    }

    @classmethod
    def read(cls, value: object) -> Self:
        number = super().read(value)
        if not -100 <= number <= 1000:
            raise Unfit("out_of_range", says("Must be between -100 and 1000."))
        return number


FiscalYear = Annotated[
    int, Meta(ge=1900, le=2200, description="The fiscal year, named by the calendar year in which it ends.")
]
ProjectIdOrCode = Annotated[Id, Meta(description="A project's id or code: the plan for this project alone.")]
OfYear = Annotated[
    NotNegativeAmount, Meta(description="The amount of the year, spread evenly over its months, the first ones first.")
]


EITHER = says("Enter the amount of the year, or the amounts of the months.")


class NewBudgetLine(Body):
    """The plan for an account, above zero for income and for expenses: of the whole year, or of each month."""

    account_id: AccountIdOrCode
    project_id: ProjectIdOrCode | None = None
    dimensions: Dimensions | None = None
    year: OfYear | None = None
    months: (
        Annotated[
            list[NotNegativeAmount],
            Meta(min_length=12, max_length=12, description="From the first month of the year."),
        ]
        | None
    ) = None

    def check(self) -> Iterator[Complaint]:
        if (self.year is None) == (self.months is None):
            yield Complaint("year", "exactly_one", EITHER)


Lines = Annotated[list[NewBudgetLine], Meta(max_length=2000)]


class NewBudget(Body):
    """A plan of a fiscal year."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "year": 2026,
        "name": "Plan",
        "lines": [{"accountId": "6000", "year": "18000.00"}],
    }

    year: FiscalYear
    name: Name
    lines: Lines = msgspec.field(default_factory=list)


class BudgetChange(Body):
    """The fields of a budget to change. Lines replace all lines of before."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Plan after the first quarter",
        "lines": [{"accountId": "6000", "year": "19000.00"}],
    }

    name: Name | Unset = UNSET
    lines: Lines | Unset = UNSET


class BudgetCopy(Body):
    """The fiscal year of the copy, and the change of all its amounts."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"year": 2027, "percent": "2.5"}

    year: FiscalYear
    name: Annotated[Name, Meta(description="The name of the original when absent.")] | None = None
    percent: Annotated[PercentChange, Meta(description="The change of each month; 0 when absent.")] | None = None


class BudgetFilter(RecordQuery):
    """Filter for budgets."""

    year: FiscalYear | None = None


def _month(number: int) -> Any:
    return msgspec.field(default=None, name=f"{number:02}")


class BudgetRow(Body):
    """A line of a budget in a spreadsheet: an account, a project, and the months `01` to `12` or the `year`."""

    account: AccountIdOrCode
    project: ProjectIdOrCode | None = None
    dimensions: Dimensions | None = None
    year: OfYear | None = None
    first: NotNegativeAmount | None = _month(1)
    second: NotNegativeAmount | None = _month(2)
    third: NotNegativeAmount | None = _month(3)
    fourth: NotNegativeAmount | None = _month(4)
    fifth: NotNegativeAmount | None = _month(5)
    sixth: NotNegativeAmount | None = _month(6)
    seventh: NotNegativeAmount | None = _month(7)
    eighth: NotNegativeAmount | None = _month(8)
    ninth: NotNegativeAmount | None = _month(9)
    tenth: NotNegativeAmount | None = _month(10)
    eleventh: NotNegativeAmount | None = _month(11)
    twelfth: NotNegativeAmount | None = _month(12)

    def check(self) -> Iterator[Complaint]:
        if (self.year is None) == all(amount is None for amount in self._cells):
            yield Complaint("year", "exactly_one", EITHER)

    @property
    def _cells(self) -> list[NotNegativeAmount | None]:
        return [getattr(self, name) for name in self.__struct_fields__[4:]]

    @property
    def months(self) -> list[NotNegativeAmount] | None:
        """The amounts of its months, zero where a cell is empty; None in a row with the amount of the year."""
        return None if self.year is not None else [amount or NotNegativeAmount(0) for amount in self._cells]


class BudgetImport(SheetImport, kw_only=True):
    """A budget as a table with the headings `account`, `project`, `01` to `12` or `year`."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "year": 2026,
        "name": "Plan from a table",
        "csv": "account,project,year\n6000,,18000.00\n",
    }

    year: FiscalYear
    name: Name
