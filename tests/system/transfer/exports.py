"""What tests of exports and imports have in common: an office that has used everything, and its move elsewhere."""

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from erp.commands.data import COMMAND_LINE
from erp.kernel import caller, config
from erp.store.connections import sqlite3
from erp.system.backups import archive
from erp.system.transfer import exporting, importing
from erp.system.transfer.importing import Imported
from tests.conftest import PASSWORD, Installation, Office
from tests.finance.billing.time_logs import hourly_project, project_task, time_invoice, time_log
from tests.finance.documents.invoices import invoice, line
from tests.hr.attendance.records import marked_day, punch
from tests.hr.leave.applications import ask, decide
from tests.hr.payroll import payrolls

NOW = "2026-03-11T17:00:00Z"
TIMED = {"startedAt": "2026-03-03T08:00:00Z", "endedAt": "2026-03-03T10:30:00Z"}


class Busy:
    """Olga's office: Max manages, Hanna does the rest, Maria works by the hour, Vera was here once."""

    def __init__(self, installation: Installation) -> None:
        self.olga = installation.office("Olga", country="DE", chartTemplate="standard")
        self.max, self.hanna = self.olga.colleague("manager"), self.olga.colleague("admin")
        self.maria, self.vera = self.olga.colleague("member"), self.olga.colleague("viewer")
        self.people = [self.olga, self.max, self.hanna, self.maria, self.vera]
        self._work()
        self._sell()
        self._employ()
        self._part_with_vera()

    def _work(self) -> None:
        members = [person.user["id"] for person in (self.max, self.hanna, self.maria)]
        self.project = hourly_project(self.max, memberUserIds=members, ownerUserId=self.max.user["id"])["id"]
        self.task = project_task(self.max, self.project, assigneeUserIds=members)
        self.log = time_log(self.maria, self.task["id"], 90, note=self.maria.user["id"][:8])["id"]
        self.maria.ok("POST", f"/tasks/{self.task['id']}/time-logs", TIMED)
        time_log(self.hanna, self.task["id"], 30)
        for person, text in ((self.maria, "Done"), (self.hanna, "Good"), (self.max, f"Ask {members[2]}")):
            person.ok("POST", f"/tasks/{self.task['id']}/comments", {"text": text})
        for person in (self.maria, self.hanna):
            person.ok("POST", f"/tasks/{self.task['id']}/timer/start", {})
            person.ok("POST", "/workspace/views", {"page": "tasks", "name": "Mine", "isDefault": True})
            person.ok("POST", "/workspace/views", {"page": "tasks", "name": "Ours", "isShared": True})

    def _sell(self) -> None:
        sold = invoice(self.olga, line("500.00"), issueDate="2026-02-02")
        self.olga.ok("POST", "/finance/payments", {"invoiceId": sold["id"], "amount": "200.00", "date": "2026-02-20"})
        customer = sold["customer"]["id"]
        self.olga.ok("PATCH", f"/projects/{self.project}", {"customerId": customer})
        draft = time_invoice(self.olga, projectId=self.project, dateTo="2026-03-02")
        self.olga.ok("POST", f"/finance/invoices/{draft['id']}/issue", {})
        lines = [{"accountId": "1010", "debit": "9000.00"}, {"accountId": "3000", "credit": "9000.00"}]
        self.olga.ok("POST", "/finance/journals", {"date": "2026-01-02", "description": "Start", "lines": lines})
        self.olga.ok("POST", "/finance/periods/lock", {"throughDate": "2025-12-31", "reason": "Closed"})

    def _employ(self) -> None:
        employees = {
            person: payrolls.paid_employee(self.olga, person.user["name"], user=person)
            for person in (self.maria, self.hanna)
        }
        self.olga.ok("PATCH", f"/hr/employees/{employees[self.hanna]}", {"managerEmployeeId": employees[self.maria]})
        payrolls.add_components(self.olga, payrolls.TAX)
        run = payrolls.payroll_run(self.hanna)
        payrolls.act(self.olga, run, "approve")
        payrolls.act(self.olga, run, "pay")
        decide(self.hanna, ask(self.maria, "2026-03-16", "2026-03-17"))
        ask(self.hanna, "2026-03-23")
        marked_day(self.hanna, employees[self.maria], "2026-03-02", punch("03-02 08:00", "03-02 16:00"))
        wanted = {"employeeId": employees[self.maria], "date": "2026-03-03", "reason": "Forgotten"}
        punches = [punch("03-03 08:00", "03-03 12:00")]
        asked = self.maria.ok("POST", "/hr/attendance-corrections", {**wanted, "punches": punches})
        self.hanna.ok("POST", f"/hr/attendance-corrections/{asked['id']}/approve", {})

    def _part_with_vera(self) -> None:
        members = self.olga.ok("GET", "/workspace/members")
        (member,) = (each["id"] for each in members if each["user"]["email"] == self.vera.email)
        self.olga.ok("DELETE", f"/workspace/members/{member}")


@contextmanager
def at_the_command_line(installation: Installation) -> Iterator[None]:
    with config.use(installation.config), caller.acting(COMMAND_LINE):
        yield


def export(office: Office, target: Path) -> Path:
    with at_the_command_line(office.installation):
        return exporting.export(office.workspace_id, target)


def import_workspace(file: Path, to: Installation, owner: str | None = None) -> Imported:
    with at_the_command_line(to):
        return importing.import_workspace(file, owner)


def register(installation: Installation, email: str, name: str = "Somebody") -> Office:
    """A user of that address, without a workspace."""
    answer = installation.call("POST", "/auth/register", {"email": email, "password": PASSWORD, "name": name})
    assert answer.status_code == 201, answer.text
    return Office(installation, email, answer.json["data"])


def moved(office: Office, to: Installation, folder: Path, *others: Office) -> tuple[Office, ...]:
    """Take an office to another installation, where only these people have users: as they are there."""
    file = export(office, folder)
    there = tuple(register(to, each.email, each.user["name"]) for each in (office, *others))
    import_workspace(file, to)
    for each in there:
        each.select(office.workspace_id)
    return there


def rewritten(file: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """An export with another manifest."""
    other = file.with_name("rewritten.zip")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "manifest.json":
                manifest = json.loads(content)
                change(manifest)
                content = json.dumps(manifest).encode()
            new.writestr(name, content)
    return other


Tables = dict[str, list[tuple[Any, ...]]]


def tables(path: Path) -> Tables:
    """All that a closed file of a workspace holds."""
    with closing(sqlite3.connect(str(path))) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        schema = file.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        found = {name: file.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}
    return {name: sorted(rows, key=repr) for name, rows in {**found, "sqlite_schema": schema}.items()}


def unpacked(file: Path, folder: Path) -> Path:
    """The database of an export."""
    entry = archive.unpack(file, folder).files[0]
    return folder / entry.name


def translated(shown: Any, ids: dict[str, str]) -> Any:
    """What was shown, with other user ids; lists of ids in one order."""
    if isinstance(shown, dict):
        return {key: translated(value, ids) for key, value in shown.items()}
    if isinstance(shown, list):
        values = [translated(value, ids) for value in shown]
        return sorted(values) if all(isinstance(value, str) for value in values) else values
    return ids.get(shown, shown) if isinstance(shown, str) else shown
