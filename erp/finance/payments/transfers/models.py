"""The table of transfers. Amounts are minor units of the currency of their account."""

from peewee import ForeignKeyField, IntegerField, TextField

from erp.finance.books.models import Account, JournalEntry
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField


class Transfer(WorkspaceRecord):
    """Money moved between two own accounts; the fee leaves the first account beside `amount`.

    `exchange_difference` is in the base currency, a gain above zero.
    """

    noun = Noun("transfer")

    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    status = TextField(default="posted")
    date = DayField()
    from_account = ForeignKeyField(Account, lazy_load=False)
    to_account = ForeignKeyField(Account, lazy_load=False)
    amount = IntegerField()
    currency = TextField()
    received_amount = IntegerField()
    received_currency = TextField()
    fee_amount = IntegerField(null=True)
    exchange_difference = IntegerField()
    reference = TextField(null=True)
    note = TextField(null=True)
    journal_entry = ForeignKeyField(JournalEntry, lazy_load=False)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    from_account_id: str
    to_account_id: str
    journal_entry_id: str
