"""Request bodies of employees' documents, and the filters of their lists."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.web.scalars import Day, Id, Line, Name
from erp.web.schema import Body, RecordQuery, Unset
from erp.web.transport.uploads import Upload

Kind = Literal["contract", "permit", "certificate", "licence", "sick_note", "training", "other"]
Visibility = Annotated[
    Literal["hr", "person"],
    Meta(description="`person`: the employee can read it too. Sick notes are always `hr`."),
]
RemindDays = Annotated[int, Meta(ge=0, le=365, description="Days before `validUntil` on which the reminder begins.")]


class NewDocument(Body):
    """A document of an employee: a new file, or one that the employee's record or the inbox already has."""

    UPLOAD: ClassVar[bool] = True
    EXAMPLE: ClassVar[dict[str, Any]] = {
        "kind": "permit",
        "title": "Residence permit",
        "validUntil": "2027-03-31",
        "file": "JVBERi0xLjQKJSVFT0YK",
        "name": "permit.pdf",
    }

    kind: Kind
    title: Name
    file: Upload | None = None
    name: Annotated[Line, Meta(description="The file's name, with its ending, as `permit.pdf`.")] | None = None
    attachment_id: Annotated[Id, Meta(description="A file of the employee or the inbox, instead of `file`.")] | None = (
        None
    )
    valid_from: Day | None = None
    valid_until: Annotated[Day, Meta(description="The last day.")] | None = None
    remind_days: RemindDays = 30
    visibility: Visibility = "hr"
    replaces_document_id: (
        Annotated[Id, Meta(description="An earlier document of the employee, whose reminder ends.")] | None
    ) = None


class DocumentChange(Body):
    """Fields of a document to change; the others stay, null clears. Another `validUntil` reminds again."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"validUntil": "2028-03-31"}

    kind: Kind | Unset = UNSET
    title: Name | Unset = UNSET
    valid_from: Day | Unset | None = UNSET
    valid_until: Day | Unset | None = UNSET
    remind_days: RemindDays | Unset = UNSET
    visibility: Visibility | Unset = UNSET


class EmployeeDocumentFilter(RecordQuery):
    """Filter for the documents of an employee."""

    kind: Kind | None = None
    expires_through: (
        Annotated[Day, Meta(description="Current documents that expire by this day: not replaced, archived or done.")]
        | None
    ) = None
    is_archived: Annotated[bool, Meta(description="List archived ones instead.")] = False
    sort: Literal["validUntil", "-validUntil", "title", "-title", "createdAt", "-createdAt"] = "-createdAt"


class DocumentFilter(EmployeeDocumentFilter):
    """Filter for the documents of all employees that you can read."""

    employee_id: Annotated[Id, Meta(description="An employee's id or number.")] | None = None
