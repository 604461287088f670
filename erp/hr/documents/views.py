"""Views of employees' documents."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from erp.hr.documents import documents
from erp.hr.documents.bodies import Kind, Visibility
from erp.hr.documents.documents import Action
from erp.hr.documents.models import EmployeeDocument
from erp.store import names, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import RecordView, show


class EmployeeDocumentView(RecordView):
    """A document of an employee."""

    created_by: str | None
    created_by_name: str | None
    employee_id: str
    employee_name: str
    kind: Kind
    title: str
    valid_from: str | None
    valid_until: str | None
    remind_days: int
    reminds_on: Annotated[str | None, Meta(description="The first day of the reminder.")]
    is_due: Annotated[bool, Meta(description="Whether it waits for a new document, or for `done`.")]
    visibility: Visibility
    done_at: str | None
    replaced_by_id: str | None
    replaced_by_title: str | None
    archived_at: str | None
    attachment_id: Annotated[str | None, Meta(description="Its first file, to download.")]
    attachment_name: str | None
    can: Annotated[list[Action], Meta(description="Actions open to you now.")]

    @classmethod
    def of(cls, document: EmployeeDocument) -> "EmployeeDocumentView":
        return cls.of_many([document])[0]

    @classmethod
    def of_many(cls, rows: Sequence[EmployeeDocument]) -> "list[EmployeeDocumentView]":
        """The documents of a page; files and names are read once."""
        named = names.of(employee=[row.employee_id for row in rows])
        files, titles, today = _files(rows), _titles(rows), workspace_settings.today().isoformat()
        return [_shown(cls, row, named.name(row.employee_id), files, titles, today) for row in rows]


_FILES = """
SELECT resource_id, id, name FROM attachment WHERE resource_type = 'employee_document'
    AND resource_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC
"""
_TITLES = "SELECT id, title FROM employee_document WHERE id IN (SELECT value FROM json_each(?))"


def _files(rows: Sequence[EmployeeDocument]) -> dict[str, tuple[str, str]]:
    ids = sql.array(row.id for row in rows)
    return {document_id: (id, name) for document_id, id, name in WORKSPACE.rows(_FILES, (ids,))}


def _titles(rows: Sequence[EmployeeDocument]) -> dict[str | None, str]:
    ids = sql.array(row.replaced_by_id for row in rows if row.replaced_by_id is not None)
    return dict(WORKSPACE.rows(_TITLES, (ids,)))


def _shown(
    view: type[EmployeeDocumentView],
    row: EmployeeDocument,
    employee_name: str | None,
    files: dict[str, tuple[str, str]],
    titles: dict[str | None, str],
    today: str,
) -> EmployeeDocumentView:
    file_id, file_name = files.get(row.id, (None, None))
    reminds_on = documents.reminds_on(row)
    first_day = None if reminds_on is None else reminds_on.isoformat()
    return show(
        view,
        row,
        employee_name=employee_name,
        valid_from=row.valid_from and row.valid_from.isoformat(),
        valid_until=row.valid_until and row.valid_until.isoformat(),
        reminds_on=first_day,
        is_due=row.reminds and first_day is not None and first_day <= today,
        replaced_by_title=titles.get(row.replaced_by_id),
        attachment_id=file_id,
        attachment_name=file_name,
        can=documents.actions(row),
    )
