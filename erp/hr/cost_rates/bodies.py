"""Requests about cost rates."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, field

from erp.hr.cost_rates.models import Method
from erp.kernel.complaints import REQUIRED
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Day, NotNegativeAmount, PayPercent
from erp.web.schema import Body, RecordQuery

_NOT_HERE = says("Only for the other method.")


class NewCostRate(Body):
    """The cost of an hour from a day on: an amount, or worked out from pay, contributions and schedule."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"from": "2026-01-01", "method": "from_pay", "employerPercent": "21"}

    from_: Annotated[Day, Meta(description="The first day.")] = field(name="from")
    method: Method
    hourly_cost: Annotated[NotNegativeAmount, Meta(description="Only of `given`.")] | None = None
    employer_percent: (
        Annotated[
            PayPercent,
            Meta(
                description="Only of `from_pay`: the employer's share on top of the pay. When absent, contributions "
                "as a share of the gross pay of the last approved payslip."
            ),
        ]
        | None
    ) = None

    def check(self) -> Iterator[Complaint]:
        if self.method == "given":
            if self.hourly_cost is None:
                yield Complaint("hourlyCost", *REQUIRED)
            if self.employer_percent is not None:
                yield Complaint("employerPercent", "not_applicable", _NOT_HERE)
        elif self.hourly_cost is not None:
            yield Complaint("hourlyCost", "not_applicable", _NOT_HERE)


class CostRateFilter(RecordQuery):
    """The order of the cost rates of an employee."""

    sort: Literal["from", "-from"] = "-from"
