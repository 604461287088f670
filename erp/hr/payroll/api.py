"""Payroll runs over HTTP."""

from typing import Annotated, Literal

import msgspec
from peewee import ModelSelect

from erp.finance.books import ledger, periods
from erp.hr.payroll import approval, runs, transfers, views
from erp.hr.payroll.approval import NetBelowZero, PayrollApproval, PayrollPayment, PayrollReversal
from erp.hr.payroll.due import DaysInOtherRun, NobodyDue
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.runs import NewPayrollRun
from erp.hr.payroll.slips import PayTooLarge
from erp.hr.payroll.transfers import BankFileNotDue, MissingIbans, NothingToTransfer, WorkspaceIbanMissing
from erp.hr.payroll.views import PayrollRunFilter, PayrollRunPreview, PayrollRunRow, PayrollRunView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import File, Page, Query

_POSTING = (InvalidTransition, periods.PeriodLocked, ledger.AccountClosed, ledger.AmountOutOfRange)


class BankFileQuery(Query):
    """How the bank takes the payments."""

    format: Annotated[
        Literal["pain001", "csv"], msgspec.Meta(description="ISO 20022 pain.001.001.09, or a plain table.")
    ] = "pain001"


def _matching(query: PayrollRunFilter) -> "ModelSelect[PayrollRun]":
    found = PayrollRun.select()
    if query.status is not None:
        found = found.where(PayrollRun.status == query.status)
    if query.date_from is not None:
        found = found.where(PayrollRun.pay_date >= query.date_from)
    if query.date_to is not None:
        found = found.where(PayrollRun.pay_date <= query.date_to)
    return found


class Run:
    @endpoint(
        permission="payroll.write",
        status=201,
        collection="/api/v1/hr/payroll/runs",
        refuses=(NobodyDue, DaysInOtherRun, PayTooLarge, UnknownReference),
    )
    def on_post(self, body: NewPayrollRun) -> PayrollRunView | PayrollRunPreview:
        """Work out the pay of a period as a draft run: a payslip for everybody due, or for those named.

        Everybody is due who is employed on a day of the period and has pay. Nobody is paid twice for a day: days in a
        live run, drafts too, are left out with a warning, or refused for somebody who is named. Each line explains its
        arithmetic. `variance` compares with each person's payslip before. The run is made with all payslips or none.
        With `dryRun` the answer is 200: nothing is kept, no number is taken, and the ids name nothing.
        """
        if body.dry_run:
            return views.preview(*runs.prepare(body))
        return views.show(runs.make(body))


class Collection:
    @endpoint(permission="payroll.read")
    def on_get(self, query: PayrollRunFilter) -> Page[PayrollRunRow]:
        """List the payroll runs, the newest first."""
        sortable = {"payDate": PayrollRun.pay_date, "periodStart": PayrollRun.period_start}
        return page(_matching(query), query, PayrollRunRow.of, sort=query.sort, sortable=sortable)


class Item:
    @endpoint(permission="payroll.read")
    def on_get(self, id: str) -> PayrollRunView:
        """Show a payroll run with its payslips, warnings and variance.

        A draft also warns of people whose record, pay, components, time, leave or payslips before have changed since.
        """
        return views.show(PayrollRun.find(id))

    @endpoint(permission="payroll.write", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Delete a draft; its number stays unused, its days can be paid by another run."""
        runs.delete(id)


class Recalculate:
    @endpoint(permission="payroll.write", refuses=(InvalidTransition, NobodyDue, DaysInOtherRun, PayTooLarge))
    def on_post(self, id: str) -> PayrollRunView:
        """Work out a draft anew, with everybody who is due now.

        Lines that were put in by hand stay and are named in the warnings, those of lines that are no more as well.
        """
        return views.show(runs.recalculate(id))


class Approve:
    @endpoint(permission="payroll.write", refuses=(NetBelowZero, *_POSTING))
    def on_post(self, id: str, body: PayrollApproval) -> PayrollRunView:
        """Approve a draft: post what it comes to, lock its days, and let everybody see their payslip.

        Posted are earnings and employer contributions to their expense accounts, deductions and contributions to their
        liabilities, and net pay to payroll payable. A run that comes to nothing posts nothing.
        """
        return views.show(approval.approve(id, body))


class Pay:
    @endpoint(permission="payroll.pay", refuses=(UnknownReference, *_POSTING))
    def on_post(self, id: str, body: PayrollPayment) -> PayrollRunView:
        """Record that an approved run was paid: from payroll payable to the bank."""
        return views.show(approval.pay(id, body))


class Reverse:
    @endpoint(permission="payroll.write", refuses=(ledger.DatedTooEarly, *_POSTING))
    def on_post(self, id: str, body: PayrollReversal) -> PayrollRunView:
        """Reverse an approved or paid run: its entries are mirrored, and its days can be paid by another run.

        This is final. The entries are dated as asked, by default today; never before the original ones.
        """
        return views.show(approval.reverse(id, body))


class BankFile:
    @endpoint(
        permission="payroll.pay",
        produces=("application/xml", "text/csv"),
        refuses=(BankFileNotDue, NothingToTransfer, WorkspaceIbanMissing, MissingIbans),
    )
    def on_get(self, id: str, query: BankFileQuery) -> File:
        """Download the payments of an approved or paid run, as a bank reads them.

        The XML needs the IBAN of the workspace and of everybody with net pay; the table leaves empty what is missing.
        """
        return transfers.file(PayrollRun.find(id), query.format)
