"""Wage types and wage exports over HTTP."""

from erp.hr.payroll.inputs import PayTooLarge
from erp.hr.payroll.wages import exports, views, wage_types
from erp.hr.payroll.wages.bodies import NewWageExport, NewWageType, WageTypeChange
from erp.hr.payroll.wages.exports import DatevNumbersMissing, PersonnelNumberMissing, WageTypeMissing
from erp.hr.payroll.wages.models import WageExport, WageType
from erp.hr.payroll.wages.views import (
    WageExportFilter,
    WageExportPreview,
    WageExportRow,
    WageExportView,
    WageTypeFilter,
    WageTypeView,
)
from erp.kernel.errors import AlreadyExists, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page


class TypeCollection:
    @endpoint(permission="payroll.read")
    def on_get(self, query: WageTypeFilter) -> Page[WageTypeView]:
        """List the wage types, by number.

        They say under which number an external payroll provider takes each figure.
        """
        return views.types(query)

    @endpoint(permission="payroll.write", status=201, refuses=(AlreadyExists, UnknownReference))
    def on_post(self, body: NewWageType) -> WageTypeView:
        """Add a wage type: the payroll provider's number for hours, days or an amount.

        `sick_days` is paid leave of the type with the code `sick`, `unpaid_days` any unpaid leave, and `leave_days` all
        other paid leave. `base_pay` and `component` are computed from the pay of the month, without any payroll run.
        """
        return WageTypeView.of(wage_types.add(body))


class TypeItem:
    @endpoint(permission="payroll.read")
    def on_get(self, id: str) -> WageTypeView:
        """Show a wage type.

        It shows the figure, its unit, and the number of the payroll provider.
        """
        return WageTypeView.of(WageType.find(id))

    @endpoint(permission="payroll.write", refuses=(AlreadyExists,))
    def on_patch(self, id: str, body: WageTypeChange) -> WageTypeView:
        """Change the number or the processing key of a wage type.

        For another figure or unit, delete it and add one. Exported rows keep their numbers.
        """
        return WageTypeView.of(wage_types.change(id, body))

    @endpoint(permission="payroll.write")
    def on_delete(self, id: str) -> None:
        """Delete a wage type.

        Exported rows stay. Later changes of its figure are no longer exported.
        """
        wage_types.remove(id)


class Exports:
    @endpoint(permission="payroll.read")
    def on_get(self, query: WageExportFilter) -> Page[WageExportRow]:
        """List the exports of wage data, the newest first.

        The rows are at the export's own address.
        """
        return views.exports(query)

    @endpoint(
        permission="payroll.write",
        status=201,
        refuses=(WageTypeMissing, PersonnelNumberMissing, DatevNumbersMissing, PayTooLarge, UnknownReference),
    )
    def on_post(self, body: NewWageExport) -> WageExportView | WageExportPreview:
        """Export the wage data of a month for an external payroll provider, and store them under the next number.

        A figure is exported once. A later export has what has changed since: of the same month, and of every month
        since January of the previous year that was exported, as rows with that month and the difference. Figures of 0
        are left out. No payroll run is needed. With `dryRun`, the answer is 200 and nothing is stored.
        """
        if body.dry_run:
            return WageExportPreview.of(body.month, body.format, exports.prepare(body))
        return WageExportView.of(exports.make(body))


class ExportItem:
    @endpoint(permission="payroll.read")
    def on_get(self, id: str) -> WageExportView:
        """Show an export of wage data with its rows and warnings.

        They stay as they were exported, even if the records have changed since.
        """
        return WageExportView.of(WageExport.find(id))


class ExportFile:
    @endpoint(
        permission="payroll.read",
        produces=("text/plain; charset=windows-1252", "text/csv"),
        refuses=(DatevNumbersMissing,),
    )
    def on_get(self, id: str) -> File:
        """Download an export of wage data as a file for the payroll program.

        LODAS and Lohn und Gehalt get Windows-1252 with decimal commas, `csv` is a plain table.
        """
        return exports.file(WageExport.find(id))
