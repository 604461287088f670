"""Payroll runs over HTTP."""

from erp.finance.books import ledger, periods
from erp.finance.payments.credit_transfer import WorkspaceIbanMissing
from erp.hr.access.own_pay import OwnPay
from erp.hr.payroll import approval, listing, runs, transfers, views
from erp.hr.payroll.approval import BankLineMatched, CorrectedLater, FourEyes, MoneyNotReturned, NetBelowZero
from erp.hr.payroll.bodies import (
    BankFileQuery,
    NewPayrollRun,
    PaymentUndo,
    PayrollApproval,
    PayrollPayment,
    PayrollRecalculation,
    PayrollReversal,
)
from erp.hr.payroll.due import DaysInOtherRun, NobodyDue
from erp.hr.payroll.inputs import PayTooLarge
from erp.hr.payroll.listing import PayrollRunFilter
from erp.hr.payroll.models import PayrollRun
from erp.hr.payroll.reimbursements import ClaimsChanged
from erp.hr.payroll.transfers import (
    BankFileNotDue,
    ExecutionDatePast,
    MissingAccounts,
    MissingIbans,
    NachaMissing,
    NothingToTransfer,
    TooMuchForFile,
)
from erp.hr.payroll.views import PayrollRunPreview, PayrollRunRow, PayrollRunView
from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page

_POSTING = (InvalidTransition, periods.PeriodLocked, ledger.AccountClosed, ledger.AmountOutOfRange)


class Run:
    @endpoint(
        permission="payroll.write",
        status=201,
        collection="/api/v1/hr/payroll/runs",
        refuses=(NobodyDue, DaysInOtherRun, PayTooLarge, UnknownReference),
    )
    def on_post(self, body: NewPayrollRun) -> PayrollRunView | PayrollRunPreview:
        """Create a draft payroll run with a payslip for every employee due, or for those named.

        An employee is due if they are employed on a day of the period and have pay. A day is never paid twice: days in
        another live run, drafts included, are left out with a warning, or refused for named employees. Each line
        explains its arithmetic. `variance` compares each payslip with the employee's previous one. The run is created
        with all payslips or none. With `dryRun`, the answer is 200 and nothing is stored: the run has no number, and
        its ids name nothing.

        A regular run also pays the open differences of earlier payslips of these employees, each on lines of its own
        that change nothing else on the payslip, and their posted expense claims with `payBy` `payslip`. A run of `kind`
        `correction` pays differences alone and no day, so it can be made at any time.

        A run has one `currency`, the base currency by default, and pays the people whose pay is in it; a warning names
        the others. Pay components have their amounts in the base currency: in a run in another one people need their
        own, and components with brackets or caps are left out.

        Where a run for the same period was reversed, `proposedOverrides` has its overrides; `takeOverrides` takes them
        over, except for your own.
        """
        if body.dry_run:
            return views.preview(*runs.prepare(body))
        return PayrollRunView.of(runs.create(body))


class Collection:
    @endpoint(permission="payroll.read")
    def on_get(self, query: PayrollRunFilter) -> Page[PayrollRunRow]:
        """List payroll runs, the newest first.

        Each shows its state and its totals. The payslips are at the run's own address.
        """
        return listing.search(query)


class Item:
    @endpoint(permission="payroll.read")
    def on_get(self, id: str) -> PayrollRunView:
        """Show a payroll run with its payslips, warnings and variance.

        A draft also has a warning for each employee whose record, pay, components, time, leave or earlier payslips
        have changed since it was computed. Until it is paid, a run has a warning for each employee whose IBAN has
        changed since the last run, and for a period that a reversed run had paid before, with both amounts.
        """
        return PayrollRunView.of(PayrollRun.find(id))

    @endpoint(permission="payroll.write", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Delete a draft. Its number stays unused, and another run can pay its days.

        Its payslips and overrides are deleted with it. An approved run is refused (409): reverse it instead.
        """
        runs.delete(id)


class Recalculate:
    @endpoint(permission="payroll.write", refuses=(InvalidTransition, NobodyDue, DaysInOtherRun, PayTooLarge))
    def on_post(self, id: str, body: PayrollRecalculation) -> PayrollRunView:
        """Recalculate a draft, for the employees who are due now.

        Overridden lines keep their amounts. The warnings name them, and the overrides whose lines no longer exist.
        With `takeOverrides`, the lines of `proposedOverrides` are overridden as well. With `take`, the `proposals` are
        added as one-off lines. Neither is done for your own payslip.
        """
        return PayrollRunView.of(runs.recalculate(id, take_overrides=body.take_overrides, take=body.take))


class Approve:
    @endpoint(permission="payroll.write", refuses=(OwnPay, FourEyes, NetBelowZero, ClaimsChanged, *_POSTING))
    def on_post(self, id: str, body: PayrollApproval) -> PayrollRunView:
        """Approve a draft: post it, freeze its payslips, and show employees their own payslips.

        The entry debits earnings and employer contributions to their expense accounts, and credits deductions and
        contributions to their liabilities and net pay to payroll payable. A net below zero, which only corrections can
        cause, stays there as a debit for the next payslip. Expense claims on the payslips are settled, and owed as pay
        from then on. A run without amounts posts nothing.

        A run in another currency is posted at `exchangeRate`, or the rate of the pay date; what rounding leaves goes to
        the largest posting.

        You cannot approve a run with your own payslip: an owner, admin or hr whom it does not pay does. If it pays all
        of them, an owner may. With the workspace setting `payrollFourEyes`, you cannot approve a run that you have
        made, recalculated or changed, either; `preparedByUserIds` names these users.
        """
        return PayrollRunView.of(approval.approve(id, body))


class Pay:
    @endpoint(permission="payroll.pay", refuses=(OwnPay, UnknownReference, *_POSTING))
    def on_post(self, id: str, body: PayrollPayment) -> PayrollRunView:
        """Record the payment of what is payable of an approved run, from payroll payable to the bank.

        A run in another currency is paid from an account in that or the base currency, at `exchangeRate` or the rate of
        the day; the difference to what was posted is a realised exchange gain or loss.

        You cannot pay a run with your own payslip: an owner, admin, accountant or hr whom it does not pay does. If it
        pays all of them, an owner may.
        """
        return PayrollRunView.of(approval.pay(id, body))


class UndoPayment:
    @endpoint(permission="payroll.pay", refuses=(InvalidTransition, BankLineMatched, periods.PeriodLocked))
    def on_post(self, id: str, body: PaymentUndo) -> PayrollRunView:
        """Undo the recorded payment of a run, which is then only approved and can be paid again.

        A mirrored entry on the date of the payment takes it back. Refused while a line of a bank statement is matched
        with the payment.
        """
        return PayrollRunView.of(approval.undo_payment(id, body))


class Reverse:
    @endpoint(permission="payroll.write", refuses=(MoneyNotReturned, CorrectedLater, ledger.DatedTooEarly, *_POSTING))
    def on_post(self, id: str, body: PayrollReversal) -> PayrollRunView:
        """Reverse an approved or paid run with mirrored entries, so that another run can pay its days.

        This is final. The accrual is reversed on its own date while that period is open, else today, unless `date` is
        given. The payment of a paid run is reversed on `moneyReturnedOn`, when the money came back: without it the run
        stays paid (409), and differences are corrected in the next run. No entry is reversed before its date.

        A run that another live run corrects stays (409), and so does one whose carried amount it has taken up.
        """
        return PayrollRunView.of(approval.reverse(id, body))


class BankFile:
    @endpoint(
        permission="payroll.pay",
        produces=("application/xml", "text/csv", "text/plain"),
        refuses=(
            BankFileNotDue,
            ExecutionDatePast,
            NothingToTransfer,
            WorkspaceIbanMissing,
            MissingIbans,
            MissingAccounts,
            NachaMissing,
            TooMuchForFile,
        ),
    )
    def on_get(self, id: str, query: BankFileQuery) -> File:
        """Download the payments of an approved or paid run as a file for the bank.

        By default it is pain.001 in euro, NACHA (PPD) in US dollars, a table for BACS in pounds, and a plain table
        in any other currency. pain.001 needs the IBANs of the workspace and of every employee with net pay, NACHA the
        workspace setting `nacha` and their routing numbers, BACS their sort codes; the plain table leaves missing ones
        empty. Banks execute nothing in the past: if the pay date is over, pain.001 and NACHA need an `executionDate`.

        Where a reversed run had paid the period before, the answer has the header `X-Payroll-Warning` with both sums:
        `period_paid_before; paidBefore=2450.00; paidNow=2450.00`. The warnings of the run explain it.
        """
        return transfers.file(PayrollRun.find(id), query.format, query.execution_date)
