"""Employees on pay, pay components, payroll runs and their payslips."""

from typing import Any

from tests.conftest import Office

NOW = "2026-03-11T17:00:00Z"
IBAN = "DE89370400440532013000"
JANUARY = {"periodStart": "2026-01-01", "periodEnd": "2026-01-31"}
FEBRUARY = {"periodStart": "2026-02-01", "periodEnd": "2026-02-28"}
TAX = {
    "code": "tax",
    "name": "Income tax",
    "kind": "deduction",
    "calculation": "brackets",
    "brackets": [{"upTo": "1000.00", "rate": "0"}, {"rate": "20"}],
    "appliesToAll": True,
}
FUND = {
    "code": "fund",
    "name": "Fund",
    "kind": "deduction",
    "calculation": "percent_of_gross",
    "percent": "5",
    "appliesToAll": True,
}
INSURANCE = {
    "code": "insurance",
    "name": "Insurance",
    "kind": "employer_contribution",
    "calculation": "percent_of_gross",
    "percent": "10",
    "appliesToAll": True,
}


def salary(amount: str = "3000.00", **fields: Any) -> dict[str, Any]:
    """A monthly salary."""
    return {"payType": "salary", "amount": amount, "frequency": "monthly", **fields}


def hourly(amount: str = "20.00") -> dict[str, Any]:
    """Pay by the hour."""
    return {"payType": "hourly", "amount": amount, "frequency": "monthly"}


def paid_employee(
    office: Office, name: str = "Anna", pay: Any = None, user: Office | None = None, **fields: Any
) -> str:
    """The id of a new employee, employed since 1 January 2026, at 3000.00 a month unless `pay` says otherwise."""
    body = {
        "name": name,
        "hireDate": "2026-01-01",
        "compensation": pay or salary(),
        "bankAccount": {"holder": name, "iban": IBAN},
        "userId": user and user.user["id"],
        **fields,
    }
    return str(office.ok("POST", "/hr/employees", body)["id"])


def add_components(office: Office, *components: dict[str, Any]) -> None:
    """Pay components that apply to all; tax, fund and insurance unless others are passed."""
    for component in components or (TAX, FUND, INSURANCE):
        office.ok("POST", "/hr/pay-components", component)


def payroll_run(office: Office, period: dict[str, Any] = JANUARY, **fields: Any) -> dict[str, Any]:
    """A draft payroll run."""
    made: dict[str, Any] = office.ok("POST", "/hr/payroll/run", {**period, **fields})
    return made


def path(made: dict[str, Any], action: str = "") -> str:
    """The route of a run, or of an action on it."""
    return f"/hr/payroll/runs/{made['id']}{action and '/' + action}"


def act(office: Office, made: dict[str, Any], action: str, **fields: Any) -> dict[str, Any]:
    """Approve, pay, reverse or recalculate a run."""
    body = None if action == "recalculate" else {**({"reason": "Wrong month"} if action == "reverse" else {}), **fields}
    done: dict[str, Any] = office.ok("POST", path(made, action), body)
    return done


def payslip_of(made: dict[str, Any], employee_id: str) -> dict[str, Any]:
    """The payslip of an employee in a run."""
    (payslip,) = (payslip for payslip in made["payslips"] if payslip["employeeId"] == employee_id)
    return dict(payslip)


def amounts(slip: dict[str, Any]) -> dict[str, str]:
    """The amounts of a payslip's lines, by code."""
    return {line["code"]: line["amount"] for line in slip["lines"]}


def warnings_of(made: dict[str, Any]) -> list[tuple[str, str]]:
    """The names and codes of a run's warnings, by kind."""
    return [(item["name"], warning["code"]) for warning in made["warnings"] for item in warning["items"]]


def override(office: Office, slip: dict[str, Any], *lines: dict[str, Any]) -> dict[str, Any]:
    """A payslip with lines overridden."""
    changed: dict[str, Any] = office.ok("PATCH", f"/hr/payroll/payslips/{slip['id']}", {"lines": list(lines)})
    return changed


def log_time(office: Office, day: str, minutes: int) -> None:
    """Log time on a new task."""
    task = office.ok("POST", "/tasks", {"title": "Baking"})
    office.ok("POST", f"/tasks/{task['id']}/time-logs", {"date": day, "minutes": minutes})


def pay_from(office: Office, employee_id: str, day: str, pay: dict[str, Any]) -> None:
    """Set the pay of an employee from a day on."""
    office.ok("POST", f"/hr/employees/{employee_id}/compensations", {**pay, "effectiveFrom": day})


def leave_type(office: Office, code: str) -> str:
    """The id of a leave type."""
    return next(
        str(leave_type["id"]) for leave_type in office.ok("GET", "/hr/leave-types") if leave_type["code"] == code
    )
