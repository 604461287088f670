"""Documents of employees: adding, changing, replacing, and the end of their reminders."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Literal

from erp.attachments import attachments, media_types, stored
from erp.attachments.models import Attachment
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.documents.bodies import DocumentChange, NewDocument
from erp.hr.documents.models import EmployeeDocument
from erp.kernel import caller, clock
from erp.kernel.errors import Invalid, InvalidTransition, NotFound, UnknownReference
from erp.kernel.language import Noun, says
from erp.store import changes, events

Action = Literal["archive", "change", "delete", "done", "replace", "unarchive"]


class ContractStays(InvalidTransition):
    """A contract cannot be deleted. Archive it instead."""


class NothingToRemind(InvalidTransition):
    """This document has no reminder to end."""


class JudgedFile:
    """The name and media type of an uploaded file."""

    def __init__(self, new: NewDocument) -> None:
        assert new.file is not None
        self.name = attachments.safe_name(new.name or "")
        self.media_type = media_types.of(new.file.content, self.name)


def judge(new: NewDocument, **path: str) -> JudgedFile | None:
    """Look into the file of a new document, if it brings one.

    Raises:
        Invalid: it has no file, two, or one without a name.
        NotAllowed, WronglyNamed: the content is not of a supported kind, or does not match the name.
    """
    if (new.file is None) == (new.attachment_id is None):
        raise Invalid.one("file", "required", says("Send either the file or an attachmentId."))
    if new.file is None:
        return None
    if not new.name:
        raise Invalid.one("name", "required", says("A file needs a name."))
    return JudgedFile(new)


def may_read(document: EmployeeDocument) -> bool:
    """Whether the caller may read a document and its files."""
    if caller.may("employees.write"):
        return True
    return document.visibility == "person" and document.employee_id == people.own_id()


def find(id: str) -> EmployeeDocument:
    """A document that the caller may read.

    Raises:
        NotFound: there is none, or it is not for the caller.
    """
    document = EmployeeDocument.find(id)
    if not may_read(document):
        raise NotFound(EmployeeDocument.noun.missing())
    return document


def add(employee_id: str, new: NewDocument, judged: JudgedFile | None) -> EmployeeDocument:
    """Add a document to an employee, with its file.

    Raises:
        Invalid: the days are in the wrong order, or the employee could read a sick note.
        UnknownReference: there is no such file or earlier document of the employee.
        InvalidTransition: the earlier document has been replaced already.
    """
    employee = Employee.find(employee_id)
    values = new.changes()
    for name in ("file", "name", "attachment_id", "replaces_document_id"):
        values.pop(name)
    _check(values)
    replaced = _replaced(employee, new.replaces_document_id)
    file = None if new.attachment_id is None else _known_file(employee, new.attachment_id)
    document = EmployeeDocument.add(employee=employee.id, **values)
    if replaced is not None:
        replaced.change(replaced_by=document.id)
    events.write("employee_document.created", "employee_document", document.id, event_data(document))
    _attach(document, new, judged, file)
    return document


def _attach(document: EmployeeDocument, new: NewDocument, judged: JudgedFile | None, file: Attachment | None) -> None:
    if file is not None:
        file.change(resource_type="employee_document", resource_id=document.id)
        events.write("attachment.filed", "employee_document", document.id, attachments.event_data(file))
    elif judged is not None and new.file is not None:
        stored.keep(new.file.content, new.file.sha256, new.file.size, judged.media_type)
        resource = ("employee_document", document.id)
        attachments.link(new.file.sha256, judged.name, new.file.size, judged.media_type, resource)


def _known_file(employee: Employee, id: str) -> Attachment:
    """A file of the employee's record, or of the inbox if the caller may take files from it."""
    file = Attachment.find_or_none(id)
    is_own = file is not None and (file.resource_type, file.resource_id) == ("employee", employee.id)
    is_in_inbox = file is not None and file.resource_type is None and caller.may("finance.write")
    if file is None or not (is_own or is_in_inbox):
        raise UnknownReference("attachmentId", Noun("file"))
    return file


def _replaced(employee: Employee, id: str | None) -> EmployeeDocument | None:
    if id is None:
        return None
    earlier = EmployeeDocument.find_or_none(id)
    if earlier is None or earlier.employee_id != employee.id:
        raise UnknownReference("replacesDocumentId", EmployeeDocument.noun)
    if earlier.replaced_by_id is not None:
        raise InvalidTransition(says("This document has been replaced already."))
    return earlier


def change(id: str, body: DocumentChange) -> EmployeeDocument:
    """Change the facts about a document; another last day begins a new reminder.

    Raises:
        Invalid: the days are in the wrong order, or the employee could read a sick note.
    """
    document = EmployeeDocument.find_to_change(id)
    values = changes.differing(document, body.changes())
    after = {name: values.get(name, getattr(document, name)) for name in DocumentChange.__struct_fields__}
    _check(after)
    if values:
        if "valid_until" in values:
            values["done_at"] = None
        document.change(**values)
        events.write("employee_document.updated", "employee_document", id, event_data(document))
    return document


def _check(after: Mapping[str, Any]) -> None:
    first, last = after["valid_from"], after["valid_until"]
    if first is not None and last is not None and last < first:
        raise Invalid.one("validUntil", "reversed", says("The last day is before the first."))
    if after["kind"] == "sick_note" and after["visibility"] != "hr":
        raise Invalid.one("visibility", "not_applicable", says("Sick notes are for HR alone."))


def end_reminder(id: str) -> EmployeeDocument:
    """End the reminder of a document that needs no successor.

    Raises:
        NothingToRemind: it does not expire, or its reminder has ended.
    """
    document = EmployeeDocument.find_to_change(id)
    if not document.reminds:
        raise NothingToRemind
    document.change(done_at=clock.stamp())
    events.write("employee_document.done", "employee_document", id, event_data(document))
    return document


def remove(id: str) -> None:
    """Delete a document and its files.

    Raises:
        ContractStays: it is a contract.
        InUse: it has replaced another document.
    """
    document = EmployeeDocument.find_to_change(id)
    if document.kind == "contract":
        raise ContractStays
    changes.delete(document, says("This document has replaced another one. Archive it instead."), event_data)


def archive(id: str) -> EmployeeDocument:
    """Archive a document: it stays with its files, and reminds of nothing."""
    return changes.archive(EmployeeDocument.find_to_change(id), event_data)


def unarchive(id: str) -> EmployeeDocument:
    """Unarchive a document."""
    return changes.unarchive(EmployeeDocument.find_to_change(id), event_data)


def reminds_on(document: EmployeeDocument) -> date | None:
    """The first day of the reminder."""
    last = document.valid_until
    return None if last is None else last - timedelta(days=document.remind_days)


def actions(document: EmployeeDocument) -> list[Action]:
    """The actions open to the caller now."""
    if not caller.may_change("employees.write"):
        return []
    if document.archived_at is not None:
        return ["unarchive"]
    all: list[tuple[Action, bool]] = [
        ("archive", True),
        ("change", True),
        ("delete", document.kind != "contract"),
        ("done", document.reminds),
        ("replace", document.replaced_by_id is None),
    ]
    return [action for action, is_open in all if is_open]


def event_data(document: EmployeeDocument) -> dict[str, str]:
    """The event's data, without the kind and the title, which may tell about the person's health."""
    return {"employeeId": document.employee_id}
