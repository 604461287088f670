"""The tables of quotes. Amounts are minor units; quantities, unit prices and percentages are millionths."""

from typing import Literal

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account
from erp.finance.contacts.models import Contact, TaxRate
from erp.finance.products.models import Product
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField

Option = Literal["included", "optional", "alternative"]
SentVia = Literal["smtp", "eml", "post", "link", "other"]
AcceptedVia = Literal["office", "link"]


class Quote(WorkspaceRecord):
    """One revision of a quote; `terms` is the request that a draft is computed from again.

    The stored status knows nothing of days and invoices: `expired`, `partly_invoiced` and `invoiced` are computed.
    `is_above`: more was invoiced than accepted, with consent.
    """

    noun = Noun("quote")
    sealed = frozenset(
        {"customer", "terms", "paper", "intro", "closing", "accepted_by", "accepted_note", "declined_by"}
    )

    number = TextField(null=True)
    fiscal_year = IntegerField(null=True)
    seq = IntegerField(null=True)
    revision = IntegerField(default=1)
    status = TextField(default="draft")
    contact = ForeignKeyField(Contact, lazy_load=False)
    contact_name = TextField()
    customer = JSONField(null=True)
    issue_date = DayField()
    valid_until = DayField()
    subject = TextField(null=True)
    currency = TextField()
    prices_include_tax = BooleanField()
    tax_rounding = TextField()
    discount_amount = IntegerField(null=True)
    discount_percent = IntegerField(null=True)
    reference = TextField(null=True)
    project_id = TextField(null=True)
    note = TextField(null=True)
    intro = TextField(null=True)
    closing = TextField(null=True)
    service_from = DayField(null=True)
    service_to = DayField(null=True)
    payment_terms = JSONField(null=True)
    subtotal = IntegerField()
    discount_total = IntegerField()
    charge_total = IntegerField()
    tax_total = IntegerField()
    rounding_amount = IntegerField()
    total = IntegerField()
    terms = TextField()
    paper = JSONField(null=True)
    issued_at = TextField(null=True)
    accepted_at = TextField(null=True)
    accepted_on = DayField(null=True)
    accepted_by = TextField(null=True)
    accepted_via = TextField(null=True)
    accepted_note = TextField(null=True)
    accepted_paper_sha256 = TextField(null=True)
    accepted_net = IntegerField(null=True)
    accepted_tax = IntegerField(null=True)
    accepted_total = IntegerField(null=True)
    is_above = BooleanField(default=False)
    declined_at = TextField(null=True)
    declined_by = TextField(null=True)
    declined_via = TextField(null=True)
    decline_reason = TextField(null=True)
    closed_at = TextField(null=True)
    close_reason = TextField(null=True)
    sent_at = TextField(null=True)
    sent_via = TextField(null=True)

    contact_id: str

    @property
    def net_total(self) -> int:
        """The total without tax."""
        return int(self.subtotal - self.discount_total + self.charge_total)

    @property
    def lines(self) -> "list[QuoteLine]":
        """Its lines, in their order."""
        return QuoteLine.fetch("SELECT * FROM quote_line WHERE quote_id = ? ORDER BY position", self.id)

    @property
    def adjustments(self) -> "list[QuoteAdjustment]":
        """Its allowances, then its charges."""
        return QuoteAdjustment.fetch("SELECT * FROM quote_adjustment WHERE quote_id = ? ORDER BY position", self.id)


class QuoteLine(WorkspaceTable):
    """A line of a quote with its results; an option has its own, without the document's discount.

    `accepted_net` is net of its share of the document's discount, null unless the customer accepted the line.
    `alternative_to` is the position, from 1, of the line that it would replace.
    """

    id = TextField(primary_key=True, default=new_id)
    quote = ForeignKeyField(Quote, lazy_load=False)
    position = IntegerField()
    option = TextField(default="included")
    alternative_to = IntegerField(null=True)
    description = TextField()
    quantity = IntegerField()
    unit = TextField(null=True)
    unit_price = IntegerField()
    price_base_quantity = IntegerField()
    discount_amount = IntegerField(null=True)
    discount_percent = IntegerField(null=True)
    charge_amount = IntegerField(null=True)
    charge_percent = IntegerField(null=True)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    account = ForeignKeyField(Account, lazy_load=False)
    account_because = TextField()
    project_id = TextField(null=True)
    task_id = TextField(null=True)
    product = ForeignKeyField(Product, null=True, lazy_load=False)
    dimensions = TextField(null=True)
    service_from = TextField(null=True)
    service_to = TextField(null=True)
    net = IntegerField()
    tax = IntegerField()
    gross = IntegerField()
    accepted_net = IntegerField(null=True)
    accepted_tax = IntegerField(null=True)

    quote_id: str
    tax_rate_id: str | None
    account_id: str
    product_id: str | None


class QuoteAdjustment(WorkspaceTable):
    """An allowance or a charge of a whole quote; both amounts are unsigned."""

    id = TextField(primary_key=True, default=new_id)
    quote = ForeignKeyField(Quote, lazy_load=False)
    position = IntegerField()
    is_charge = BooleanField()
    description = TextField(null=True)
    given_amount = IntegerField(null=True)
    given_percent = IntegerField(null=True)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    account = ForeignKeyField(Account, lazy_load=False)
    dimensions = TextField(null=True)
    amount = IntegerField()
    tax = IntegerField()
    accepted_amount = IntegerField(null=True)
    accepted_tax = IntegerField(null=True)

    quote_id: str
    tax_rate_id: str | None
    account_id: str


class QuoteFile(WorkspaceRecord):
    """A paper of a quote, as it was first made."""

    noun = Noun("file")

    quote = ForeignKeyField(Quote, lazy_load=False)
    form = TextField()
    name = TextField()
    media_type = TextField()
    sha256 = TextField()

    quote_id: str
