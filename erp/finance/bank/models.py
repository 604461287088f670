"""The tables of bank statements. Amounts are minor units of the account's currency, below zero for money out."""

from typing import Literal

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account, JournalEntry
from erp.finance.contacts.models import Contact, TaxRate
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField

Made = Literal["payment", "journal_entry"]


class BankFeed(WorkspaceRecord):
    """The bank account behind an account of the chart."""

    noun = Noun("bank account")

    account = ForeignKeyField(Account, lazy_load=False)
    iban = TextField(null=True)
    csv_mapping = JSONField(null=True)

    account_id: str


class BankStatement(WorkspaceRecord):
    """A statement: `total` is the sum of its lines, including ones known from an earlier statement."""

    noun = Noun("bank statement")

    account = ForeignKeyField(Account, lazy_load=False)
    format = TextField()
    name = TextField(null=True)
    number = TextField(null=True)
    date_from = DayField()
    date_to = DayField()
    currency = TextField()
    opening = IntegerField()
    total = IntegerField()
    closing = IntegerField()
    line_count = IntegerField()

    account_id: str


class BankLine(WorkspaceRecord):
    """A line of a statement. `line_key` identifies the line when it is imported again."""

    noun = Noun("bank transaction")
    sealed = frozenset({"text", "party"})

    statement = ForeignKeyField(BankStatement, lazy_load=False)
    account = ForeignKeyField(Account, lazy_load=False)
    line_key = TextField()
    position = IntegerField()
    date = DayField()
    value_date = DayField(null=True)
    amount = IntegerField()
    currency = TextField()
    text = TextField()
    party = TextField(null=True)
    iban = TextField(null=True)
    reference = TextField(null=True)
    end_to_end = TextField(null=True)

    statement_id: str
    account_id: str


class BankMatch(WorkspaceTable):
    """A match of a line, or a part of one, with a journal entry.

    `made` is the record posted for the line, `rule_id` the rule that it follows.
    """

    id = TextField(primary_key=True, default=new_id)
    line = ForeignKeyField(BankLine, lazy_load=False)
    entry = ForeignKeyField(JournalEntry, lazy_load=False)
    amount = IntegerField()
    made = TextField(null=True)
    document_id = TextField(null=True)
    reason = TextField()
    rule_id = TextField(null=True)

    line_id: str
    entry_id: str


class BankRule(WorkspaceRecord):
    """Lines with this text are posted to an account, with the tax included."""

    noun = Noun("bank rule")

    text = TextField()
    account = ForeignKeyField(Account, lazy_load=False)
    contact = ForeignKeyField(Contact, null=True, lazy_load=False)
    direction = TextField(default="any")
    account_of_bank = ForeignKeyField(Account, null=True, lazy_load=False)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    project_id = TextField(null=True)
    dimensions = TextField(null=True)
    description = TextField(null=True)
    is_automatic = BooleanField(default=False)

    account_id: str
    contact_id: str | None
    account_of_bank_id: str | None
    tax_rate_id: str | None


class BankCounterparty(WorkspaceRecord):
    """An IBAN that a contact has paid from or was paid to."""

    noun = Noun("payer or payee")

    iban = TextField()
    contact = ForeignKeyField(Contact, lazy_load=False)

    contact_id: str
