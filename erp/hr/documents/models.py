"""The table of the documents of employees."""

from peewee import ForeignKeyField, IntegerField, TextField

from erp.hr.access.models import Employee
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField

_ENDED_BY = ("done_at", "replaced_by_id", "archived_at")

REMINDS = " AND ".join(["valid_until IS NOT NULL", *(f"{column} IS NULL" for column in _ENDED_BY)])
"""SQL: whether a document has a reminder, now or later."""


class EmployeeDocument(WorkspaceRecord):
    """A document of an employee; its files are attachments of the document."""

    noun = Noun("employee document")
    sealed = frozenset({"kind", "title"})

    employee = ForeignKeyField(Employee, lazy_load=False)
    kind = TextField()
    title = TextField()
    valid_from = DayField(null=True)
    valid_until = DayField(null=True)
    remind_days = IntegerField()
    visibility = TextField()
    done_at = TextField(null=True)
    replaced_by = ForeignKeyField("self", null=True, lazy_load=False)
    archived_at = TextField(null=True)

    employee_id: str
    replaced_by_id: str | None

    @property
    def reminds(self) -> bool:
        """As `REMINDS`."""
        return self.valid_until is not None and all(getattr(self, column) is None for column in _ENDED_BY)
