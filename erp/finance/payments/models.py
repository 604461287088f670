"""The table of payments. Amounts are minor units."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, TextField

from erp.finance.books.models import Account, JournalEntry
from erp.finance.contacts.models import Contact
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField

Status = Literal["posted", "void"]


class Payment(WorkspaceRecord):
    """Money received from a contact or paid to one; it has no journal entry if it is worth 0 in the base currency.

    Its open item holds the remaining amount.
    """

    noun = Noun("payment")
    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    direction = TextField(default="received")
    status = TextField(default="posted")
    contact = ForeignKeyField(Contact, lazy_load=False)
    amount = IntegerField()
    currency = TextField()
    exchange_rate = IntegerField(null=True)
    base_amount = IntegerField()
    date = DayField()
    method = TextField()
    account = ForeignKeyField(Account, lazy_load=False)
    fee_amount = IntegerField(null=True)
    reference = TextField(null=True)
    note = TextField(null=True)
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    contact_id: str
    account_id: str
    journal_entry_id: str | None
