"""Eve, who left on 31 May 2023, with everything that an office keeps of an employee; and who looks for her later."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from erp.store import router
from erp.store.connections import sqlite3
from erp.system.checks import files as checking
from tests.conftest import PASSWORD, Office
from tests.desk.files import attach, pdf
from tests.hr.documents.documents import document
from tests.hr.leave.applications import ask, decide
from tests.hr.payroll.payrolls import act, payroll_run, salary

NAME, EMAIL, PHONE, IBAN = "Eva Sonnenschein", "eva@sonnenschein.example", "+49 40 7654321", "DE89370400440532013000"
TRACES = (NAME, EMAIL, PHONE, IBAN)
WORKING, ASKED = "2023-06-05T09:00:00Z", "2026-11-26T09:00:00Z"
PUNCHES = [{"in": "2023-05-02T06:00:00Z", "out": "2023-05-02T14:00:00Z"}]
MAY = {"periodStart": "2023-05-01", "periodEnd": "2023-05-31"}


def hired(office: Office, **fields: Any) -> str:
    """The id of Eve, employed since 1 January 2022."""
    body = {
        "name": NAME,
        "hireDate": "2022-01-01",
        "email": EMAIL,
        "phone": PHONE,
        "bankAccount": {"holder": NAME, "iban": IBAN},
        "address": {"line1": "Sonnenallee 7", "city": "Berlin", "country": "DE"},
        "birthday": "1990-02-03",
        "emergencyContact": {"name": "Ulf Sonnenschein", "phone": "+49 30 1112223"},
        "jobTitle": "Falconer",
        "compensation": salary(),
    }
    return str(office.ok("POST", "/hr/employees", body | fields)["id"])


def worked(office: Office, id: str) -> None:
    """A day of attendance, leave, a paid run, and files."""
    day = {"employeeId": id, "date": "2023-05-02", "status": "present", "punches": PUNCHES}
    office.ok("POST", "/hr/attendance", {**day, "note": f"{NAME} was late"})
    decide(office, ask(office, "2023-05-08", "2023-05-09", employeeId=id, reason=f"{NAME} marries"))
    run = act(office, payroll_run(office, MAY, employeeIds=[id]), "approve")
    act(office, run, "pay")
    document(office, id, title=f"Permit of {NAME}")
    attach(office, pdf(500, NAME.encode()), f"{NAME}.pdf", ("employee", id))


def left(office: Office, id: str, day: str = "2023-05-31") -> None:
    office.ok("POST", f"/hr/employees/{id}/terminate", {"date": day, "reason": f"{NAME} moves"})


def leaver(office: Office, clock_at: Any, **fields: Any) -> str:
    """Eve, looked at on 26 November 2026."""
    clock_at(WORKING)
    id = hired(office, **fields)
    worked(office, id)
    left(office, id)
    clock_at(ASKED)
    return id


def sign_in(office: Office) -> None:
    """Sign in again, years later."""
    body = {"email": office.email, "password": PASSWORD}
    office.token = office.installation.call("POST", "/auth/login", body).json["data"]["session"]["token"]
    office.select(office.workspace_id)


def erase(office: Office, kind: str, id: str, *, dry_run: bool = False) -> Any:
    body = {"reason": "Asked for it on 26 November", "dryRun": dry_run}
    return office.ok("POST", f"/workspace/people/{kind}/{id}/erase", body)


def amounts(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The counts by kind."""
    return {row["kind"]: row["count"] for row in rows}


def days(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The days until which each kind is kept."""
    return {row["kind"]: row["until"] for row in rows}


class Trace(NamedTuple):
    """A place in which one of the texts stands."""

    table: str
    column: str


def traces(office: Office, *texts: str) -> set[Trace]:
    """The tables and columns of every database file with one of the texts, and the files that hold one of them."""
    router.close_all()
    return {trace for path in _files(office) for trace in _in_file(path, texts or TRACES)}


def _files(office: Office) -> Iterator[Path]:
    folder = office.installation.config.data_dir
    yield from (path for path in folder.rglob("*") if path.is_file() and path.name != "secret")


def _in_file(path: Path, texts: tuple[str, ...]) -> Iterator[Trace]:
    content = path.read_bytes()
    if not content.startswith(b"SQLite format 3"):
        if any(text.encode() in content for text in texts):
            yield Trace(path.name, "")
        return
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            if table.startswith("word"):  # the index of words has no rows to read; its file is searched below
                continue
            cursor = file.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor:
                for name, value in zip(names, row, strict=True):
                    found = value if isinstance(value, bytes) else str(value).encode()
                    if any(text.encode() in found for text in texts):
                        yield Trace(table, name)


def findings(office: Office) -> list[str]:
    """The findings of `erp check` about the workspace's file."""
    router.close_all()
    path = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    return checking.workspace_file(path, nobody_writes=True).findings


def events(office: Office, type: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = office.ok("GET", "/workspace/events", params={"type": type, "sort": "seq"})
    return found


def data_of(zipped: Any) -> Any:
    return json.loads(zipped.read("data.json"))
