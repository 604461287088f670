"""Request bodies of accounts."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.finance.books.chart import SUBTYPES, AccountType
from erp.finance.books.dimensions.codes import Dimensions
from erp.kernel.language import says
from erp.web.scalars import Currency, Day, Id, Name, Note, shaped
from erp.web.schema import COLUMNS, IDS, Body, Query, TableFormat, Unset, UpdatedAfter

if TYPE_CHECKING:
    Subtype = str
else:
    Subtype = Literal[tuple(SUBTYPES)]

AccountIdOrCode = Annotated[str, Meta(min_length=1, max_length=64, description="An account's id or its code.")]

DefaultDimensions = Annotated[Dimensions, Meta(description="For lines that name no value of a dimension.")]

AccountCode = Annotated[
    str,
    shaped(
        r"^[A-Za-z0-9.\-]+$",
        says("Must be 1 to 20 letters, digits, dots and dashes."),
        max_length=20,
        description="1 to 20 letters, digits, dots and dashes; unique.",
    ),
]


IsIntercompany = Annotated[
    bool,
    Meta(description="Whether it has amounts between workspaces of one owner: left out when they are consolidated."),
]


class NewAccount(Body):
    """An account, or a group that adds up the accounts below it.

    The subtype must be one of the type's. The parent, given by its id or code, must be a group of the same type.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {"code": "1020", "name": "Savings", "type": "asset", "subtype": "bank"}

    code: AccountCode
    name: Name
    type: AccountType
    subtype: Subtype
    parent_id: Id | None = None
    is_group: bool = False
    currency: Currency | None = None
    description: Note | None = None
    dimensions: DefaultDimensions | None = None
    is_intercompany: IsIntercompany = False


class AccountChange(Body):
    """The fields of an account to change. Null clears a field; a currency of null is the base currency."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Main bank account", "description": "With the bank next door."}

    code: AccountCode | Unset = UNSET
    name: Name | Unset = UNSET
    type: AccountType | Unset = UNSET
    subtype: Subtype | Unset = UNSET
    parent_id: Id | Unset | None = UNSET
    is_group: bool | Unset = UNSET
    currency: Currency | Unset | None = UNSET
    description: Note | Unset | None = UNSET
    dimensions: DefaultDimensions | Unset | None = UNSET
    is_intercompany: IsIntercompany | Unset = UNSET


class ChartFilter(Query):
    """Filter for accounts, and the day of their balances."""

    SEVERAL = ("type", "subtype")
    HAS_COLUMNS = True

    type: AccountType | None = None
    subtype: Subtype | None = None
    is_archived: Annotated[bool, Meta(description="List only archived accounts.")] = False
    date: Annotated[
        Day | None,
        Meta(
            description="Balances at the end of this day, of income and expense since its fiscal year began. Without "
            "it, every posting counts, of income and expense every one since the present fiscal year began."
        ),
    ] = None
    tree: Annotated[bool, Meta(description="Nest accounts in the `children` of their group.")] = False
    ids: Annotated[str, IDS] | None = None
    updated_after: UpdatedAfter | None = None
    format: TableFormat = "json"
    columns: Annotated[str, COLUMNS] | None = None
