"""The table of products. Prices are millionths of the major unit."""

from peewee import BooleanField, ForeignKeyField, IntegerField, TextField

from erp.finance.books.models import Account
from erp.finance.contacts.models import TaxRate
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord


class Product(WorkspaceRecord):
    """An article or a service; a line that names it takes omitted fields from it."""

    noun = Noun("product")

    name = TextField()
    number = TextField(null=True)
    description = TextField(null=True)
    unit = TextField(null=True)
    unit_price = IntegerField(null=True)
    currency = TextField()
    price_includes_tax = BooleanField()
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    account = ForeignKeyField(Account, null=True, lazy_load=False)
    purchase_price = IntegerField(null=True)
    purchase_tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    purchase_account = ForeignKeyField(Account, null=True, lazy_load=False)
    archived_at = TextField(null=True)
    dimensions = TextField(null=True)

    tax_rate_id: str | None
    account_id: str | None
    purchase_tax_rate_id: str | None
    purchase_account_id: str | None
