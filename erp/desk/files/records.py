"""Records with files: the rights to read and add them, and the names of the records."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from erp.attachments.models import Attachment
from erp.hr.access import people
from erp.hr.documents import documents
from erp.hr.documents.models import EmployeeDocument
from erp.hr.expenses import claims
from erp.hr.expenses.models import ExpenseClaim
from erp.kernel import caller
from erp.kernel.errors import Refusal, UnknownReference
from erp.kernel.language import Noun
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.store.sql import Condition
from erp.tasks import assignees, privacy
from erp.tasks.models import Task

ResourceType = Literal[
    "invoice",
    "payment",
    "journal_entry",
    "contact",
    "project",
    "task",
    "employee",
    "employee_document",
    "expense_claim",
    "fiscal_year",
]

INBOX = ("finance.read", "finance.write")
"""The rights to read the inbox and to add to it."""

_NEVER, _ALWAYS = "false", "true"
_OWN_DOCUMENT = """(resource_type = 'employee_document' AND resource_id IN (
    SELECT id FROM employee_document WHERE employee_id = :own AND visibility = 'person'))"""


class Kind(NamedTuple):
    """A type of record: the rights to read and to write it, and SQL for its name and whether it has been posted.

    `rows` are its records, if they are no table of that name.
    """

    noun: Noun
    read: str
    write: str
    name: str
    numbers: str
    posted: str = _NEVER
    rows: str = ""


KINDS: dict[str, Kind] = {
    "invoice": Kind(
        Noun("invoice"),
        "finance.read",
        "finance.write",
        "coalesce(number, supplier_number, contact_name)",
        "number",
        "status <> 'draft'",
    ),
    "payment": Kind(Noun("payment"), "finance.read", "finance.write", "number", "number", _ALWAYS),
    "journal_entry": Kind(Noun("journal entry"), "finance.read", "finance.write", "number", "number", _ALWAYS),
    "contact": Kind(Noun("contact"), "contacts.read", "contacts.write", "name", "id"),
    "project": Kind(Noun("project"), "projects.read", "projects.write", "name", "code"),
    "task": Kind(Noun("task"), "tasks.read", "tasks.write_own", "key", "key"),
    "employee": Kind(Noun("employee"), "employees.write", "employees.write", "name", "employee_number"),
    "employee_document": Kind(Noun("employee document"), "employees.write", "employees.write", "title", "id"),
    "expense_claim": Kind(
        Noun("expense claim"),
        "expenses.read",
        "expenses.write_own",
        "coalesce(number, title)",
        "number",
        "status <> 'draft'",
    ),
    "fiscal_year": Kind(
        Noun("fiscal year"),
        "finance.read",
        "finance.write",
        "id",
        "id",
        _ALWAYS,
        "(SELECT CAST(fiscal_year AS TEXT) AS id FROM journal_entry WHERE fiscal_year > 0"
        " UNION SELECT resource_id FROM attachment WHERE resource_type = 'fiscal_year') AS fiscal_year",
    ),
}
"""An employee's files may tell as much as the record, so they have the rights of the whole record."""


class Named(NamedTuple):
    """The name of a record, and whether it has been posted, which keeps its files."""

    name: str
    is_posted: bool


def refer(type: str, value: str) -> str:
    """The id of the record that `resourceId` names by its id, number, code or key.

    Raises:
        UnknownReference: there is none in this workspace.
    """
    kind = KINDS[type]
    query = f"SELECT id FROM {kind.rows or type} WHERE id = :value OR {kind.numbers} = :value"
    rows = WORKSPACE.rows(query, {"value": value})
    if not rows or (type == "task" and Task.find_or_none(rows[0][0]) is None):
        raise UnknownReference("resourceId", kind.noun)
    return str(rows[0][0])


def named(type: str, ids: Iterable[str]) -> dict[str, Named]:
    """The names of records of a type, by id."""
    kind = KINDS[type]
    source = kind.rows or type
    query = f"SELECT id, {kind.name}, {kind.posted} FROM {source} WHERE id IN (SELECT value FROM json_each(?))"
    return {id: Named(name, bool(is_posted)) for id, name, is_posted in WORKSPACE.rows(query, (sql.array(set(ids)),))}


def readable() -> Condition:
    """The condition that the caller may read the record of a file."""
    whole = sql.array(type for type, kind in KINDS.items() if caller.may(kind.read))
    cases = ["resource_type IN (SELECT value FROM json_each(:types))", "resource_id = :own", _OWN_DOCUMENT]
    if caller.may(INBOX[0]):
        cases.append("resource_type IS NULL")
    own = people.own_id() or ""
    cases.append(_OF_READ_CLAIM)
    claimants = sql.array({own, *(people.over("expenses.read") or ())})
    hidden = privacy.hidden_ids()
    sql_of_all = f"({' OR '.join(cases)}) AND NOT (resource_type = 'task' AND resource_id IN {hidden.sql})"
    return Condition(sql_of_all, {"types": whole, "own": own, "claimants": claimants, **hidden.parameters})


_OF_READ_CLAIM = (
    "resource_type = 'expense_claim' AND resource_id IN (SELECT id FROM expense_claim"
    " WHERE employee_id IN (SELECT value FROM json_each(:claimants)))"
)


def check_read(type: str | None, id: str | None) -> None:
    """Refuse a caller who may not read the record, or the inbox.

    Raises:
        Forbidden: the role of the caller lacks the right.
    """
    permission = INBOX[0] if type is None else KINDS[type].read
    if type == "task" and id is not None:
        Task.find(id)
    if type == "expense_claim" and id is not None:
        claims.check_readable(ExpenseClaim.find(id))
    elif not caller.may(permission) and not _is_own(type, id):
        raise caller.refusal(permission)


def _is_own(type: str | None, id: str | None) -> bool:
    """Whether the record is the caller's own employee record, or a document that they may read."""
    if type == "employee_document" and id is not None:
        return documents.may_read(EmployeeDocument.find(id))
    return type == "employee" and id == people.own_id()


def check_write(type: str | None, id: str | None) -> None:
    """Refuse a caller who may not change the record, or the inbox.

    Raises:
        Forbidden: the role of the caller lacks the right.
        TaskOfOthers: the caller may change only their own tasks, and this one is not.
    """
    permission = INBOX[1] if type is None else KINDS[type].write
    if not caller.may(permission):
        raise caller.refusal(permission)
    if type == "task" and id is not None:
        assignees.check_may_change(Task.find(id))
    if type == "expense_claim" and id is not None:
        claims.check_writable(ExpenseClaim.find(id), "draft")


def may_write(row: Attachment) -> bool:
    """Whether the caller may change the record of a file now."""
    permission = INBOX[1] if row.resource_type is None else KINDS[row.resource_type].write
    if not caller.may_change(permission):
        return False
    try:
        check_write(row.resource_type, row.resource_id)
    except Refusal:
        return False
    return True
