"""The tables of the books. Amounts are minor units; quantities, unit prices and percentages are millionths."""

from peewee import BooleanField, CompositeKey, ForeignKeyField, IntegerField, JSONField, Model, TextField

from erp.store.router import WORKSPACE, DayField, WorkspaceModel, new_id


class Account(WorkspaceModel):
    """An entry of the chart of accounts."""

    noun = "account"

    code = TextField(unique=True)
    name = TextField()
    type = TextField()
    subtype = TextField()
    parent = ForeignKeyField("self", null=True, lazy_load=False)
    is_group = BooleanField(default=False)
    currency = TextField()
    description = TextField(null=True)
    archived_at = TextField(null=True)

    parent_id: str | None


class DefaultAccount(Model):
    """The account that the program posts to by itself under a key such as `receivable`."""

    key = TextField(primary_key=True)
    account = ForeignKeyField(Account, lazy_load=False)

    class Meta:
        database = WORKSPACE
        legacy_table_names = False


class TaxRate(WorkspaceModel):
    """A percentage with its EN 16931 category (code list UNCL 5305)."""

    noun = "tax rate"

    name = TextField()
    rate = IntegerField()
    category = TextField()
    exemption_reason = TextField(null=True)
    sales_account = ForeignKeyField(Account, null=True, lazy_load=False)
    purchase_account = ForeignKeyField(Account, null=True, lazy_load=False)
    is_default = BooleanField(default=False)
    archived_at = TextField(null=True)


class Contact(WorkspaceModel):
    """A customer, a supplier, or both."""

    noun = "contact"

    kind = TextField()
    name = TextField()
    legal_name = TextField(null=True)
    email = TextField(null=True)
    phone = TextField(null=True)
    tax_number = TextField(null=True)
    address = JSONField(null=True)
    currency = TextField(null=True)
    payment_terms_days = IntegerField(null=True)
    default_tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    notes = TextField(null=True)
    archived_at = TextField(null=True)

    default_tax_rate_id: str | None


class JournalEntry(Model):
    """A dated, balanced set of postings; written by `ledger.post` alone, and never changed."""

    id = TextField(primary_key=True, default=new_id)
    number = TextField(unique=True)
    fiscal_year = IntegerField()
    seq = IntegerField()
    date = DayField(index=True)
    description = TextField()
    reference = TextField(null=True)
    kind = TextField()
    source_type = TextField(null=True)
    source_id = TextField(null=True)
    reverses = ForeignKeyField("self", null=True, lazy_load=False, index=False)
    total = IntegerField()
    created_at = TextField()
    created_by = TextField(null=True)
    hash = TextField()

    reverses_id: str | None

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        indexes = ((("fiscal_year", "seq"), True),)


class Posting(Model):
    """One signed leg of a journal entry: debit above zero, credit below, in the base currency."""

    entry = ForeignKeyField(JournalEntry, lazy_load=False, index=False)
    line = IntegerField()
    account = ForeignKeyField(Account, lazy_load=False, index=False)
    date = DayField()
    amount = IntegerField()
    contact = ForeignKeyField(Contact, null=True, lazy_load=False, index=False)
    project_id = TextField(null=True)
    description = TextField(null=True)
    currency = TextField(null=True)
    foreign_amount = IntegerField(null=True)

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        primary_key = CompositeKey("entry", "line")


class Balance(Model):
    """The debits and credits of an account in a month (`YYYY-MM`), kept by a trigger with each posting."""

    account = ForeignKeyField(Account, lazy_load=False, index=False)
    month = TextField()
    debit = IntegerField()
    credit = IntegerField()

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        primary_key = CompositeKey("account", "month")


class Invoice(WorkspaceModel):
    """A sales or purchase document; `terms` is the request as it was given, from which a draft is computed anew."""

    noun = "invoice"

    type = TextField(default="sales_invoice")
    number = TextField(null=True, unique=True)
    fiscal_year = IntegerField(null=True)
    seq = IntegerField(null=True)
    status = TextField(default="draft")
    contact = ForeignKeyField(Contact, lazy_load=False)
    contact_name = TextField()
    customer = JSONField(null=True)
    issue_date = DayField(index=True)
    due_date = DayField()
    currency = TextField()
    exchange_rate = IntegerField(null=True)
    prices_include_tax = BooleanField()
    tax_rounding = TextField()
    discount_amount = IntegerField(null=True)
    discount_percent = IntegerField(null=True)
    reference = TextField(null=True)
    project_id = TextField(null=True)
    notes = TextField(null=True)
    subtotal = IntegerField()
    discount_total = IntegerField()
    charge_total = IntegerField()
    tax_total = IntegerField()
    rounding_amount = IntegerField()
    total = IntegerField()
    base_total = IntegerField()
    amount_paid = IntegerField(default=0)
    amount_credited = IntegerField(default=0)
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    credited_invoice = ForeignKeyField("self", null=True, lazy_load=False)
    issued_at = TextField(null=True)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)
    terms = TextField()

    contact_id: str
    journal_entry_id: str | None
    credited_invoice_id: str | None

    class Meta:
        indexes = ((("type", "fiscal_year", "seq"), True),)

    @property
    def due(self) -> int:
        """What is still to be paid: the total less payments and credits."""
        return amount_due(self.status, self.total, self.amount_paid + self.amount_credited)


def amount_due(status: str, total: int, settled: int) -> int:
    """What is still to be paid of a total, nothing once void or written off."""
    return 0 if status in ("void", "written_off") else total - settled


class InvoiceLine(Model):
    """A line of an invoice with its results."""

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False, index=False)
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

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        indexes = ((("invoice", "position"), True),)


class InvoiceAdjustment(Model):
    """An allowance or a charge of a whole invoice."""

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False, index=False)
    position = IntegerField()
    is_charge = BooleanField()
    description = TextField(null=True)
    given_amount = IntegerField(null=True)
    given_percent = IntegerField(null=True)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    account = ForeignKeyField(Account, lazy_load=False)
    amount = IntegerField()

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        indexes = ((("invoice", "position"), True),)


class InvoiceTax(Model):
    """The tax of an invoice for one category and rate."""

    id = TextField(primary_key=True, default=new_id)
    invoice = ForeignKeyField(Invoice, lazy_load=False, index=False)
    position = IntegerField()
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    category = TextField()
    rate = IntegerField()
    base = IntegerField()
    amount = IntegerField()

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        indexes = ((("invoice", "position"), True),)


class Payment(WorkspaceModel):
    """Money received from a contact or paid to one."""

    noun = "payment"

    number = TextField(unique=True)
    fiscal_year = IntegerField()
    seq = IntegerField()
    direction = TextField(default="received")
    status = TextField(default="posted")
    contact = ForeignKeyField(Contact, lazy_load=False)
    amount = IntegerField()
    currency = TextField()
    exchange_rate = IntegerField(null=True)
    base_amount = IntegerField()
    date = DayField(index=True)
    method = TextField()
    account = ForeignKeyField(Account, lazy_load=False)
    fee_amount = IntegerField(null=True)
    reference = TextField(null=True)
    note = TextField(null=True)
    allocated_amount = IntegerField(default=0)
    journal_entry = ForeignKeyField(JournalEntry, lazy_load=False)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    contact_id: str
    account_id: str
    journal_entry_id: str

    class Meta:
        indexes = ((("fiscal_year", "seq"), True),)


class Allocation(Model):
    """The part of a payment, or of a credit note, that settles an invoice."""

    id = TextField(primary_key=True, default=new_id)
    created_at = TextField()
    created_by = TextField(null=True)
    payment = ForeignKeyField(Payment, null=True, lazy_load=False)
    credit_note = ForeignKeyField(Invoice, null=True, lazy_load=False)
    invoice = ForeignKeyField(Invoice, lazy_load=False)
    amount = IntegerField()
    date = DayField()
    base_received = IntegerField()
    base_relieved = IntegerField()
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    released_on = DayField(null=True)

    payment_id: str | None
    invoice_id: str
    journal_entry_id: str | None

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
