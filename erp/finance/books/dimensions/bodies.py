"""Request bodies of dimensions."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, field

from erp.finance.books.dimensions.codes import VALUE_CODE
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Line, Name, shaped
from erp.web.schema import Body, RecordQuery, Unset

DimensionCode = Annotated[
    str,
    shaped(
        r"^[a-z0-9]{1,20}$",
        says("Must be 1 to 20 small letters and digits."),
        description="1 to 20 small letters and digits; unique, and never changed.",
    ),
]
ValueCode = Annotated[
    str,
    shaped(
        f"^{VALUE_CODE}$",
        says("Must be 1 to 36 letters, digits, dots, dashes, underscores and slashes."),
        description="1 to 36 letters, digits, dots, dashes and slashes; unique in its dimension, and never changed.",
    ),
]
DatevField = Annotated[
    Literal["kost1", "kost2"], Meta(description="The field for its values in files for DATEV, each of one dimension.")
]
AccountCodes = Annotated[str, Meta(min_length=1, max_length=20)]


class AccountRange(Body):
    """Account codes from one to another, both included with all codes that begin with the last."""

    from_: AccountCodes = field(name="from")
    to: AccountCodes

    def check(self) -> Iterator[Complaint]:
        if _are_reversed(self.from_, self.to):
            yield Complaint("to", "too_early", says("Must not be before the first account."))


def _are_reversed(first: object, last: object) -> bool:
    """Whether two account codes are both known, and all that begin with the last come before the first."""
    return isinstance(first, str) and isinstance(last, str) and last < first[: len(last)]


RequiredFor = Annotated[
    list[AccountRange],
    Meta(max_length=20, description="Accounts of income and expenses to which nothing is posted without a value."),
]


class NewDimension(Body):
    """A way to analyse income and expenses, such as by cost centre."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"code": "cc", "name": "Cost centre", "datev": "kost1"}

    code: DimensionCode
    name: Name
    datev: DatevField | None = None
    required_for: RequiredFor = field(default_factory=list)


class DimensionChange(Body):
    """The fields of a dimension to change."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"requiredFor": [{"from": "6000", "to": "6999"}]}

    name: Name | Unset = UNSET
    datev: DatevField | Unset | None = UNSET
    required_for: RequiredFor | Unset = UNSET


class DimensionFilter(RecordQuery):
    """Filter for dimensions."""

    is_archived: Annotated[bool, Meta(description="List only archived dimensions.")] = False


Departments = Annotated[
    list[Line],
    Meta(max_length=100, description="The departments whose pay is posted with it, where the account has no default."),
]


class NewDimensionValue(Body):
    """A value of a dimension; reports of its parent include it."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"code": "100", "name": "Workshop"}

    code: ValueCode
    name: Name
    parent_code: Annotated[str, Meta(max_length=36, description="The value above it.")] | None = None
    departments: Departments = field(default_factory=list)


class DimensionValueChange(Body):
    """The fields of a value to change."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Workshop and yard"}

    name: Name | Unset = UNSET
    parent_code: Annotated[str, Meta(max_length=36, description="The value above it.")] | Unset | None = UNSET
    departments: Departments | Unset = UNSET


class DimensionValueFilter(RecordQuery):
    """Filter for the values of a dimension."""

    is_archived: Annotated[bool, Meta(description="List only archived values.")] = False
    q: Annotated[Line, Meta(description="Text in the code or the name.")] | None = None
