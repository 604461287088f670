"""Views of wage types and wage exports."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from erp.hr.payroll.wages import formats
from erp.hr.payroll.wages.exports import Prepared
from erp.hr.payroll.wages.models import WageExport, WageFormat, WageSource, WageType, WageUnit
from erp.kernel.language import counted, says
from erp.store import names
from erp.web.paging import page
from erp.web.scalars import Figure, Month
from erp.web.schema import Page, RecordQuery, RecordView, View, known, show


class WageTypeView(RecordView):
    """The payroll provider's number for a figure of this office."""

    created_by: str | None
    created_by_name: str | None
    source: WageSource
    component_id: str | None
    component_code: str | None
    component_name: str | None
    wage_type: int
    unit: WageUnit
    processing_key: int | None

    @classmethod
    def of(cls, wage_type: WageType) -> "WageTypeView":
        return cls.of_many([wage_type])[0]

    @classmethod
    def of_many(cls, wage_types: Sequence[WageType]) -> "list[WageTypeView]":
        named = names.of(pay_component=[row.component_id for row in wage_types])
        return [
            show(cls, row, component_code=named.code(row.component_id), component_name=named.name(row.component_id))
            for row in wage_types
        ]


class WageRowView(View):
    """A figure of an employee, or what it has changed by since it was exported."""

    employee_id: str
    employee_name: str
    personnel_number: Annotated[int, msgspec.Meta(description="The payroll number, else the digits of the number.")]
    month: Month
    source: WageSource
    wage_type: int
    unit: WageUnit
    quantity: Annotated[
        Figure, msgspec.Meta(description="With two decimals; an amount has the decimals of its currency.")
    ]
    processing_key: int | None


class WageWarningView(View):
    """Something to check in an export: a figure without a wage type, or a month that has changed since."""

    code: Literal["unmapped", "changed_since"]
    message: str
    source: Annotated[WageSource | None, msgspec.Meta(description="Of `unmapped`.")]
    component_id: str | None
    component_name: str | None
    month: Annotated[str | None, msgspec.Meta(description="Of `changed_since`.")]
    count: Annotated[int, msgspec.Meta(description="Number of employees.")]


class WageExportRow(RecordView):
    """An export of wage data without its rows."""

    created_by: str | None
    created_by_name: str | None
    number: int
    month: Month
    format: WageFormat
    row_count: int

    @classmethod
    def of(cls, export: WageExport) -> "WageExportRow":
        return show(cls, export, row_count=len(export.rows))


class WageExportView(WageExportRow):
    """An export of wage data."""

    rows: list[WageRowView]
    warnings: list[WageWarningView]

    @classmethod
    def of(cls, export: WageExport) -> "WageExportView":
        return show(cls, export, row_count=len(export.rows), **_content(export))


class WageExportPreview(View):
    """An export of wage data that is not stored."""

    month: Month
    format: WageFormat
    rows: list[WageRowView]
    warnings: list[WageWarningView]

    @classmethod
    def of(cls, month: str, format: WageFormat, prepared: Prepared) -> "WageExportPreview":
        return cls(month=month, format=format, **_content(prepared))


def _content(export: WageExport | Prepared) -> dict[str, Any]:
    named = names.of(pay_component=[entry["componentId"] for entry in export.warnings])
    return {
        "rows": [_row(row) for row in export.rows],
        "warnings": [_warning(entry, named.name(entry["componentId"])) for entry in export.warnings],
    }


def _row(row: dict[str, Any]) -> WageRowView:
    shown = {name: value for name, value in row.items() if name != "wageTypeId"} | {"quantity": formats.text(row)}
    return msgspec.convert(shown, known(WageRowView))


_MESSAGES = {
    "unmapped": says("A figure of {people} has no wage type and is left out."),
    "changed_since": says("Earlier months have changed since their export, for {people}. The rows correct them."),
}


def _warning(entry: dict[str, Any], component_name: str | None) -> WageWarningView:
    people = counted(entry["count"], says("1 employee"), says("{count} employees"))
    message = _MESSAGES[entry["code"]].fill(people=people)
    return msgspec.convert({**entry, "message": message, "componentName": component_name}, known(WageWarningView))


class WageTypeFilter(RecordQuery):
    """The order of wage types."""

    sort: Literal["wageType", "-wageType", "createdAt", "-createdAt"] = "wageType"


class WageExportFilter(RecordQuery):
    """The month and the order of wage exports."""

    month: Annotated[Month, msgspec.Meta(description="Only wage exports of this month, as `2026-10`.")] | None = None
    sort: Literal["number", "-number", "createdAt", "-createdAt"] = "-number"


def types(query: WageTypeFilter) -> Page[WageTypeView]:
    sortable = {"wageType": WageType.wage_type}
    return page(WageType.select(), query, views=WageTypeView.of_many, sort=query.sort, sortable=sortable)


def exports(query: WageExportFilter) -> Page[WageExportRow]:
    select = WageExport.select()
    if query.month is not None:
        select = select.where(WageExport.month == query.month)
    return page(select, query, WageExportRow.of, sort=query.sort, sortable={"number": WageExport.number})
