"""The tables of payment runs. Amounts are minor units."""

from peewee import ForeignKeyField, IntegerField, JSONField, TextField

from erp.finance.books.models import Account, Allocation
from erp.finance.documents.models import Deduction
from erp.finance.payments.models import Payment
from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id
from erp.store.rows import DayField


class PaymentRun(WorkspaceRecord):
    """Payments that are made together; `payer` and `iban` are the office's as of that day.

    `amount` is the sum of the transfers.
    """

    noun = Noun("payment run")

    number = TextField()
    fiscal_year = IntegerField()
    seq = IntegerField()
    status = TextField(default="posted")
    date = DayField()
    account = ForeignKeyField(Account, lazy_load=False)
    currency = TextField()
    amount = IntegerField()
    payer = TextField()
    iban = TextField(null=True)
    voided_at = TextField(null=True)
    void_reason = TextField(null=True)

    account_id: str


class PaymentRunTransfer(WorkspaceTable):
    """A payment of a run, with the supplier's account as of that day, and the payment reference."""

    id = TextField(primary_key=True, default=new_id)
    run = ForeignKeyField(PaymentRun, lazy_load=False)
    payment = ForeignKeyField(Payment, lazy_load=False)
    bank_account = JSONField()
    remittance = TextField()

    run_id: str
    payment_id: str


class PaymentRunCredit(WorkspaceTable):
    """The use of a credit for a bill of a run, with the discount of a bill that credit alone has paid."""

    id = TextField(primary_key=True, default=new_id)
    run = ForeignKeyField(PaymentRun, lazy_load=False)
    allocation = ForeignKeyField(Allocation, lazy_load=False)
    deduction = ForeignKeyField(Deduction, null=True, lazy_load=False)

    run_id: str
    allocation_id: str
    deduction_id: str | None
