"""The tables of the books. Amounts are minor units; quantities, unit prices and percentages are millionths."""

from typing import Literal

from peewee import BooleanField, CompositeKey, ForeignKeyField, IntegerField, TextField

from erp.kernel.language import Noun
from erp.store import names
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField

DocumentType = Literal["invoice", "payment", "journal_entry"]
"""The kind of record that an open item belongs to; a manual entry is its own document."""

EntryKind = Literal[
    "manual",
    "reversal",
    "opening",
    "invoice",
    "payment",
    "exchange_difference",
    "deposit_received",
    "deposit_closing",
    "payroll",
    "payroll_payment",
    "expense_claim",
    "offset",
    "transfer",
    "revaluation",
    "revaluation_reversal",
    "cash_discount",
    "write_off",
    "small_difference",
    "doubtful",
    "tax_settlement",
    "depreciation",
    "asset_disposal",
]
"""The purpose of an entry."""

SourceType = Literal[
    "invoice",
    "payment",
    "allocation",
    "offset",
    "transfer",
    "revaluation",
    "payroll_run",
    "expense_claim",
    "deduction",
    "tax_return",
    "depreciation_run",
    "asset",
]
"""The kind of record that caused an entry."""


class Account(WorkspaceRecord):
    """An entry of the chart of accounts."""

    noun = Noun("account")

    code = TextField()
    name = TextField()
    type = TextField()
    subtype = TextField()
    parent = ForeignKeyField("self", null=True, lazy_load=False)
    is_group = BooleanField(default=False)
    currency = TextField()
    description = TextField(null=True)
    archived_at = TextField(null=True)
    dimensions = TextField(null=True)
    is_intercompany = BooleanField(default=False)

    parent_id: str | None


class DefaultAccount(WorkspaceTable):
    """An account that the program posts to automatically, by a key such as `receivable`."""

    key = TextField(primary_key=True)
    account = ForeignKeyField(Account, lazy_load=False)


class JournalEntry(WorkspaceTable):
    """A dated, balanced set of postings. Only `ledger.post` writes one, and none is ever changed."""

    id = TextField(primary_key=True, default=new_id)
    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    date = DayField()
    description = TextField()
    reference = TextField(null=True)
    kind = TextField()
    source_type = TextField(null=True)
    source_id = TextField(null=True)
    reverses = ForeignKeyField("self", null=True, lazy_load=False)
    total = IntegerField()
    last_line = IntegerField()
    created_at = TextField()
    created_by = TextField(null=True)
    hash = TextField()

    reverses_id: str | None

    @property
    def created_by_name(self) -> str | None:
        """The name of the user who posted it."""
        return names.of_user(self.created_by)


class Posting(WorkspaceTable):
    """One signed leg of a journal entry: debit above zero, credit below, in the base currency."""

    entry = ForeignKeyField(JournalEntry, lazy_load=False)
    line = IntegerField()
    account = ForeignKeyField(Account, lazy_load=False)
    date = DayField()
    amount = IntegerField()
    contact_id = TextField(null=True)
    project_id = TextField(null=True)
    description = TextField(null=True)
    currency = TextField(null=True)
    foreign_amount = IntegerField(null=True)
    dimensions = TextField(null=True)

    class Meta:
        primary_key = CompositeKey("entry", "line")


class Balance(WorkspaceTable):
    """The debits and credits of an account in a month (`YYYY-MM`); a trigger adds each posting."""

    account = ForeignKeyField(Account, lazy_load=False)
    month = TextField()
    debit = IntegerField()
    credit = IntegerField()

    class Meta:
        primary_key = CompositeKey("account", "month")


class ComparisonBalance(WorkspaceTable):
    """The balance of an account at the end of a month (`YYYY-MM`) in the former program: a debit above zero.

    For comparison in reports; not part of the books. Of income and expenses, since the fiscal year began.
    """

    id = TextField(primary_key=True, default=new_id)
    account = ForeignKeyField(Account, lazy_load=False)
    month = TextField()
    base_amount = IntegerField()

    account_id: str


class OpenItem(WorkspaceTable):
    """A posting to a receivable or payable with its open amount: a debit above zero, a credit below.

    `date` is the posting's; `document_date` and `tax_rate_id` belong to a document of another program. `amount` and
    `open` are in the currency of the document, `base_amount` and `open_base` in the base currency. An item of 0.00 in
    the base currency has no posting. `number` is the document's. `settled_on` and `released_on` are the last days on
    which a part of it was settled or released, unless both were on the same day.
    """

    derived = frozenset(
        {"entry_id", "line", "account_id", "contact_id", "date", "currency", "amount", "base_amount"}
        | {"document_type", "document_id", "open", "open_base", "settled_on", "released_on"}
    )

    id = TextField(primary_key=True)
    entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    line = IntegerField()
    document_type = TextField()
    document_id = TextField()
    number = TextField()
    account = ForeignKeyField(Account, lazy_load=False)
    contact_id = TextField()
    date = DayField()
    document_date = DayField()
    due_date = DayField()
    tax_rate_id = TextField(null=True)
    currency = TextField()
    amount = IntegerField()
    base_amount = IntegerField()
    open = IntegerField()
    open_base = IntegerField()
    settled_on = DayField(null=True)
    released_on = DayField(null=True)

    entry_id: str | None
    account_id: str


class Allocation(WorkspaceTable):
    """The use of an open item against another of the opposite sign, in minor units of the currency of both.

    `from_base` and `to_base` are the used parts of their base amounts, above zero.
    """

    id = TextField(primary_key=True, default=new_id)
    created_at = TextField()
    created_by = TextField(null=True)
    from_item = ForeignKeyField(OpenItem, lazy_load=False)
    to_item = ForeignKeyField(OpenItem, lazy_load=False)
    amount = IntegerField()
    date = DayField()
    from_base = IntegerField()
    to_base = IntegerField()
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    released_on = DayField(null=True)

    from_item_id: str
    to_item_id: str
    journal_entry_id: str | None
