"""An office that has worked for a while, and what it reads of its figures: to be compared before and after."""

from collections.abc import Sequence
from typing import Any

from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA, Connection, Step
from tests.conftest import PASSWORD, Installation, Office
from tests.hr.leave.applications import ask, decide
from tests.hr.payroll.payrolls import act, add_components, hourly, log_time, paid_employee, payroll_run

NOW = "2026-03-11T17:00:00Z"
FIGURES = (
    "/workspace",
    "/workspace/members",
    "/workspace/events?limit=200",
    "/workspace/events/verify",
    "/projects",
    "/tasks",
    "/tasks/time-logs",
    "/finance/accounts",
    "/finance/contacts",
    "/finance/invoices",
    "/finance/payments",
    "/finance/journals",
    "/finance/reports/balance-sheet?date=2026-03-31",
    "/finance/reports/trial-balance?date=2026-03-31",
    "/hr/employees",
    "/hr/leaves",
    "/hr/leave-balances?date=2026-03-31",
    "/hr/payroll/runs",
    "/hr/payroll/payslips",
)


def busy_office(installation: Installation, owner: str = "Olga") -> Office:
    """A workspace with books, a project, leave that was granted and people who were paid."""
    return installation.once(_busy_office, installation, owner)


def _busy_office(installation: Installation, owner: str) -> Office:
    office = installation.office(owner)
    sell(office)
    colleague = office.colleague("member")
    anna = paid_employee(office, "Anna", user=colleague)
    paid_employee(office, "Ben", pay=hourly())
    project = office.ok("POST", "/projects", {"name": "Website", "status": "active"})
    office.ok("POST", "/tasks", {"title": "Pages", "projectId": project["id"]})
    log_time(office, "2026-03-02", 90)
    decide(office, ask(office, "2026-02-02", "2026-02-04", employeeId=anna))
    add_components(office)
    act(office, act(office, payroll_run(office), "approve"), "pay", date="2026-01-31")
    return office


def sell(office: Office) -> None:
    """Two invoices, of which one is paid, and the rent."""
    sold = [issued_invoice(office, amount) for amount in ("1200.00", "99.99")]
    office.ok("POST", "/finance/payments", {"invoiceId": sold[0]["id"], "amount": sold[0]["total"]})
    lines = [{"accountId": "6100", "debit": "800.00"}, {"accountId": "1010", "credit": "800.00"}]
    office.ok("POST", "/finance/journals", {"date": "2026-03-01", "description": "Rent", "lines": lines})


def issued_invoice(office: Office, price: str) -> Any:
    """An invoice of one line."""
    line = {"description": "Consulting", "quantity": "1", "unitPrice": price}
    return office.ok("POST", "/finance/invoices", {"customer": {"name": "Initech"}, "lines": [line]})


def reported_figures(office: Office) -> dict[str, Any]:
    """What the office reads, by path."""
    return {path: office.ok("GET", path) for path in FIGURES}


def differences(old: Any, new: Any, where: str = "") -> list[str]:
    """Where what was read before differs now; a newer version may show more than an older one did."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [path for key in old for path in differences(old[key], new.get(key), f"{where}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [path for number, (a, b) in pairs for path in differences(a, b, f"{where}[{number}]")]
    return [] if old == new else [f"{where}: {old!r} is now {new!r}"]


def signed_in(installation: Installation, email: str, workspace_id: str = "", password: str = PASSWORD) -> Office:
    """A person who has an account already."""
    answer = installation.call("POST", "/auth/sign-in/email", {"email": email, "password": password})
    assert answer.status_code == 200, answer.text
    office = Office(installation, email, answer.json["data"])
    if workspace_id:
        office.select(workspace_id)
    return office


def steps(*scripts: str) -> list[Step]:
    """Schema steps as a later version would add them."""
    return [lambda connection, script=script: connection.execute(script) for script in scripts]  # type: ignore[misc]


def pause() -> None:
    """Nothing: a place between two schema steps, to be killed at."""


def _pausing(_: Connection) -> None:
    pause()


CONTROL_STEPS = [*steps("ALTER TABLE workspace ADD COLUMN color TEXT NOT NULL DEFAULT 'green'"), _pausing]
WORKSPACE_STEPS = [
    *steps("ALTER TABLE invoice ADD COLUMN delivery_note TEXT"),
    _pausing,
    *steps("UPDATE invoice SET delivery_note = number || '-D'"),
    _pausing,
]


def know(workspace: Sequence[Step] = WORKSPACE_STEPS, control: Sequence[Step] = CONTROL_STEPS) -> None:
    """Be a later version of the program, which knows more schema steps; for good."""
    WORKSPACE_SCHEMA.steps, CONTROL_SCHEMA.steps = workspace, control
