"""The table of allocations. Amounts are minor units."""

from peewee import ForeignKeyField, IntegerField, TextField

from erp.finance.books.models import JournalEntry
from erp.store.records import WorkspaceTable, new_id
from erp.store.rows import DayField


class Allocation(WorkspaceTable):
    """The part of a payment or credit note that settles an invoice."""

    id = TextField(primary_key=True, default=new_id)
    created_at = TextField()
    created_by = TextField(null=True)
    payment_id = TextField(null=True)
    credit_note_id = TextField(null=True)
    invoice_id = TextField()
    amount = IntegerField()
    date = DayField()
    base_received = IntegerField()
    base_relieved = IntegerField()
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    released_on = DayField(null=True)

    journal_entry_id: str | None
