"""The bank file of a payroll run: the amount payable to each employee, and their account."""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from erp.finance.payments import credit_transfer
from erp.finance.payments.credit_transfer import Batch, Transfer, WorkspaceIbanMissing, latin
from erp.hr.payroll import nacha
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.nacha import Credit, Originator
from erp.hr.payroll.warnings import later
from erp.kernel import clock, money
from erp.kernel.errors import InvalidTransition, Refusal
from erp.kernel.language import Word
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.csv_list import cell
from erp.web.schema import File

Format = Literal["pain001", "nacha", "bacs_csv", "csv"]
_USUAL: dict[str, Format] = {"EUR": "pain001", "USD": "nacha", "GBP": "bacs_csv"}
"""The usual format by currency; `csv` for any other."""

_TRANSFERS = """
SELECT employee.employee_number, coalesce(bank_account ->> 'holder', name), payslip.payable, bank_account
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


class MissingAccounts(Refusal):
    """The account number that this file needs is missing for {names}. Enter it, or download the CSV file instead."""


class NachaMissing(Refusal):
    """The company id and routing number for NACHA files are missing. Enter them in the workspace settings."""


class TooMuchForFile(Refusal):
    """The pay of {names} is larger than a NACHA file can hold. Pay it by hand."""


class Payee(msgspec.Struct, frozen=True):
    """An employee with their account as it is stored, and the amount to pay in minor units."""

    number: str
    holder: str
    amount: int
    account: Mapping[str, str]


def file(run: PayrollRun, format: Format | None = None, execution_date: date | None = None) -> File:
    """Write the bank file of a run.

    Args:
        format: the usual one of the currency by default.
        execution_date: when the bank is to pay; the pay date by default.

    Raises:
        BankFileNotDue: the run is neither approved nor paid.
        ExecutionDatePast: the file would ask for a payment in the past.
        NothingToTransfer: the file would have no payment.
        WorkspaceIbanMissing, NachaMissing: the file needs the account of the workspace.
        MissingIbans, MissingAccounts: the file needs the account of every employee with net pay.
        TooMuchForFile: an amount has no room in its field.
    """
    if run.status not in ("approved", "paid"):
        raise BankFileNotDue(number=run.number, status=Word.of(run.status))
    day, headers, payees = execution_date or run.pay_date, _headers(run), _payees(run)
    kind = format or _USUAL.get(run.currency, "csv")
    if kind == "csv":
        return File(as_csv(_batch(run, day, payees)), f"{run.number}.csv", _CSV, headers=headers)
    if not payees:
        raise NothingToTransfer
    if kind == "bacs_csv":
        return File(_bacs(run, payees), f"{run.number}.csv", _CSV, headers=headers)
    content = _nacha(run, day, payees) if kind == "nacha" else _pain001(run, day, payees)
    if day < workspace_settings.today():
        raise ExecutionDatePast(day=day)
    if kind == "nacha":
        return File(content, f"{run.number}.ach", "text/plain; charset=us-ascii", headers=headers)
    return File(content, f"{run.number}.xml", headers=headers)


_CSV = "text/csv; charset=utf-8"


def _payees(run: PayrollRun) -> list[Payee]:
    return [
        Payee(number, holder, amount, json.loads(account or "{}"))
        for number, holder, amount, account in WORKSPACE.rows(_TRANSFERS, (run.id,))
    ]


def _headers(run: PayrollRun) -> dict[str, str]:
    """The warning that a reversed run had already paid the period, with both sums."""
    entries = later.paid_before(run)
    sums = [f"period_paid_before; paidBefore={entry['paidBefore']}; paidNow={entry['paidNow']}" for entry in entries]
    return {"X-Payroll-Warning": ", ".join(sums)} if sums else {}


def _batch(run: PayrollRun, day: date, payees: Sequence[Payee]) -> Batch:
    settings = workspace_settings.current()
    return Batch(
        number=run.number,
        payer=workspace_settings.office_name(),
        iban=settings.iban or "",
        currency=run.currency,
        day=day,
        made_at=clock.stamp(),
        purpose="SALA",
        transfers=[
            Transfer(
                reference=f"{run.number} {payee.number}",
                holder=payee.holder,
                iban=payee.account.get("iban"),
                amount=payee.amount,
                bic=payee.account.get("bic"),
                account=_other_account(payee.account),
            )
            for payee in payees
        ],
    )


def _other_account(account: Mapping[str, str]) -> tuple[str, str] | None:
    """The bank and the number of an account without an IBAN."""
    bank = account.get("routing_number") or account.get("sort_code") or account.get("bank_code")
    return (bank, account["account_number"]) if bank else None


def _pain001(run: PayrollRun, day: date, payees: Sequence[Payee]) -> bytes:
    batch = _batch(run, day, payees)
    if not batch.iban:
        raise WorkspaceIbanMissing
    names = [transfer.holder for transfer in batch.transfers if not transfer.iban]
    if names:
        raise MissingIbans(names=", ".join(names))
    return credit_transfer.pain001(batch)


def _nacha(run: PayrollRun, day: date, payees: Sequence[Payee]) -> bytes:
    settings = workspace_settings.current().nacha
    if settings is None:
        raise NachaMissing
    _refuse_without("routing_number", payees)
    if too_much := [payee.holder for payee in payees if payee.amount > nacha.MOST]:
        raise TooMuchForFile(names=", ".join(too_much))
    office = Originator(workspace_settings.office_name(), settings["company_id"], settings["originating_routing"])
    credits = [
        Credit(
            number=payee.number,
            name=payee.holder,
            routing=payee.account["routing_number"],
            account=payee.account["account_number"],
            type=payee.account.get("account_type", "checking"),
            amount=payee.amount,
        )
        for payee in payees
    ]
    made_at = clock.now().astimezone(ZoneInfo(workspace_settings.current().time_zone))
    return nacha.file(office, credits, datetime.combine(day, time()), made_at)


def _bacs(run: PayrollRun, payees: Sequence[Payee]) -> bytes:
    """Name, sort code, account number, amount and reference; one that has no room names the run alone."""
    _refuse_without("sort_code", payees)
    rows: list[Sequence[object]] = [("name", "sort_code", "account_number", "amount", "reference")]
    for payee in payees:
        account, amount = payee.account, money.text(payee.amount, run.currency)
        reference = f"{run.number} {payee.number}"
        name, reference = map(_of_bacs, (payee.holder, reference if len(reference) <= _BACS else run.number))
        rows.append((name, account["sort_code"], account["account_number"], amount, reference))
    return _table(rows)


_BACS = 18


def _of_bacs(text: str) -> str:
    """A text as BACS takes it: 18 letters, digits and few other signs. Source: Bacs Standard 18."""
    return re.sub("[^A-Za-z0-9.&/ -]", " ", latin(text))[:_BACS].strip()


def _refuse_without(name: str, payees: Sequence[Payee]) -> None:
    missing = [payee.holder for payee in payees if not payee.account.get(name)]
    if missing:
        raise MissingAccounts(names=", ".join(missing))


def as_csv(batch: Batch) -> bytes:
    """The transfers as a table, for a bank that accepts no other file; with bank and number where one has no IBAN."""
    others = any(transfer.account for transfer in batch.transfers)
    more = ["bank_code", "account_number", "bic"] if others else []
    rows: list[Sequence[object]] = [["name", "iban", "amount", "currency", "date", "reference", *more]]
    for transfer in batch.transfers:
        amount = money.text(transfer.amount, batch.currency)
        row = [transfer.holder, transfer.iban, amount, batch.currency, batch.day, transfer.reference]
        rows.append([*row, *((*(transfer.account or ("", "")), transfer.bic or "") if others else ())])
    return _table(rows)


def _table(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([[cell(value) for value in row] for row in rows])
    return text.getvalue().encode()
