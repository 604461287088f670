"""The tables of fixed assets. Amounts are minor units of the base currency; percentages are millionths."""

from typing import Literal

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account, JournalEntry
from erp.finance.documents.models import Invoice
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField

AssetStatus = Literal["draft", "in_use", "disposed"]
DisposalKind = Literal["sold", "scrapped", "lost", "private"]
RunStatus = Literal["posted", "void"]


class AssetAccount(WorkspaceTable):
    """Where the depreciation of an account's assets is collected (None: on the account itself), and its expense."""

    account = ForeignKeyField(Account, primary_key=True, lazy_load=False)
    accumulated_account = ForeignKeyField(Account, null=True, lazy_load=False)
    expense_account = ForeignKeyField(Account, lazy_load=False)


class Asset(WorkspaceRecord):
    """A fixed asset.

    `lives` are the later changes of its useful life: the first month (`YYYY-MM`), the months, the reason. The line of
    a bill is where it was bought, the line of a sales invoice where it was sold. The book value at its disposal is
    None for one of a pool, which stays in it.
    """

    noun = Noun("asset")

    number = TextField()
    seq = IntegerField()
    name = TextField()
    status = TextField(default="draft")
    account = ForeignKeyField(Account, lazy_load=False)
    cost = IntegerField()
    residual_value = IntegerField(default=0)
    acquired_on = DayField()
    in_use_on = DayField(null=True)
    method = TextField(default="linear")
    life_months = IntegerField(null=True)
    declining_percent = IntegerField(null=True)
    lives = JSONField(default=list)
    opening_accumulated = IntegerField(default=0)
    opening_date = DayField(null=True)
    invoice = ForeignKeyField(Invoice, null=True, lazy_load=False)
    line_id = TextField(null=True)
    project_id = TextField(null=True)
    dimensions = TextField(null=True)
    employee_id = TextField(null=True)
    serial_number = TextField(null=True)
    location = TextField(null=True)
    note = TextField(null=True)
    disposed_on = DayField(null=True)
    disposal_kind = TextField(null=True)
    disposal_reason = TextField(null=True)
    proceeds = IntegerField(null=True)
    disposal_book_value = IntegerField(null=True)
    sale_invoice = ForeignKeyField(Invoice, null=True, lazy_load=False)
    sale_line_id = TextField(null=True)
    disposal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)

    account_id: str
    invoice_id: str | None
    sale_invoice_id: str | None
    disposal_entry_id: str | None


class DepreciationRun(WorkspaceRecord):
    """The depreciation of a month, posted on its last day."""

    noun = Noun("depreciation run")

    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    status = TextField(default="posted")
    date = DayField()
    journal_entry = ForeignKeyField(JournalEntry, lazy_load=False)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    journal_entry_id: str


class Depreciation(WorkspaceTable):
    """Depreciation of an asset, by a run or by its disposal; it counts while its entry is not reversed.

    `account` is the one that was credited.
    """

    id = TextField(primary_key=True, default=new_id)
    asset = ForeignKeyField(Asset, lazy_load=False)
    run = ForeignKeyField(DepreciationRun, null=True, lazy_load=False)
    date = DayField()
    amount = IntegerField()
    account = ForeignKeyField(Account, lazy_load=False)
    journal_entry = ForeignKeyField(JournalEntry, lazy_load=False)

    asset_id: str
    run_id: str | None
    account_id: str
    journal_entry_id: str
