"""Request bodies of column mappings."""

from typing import Annotated, Any, ClassVar, Protocol

from msgspec import UNSET, Meta

from erp.finance.column_mappings.models import DecimalSign, TargetName
from erp.kernel.intake.day_order import DateOrder
from erp.kernel.intake.tables import MOST_COLUMNS
from erp.web.scalars import Line, Name
from erp.web.schema import Body, RecordQuery, Unset

Heading = Annotated[str, Meta(max_length=500)]
Columns = Annotated[dict[str, Heading], Meta(description="By field, the heading of the column that has it.")]
Defaults = Annotated[dict[str, Line], Meta(description="By field, the value of rows that have none.")]
Order = Annotated[DateOrder, Meta(description="For dates such as 01/02/2026, if no date of a file shows it.")]


class Mapped(Protocol):
    """The fields of a mapping, sent or kept."""

    columns: dict[str, str]
    defaults: dict[str, str]


class NewColumnMapping(Body, kw_only=True):
    """The columns of files with the same headings."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "target": "contacts",
        "name": "Customers of the shop",
        "headings": ["Firma", "Ort"],
        "columns": {"name": "Firma", "address.city": "Ort"},
        "defaults": {"kind": "customer"},
    }

    target: Annotated[TargetName, Meta(description="The import that reads the files.")]
    name: Name
    headings: Annotated[
        list[Heading], Meta(min_length=1, max_length=MOST_COLUMNS, description="Of the file, in order.")
    ]
    columns: Columns
    defaults: Defaults = {}
    decimal_sign: DecimalSign = "."
    date_order: Order | None = None


class ColumnMappingChange(Body):
    """The fields of a mapping to change; columns and defaults are replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Customers of the old shop"}

    name: Name | Unset = UNSET
    columns: Columns | Unset = UNSET
    defaults: Defaults | Unset = UNSET
    decimal_sign: DecimalSign | Unset = UNSET
    date_order: Order | Unset | None = UNSET


class ColumnMappingFilter(RecordQuery):
    """Filter for column mappings."""

    target: Annotated[TargetName, Meta(description="Only the mappings of this import.")] | None = None
