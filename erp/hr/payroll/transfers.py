"""The bank file of a payroll run: what everybody gets, and where."""

from typing import Literal

from erp.hr.payroll import bank_file
from erp.hr.payroll.bank_file import Batch, Transfer
from erp.hr.payroll.models import PayrollRun
from erp.kernel import caller, clock
from erp.kernel.errors import InvalidTransition, Refusal
from erp.store import control, workspace_settings
from erp.store.control import Workspace
from erp.store.router import WORKSPACE
from erp.web.schema import File

_TRANSFERS = """
SELECT employee.employee_number, coalesce(bank_account ->> 'holder', name), bank_account ->> 'iban', payslip.net
FROM payslip JOIN employee ON employee.id = employee_id WHERE run_id = ? AND net > 0 ORDER BY employee_number
"""


class BankFileNotDue(InvalidTransition):
    """{number} is {status}; the bank file is of a run that is approved or paid."""


class WorkspaceIbanMissing(Refusal):
    """The workspace's setting `iban` says from where people are paid; it is not set."""


class NothingToTransfer(Refusal):
    """Nobody gets anything by this run, and a bank takes no file without a payment."""


class MissingIbans(Refusal):
    """There is no IBAN to pay to for {names}; enter their bank accounts, or take the CSV."""


def file(run: PayrollRun, format: Literal["pain001", "csv"]) -> File:
    """Spell the bank file of a run.

    Raises:
        BankFileNotDue: the run is neither approved nor paid.
        NothingToTransfer: nobody is paid by the XML.
        WorkspaceIbanMissing: the office has no IBAN for it.
        MissingIbans: somebody has none.
    """
    if run.status not in ("approved", "paid"):
        raise BankFileNotDue(number=run.number, status=run.status)
    transfers = [_transfer(run, *row) for row in WORKSPACE.rows(_TRANSFERS, (run.id,))]
    batch = Batch(
        number=run.number,
        payer=office_name(),
        iban=workspace_settings.current().iban or "",
        currency=workspace_settings.current().base_currency,
        day=run.pay_date,
        made_at=clock.stamp(),
        transfers=transfers,
    )
    if format == "csv":
        return File(bank_file.as_csv(batch), f"{run.number}.csv", "text/csv; charset=utf-8")
    _refuse_missing(batch)
    return File(bank_file.pain001(batch), f"{run.number}.xml")


def office_name() -> str:
    """What the office is called on papers: its legal name, else that of the workspace."""
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    legal: str | None = workspace_settings.current().legal_name
    if legal:
        return legal
    with control.read():
        return str(Workspace.find(workspace_id).name)


def _transfer(run: PayrollRun, number: str, holder: str, iban: str | None, amount: int) -> Transfer:
    return Transfer(f"{run.number} {number}", holder, iban, amount)


def _refuse_missing(batch: Batch) -> None:
    if not batch.transfers:
        raise NothingToTransfer
    if not batch.iban:
        raise WorkspaceIbanMissing
    names = [each.holder for each in batch.transfers if not each.iban]
    if names:
        raise MissingIbans(names=", ".join(names))
