"""The bank file of a payroll run: the amount payable to each employee, and their account."""

import csv
import io
from datetime import date
from typing import Literal

from erp.finance.payments import credit_transfer
from erp.finance.payments.credit_transfer import Batch, Transfer, WorkspaceIbanMissing
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.warnings import later
from erp.kernel import clock, money
from erp.kernel.errors import InvalidTransition, Refusal
from erp.kernel.language import Word
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.csv_list import cell
from erp.web.schema import File

_TRANSFERS = """
SELECT employee.employee_number, coalesce(bank_account ->> 'holder', name), bank_account ->> 'iban', payslip.payable
FROM payslip JOIN employee ON employee.id = employee_id WHERE run_id = ? AND payable > 0 ORDER BY employee_number
"""


class BankFileNotDue(InvalidTransition):
    """{number} is {status}. Only approved or paid payroll runs have a bank file."""


class NothingToTransfer(Refusal):
    """This payroll run has nothing to pay, so there is no bank file."""


class ExecutionDatePast(Refusal):
    """{day} is in the past. Enter another execution date."""


class MissingIbans(Refusal):
    """The IBAN is missing for {names}. Enter their bank accounts, or download the CSV file instead."""


def file(run: PayrollRun, format: Literal["pain001", "csv"], execution_date: date | None = None) -> File:
    """Write the bank file of a run.

    Args:
        execution_date: when the bank is to pay; the pay date by default.

    Raises:
        BankFileNotDue: the run is neither approved nor paid.
        ExecutionDatePast: the XML would ask for a payment in the past.
        NothingToTransfer: the XML would have no payment.
        WorkspaceIbanMissing: the XML needs the IBAN of the workspace.
        MissingIbans: the XML needs the IBAN of every employee with net pay.
    """
    if run.status not in ("approved", "paid"):
        raise BankFileNotDue(number=run.number, status=Word.of(run.status))
    batch, headers = _batch(run, execution_date or run.pay_date), _headers(run)
    if format == "csv":
        content = as_csv(batch)
        return File(content, f"{run.number}.csv", "text/csv; charset=utf-8", headers=headers)
    _refuse_missing(batch)
    if batch.day < workspace_settings.today():
        raise ExecutionDatePast(day=batch.day)
    return File(credit_transfer.pain001(batch), f"{run.number}.xml", headers=headers)


def _headers(run: PayrollRun) -> dict[str, str]:
    """The warning that a reversed run had already paid the period, with both sums."""
    entries = later.paid_before(run)
    sums = [f"period_paid_before; paidBefore={entry['paidBefore']}; paidNow={entry['paidNow']}" for entry in entries]
    return {"X-Payroll-Warning": ", ".join(sums)} if sums else {}


def _batch(run: PayrollRun, day: date) -> Batch:
    settings = workspace_settings.current()
    return Batch(
        number=run.number,
        payer=workspace_settings.office_name(),
        iban=settings.iban or "",
        currency=settings.base_currency,
        day=day,
        made_at=clock.stamp(),
        purpose="SALA",
        transfers=[
            Transfer(reference=f"{run.number} {number}", holder=holder, iban=iban, amount=net)
            for number, holder, iban, net in WORKSPACE.rows(_TRANSFERS, (run.id,))
        ],
    )


def _refuse_missing(batch: Batch) -> None:
    if not batch.transfers:
        raise NothingToTransfer
    if not batch.iban:
        raise WorkspaceIbanMissing
    names = [transfer.holder for transfer in batch.transfers if not transfer.iban]
    if names:
        raise MissingIbans(names=", ".join(names))


def as_csv(batch: Batch) -> bytes:
    """The transfers as a table, for a bank that accepts no XML."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["name", "iban", "amount", "currency", "date", "reference"])
    for transfer in batch.transfers:
        amount = money.text(transfer.amount, batch.currency)
        row = [transfer.holder, transfer.iban, amount, batch.currency, batch.day, transfer.reference]
        writer.writerow([cell(value) for value in row])
    return text.getvalue().encode()
