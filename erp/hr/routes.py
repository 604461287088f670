"""People: employees, attendance, leave, holidays and payroll."""

ROUTES: dict[str, object] = {}
