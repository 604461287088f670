"""Views of dimensions and their values."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, field

from erp.finance.books.dimensions.bodies import AccountCodes
from erp.finance.books.dimensions.models import Dimension, DimensionValue
from erp.store import names
from erp.store.router import WORKSPACE
from erp.web.schema import RecordView, View, show


class AccountRangeView(View):
    """Account codes from one to another."""

    from_: AccountCodes = field(name="from")
    to: AccountCodes


class DimensionView(RecordView):
    """A dimension."""

    created_by: str | None
    created_by_name: str | None
    code: str
    name: str
    datev: Literal["kost1", "kost2"] | None
    required_for: list[AccountRangeView]
    archived_at: str | None

    @classmethod
    def of(cls, dimension: Dimension) -> "DimensionView":
        return cls.of_many([dimension])[0]

    @classmethod
    def of_many(cls, dimensions: Sequence[Dimension]) -> "list[DimensionView]":
        return [
            show(
                cls,
                dimension,
                required_for=[AccountRangeView(from_=span["from"], to=span["to"]) for span in dimension.required_for],
            )
            for dimension in dimensions
        ]


class DimensionValueView(RecordView):
    """A value of a dimension."""

    created_by: str | None
    created_by_name: str | None
    dimension_id: str
    dimension_name: str
    code: str
    name: str
    parent_code: Annotated[str | None, Meta(description="The value above it.")]
    departments: list[str]
    archived_at: str | None

    @classmethod
    def of(cls, value: DimensionValue) -> "DimensionValueView":
        return cls.of_many([value])[0]

    @classmethod
    def of_many(cls, values: Sequence[DimensionValue]) -> "list[DimensionValueView]":
        codes = dict(WORKSPACE.rows("SELECT id, code FROM dimension_value"))
        named = names.of(dimension=[value.dimension_id for value in values])
        return [
            show(
                cls,
                value,
                dimension_name=named.name(value.dimension_id) or "",
                parent_code=codes.get(value.parent_id),
            )
            for value in values
        ]
