"""The data that the workspace holds of one person, as a zip for them to read."""

import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from erp.attachments import stored
from erp.attachments.models import StoredFile
from erp.desk.privacy import mentions, persons, texts
from erp.desk.privacy.declared import HELD
from erp.desk.privacy.persons import Person
from erp.hr.payroll.models import Payslip
from erp.hr.payroll.payslips import pdf
from erp.kernel import caller, clock, stored_sentences
from erp.kernel.language import translated
from erp.store import control, events, names, workspace_settings
from erp.store.control import Invite, Member, Session, User
from erp.store.router import WORKSPACE
from erp.web.schema import File

ANOTHER = "another person"

_SLIPS = """
SELECT payslip.* FROM payslip JOIN payroll_run ON payroll_run.id = run_id
WHERE employee_id = ? AND status IN ('approved', 'paid') ORDER BY payslip.pay_date, payslip.id
"""
_EVENTS = "SELECT seq, type, occurred_at, actor, resource_type, resource_id, data FROM event ORDER BY seq"

Row = dict[str, Any]

_APPROVED = "run_id IN (SELECT id FROM payroll_run WHERE status <> 'draft')"
_FOR_THEM = "SELECT id FROM employee_document WHERE visibility = 'person'"
_ONLY_WITH = {
    "attachment": (
        "employees.write",
        f"resource_type IS DISTINCT FROM 'employee_document' OR resource_id IN ({_FOR_THEM})",
    ),
    "cost_rate": ("cost.read", "false"),
    "employee_document": ("employees.write", "visibility = 'person'"),
    "paid_day": ("payroll.read", f"payslip_id IN (SELECT id FROM payslip WHERE {_APPROVED})"),
    "payroll_run": ("payroll.read", "status <> 'draft'"),
    "payslip": ("payroll.read", _APPROVED),
    "payslip_line": ("payroll.read", f"payslip_id IN (SELECT id FROM payslip WHERE {_APPROVED})"),
}
"""Tables of which someone without a right exports only some of their own rows: the right, and the condition."""
_HIDDEN = {"journal_entry": frozenset({"total"}), "kiosk_pin": frozenset({"pin_hash"})}
"""Columns that are left out: the total of an entry may be owed to several people, and a short PIN can be guessed."""
_FILES = {"attachment": "sha256", "document_file": "sha256", "quote_file": "sha256", "reminder": "pdf_sha256"}
"""Columns that name a stored file."""
_SENTENCES = {"payslip_line": "explanation"}
"""Columns with stored sentences; the export has them in the language of the office's papers."""
_OF_SEVERAL = {held.table: held.shared for held in HELD if held.shared}
"""Records of several people, with the columns that have a part for each of them."""


def of_caller() -> File:
    """Everything about the caller, as a user and as an employee."""
    who = caller.current()
    return _export(lambda: Person("user", who.user_id, who.name, user_id=who.user_id))


def of(kind: str, id: str) -> File:
    """Everything about a person.

    Raises:
        Forbidden: the caller may not read pay; or it is no employee, and the caller is neither owner nor admin.
        NotFound: there is no such person.
    """
    if not caller.may("payroll.read"):
        raise caller.refusal("payroll.read")
    return _export(lambda: persons.find(kind, id))


def _export(find: Callable[[], Person]) -> File:
    workspace_id = str(caller.current().workspace_id)
    with control.open_workspace(workspace_id, write=True):
        person = find()
        events.write("person.exported", person.kind, person.id, {})
    content = tempfile.TemporaryFile()  # noqa: SIM115 - the server closes it once it is sent
    with control.open_workspace(workspace_id, write=False), zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        _fill(made, persons.whole(person))
        name = f"person-{person.id[-4:]}-{workspace_settings.today()}.zip"
    return File(content, name)


def _fill(zipped: zipfile.ZipFile, person: Person) -> None:
    others = _Others.than(person)
    rows = {table: [others.hide(row) for row in found] for table, found in _rows(person).items()}
    log = [others.hide(event) for event in _events(person)]
    data = {"name": person.name, **_account(person), **rows, "event": log}
    zipped.writestr("data.json", json.dumps(data, ensure_ascii=False, indent=1))
    for sha256 in {row[column] for table, column in _FILES.items() for row in rows.get(table, []) if row[column]}:
        _write_file(zipped, sha256)
    if person.employee is not None:
        for slip in Payslip.fetch(_SLIPS, person.employee.id):
            file = pdf.file(slip)
            zipped.writestr(f"payslips/{slip.pay_date}-{file.name}", file.content)  # type: ignore[arg-type]
    found = mentions.of(person)
    named = _MENTIONS.format(parts=", ".join(f"{kind} {count}" for kind, count in found.items())) if found else ""
    zipped.writestr("README.txt", _README.format(name=person.name, day=clock.now().date()) + named)


def _rows(person: Person) -> dict[str, list[Row]]:
    """Every row that names the person and that the caller may read, by table."""
    found: dict[str, list[Row]] = {}
    for held in HELD:
        if held.table == "idempotency":
            continue
        right, limit = _ONLY_WITH.get(held.table, (None, "true"))
        some = "true" if right is None or caller.may(right) else limit
        query = f"SELECT * FROM {held.table} WHERE ({held.whose}) AND ({some}) ORDER BY 1, 2"
        cursor = WORKSPACE.run(query, person.parameters)
        columns = [column[0] for column in cursor.description]
        rows = [_own(dict(zip(columns, values, strict=True)), held.table, person) for values in cursor]
        if rows:
            found.setdefault(held.table, []).extend(rows)
    return found


def _own(row: Row, table: str, person: Person) -> Row:
    """A row for its person to read; of a record of several people, its number and the parts about the person."""
    if column := _SENTENCES.get(table):
        row |= {column: translated(stored_sentences.load(row[column]), workspace_settings.paper_language())}
    if table not in _OF_SEVERAL:
        return {name: value for name, value in row.items() if name not in _HIDDEN.get(table, ())}
    parts = {
        column: [part for part in json.loads(row[column]) if part.get("employeeId") in person.ids]
        for column in _OF_SEVERAL[table]
    }
    return {"id": row["id"], "number": row["number"], **parts}


def _events(person: Person) -> Iterator[Row]:
    """The events about the person and of their own acts."""
    ids = set(person.ids)
    for seq, type, at, actor, resource_type, resource_id, data in WORKSPACE.run(_EVENTS):
        if ids.intersection(texts.ID.findall(f"{actor} {resource_id} {data}")):
            yield {
                "seq": seq,
                "type": type,
                "occurred_at": at,
                "actor": json.loads(actor)["name"],
                "resource_type": resource_type,
                "resource_id": resource_id,
                "data": json.loads(data),
            }


def _account(person: Person) -> dict[str, Any]:
    """The account of the person's user, their membership, sessions and tokens, and the invites to their address."""
    if person.user_id is None:
        return {}
    here = caller.current().workspace_id
    with control.read():
        user = User.find_or_none(person.user_id)
        if user is None:
            return {}
        member = Member.find_by(workspace_id=here, user_id=user.id)
        sessions = list(Session.select().where(Session.user == user.id))
        invites = list(Invite.select().where(Invite.workspace == here, Invite.email_key == user.email_key))
    shown = ("email", "name", "locale", "time_zone", "status", "created_at")
    return {
        "user": {name: getattr(user, name) for name in shown},
        "member": member and {name: getattr(member, name) for name in ("role", "status", "joined_at")},
        "session": [
            {name: getattr(row, name) for name in ("kind", "name", "last_used_at", "address", "user_agent")}
            for row in sessions
        ],
        "invite": [{name: getattr(row, name) for name in ("email", "role", "status")} for row in invites],
    }


class _Others(NamedTuple):
    """The other people of the workspace, whom an export does not name."""

    ids: frozenset[str]
    names: re.Pattern[str] | None

    @classmethod
    def than(cls, person: Person) -> "_Others":
        by_id = names.members() | dict(WORKSPACE.rows("SELECT id, name FROM employee"))
        others = {id: name for id, name in by_id.items() if id not in person.ids}
        return cls(frozenset(others), texts.pattern(set(others.values()) - {person.name}))

    def hide(self, value: Any) -> Any:
        """A value in which every other person is "another person"."""
        return {name: self._hidden(part) for name, part in value.items()}

    def _hidden(self, value: Any) -> Any:
        document = texts.parsed(value) if isinstance(value, str) else None
        return texts.replaced(value if document is None else document, self._leaf)

    def _leaf(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if value in self.ids:
            return ANOTHER
        return value if self.names is None else self.names.sub(ANOTHER, value)


def _write_file(zipped: zipfile.ZipFile, sha256: str) -> None:
    row = StoredFile.find_by(sha256=sha256)
    if row is not None:
        with zipped.open(f"files/{sha256}.{row.media_type.rpartition('/')[2]}", "w", force_zip64=True) as file:
            for part in stored.parts(sha256):
                file.write(part)


_README = """\
{name}, exported on {day}

This is what the workspace holds of this person.

data.json   every row that names the person, by table, and the log of what was done to these rows or by the person.
            Amounts are in the smallest unit of their currency, percentages and quantities in millionths, days of leave
            in hundredths. Other people are called "another person".
files/      the files of these rows, by the sha256 that data.json names
payslips/   the payslips of approved payroll runs
"""
_MENTIONS = """
Texts of the office's work also have this name, and are not in this export, since they may be about others as well.
Their number by table: {parts}. For attachment, it counts names of files of projects and tasks.
"""
