"""The table of employees."""

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.hr.sites.models import Site, default_id
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField


class Employee(WorkspaceRecord):
    """A person who works for the office; `hire_date` and `termination_date` belong to the latest employment.

    Once they have left, their reports belong to `successor`, else to their own manager. `payroll_number` is their
    number with an external payroll provider. `iban_changed_at` and `iban_changed_by` are empty for an account that was
    entered on hiring.
    """

    noun = Noun("employee")
    sealed = frozenset({"birthday", "emergency_contact", "termination_reason"})

    employee_number = TextField()
    payroll_number = IntegerField(null=True)
    name = TextField()
    email = TextField(null=True)
    phone = TextField(null=True)
    user_id = TextField(null=True)
    job_title = TextField(null=True)
    department = TextField(null=True)
    manager = ForeignKeyField("self", null=True, lazy_load=False, column_name="manager_employee_id")
    employment_type = TextField()
    hire_date = DayField()
    termination_date = DayField(null=True)
    termination_reason = TextField(null=True)
    successor = ForeignKeyField("self", null=True, lazy_load=False, column_name="successor_employee_id")
    keeps_attendance = BooleanField(default=True)
    expects_time = BooleanField(default=True)
    site = ForeignKeyField(Site, lazy_load=False, default=default_id)
    time_zone = TextField(null=True)
    bank_account = JSONField(null=True)
    tax_number = TextField(null=True)
    address = JSONField(null=True)
    contract_end = DayField(null=True)
    probation_end = DayField(null=True)
    birthday = DayField(null=True)
    emergency_contact = JSONField(null=True)
    iban_changed_at = TextField(null=True)
    iban_changed_by = TextField(null=True)
    payslip_mail = TextField(default="notice")

    manager_employee_id: str | None
    successor_employee_id: str | None
    site_id: str
