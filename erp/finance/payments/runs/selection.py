"""Selecting the bills of a payment run: the ones that it names, or all to be paid by a day."""

from collections.abc import Iterator, Sequence
from datetime import date

from erp.finance.documents import invoices, prepaid
from erp.finance.documents.bills import PAYABLE
from erp.finance.documents.models import Invoice
from erp.finance.documents.overdue import AWAITING
from erp.finance.payments.runs import claims, due
from erp.finance.payments.runs.bodies import NewPaymentRun
from erp.finance.payments.runs.plan import Owed
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import Sentence, Word, says
from erp.store import workspace_settings


class NothingDue(Refusal):
    """No payable bills in {currency} are due through {day}."""


def bills_of(body: NewPaymentRun, day: date, complaints: Complaints) -> list[Owed]:
    """The bills and expense claims to pay on a day; they are in one currency.

    Raises:
        NothingDue: there is none by the day that the request names.
    """
    if (body.bill_ids is None and body.claim_ids is None) == (body.due_through is None):
        complaints.add("billIds", "exactly_one", says("Send either billIds or dueThrough."))
        return []
    if body.due_through is None:
        bills = _named(body.bill_ids or (), complaints)
        named: list[tuple[str, Owed]] = [*bills, *claims.named(body.claim_ids or (), complaints)]
        return _of_one_currency(named, body.currency, complaints)
    currency = body.currency or workspace_settings.current().base_currency
    bills_due: list[Owed] = [*due.payable(body.due_through, day, currency), *claims.payable(body.due_through, currency)]
    if not bills_due:
        raise NothingDue(currency=currency, day=body.due_through)
    return bills_due


def declined_of(body: NewPaymentRun, bills: Sequence[Owed], complaints: Complaints) -> frozenset[str]:
    """The ids of the bills that are paid without their discount."""
    by_name = {name: bill.id for bill in bills for name in (bill.id, bill.number)}
    for i, name in enumerate(body.without_discount):
        if name not in by_name:
            complaints.add(
                f"withoutDiscount[{i}]", "not_in_run", says("This payment run does not pay this bill. Remove the bill.")
            )
    return frozenset(by_name[name] for name in body.without_discount if name in by_name)


def _named(names: Sequence[str], complaints: Complaints) -> Iterator[tuple[str, Invoice]]:
    """The bills that a run can pay, each with its field."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        field = f"billIds[{i}]"
        with complaints.gathered():
            bill = invoices.refer(name, field)
            problem = (
                ("repeated", says("{number} appears twice.", number=bill.number)) if bill.id in seen else _unfit(bill)
            )
            seen.add(bill.id)
            if problem is None:
                yield field, bill
            else:
                complaints.add(field, *problem)


def _unfit(bill: Invoice) -> tuple[str, Sentence] | None:
    """A code and a message if a run cannot pay a document."""
    if bill.kind != "purchase_invoice":
        kind = Word.of(bill.kind)
        if bill.number is None:
            return "not_a_bill", says("This draft is not a bill ({kind}). Payment runs pay bills only.", kind=kind)
        return "not_a_bill", says(
            "{number} is not a bill ({kind}). Payment runs pay bills only.", number=bill.number, kind=kind
        )
    if bill.status == "draft":
        return "invoice_draft", says("This bill is a draft. Issue it first.")
    if bill.status not in AWAITING:
        return "nothing_due", says(
            "{number} is {status} and has no amount due.", number=bill.number, status=Word.of(bill.status)
        )
    if not prepaid.payable(bill):
        return "nothing_due", says(
            "{number} is said to be paid already. Match the payment, or clear the prepaid amount of the bill.",
            number=bill.number,
        )
    if bill.approval not in PAYABLE:
        return "not_approved", says("{number} has not been approved. Approve {number} first.", number=bill.number)
    return None


def _of_one_currency(bills: Sequence[tuple[str, Owed]], currency: str | None, complaints: Complaints) -> list[Owed]:
    for field, bill in bills:
        wanted = currency or bills[0][1].currency
        if bill.currency != wanted:
            message = says(
                "{number} is in {currency}, and this run pays in {wanted}. Pay it in a run of its own.",
                number=bill.number,
                currency=bill.currency,
                wanted=wanted,
            )
            complaints.add(field, "wrong_currency", message)
    return [bill for _, bill in bills]
