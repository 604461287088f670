"""The tables of batches for DATEV."""

from peewee import CompositeKey, ForeignKeyField, IntegerField, TextField

from erp.finance.books.models import JournalEntry
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable
from erp.store.rows import DayField


class DatevStack(WorkspaceRecord):
    """A file of journal entries that went to the tax advisor or, with its name, came from there."""

    noun = Noun("DATEV batch")

    date_from = DayField()
    date_to = DayField()
    entries = IntegerField()
    received_as = TextField(null=True)


class DatevEntry(WorkspaceTable):
    """A journal entry in a batch; each is in one at most."""

    stack = ForeignKeyField(DatevStack, lazy_load=False)
    entry = ForeignKeyField(JournalEntry, lazy_load=False)

    class Meta:
        primary_key = CompositeKey("stack", "entry")
