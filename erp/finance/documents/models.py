"""The tables of documents. Amounts are minor units; quantities, unit prices and percentages are millionths."""

from typing import Literal

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account, Allocation, JournalEntry, OpenItem
from erp.finance.contacts.models import Contact, TaxRate
from erp.finance.products.models import Product
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField

SentVia = Literal["smtp", "eml", "post", "link", "other"]
"""The way of a document to its customer: the server's mail, one's own mail program, the post, a share link, another."""

InvoiceKind = Literal[
    "sales_invoice",
    "sales_credit_note",
    "deposit_invoice",
    "final_invoice",
    "purchase_invoice",
    "purchase_credit_note",
]
PURCHASES = ("purchase_invoice", "purchase_credit_note")
"""Kinds of documents that a supplier wrote: bills and their credit notes."""
AccountReason = Literal["line", "product", "supplier", "tax_rate", "default"]
"""Why a line has its account: named by the line, else by its product, the supplier's bills before, or its tax rate."""
Party = Literal["customer", "supplier"]


def party_of(kind: str) -> Party:
    """The field of a request that names the contact of a document, without `Id`."""
    return "supplier" if kind in PURCHASES else "customer"


CLOSED = ("void", "written_off")
"""Statuses in which nothing is due."""

DEMANDING = ("sales_invoice", "deposit_invoice", "final_invoice", "purchase_invoice")
"""Types that ask for money by the due date; a credit note is never overdue."""


class Invoice(WorkspaceRecord):
    """A sales or purchase document; `terms` is the request that a draft is computed from again.

    `is_adjusted`: it has or had a deduction or a credit note; lists do not look for them otherwise.
    """

    noun = Noun("invoice")
    derived = frozenset({"amount_paid", "amount_credited", "is_adjusted", "status", "sent_at", "sent_via"})
    sealed = frozenset({"customer", "terms", "paper", "intro", "closing"})

    kind = TextField(default="sales_invoice")
    number = TextField(null=True)
    fiscal_year = IntegerField(null=True)
    seq = IntegerField(null=True)
    status = TextField(default="draft")
    contact = ForeignKeyField(Contact, lazy_load=False)
    contact_name = TextField()
    customer = JSONField(null=True)
    issue_date = DayField()
    due_date = DayField()
    currency = TextField()
    exchange_rate = IntegerField(null=True)
    prices_include_tax = BooleanField()
    tax_rounding = TextField()
    discount_amount = IntegerField(null=True)
    discount_percent = IntegerField(null=True)
    reference = TextField(null=True)
    project_id = TextField(null=True)
    note = TextField(null=True)
    intro = TextField(null=True)
    closing = TextField(null=True)
    time_sheet = BooleanField(default=False)
    subtotal = IntegerField()
    discount_total = IntegerField()
    charge_total = IntegerField()
    tax_total = IntegerField()
    rounding_amount = IntegerField()
    total = IntegerField()
    base_total = IntegerField()
    amount_paid = IntegerField(default=0)
    amount_credited = IntegerField(default=0)
    is_adjusted = BooleanField(default=False)
    deposit_total = IntegerField(default=0)
    prepaid_amount = IntegerField(null=True)
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    credited_invoice = ForeignKeyField("self", null=True, lazy_load=False)
    issued_at = TextField(null=True)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)
    terms = TextField()
    supplier_number = TextField(null=True)
    approval = TextField(default="not_needed")
    approved_at = TextField(null=True)
    approved_by = TextField(null=True)
    service_from = DayField(null=True)
    service_to = DayField(null=True)
    tax_date = DayField(null=True)
    payment_terms = JSONField(null=True)
    paper = JSONField(null=True)
    quote_id = TextField(null=True)
    sent_at = TextField(null=True)
    sent_via = TextField(null=True)

    contact_id: str
    journal_entry_id: str | None
    credited_invoice_id: str | None

    @property
    def is_sent(self) -> bool:
        """Whether it has gone out to its customer."""
        return self.sent_at is not None

    @property
    def net_total(self) -> int:
        """The total without tax: less the document's discount and allowances, with its charges (BT-109)."""
        return int(self.subtotal - self.discount_total + self.charge_total)

    @property
    def due(self) -> int:
        """The amount that can still be settled: the demand, less payments and credits of any date; 0 once closed."""
        return 0 if self.status in CLOSED else self.demanded - self.amount_paid - self.amount_credited

    @property
    def demanded(self) -> int:
        """The amount that the document asks for: its total, less the deposits that a final invoice applies."""
        return int(self.total - self.deposit_total)


class InvoiceLine(WorkspaceTable):
    """A line of an invoice with its results.

    A line of a credit note may credit a line of an invoice, and a part of its quantity; None of it where only the price
    is lowered. `asset` is the fixed asset that a line of a bill becomes, as JSON. `quote_part` is the part of a line of
    a quote that it bills, in billionths.
    """

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False)
    position = IntegerField()
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
    project_id = TextField(null=True)
    task_id = TextField(null=True)
    net = IntegerField()
    tax = IntegerField()
    gross = IntegerField()
    credited_line_id = TextField(null=True)
    credited_quantity = IntegerField(null=True)
    deductible_tax_percent = IntegerField(null=True)
    deductible_cost_percent = IntegerField(null=True)
    non_deductible_account = ForeignKeyField(Account, null=True, lazy_load=False)
    non_deductible_tax = IntegerField(default=0)
    non_deductible_cost = IntegerField(default=0)
    service_from = DayField(null=True)
    service_to = DayField(null=True)
    tax_date = DayField(null=True)
    product = ForeignKeyField(Product, null=True, lazy_load=False)
    dimensions = TextField(null=True)
    asset = TextField(null=True)
    account_because = TextField(default="line")
    quote_line_id = TextField(null=True)
    quote_part = IntegerField(null=True)


class InvoiceAdjustment(WorkspaceTable):
    """An allowance or a charge of a whole invoice."""

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False)
    position = IntegerField()
    is_charge = BooleanField()
    description = TextField(null=True)
    given_amount = IntegerField(null=True)
    given_percent = IntegerField(null=True)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    account = ForeignKeyField(Account, lazy_load=False)
    amount = IntegerField()
    tax = IntegerField()
    dimensions = TextField(null=True)


class InvoiceTax(WorkspaceTable):
    """The tax of an invoice for one category and rate.

    Of a bill, `own_amount` is the tax by its lines where the supplier printed the amount, and `reverse_charge` the tax
    that we owe in the supplier's place.
    """

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False)
    position = IntegerField()
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    category = TextField()
    rate = IntegerField()
    base = IntegerField()
    amount = IntegerField()
    own_amount = IntegerField(null=True)
    reverse_charge = IntegerField(default=0)


class Deduction(WorkspaceTable):
    """A deduction from a document's open item, or a later recovery of one that was written off.

    `of_item` is that open item if it has no document, such as an opening item. `item` is the open item of the
    deduction's entry, which settles it. `payment_id` and `allocation_id` name the payment it was taken with.
    `corrects_tax`: the tax of its parts is posted.
    """

    id = TextField(primary_key=True, default=new_id)
    created_at = TextField()
    created_by = TextField(null=True)
    kind = TextField()
    invoice = ForeignKeyField(Invoice, null=True, lazy_load=False)
    of_item = ForeignKeyField(OpenItem, null=True, lazy_load=False)
    item = ForeignKeyField(OpenItem, null=True, lazy_load=False)
    payment_id = TextField(null=True)
    allocation = ForeignKeyField(Allocation, null=True, lazy_load=False)
    amount = IntegerField()
    base_amount = IntegerField()
    currency = TextField()
    date = DayField()
    corrects_tax = BooleanField(default=True)
    is_late = BooleanField(default=False)
    reason = TextField(null=True)
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    undone_on = DayField(null=True)
    undo_reason = TextField(null=True)

    invoice_id: str | None
    of_item_id: str | None
    item_id: str | None
    allocation_id: str | None
    journal_entry_id: str | None


class DeductionPart(WorkspaceTable):
    """The part of a deduction at one tax rate: `amount` with the tax that is in it."""

    id = TextField(primary_key=True, default=new_id)
    deduction = ForeignKeyField(Deduction, lazy_load=False)
    position = IntegerField()
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    amount = IntegerField()
    tax = IntegerField()

    deduction_id: str
    tax_rate_id: str | None


class BillableExpense(WorkspaceTable):
    """A posted expense that a customer pays, by the id of its line in a claim; `line_id` is the line that bills it."""

    id = TextField(primary_key=True)
    claim_id = TextField()
    project_id = TextField()
    date = DayField()
    description = TextField()
    net = IntegerField()
    invoice_id = TextField(null=True)
    line_id = TextField(null=True)


class ExpenseTax(WorkspaceTable):
    """The base and the deducted tax of a posted expense claim at one rate, in the base currency."""

    id = TextField(primary_key=True, default=new_id)
    entry = ForeignKeyField(JournalEntry, lazy_load=False)
    tax_rate = ForeignKeyField(TaxRate, lazy_load=False)
    base = IntegerField()
    tax = IntegerField()
