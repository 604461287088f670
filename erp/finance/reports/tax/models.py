"""The table of filed tax returns."""

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import JournalEntry
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField


class TaxReturn(WorkspaceRecord):
    """A VAT return as it was filed; `correction` counts the returns of the same days, from 0.

    Each of the `boxes` has a code, a label by language, a base and a tax in minor units. The entry is the VAT payable
    entry.
    """

    noun = Noun("VAT return")

    form = TextField()
    date_from = DayField()
    date_to = DayField()
    basis = TextField()
    correction = IntegerField()
    boxes = JSONField()
    payable = IntegerField()
    reference = TextField(null=True)
    note = TextField(null=True)
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)

    journal_entry_id: str | None
