"""People: employees, attendance, leave, holidays and payroll."""

from erp.hr import me
from erp.hr.attendance import api as attendance
from erp.hr.attendance import batch, clocking, present, summary
from erp.hr.attendance.corrections import api as corrections
from erp.hr.employees import api as employees
from erp.hr.leave import adjustments, balances, calendar, year_end
from erp.hr.leave import api as leave
from erp.hr.leave.holidays import api as holidays
from erp.hr.leave.types import api as leave_types
from erp.hr.payroll import api as payroll
from erp.hr.payroll.components import api as pay_components
from erp.hr.payroll.components import sets as pay_templates
from erp.hr.payroll.differences import api as differences
from erp.hr.payroll.payslips import api as payslips
from erp.hr.payroll.wages import api as wages

ROUTES: dict[str, object] = {
    "/hr/employees": employees.Collection(),
    "/hr/employees/import": employees.Import(),
    "/hr/employees/{id}": employees.Item(),
    "/hr/employees/{id}/terminate": employees.Terminate(),
    "/hr/employees/{id}/terminate/undo": employees.UndoTermination(),
    "/hr/employees/{id}/rehire": employees.Rehire(),
    "/hr/employees/{id}/compensations": employees.CompensationCollection(),
    "/hr/employees/{id}/compensations/{compensation_id}": employees.CompensationItem(),
    "/hr/me": me.Me(),
    "/hr/attendance": attendance.Collection(),
    "/hr/attendance/batch": batch.Batch(),
    "/hr/attendance/import": attendance.Import(),
    "/hr/attendance/clock-in": clocking.ClockIn(),
    "/hr/attendance/clock-out": clocking.ClockOut(),
    "/hr/attendance/present": present.Present(),
    "/hr/attendance/summary": summary.Resource(),
    "/hr/attendance/{id}": attendance.Item(),
    "/hr/attendance-corrections": corrections.Collection(),
    "/hr/attendance-corrections/decide": corrections.Decide(),
    "/hr/attendance-corrections/{id}": corrections.Item(),
    "/hr/attendance-corrections/{id}/approve": corrections.Approve(),
    "/hr/attendance-corrections/{id}/reject": corrections.Reject(),
    "/hr/attendance-corrections/{id}/cancel": corrections.Cancel(),
    "/hr/attendance-corrections/{id}/decision/undo": corrections.UndoDecision(),
    "/hr/pay-components": pay_components.Collection(),
    "/hr/pay-components/{id}": pay_components.Item(),
    "/hr/pay-components/{id}/archive": pay_components.Archive(),
    "/hr/pay-components/{id}/unarchive": pay_components.Unarchive(),
    "/hr/component-sets": pay_templates.Collection(),
    "/hr/component-sets/{code}/apply": pay_templates.Apply(),
    "/hr/component-sets/{code}/acknowledge": pay_templates.Acknowledge(),
    "/hr/holidays": holidays.Collection(),
    "/hr/holidays/import": holidays.Import(),
    "/hr/holidays/{id}": holidays.Item(),
    "/hr/leave-types": leave_types.Collection(),
    "/hr/leave-types/{id}": leave_types.Item(),
    "/hr/leave-types/{id}/archive": leave_types.Archive(),
    "/hr/leave-types/{id}/unarchive": leave_types.Unarchive(),
    "/hr/leave-balances": balances.Balances(),
    "/hr/leave-adjustments": adjustments.Adjustments(),
    "/hr/leave-adjustments/{id}": adjustments.Adjustment(),
    "/hr/leave-years/{year}/close": year_end.Close(),
    "/hr/leaves": leave.Collection(),
    "/hr/leaves/calendar": calendar.Calendar(),
    "/hr/leaves/calendar-address": calendar.Address(),
    "/hr/leaves/calendar/{secret}": calendar.Feed(),
    "/hr/leaves/decide": leave.Decide(),
    "/hr/leaves/{id}": leave.Item(),
    "/hr/leaves/{id}/approve": leave.Approve(),
    "/hr/leaves/{id}/decision/undo": leave.UndoDecision(),
    "/hr/leaves/{id}/reject": leave.Reject(),
    "/hr/leaves/{id}/cancel": leave.Cancel(),
    "/hr/wage-types": wages.TypeCollection(),
    "/hr/wage-types/{id}": wages.TypeItem(),
    "/hr/payroll/differences": differences.Collection(),
    "/hr/payroll/run": payroll.Run(),
    "/hr/payroll/runs": payroll.Collection(),
    "/hr/payroll/runs/{id}": payroll.Item(),
    "/hr/payroll/runs/{id}/recalculate": payroll.Recalculate(),
    "/hr/payroll/runs/{id}/approve": payroll.Approve(),
    "/hr/payroll/runs/{id}/payslips": payslips.OfRun(),
    "/hr/payroll/runs/{id}/pay": payroll.Pay(),
    "/hr/payroll/runs/{id}/pay/undo": payroll.UndoPayment(),
    "/hr/payroll/runs/{id}/reverse": payroll.Reverse(),
    "/hr/payroll/runs/{id}/bank-file": payroll.BankFile(),
    "/hr/payroll/payslips": payslips.Collection(),
    "/hr/payroll/payslips/{id}": payslips.Item(),
    "/hr/payroll/payslips/{id}/lines": payslips.LineCollection(),
    "/hr/payroll/payslips/{id}/lines/{line_id}": payslips.LineItem(),
    "/hr/payroll/payslips/{id}/pdf": payslips.Pdf(),
    "/hr/payroll/wage-exports": wages.Exports(),
    "/hr/payroll/wage-exports/{id}": wages.ExportItem(),
    "/hr/payroll/wage-exports/{id}/file": wages.ExportFile(),
}
