"""Payslips over HTTP."""

from erp.hr.access.own_pay import OwnPay
from erp.hr.payroll.due import DaysInOtherRun, NobodyDue
from erp.hr.payroll.inputs import PayTooLarge
from erp.hr.payroll.models import PayrollRun, Payslip
from erp.hr.payroll.payslips import listing, mailing, one_offs, overrides, payslips, pdf
from erp.hr.payroll.payslips.listing import PayslipFilter
from erp.hr.payroll.payslips.one_offs import NewOneOffLine, NewPayslip
from erp.hr.payroll.payslips.overrides import PayslipChange
from erp.hr.payroll.payslips.views import PayslipView
from erp.kernel.errors import AlreadyExists, InvalidTransition, UnknownReference
from erp.mail import sending
from erp.mail.bodies import Send
from erp.mail.messages import Draft
from erp.mail.sending import REFUSES
from erp.mail.views import MessageDrafts, MessageDraftView, MessageView, SentMessages, shown_all, shown_message
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page


class Collection:
    @endpoint(permission="payroll.read_own", refuses=(UnknownReference,))
    def on_get(self, query: PayslipFilter) -> Page[PayslipView]:
        """List payslips, the newest first.

        Without permission to read payroll, the list holds the caller's own payslips of approved and paid runs.
        """
        return listing.search(query)


class Item:
    @endpoint(permission="payroll.read_own")
    def on_get(self, id: str) -> PayslipView:
        """Show a payslip; without permission to read payroll, the caller's own once its run is approved.

        It shows each line with its explanation, the totals, and what the employer pays.
        """
        return PayslipView.of(payslips.find(id))

    @endpoint(permission="payroll.write", refuses=(OwnPay, InvalidTransition, NobodyDue, DaysInOtherRun, PayTooLarge))
    def on_patch(self, id: str, body: PayslipChange) -> PayslipView:
        """Override lines of a draft's payslip, each with a reason, or remove overrides.

        The payslip is recalculated with these amounts, and so are percentages of gross, brackets and the year to date.
        Overrides persist when the run is recalculated.

        You cannot override lines of your own payslip: another owner, admin or hr does. Only an owner may when there is
        no other.
        """
        return PayslipView.of(overrides.override(id, body))


_CHANGING = (OwnPay, InvalidTransition, NobodyDue, DaysInOtherRun, PayTooLarge)


class LineCollection:
    @endpoint(permission="payroll.write", status=201, refuses=(UnknownReference, *_CHANGING))
    def on_post(self, id: str, body: NewOneOffLine) -> PayslipView:
        """Add a one-off line to a draft's payslip: a bonus, an expense, a deduction.

        It counts in gross, taxes and percentages as the pay component says, and stays when the run is recalculated.
        """
        return PayslipView.of(one_offs.add(id, body))


class LineItem:
    @endpoint(permission="payroll.write", refuses=_CHANGING)
    def on_delete(self, id: str, line_id: str) -> None:
        """Delete a one-off line of a draft's payslip, and recalculate it.

        A payslip that pays no day and has no other line is deleted with it.
        """
        one_offs.remove(id, line_id)


class OfRun:
    @endpoint(permission="payroll.write", status=201, refuses=(UnknownReference, AlreadyExists, *_CHANGING))
    def on_post(self, id: str, body: NewPayslip) -> PayslipView:
        """Add a payslip of one-off lines to a draft, for someone whom it does not pay, such as a leaver.

        It pays no day. Percentages and brackets of their last pay apply to the lines, fixed amounts do not.
        """
        return PayslipView.of(one_offs.add_payslip(id, body))


class SendOne:
    @endpoint(
        permission="payroll.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(InvalidTransition, *REFUSES),
        prepare=mailing.prepare,
    )
    def on_post(self, id: str, body: Send, prepared: Draft) -> MessageView | MessageDraftView:
        """Tell an employee by e-mail that their payslip is ready, or send it.

        By the employee's `payslipMail`: `notice` says neither a figure nor a file; `attached` is the PDF under their
        `payslipPassword`; `none` is refused.
        """
        Payslip.find_to_change(id)
        return shown_message(sending.send(prepared, body))


class SendRun:
    @endpoint(
        permission="payroll.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(InvalidTransition, *REFUSES),
        prepare=mailing.prepare_all,
    )
    def on_post(self, id: str, body: Send, prepared: list[Draft]) -> SentMessages | MessageDrafts:
        """Send the payslips of an approved run, all or none, each in a message of its own.

        Employees whose `payslipMail` is `none` are left out. Errors name the person.
        """
        PayrollRun.find_to_change(id)
        return shown_all(mailing.send_all(prepared, body))


class Pdf:
    @endpoint(permission="payroll.read_own", produces="application/pdf")
    def on_get(self, id: str) -> File:
        """Download a payslip as PDF; without permission to read payroll, the caller's own once its run is approved.

        Dates are written as in the country of the office. The address of the employee is on it for themself and for
        people with the right to change employees. Where this computer has no font for a name (the program brings Latin,
        Greek and Cyrillic), the bank account's holder or the employee number replaces it.
        """
        return pdf.file(payslips.find(id))
