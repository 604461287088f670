"""People: employees, attendance, leave, holidays, weeks of time and payroll."""

from erp.hr import me
from erp.hr.attendance import api as attendance
from erp.hr.attendance import batch, clocking, present, summary
from erp.hr.attendance.corrections import api as corrections
from erp.hr.checklists import api as checklists
from erp.hr.cost_rates import api as cost_rates
from erp.hr.documents import api as documents
from erp.hr.employees import api as employees
from erp.hr.expenses import api as expenses
from erp.hr.expenses import categories as expense_categories
from erp.hr.expenses.rates import api as expense_rates
from erp.hr.kiosk import api as kiosk
from erp.hr.leave import adjustments, balances, calendar, year_end
from erp.hr.leave import api as leave
from erp.hr.leave.holidays import api as holidays
from erp.hr.leave.types import api as leave_types
from erp.hr.payroll import api as payroll
from erp.hr.payroll import leave_payout, opening_years
from erp.hr.payroll.components import api as pay_components
from erp.hr.payroll.components import sets as pay_templates
from erp.hr.payroll.differences import api as differences
from erp.hr.payroll.payslips import api as payslips
from erp.hr.payroll.wages import api as wages
from erp.hr.sites import api as sites
from erp.hr.time_weeks import api as time_weeks

ROUTES: dict[str, object] = {
    "/hr/employees": employees.Collection(),
    "/hr/employees/import": employees.Import(),
    "/hr/employees/{id}": employees.Item(),
    "/hr/employees/{id}/terminate": employees.Terminate(),
    "/hr/employees/{id}/terminate/undo": employees.UndoTermination(),
    "/hr/employees/{id}/rehire": employees.Rehire(),
    "/hr/employees/{id}/compensations": differences.Compensations(),
    "/hr/employees/{id}/compensations/{compensation_id}": employees.CompensationItem(),
    "/hr/employees/{id}/cost-rates": cost_rates.Collection(),
    "/hr/employees/{id}/cost-rates/{rate_id}": cost_rates.Item(),
    "/hr/employees/{id}/leave-payout": leave_payout.OfEmployee(),
    "/hr/employees/{id}/year-to-date/{year}": opening_years.OfEmployee(),
    "/hr/employees/{id}/documents": documents.Collection(),
    "/hr/employees/{id}/kiosk-pin": kiosk.OfEmployee(),
    "/hr/checklists": checklists.Collection(),
    "/hr/checklists/{id}": checklists.Item(),
    "/hr/checklists/{id}/start": checklists.Start(),
    "/hr/checklist-tasks/{id}/done": checklists.Done(),
    "/hr/checklist-tasks/{id}/reopen": checklists.Reopen(),
    "/hr/documents": documents.All(),
    "/hr/documents/{id}": documents.Item(),
    "/hr/documents/{id}/archive": documents.Archive(),
    "/hr/documents/{id}/done": documents.Done(),
    "/hr/documents/{id}/unarchive": documents.Unarchive(),
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
    "/hr/expense-categories": expense_categories.Collection(),
    "/hr/expense-categories/{id}": expense_categories.Item(),
    "/hr/expense-categories/{id}/archive": expense_categories.Archive(),
    "/hr/expense-categories/{id}/unarchive": expense_categories.Unarchive(),
    "/hr/expense-claims": expenses.Collection(),
    "/hr/expense-claims/decide": expenses.Decide(),
    "/hr/expense-claims/{id}": expenses.Item(),
    "/hr/expense-claims/{id}/approve": expenses.Approve(),
    "/hr/expense-claims/{id}/decision/undo": expenses.UndoDecision(),
    "/hr/expense-claims/{id}/post": expenses.Post(),
    "/hr/expense-claims/{id}/reject": expenses.Reject(),
    "/hr/expense-claims/{id}/return": expenses.Return(),
    "/hr/expense-claims/{id}/submit": expenses.Submit(),
    "/hr/expense-claims/{id}/void": expenses.Void(),
    "/hr/expense-claims/{id}/withdraw": expenses.Withdraw(),
    "/hr/expense-rates": expense_rates.Collection(),
    "/hr/expense-rates/{id}": expense_rates.Item(),
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
    "/hr/kiosks": kiosk.Collection(),
    "/hr/kiosks/{id}": kiosk.Item(),
    "/kiosk/people": kiosk.People(),
    "/kiosk/clock": kiosk.Clock(),
    "/hr/leave-types": leave_types.Collection(),
    "/hr/leave-types/{id}": leave_types.Item(),
    "/hr/leave-types/{id}/archive": leave_types.Archive(),
    "/hr/leave-types/{id}/unarchive": leave_types.Unarchive(),
    "/hr/leave-balances": balances.Balances(),
    "/hr/leave-adjustments": adjustments.Adjustments(),
    "/hr/leave-adjustments/{id}": adjustments.Adjustment(),
    "/hr/leave-years": year_end.Collection(),
    "/hr/leave-years/{year}/close": year_end.Close(),
    "/hr/leave-years/{year}/reopen": year_end.Reopen(),
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
    "/hr/sites": sites.Collection(),
    "/hr/sites/{id}": sites.Item(),
    "/hr/wage-types": wages.TypeCollection(),
    "/hr/wage-types/{id}": wages.TypeItem(),
    "/hr/payroll/differences": differences.Collection(),
    "/hr/payroll/run": payroll.Run(),
    "/hr/payroll/runs": payroll.Collection(),
    "/hr/payroll/runs/{id}": payroll.Item(),
    "/hr/payroll/runs/{id}/recalculate": payroll.Recalculate(),
    "/hr/payroll/runs/{id}/approve": payroll.Approve(),
    "/hr/payroll/runs/{id}/payslips": payslips.OfRun(),
    "/hr/payroll/runs/{id}/send": payslips.SendRun(),
    "/hr/payroll/runs/{id}/pay": payroll.Pay(),
    "/hr/payroll/runs/{id}/pay/undo": payroll.UndoPayment(),
    "/hr/payroll/runs/{id}/reverse": payroll.Reverse(),
    "/hr/payroll/runs/{id}/bank-file": payroll.BankFile(),
    "/hr/payroll/payslips": payslips.Collection(),
    "/hr/payroll/payslips/{id}": payslips.Item(),
    "/hr/payroll/payslips/{id}/lines": payslips.LineCollection(),
    "/hr/payroll/payslips/{id}/lines/{line_id}": payslips.LineItem(),
    "/hr/payroll/payslips/{id}/pdf": payslips.Pdf(),
    "/hr/payroll/payslips/{id}/send": payslips.SendOne(),
    "/hr/payroll/wage-exports": wages.Exports(),
    "/hr/payroll/wage-exports/{id}": wages.ExportItem(),
    "/hr/payroll/wage-exports/{id}/file": wages.ExportFile(),
    "/tasks/time-weeks": time_weeks.Collection(),
    "/tasks/time-weeks/decide": time_weeks.Decide(),
    "/tasks/time-weeks/{date_from}/submit": time_weeks.Submit(),
    "/tasks/time-weeks/{date_from}/withdraw": time_weeks.Withdraw(),
    "/tasks/time-weeks/{date_from}/approve": time_weeks.Approve(),
    "/tasks/time-weeks/{date_from}/return": time_weeks.Return(),
    "/tasks/time-weeks/{date_from}/reopen": time_weeks.Reopen(),
    "/tasks/time-weeks/{date_from}/remind": time_weeks.Remind(),
}
