"""The table of revaluations."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import JournalEntry
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField

Status = Literal["posted", "void"]


class Revaluation(WorkspaceRecord):
    """Open items and accounts in foreign currencies at the end of a day, with their value.

    `rates` are by currency, times `RATE_SCALE`. Each of the `lines` is an open item or an account, with amounts in
    minor units: its book value, and its gain. Without differences there are no entries.
    """

    noun = Noun("revaluation")

    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    status = TextField(default="posted")
    date = DayField()
    rates = JSONField()
    lines = JSONField()
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    reversal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    journal_entry_id: str | None
    reversal_entry_id: str | None
