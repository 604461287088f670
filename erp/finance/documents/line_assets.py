"""The fixed asset that a line of a bill becomes when the bill is posted."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from erp.store.recorded import canonical
from erp.web import schema
from erp.web.scalars import Day, Figure, Line, Money, Name, Note, NotNegativeAmount, Percent
from erp.web.schema import Body, View

Method = Literal["linear", "declining", "immediate", "pool", "none"]
InUseOn = Annotated[Day, Meta(description="The first day in use; depreciation begins with its month.")]
LifeMonths = Annotated[int, Meta(ge=1, le=1200, description="The useful life, for linear and declining depreciation.")]
AssetMethod = Annotated[
    Method,
    Meta(
        description="`immediate` expenses all in the first month, `pool` spreads the assets of an account and a fiscal "
        "year over 60 months, `none` is for land."
    ),
]


class PositivePercent(Percent):
    """A percentage above 0."""

    sign = "positive"
    json_schema: ClassVar[dict[str, Any]] = {
        **Percent.json_schema,
        "description": "A percentage above 0, to 100, with at most 4 decimals.",
    }


DecliningPercent = Annotated[PositivePercent, Meta(description="Per cent of the book value in a year, if `declining`.")]
ResidualValue = Annotated[NotNegativeAmount, Meta(description="The value that is left at the end of the life.")]
Count = Annotated[int, Meta(ge=1, le=200, description="The number of equal assets that the line is split into.")]


class LineAsset(Body):
    """A fixed asset that takes its account, cost, day, project and dimensions from the line of a bill."""

    name: Annotated[Name, Meta(description="The line's description when absent.")] | None = None
    in_use_on: InUseOn | None = None
    life_months: LifeMonths | None = None
    method: AssetMethod = "linear"
    declining_percent: DecliningPercent | None = None
    residual_value: ResidualValue | None = None
    serial_number: Line | None = None
    location: Line | None = None
    note: Note | None = None
    count: Count | None = None


class LineAssetView(View):
    """The fixed asset that a line becomes, as it was sent."""

    name: str | None = None
    in_use_on: date | None = None
    life_months: int | None = None
    method: Method = "linear"
    declining_percent: Figure | None = None
    residual_value: Money | None = None
    serial_number: str | None = None
    location: str | None = None
    note: str | None = None
    count: int | None = None


class MadeAssetView(View):
    """A fixed asset that a line has become."""

    id: str
    number: str


def plain(asset: LineAsset) -> Mapping[str, Any]:
    """The fields that are set, as a request sends them."""
    values = msgspec.to_builtins(asset, enc_hook=schema.enc_hook)
    return {name: value for name, value in values.items() if value is not None}


def stored(asset: LineAsset | None) -> str | None:
    """The text to store; None without an asset."""
    return None if asset is None else canonical(plain(asset))


def view_of(text: str | None) -> LineAssetView | None:
    """Show the asset that a line stores."""
    return None if text is None else msgspec.convert(json.loads(text), schema.known(LineAssetView))
