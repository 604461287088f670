"""The table of offsets. Amounts are minor units."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, TextField

from erp.finance.books.models import JournalEntry
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField

Status = Literal["posted", "void"]


class Offset(WorkspaceRecord):
    """Debits and credits of a contact that settle each other; `amount` is the sum of either side.

    The settlements are the allocations of its entry's open items.
    """

    noun = Noun("offset")

    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    status = TextField(default="posted")
    date = DayField()
    contact_id = TextField()
    currency = TextField()
    amount = IntegerField()
    note = TextField(null=True)
    journal_entry = ForeignKeyField(JournalEntry, lazy_load=False)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    journal_entry_id: str

    class Meta:
        table_name = "contact_offset"
