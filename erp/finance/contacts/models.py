"""The tables of contacts and tax rates. Percentages are millionths."""

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord


class TaxRate(WorkspaceRecord):
    """A percentage with its EN 16931 category (code list UNCL 5305)."""

    noun = Noun("tax rate")

    name = TextField()
    rate = IntegerField()
    category = TextField()
    side = TextField()
    tax_tag = TextField(null=True)
    country = TextField(null=True)
    region = TextField(null=True)
    components = JSONField(null=True)
    net_tax_rate = IntegerField(null=True)
    exemption_reason = TextField(null=True)
    output_tax_account = ForeignKeyField(Account, null=True, lazy_load=False)
    input_tax_account = ForeignKeyField(Account, null=True, lazy_load=False)
    income_account = ForeignKeyField(Account, null=True, lazy_load=False)
    expense_account = ForeignKeyField(Account, null=True, lazy_load=False)
    discounts_given_account = ForeignKeyField(Account, null=True, lazy_load=False)
    discounts_received_account = ForeignKeyField(Account, null=True, lazy_load=False)
    is_default = BooleanField(default=False)
    archived_at = TextField(null=True)


class Contact(WorkspaceRecord):
    """A customer, a supplier, or both; or an employee who is owed expenses."""

    noun = Noun("contact")
    sealed = frozenset({"paper_intro", "paper_closing", "recipients"})

    kind = TextField()
    name = TextField()
    legal_name = TextField(null=True)
    email = TextField(null=True)
    phone = TextField(null=True)
    vat_id = TextField(null=True)
    tax_number = TextField(null=True)
    address = JSONField(null=True)
    currency = TextField(null=True)
    payment_terms_days = IntegerField(null=True)
    payment_terms = JSONField(null=True)
    default_tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    note = TextField(null=True)
    archived_at = TextField(null=True)
    bank_account = JSONField(null=True)
    buyer_reference = TextField(null=True)
    language = TextField(null=True)
    debtor_number = TextField(null=True)
    creditor_number = TextField(null=True)
    dimensions = TextField(null=True)
    employee_id = TextField(null=True)
    paper_intro = TextField(null=True)
    paper_closing = TextField(null=True)
    time_billing = JSONField(null=True)
    group_workspace_id = TextField(null=True)
    buyer_kind = TextField(default="business")
    recipients = JSONField(null=True)
    head_id = TextField(null=True)
    merged_into_id = TextField(null=True)
    merged_parts = JSONField(null=True)

    default_tax_rate_id: str | None
