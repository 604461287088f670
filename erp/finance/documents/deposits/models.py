"""The tables of deposits, in minor units: receipts, and their use by final invoices, by tax rate."""

from peewee import ForeignKeyField, IntegerField, TextField

from erp.finance.books.models import Account, Allocation, JournalEntry
from erp.finance.contacts.models import TaxRate
from erp.finance.documents.models import Invoice
from erp.store.records import WorkspaceTable, new_id


class DepositReceipt(WorkspaceTable):
    """A receipt of a deposit invoice at one tax rate; it stands until its allocation is released.

    `base_net` and `base_tax` were posted to the two accounts; no entry where they are worth nothing.
    """

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False)
    allocation = ForeignKeyField(Allocation, lazy_load=False)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    net = IntegerField()
    tax = IntegerField()
    base_net = IntegerField()
    base_tax = IntegerField()
    account = ForeignKeyField(Account, lazy_load=False)
    tax_account = ForeignKeyField(Account, lazy_load=False)
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)

    invoice_id: str
    allocation_id: str
    tax_rate_id: str | None
    journal_entry_id: str | None


class InvoiceDeposit(WorkspaceTable):
    """The use of a deposit by a final invoice at one tax rate; one row of zeros if it was never paid."""

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False)
    position = IntegerField()
    deposit = ForeignKeyField(Invoice, lazy_load=False)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    net = IntegerField()
    tax = IntegerField()
    base_net = IntegerField()
    base_tax = IntegerField()
