"""The tables of expense claims. Amounts are minor units; rates of mileage and percentages are millionths."""

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account, JournalEntry
from erp.finance.contacts.models import Contact, TaxRate
from erp.hr.access.models import Employee
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField


class ExpenseCategory(WorkspaceRecord):
    """A kind of expense: its account and tax rate, its limit, and from which amount a receipt is required."""

    noun = Noun("expense category")

    code = TextField()
    name = TextField()
    expense_account = ForeignKeyField(Account, null=True, lazy_load=False)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    limit_amount = IntegerField(null=True)
    limit_per = TextField(null=True)
    limit_mode = TextField(default="warn")
    receipt_from = IntegerField(default=0)
    deductible_cost_percent = IntegerField(default=100_000_000)
    deductible_tax_percent = IntegerField(default=100_000_000)
    archived_at = TextField(null=True)

    expense_account_id: str | None
    tax_rate_id: str | None


class ExpenseRate(WorkspaceRecord):
    """A rate of the office's own, from a day on: of a day away in a country, or of a distance."""

    noun = Noun("expense rate")

    kind = TextField()
    country = TextField()
    region = TextField(null=True)
    vehicle = TextField(null=True)
    valid_from = DayField()
    full_amount = IntegerField(null=True)
    partial_amount = IntegerField(null=True)
    rate = IntegerField(null=True)
    currency = TextField()


class ExpenseClaim(WorkspaceRecord):
    """Expenses that a person claims together; the amounts are in the base currency.

    What has been paid is known by the open item of its entry alone.
    """

    noun = Noun("expense claim")
    sealed = frozenset({"decision_note"})

    number = TextField(null=True)
    fiscal_year = IntegerField(null=True)
    seq = IntegerField(null=True)
    employee = ForeignKeyField(Employee, lazy_load=False)
    title = TextField()
    note = TextField(null=True)
    status = TextField(default="draft")
    total = IntegerField(default=0)
    own_total = IntegerField(default=0)
    card_total = IntegerField(default=0)
    tax_total = IntegerField(default=0)
    submitted_at = TextField(null=True)
    decided_by = TextField(null=True)
    decided_at = TextField(null=True)
    decision_note = TextField(null=True)
    contact = ForeignKeyField(Contact, null=True, lazy_load=False)
    journal_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    posted_on = DayField(null=True)
    due_date = DayField(null=True)
    pay_by = TextField(default="payment_run")
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    employee_id: str
    contact_id: str | None
    journal_entry_id: str | None


class ExpenseLine(WorkspaceTable):
    """A line of a claim: `amount` is gross in its currency, `amount_base = net + tax` in the base currency.

    `trip` is what a mileage or a per diem was computed from, and `days` are the days of a per diem. `net` holds the
    tax that cannot be deducted.
    """

    id = TextField(primary_key=True, default=new_id)
    claim = ForeignKeyField(ExpenseClaim, lazy_load=False)
    position = IntegerField()
    kind = TextField()
    date = DayField()
    category = ForeignKeyField(ExpenseCategory, lazy_load=False)
    description = TextField(null=True)
    project_id = TextField(null=True)
    task_id = TextField(null=True)
    is_billable = BooleanField(default=False)
    paid_by = TextField(default="employee")
    account = ForeignKeyField(Account, null=True, lazy_load=False)
    attachment_ids = JSONField(default=list)
    amount = IntegerField()
    currency = TextField()
    exchange_rate = IntegerField(null=True)
    tax_rate = ForeignKeyField(TaxRate, null=True, lazy_load=False)
    tax_amount = IntegerField(null=True)
    supplier_name = TextField(null=True)
    receipt_number = TextField(null=True)
    trip = JSONField(null=True)
    days = JSONField(default=list)
    explanation = TextField(null=True)
    amount_base = IntegerField()
    net = IntegerField()
    tax = IntegerField()

    claim_id: str
    category_id: str
    account_id: str | None
    tax_rate_id: str | None
