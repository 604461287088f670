"""Request bodies of rates of mileage and per diems."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.hr.expenses.bodies import Vehicle
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Currency, Day, Name, NotNegativeAmount, UnitPrice
from erp.web.schema import Body, RecordQuery
from erp.web.text_scalars import KnownCountry

RateKind = Literal["per_diem", "mileage"]


class DistanceRate(UnitPrice):
    """The price of a kilometre or mile."""

    sign = "positive"
    whole_digits = 6
    json_schema = {"type": "string", "description": "Per kilometre, in GB and US per mile; at most 6 decimals."}


class NewExpenseRate(Body):
    """A rate of the office's own."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "kind": "mileage",
        "country": "DE",
        "vehicle": "car",
        "validFrom": "2026-01-01",
        "rate": "0.38",
    }

    kind: RateKind
    country: KnownCountry
    valid_from: Day
    region: Annotated[Name, Meta(description="A region or city with per diems of its own.")] | None = None
    vehicle: Vehicle | None = None
    full: Annotated[NotNegativeAmount, Meta(description="A whole day away.")] | None = None
    partial: Annotated[NotNegativeAmount, Meta(description="The first, the last or a single day.")] | None = None
    rate: DistanceRate | None = None
    currency: Annotated[Currency, Meta(description="The base currency by default.")] | None = None

    def check(self) -> Iterator[Complaint]:
        needed, others = (("full", "partial"), ("vehicle", "rate"))[:: 1 if self.kind == "per_diem" else -1]
        for name in needed:
            if getattr(self, name) is None:
                yield Complaint(name, "required", says("This field is required."))
        for name in others:
            if getattr(self, name) is not None:
                yield Complaint(name, "not_applicable", says("This field belongs to the other kind of rate."))


class ExpenseRateFilter(RecordQuery):
    kind: RateKind | None = None
    country: KnownCountry | None = None
    sort: Literal["validFrom", "-validFrom", "createdAt", "-createdAt"] = "-validFrom"
