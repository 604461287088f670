"""Request bodies of wage types and wage exports."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET

from erp.hr.payroll.wages.models import WageFormat, WageSource, WageUnit
from erp.kernel.complaints import REQUIRED
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Id, Month
from erp.web.schema import Body, Unset

WageNumber = Annotated[int, msgspec.Meta(ge=1, le=9999, description="The payroll provider's number.")]
ProcessingKey = Annotated[int, msgspec.Meta(ge=1, le=99, description="LODAS: how the value of the row is used.")]
UNITS: dict[WageSource, tuple[WageUnit, ...]] = {
    "worked_hours": ("hours",),
    "overtime_hours": ("hours",),
    "leave_days": ("days", "hours"),
    "sick_days": ("days", "hours"),
    "unpaid_days": ("days", "hours"),
    "holiday_days": ("days", "hours"),
    "base_pay": ("amount",),
    "component": ("amount",),
}


class NewWageType(Body):
    """A figure of this office, and the payroll provider's number for it.

    Leave, illness, unpaid leave and holidays count in days, or in the scheduled hours of these days.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "source": "worked_hours",
        "wageType": 1000,
        "unit": "hours",
        "processingKey": 1,
    }

    source: WageSource
    wage_type: WageNumber
    unit: WageUnit
    component_id: Annotated[Id, msgspec.Meta(description="The pay component of a `component`.")] | None = None
    processing_key: ProcessingKey | None = None

    def check(self) -> Iterator[Complaint]:
        if self.unit not in UNITS.get(self.source, (self.unit,)):
            yield Complaint("unit", "wrong_unit", says("This figure has no such unit."))
        if self.source == "component" and self.component_id is None:
            yield Complaint("componentId", *REQUIRED)


class WageTypeChange(Body):
    """Fields of a wage type to change; its figure and its unit stay."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"wageType": 1010}

    wage_type: WageNumber | Unset = UNSET
    processing_key: ProcessingKey | Unset | None = UNSET


class NewWageExport(Body):
    """The month whose figures go to the payroll provider, and the format of the file."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"month": "2026-01", "format": "csv"}

    month: Month
    format: WageFormat
    employee_ids: (
        Annotated[
            list[Id],
            msgspec.Meta(min_length=1, max_length=1000, description="Ids or numbers; every employee when absent."),
        ]
        | None
    ) = None
    dry_run: Annotated[bool, msgspec.Meta(description="Show the rows, and store nothing.")] = False
