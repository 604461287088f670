"""The table of the documents of employees."""

from peewee import ForeignKeyField, IntegerField, TextField

from erp.hr.access.models import Employee
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField


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
