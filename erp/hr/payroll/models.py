"""The tables of payroll. Money is minor units, percentages are millionths, days are hundredths."""

from typing import Literal

from peewee import BooleanField, CompositeKey, ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account, JournalEntry
from erp.hr.access.models import Employee
from erp.hr.expenses.models import ExpenseClaim
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable
from erp.store.rows import DayField

RunStatus = Literal["draft", "approved", "paid", "reversed"]
RunKind = Literal["regular", "correction"]


class PayComponent(WorkspaceRecord):
    """An earning, deduction or employer contribution, and how it is calculated.

    `brackets` is `[{upTo?, rate, fixed?}]`, `overtime` is `{afterMinutes, per, multiplier}`, scaled as columns are.
    `template` is the code of the pay template that its figures are from, until they are changed. With a `currency` it
    is only for pay in it.
    """

    noun = Noun("pay component")

    code = TextField()
    name = TextField()
    kind = TextField()
    calculation = TextField()
    currency = TextField(null=True)
    amount = IntegerField(null=True)
    percent = IntegerField(null=True)
    brackets = JSONField(null=True)
    bracket_period = TextField(default="period")
    method = TextField(default="period")
    base_cap = IntegerField(null=True)
    amount_cap = IntegerField(null=True)
    overtime = JSONField(null=True)
    rounding = TextField(default="half_up")
    is_taxable = BooleanField(default=True)
    is_pre_tax = BooleanField(default=False)
    is_prorated = BooleanField(default=False)
    expense_account = ForeignKeyField(Account, null=True, lazy_load=False)
    liability_account = ForeignKeyField(Account, null=True, lazy_load=False)
    applies_to_all = BooleanField(default=False)
    position = IntegerField()
    source = TextField(null=True)
    template = TextField(null=True)
    archived_at = TextField(null=True)

    expense_account_id: str | None
    liability_account_id: str | None


class OpeningYear(WorkspaceRecord):
    """The pay of an employee in a calendar year before this program, through a day; `taxable` is the base of brackets.

    `lines` are `[{componentId, code, name, kind, amount}]`, as in a year to date.
    """

    noun = Noun("opening year")
    sealed = frozenset({"taxable", "lines"})

    employee = ForeignKeyField(Employee, lazy_load=False)
    year = IntegerField()
    through_date = DayField()
    currency = TextField()
    taxable = IntegerField()
    lines = JSONField()

    employee_id: str


class PayrollRun(WorkspaceRecord):
    """The pay of a period, for every employee due or only for `employee_ids`; a `correction` pays differences alone.

    `rules` are the pay components and the proration basis as approval kept them, for the run to be recomputed by.
    `of_run_ids` are the runs that a correction corrects, all of them by default.
    `payable_account` is the liability to which approval posted net pay, `bank_account` the account it was paid from.
    `warnings` (one by one, not grouped) and `variance` are stored in their wire form, with amounts in minor units.
    `prepared_by` are the users who made, recalculated or changed it. Its amounts are in `currency`; with another one
    than the books', approval keeps the `exchange_rate`. `payable_base` and `carried_base` are what approval posted as
    payable and as carried on by payslips, less what they took up, in the base currency.
    """

    noun = Noun("payroll run")
    sealed = frozenset(
        {
            "gross",
            "deductions",
            "employer_contributions",
            "net",
            "warnings",
            "variance",
            "employee_ids",
            "rules",
            "payable",
            "payable_base",
            "carried_base",
            "reverse_reason",
        }
    )

    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    period_start = DayField()
    period_end = DayField()
    pay_date = DayField()
    status = TextField(default="draft")
    kind = TextField(default="regular")
    includes_differences = BooleanField(default=True)
    employee_ids = JSONField(null=True)
    of_run_ids = JSONField(null=True)
    rules = JSONField(null=True)
    currency = TextField()
    exchange_rate = IntegerField(null=True)
    gross = IntegerField()
    deductions = IntegerField()
    employer_contributions = IntegerField()
    net = IntegerField()
    payable = IntegerField(default=0)
    payable_base = IntegerField(null=True)
    carried_base = IntegerField(null=True)
    warnings = JSONField()
    variance = JSONField()
    approved_on = DayField(null=True)
    approved_by = TextField(null=True)
    paid_on = DayField(null=True)
    paid_by = TextField(null=True)
    reversed_on = DayField(null=True)
    reversed_by = TextField(null=True)
    reverse_reason = TextField(null=True)
    money_returned_on = DayField(null=True)
    prepared_by = JSONField(default=list)
    accrual_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    payment_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    payable_account = ForeignKeyField(Account, null=True, lazy_load=False)
    bank_account = ForeignKeyField(Account, null=True, lazy_load=False)

    accrual_entry_id: str | None
    payment_entry_id: str | None
    payable_account_id: str | None
    bank_account_id: str | None


class Payslip(WorkspaceRecord):
    """The pay of one employee in a run. `base` is base pay, `taxable` the base of brackets.

    payable = max(0, net + carried_in + reimbursements); `carried_in` is what earlier payslips carried on below zero,
    `reimbursements` the sum of the claims that it pays. `earlier` is the year to date before it, with the parts of its
    months that others paid.

    `parts` are the parts of calendar months that it pays, `[[key, month, rate, units, of, amount]]`, for the payslip
    that pays the rest of the month.
    """

    noun = Noun("payslip")

    run = ForeignKeyField(PayrollRun, lazy_load=False, on_delete="CASCADE")
    employee = ForeignKeyField(Employee, lazy_load=False)
    pay_date = DayField()
    snapshot = JSONField()
    working_days = IntegerField()
    paid_days = IntegerField()
    unpaid_leave_days = IntegerField()
    paid_leave_days = IntegerField()
    worked_minutes = IntegerField()
    gross = IntegerField()
    deductions = IntegerField()
    employer_contributions = IntegerField()
    net = IntegerField()
    base = IntegerField(default=0)
    taxable = IntegerField()
    carried_in = IntegerField(default=0)
    reimbursements = IntegerField(default=0)
    payable = IntegerField(default=0)
    time_source = TextField(null=True)
    parts = JSONField(default=list)
    earlier = JSONField(null=True)
    year_to_date = JSONField()

    run_id: str
    employee_id: str


class PayslipLine(WorkspaceTable):
    """A line of a payslip; `amount` differs from `computed_amount` where the line is overridden.

    A one-off line has a `line_id` and a `reason`; a correction names the payslip that it corrects, a reimbursement its
    expense claim.
    """

    payslip = ForeignKeyField(Payslip, lazy_load=False, on_delete="CASCADE")
    position = IntegerField()
    component = ForeignKeyField(PayComponent, null=True, lazy_load=False)
    code = TextField()
    name = TextField()
    kind = TextField()
    quantity = IntegerField(null=True)
    rate = IntegerField(null=True)
    amount = IntegerField()
    computed_amount = IntegerField()
    override_reason = TextField(null=True)
    line_id = TextField(null=True)
    reason = TextField(null=True)
    origin_payslip = ForeignKeyField(Payslip, null=True, lazy_load=False)
    claim = ForeignKeyField(ExpenseClaim, null=True, lazy_load=False)
    explanation = TextField()
    expense_account = ForeignKeyField(Account, null=True, lazy_load=False)
    liability_account = ForeignKeyField(Account, null=True, lazy_load=False)

    payslip_id: str
    component_id: str | None
    claim_id: str | None
    expense_account_id: str | None
    liability_account_id: str | None

    class Meta:
        primary_key = CompositeKey("payslip", "position")


class PaidDay(WorkspaceTable):
    """A day that a payslip of a live run pays; the key ensures that no day is paid twice."""

    employee = ForeignKeyField(Employee, lazy_load=False)
    date = DayField()
    payslip = ForeignKeyField(Payslip, lazy_load=False, on_delete="CASCADE")

    employee_id: str
    payslip_id: str

    class Meta:
        primary_key = CompositeKey("employee", "date")
