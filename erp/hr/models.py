"""The tables of people. Days of leave are hundredths, money is minor units, percentages are millionths."""

from peewee import BooleanField, CompositeKey, ForeignKeyField, IntegerField, JSONField, Model, TextField

from erp.finance.models import Account, JournalEntry
from erp.kernel import clock
from erp.store.router import WORKSPACE, DayField, WorkspaceModel, new_id

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Employee(WorkspaceModel):
    """A person who works for the office; `hire_date` and `termination_date` are those of her last employment."""

    noun = "employee"

    employee_number = TextField(unique=True)
    name = TextField()
    email = TextField(null=True)
    phone = TextField(null=True)
    user_id = TextField(null=True)
    job_title = TextField(null=True)
    department = TextField(null=True)
    manager = ForeignKeyField("self", null=True, lazy_load=False)
    employment_type = TextField()
    hire_date = DayField()
    termination_date = DayField(null=True)
    termination_reason = TextField(null=True)
    bank_account = JSONField(null=True)
    tax_number = TextField(null=True)
    address = JSONField(null=True)

    manager_id: str | None


class Employment(Model):
    """A stretch of time in which somebody is employed, both ends in; open until it is terminated."""

    id = TextField(primary_key=True, default=new_id)
    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    starts_on = DayField()
    ends_on = DayField(null=True)

    employee_id: str

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        indexes = ((("employee", "starts_on"), True),)


class WorkSchedule(Model):
    """The minutes that somebody is to work on each weekday, from a day on."""

    id = TextField(primary_key=True, default=new_id)
    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    effective_from = DayField()
    mon = IntegerField()
    tue = IntegerField()
    wed = IntegerField()
    thu = IntegerField()
    fri = IntegerField()
    sat = IntegerField()
    sun = IntegerField()

    employee_id: str

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        indexes = ((("employee", "effective_from"), True),)


class Compensation(WorkspaceModel):
    """What somebody is paid from a day on; `components` is `[{componentId, amount?, percent?}]`, scaled as columns are.

    A later one for the same day replaces it, and it stays on record.
    """

    noun = "compensation"

    employee = ForeignKeyField(Employee, lazy_load=False)
    effective_from = DayField()
    pay_type = TextField()
    amount = IntegerField()
    currency = TextField()
    frequency = TextField()
    components = JSONField(default=list)
    replaced_by = ForeignKeyField("self", null=True, lazy_load=False)

    employee_id: str
    replaced_by_id: str | None


class AttendanceRecord(WorkspaceModel):
    """An employee's day: `punches` is `[{in, out?}]` in UTC, `open_since` the one that has no end yet."""

    noun = "attendance record"

    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    date = DayField(index=True)
    status = TextField()
    punches = JSONField(default=list)
    open_since = TextField(null=True)
    break_minutes = IntegerField(default=0)
    note = TextField(null=True)
    source = TextField()
    worked_minutes = IntegerField(default=0)

    employee_id: str

    class Meta:
        indexes = ((("employee", "date"), True),)


class AttendanceCorrection(WorkspaceModel):
    """A change of an employee's day that she asks for; `proposed` is the day as it should be."""

    noun = "correction"

    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    date = DayField()
    proposed = JSONField()
    reason = TextField(null=True)
    status = TextField(default="pending")
    decided_by = TextField(null=True)
    decided_at = TextField(null=True)
    decision_note = TextField(null=True)

    employee_id: str


class LeaveType(WorkspaceModel):
    """A kind of leave and its rules."""

    noun = "leave type"

    name = TextField()
    code = TextField(unique=True)
    paid = BooleanField()
    allowance_days = IntegerField(default=0)
    accrual = TextField(default="none")
    carry_forward_max_days = IntegerField(default=0)
    carry_forward_expires_after_months = IntegerField(null=True)
    allow_negative = BooleanField(default=False)
    max_consecutive_days = IntegerField(null=True)
    min_notice_days = IntegerField(null=True)
    color = TextField(null=True)
    position = IntegerField()
    archived_at = TextField(null=True)


class LeaveApplication(WorkspaceModel):
    """Leave that somebody asks for; `day_details` explains each of its days."""

    noun = "leave application"

    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    leave_type = ForeignKeyField(LeaveType, lazy_load=False)
    start_date = DayField()
    end_date = DayField()
    start_half = BooleanField(default=False)
    end_half = BooleanField(default=False)
    reason = TextField(null=True)
    days = IntegerField()
    day_details = JSONField()
    status = TextField(default="pending")
    decided_by = TextField(null=True)
    decided_at = TextField(null=True)
    decision_note = TextField(null=True)
    balance_before = IntegerField()
    balance_after = IntegerField()

    employee_id: str
    leave_type_id: str


class LeaveDay(Model):
    """A day, or half of one, of a pending or approved application; `days` is what it takes of the balance."""

    application = ForeignKeyField(LeaveApplication, lazy_load=False, index=False, on_delete="CASCADE")
    date = DayField()
    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    part = TextField()
    days = IntegerField()

    application_id: str
    employee_id: str

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        primary_key = CompositeKey("application", "date")


class LeaveEntry(Model):
    """An entry of the leave ledger, whose sum is the balance; never changed."""

    id = TextField(primary_key=True, default=new_id)
    created_at = TextField(default=clock.stamp)
    created_by = TextField(null=True)
    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    leave_type = ForeignKeyField(LeaveType, lazy_load=False)
    year = IntegerField()
    date = DayField()
    kind = TextField()
    days = IntegerField()
    application = ForeignKeyField(LeaveApplication, null=True, lazy_load=False)
    note = TextField(null=True)

    employee_id: str
    leave_type_id: str
    application_id: str | None

    class Meta:
        database = WORKSPACE
        legacy_table_names = False


class LeaveYear(Model):
    """A leave year that is closed; those before it are as well."""

    year = IntegerField(primary_key=True)
    closed_at = TextField(default=clock.stamp)
    closed_by = TextField()

    class Meta:
        database = WORKSPACE
        legacy_table_names = False


class Holiday(WorkspaceModel):
    """A day on which the office does not work."""

    noun = "holiday"

    date = DayField(unique=True)
    name = TextField()


class PayComponent(WorkspaceModel):
    """Something that is added to pay, taken off it, or paid on top by the employer, and how it is reckoned.

    `brackets` is `[{upTo?, rate}]`, `overtime` `{afterMinutes, per, multiplier}`, scaled as columns are.
    """

    noun = "pay component"

    code = TextField(unique=True)
    name = TextField()
    kind = TextField()
    calculation = TextField()
    amount = IntegerField(null=True)
    percent = IntegerField(null=True)
    brackets = JSONField(null=True)
    bracket_period = TextField(default="period")
    method = TextField(default="period")
    base_cap = IntegerField(null=True)
    amount_cap = IntegerField(null=True)
    overtime = JSONField(null=True)
    rounding = TextField(default="half_up")
    taxable = BooleanField(default=True)
    pre_tax = BooleanField(default=False)
    prorated = BooleanField(default=False)
    expense_account = ForeignKeyField(Account, null=True, lazy_load=False)
    liability_account = ForeignKeyField(Account, null=True, lazy_load=False)
    applies_to_all = BooleanField(default=False)
    position = IntegerField()
    source = TextField(null=True)
    archived_at = TextField(null=True)

    expense_account_id: str | None
    liability_account_id: str | None


class PayrollRun(WorkspaceModel):
    """The pay of a period: for everybody due, or for those of `employee_ids`.

    `payable_account` is where net pay was owed when it was approved, `bank_account` where it was paid from.
    """

    noun = "payroll run"

    number = TextField(unique=True)
    fiscal_year = IntegerField()
    seq = IntegerField()
    period_start = DayField()
    period_end = DayField()
    pay_date = DayField()
    status = TextField(default="draft")
    employee_ids = JSONField(null=True)
    gross = IntegerField()
    deductions = IntegerField()
    employer_contributions = IntegerField()
    net = IntegerField()
    warnings = JSONField()
    variance = JSONField()
    approved_on = DayField(null=True)
    approved_by = TextField(null=True)
    paid_on = DayField(null=True)
    paid_by = TextField(null=True)
    reversed_on = DayField(null=True)
    reversed_by = TextField(null=True)
    reverse_reason = TextField(null=True)
    accrual_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    payment_entry = ForeignKeyField(JournalEntry, null=True, lazy_load=False)
    payable_account = ForeignKeyField(Account, null=True, lazy_load=False)
    bank_account = ForeignKeyField(Account, null=True, lazy_load=False)

    accrual_entry_id: str | None
    payment_entry_id: str | None
    payable_account_id: str | None
    bank_account_id: str | None

    class Meta:
        indexes = ((("fiscal_year", "seq"), True),)


class Payslip(WorkspaceModel):
    """What one employee gets in a run. Days are hundredths; `taxable` is what brackets were applied to.

    `parts` is what it paid of calendar months, `[[key, month, rate, units, of, amount]]`, for the payslip that pays
    the rest of the month; `base` is base pay.
    """

    noun = "payslip"

    run = ForeignKeyField(PayrollRun, lazy_load=False, index=False, on_delete="CASCADE")
    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
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
    parts = JSONField(default=list)
    year_to_date = JSONField()

    run_id: str
    employee_id: str

    class Meta:
        indexes = ((("run", "employee"), True),)


class PayslipLine(Model):
    """A line of a payslip: what the computation gave, and what stands, which differs where somebody overrode it."""

    payslip = ForeignKeyField(Payslip, lazy_load=False, index=False, on_delete="CASCADE")
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
    explanation = TextField()
    expense_account = ForeignKeyField(Account, null=True, lazy_load=False)
    liability_account = ForeignKeyField(Account, null=True, lazy_load=False)

    payslip_id: str
    component_id: str | None
    expense_account_id: str | None
    liability_account_id: str | None

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        primary_key = CompositeKey("payslip", "position")


class PaidDay(Model):
    """A day that a payslip of a live run pays somebody for; nobody is paid twice for one."""

    employee = ForeignKeyField(Employee, lazy_load=False, index=False)
    date = DayField()
    payslip = ForeignKeyField(Payslip, lazy_load=False, on_delete="CASCADE")

    employee_id: str
    payslip_id: str

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
        primary_key = CompositeKey("employee", "date")
