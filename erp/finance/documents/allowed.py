"""The acts on documents that their standing allows."""

from erp.finance.books.periods import PeriodLocked
from erp.finance.documents.deposits import receipts
from erp.finance.documents.models import DEMANDING, Invoice
from erp.finance.documents.standing import Standing
from erp.kernel.errors import InUse, InvalidTransition, Refusal
from erp.kernel.language import says
from erp.store import workspace_settings


class NegativeTotal(Refusal):
    """The total is below zero. Create a credit note instead ({kind}), with reversed signs."""

    status = 422


def check_removable(document: Standing) -> None:
    """Refuse to delete an invoice that has been issued."""
    if document.status != "draft":
        raise InvalidTransition(
            says("{number} has been issued and cannot be deleted. Void {number} instead.", number=document.number)
        )


def check_issuable(document: Standing) -> None:
    """Refuse to issue a document by its status, its total or its day, which is today if it names none."""
    check_is_draft(document)
    if document.is_negative:
        raise negative(document)
    if document.day_is_locked:
        raise PeriodLocked(lock_date=workspace_settings.lock_date(), field="issueDate")


def check_is_draft(document: Standing | Invoice) -> None:
    if document.status != "draft":
        raise InvalidTransition(says("{number} has already been issued.", number=document.number))


def negative(document: Standing | Invoice) -> NegativeTotal:
    return NegativeTotal(field="lines", kind=f"{document.kind.partition('_')[0]}_credit_note")


def check_payable(document: Standing) -> None:
    """Refuse a document that no payment can settle: a draft, or one with nothing due and nothing to recover."""
    if document.status == "draft":
        raise InvalidTransition(says("This invoice is a draft. Issue it first."))
    if not (document.recoverable > 0 if document.status == "written_off" else document.is_due):
        raise InvalidTransition(says("{number} has no amount due.", number=document.number))


def check_voidable(document: Standing) -> None:
    """Refuse to void a draft, a void document, or one with payments, credits, write-offs or a final invoice."""
    number = document.number
    if document.applied_by is not None:
        raise InUse(receipts.kept(number, document.applied_by))
    if document.status == "written_off":
        raise InvalidTransition(says("{number} has been written off. Reverse the write-off first.", number=number))
    if document.is_doubtful:
        raise InvalidTransition(says("{number} is doubtful. Reverse the write-off first.", number=number))
    if document.is_paid or (document.is_credited and document.kind in DEMANDING):
        raise InUse(says("{number} has allocated payments or credit. Remove the allocations first.", number=number))
    if document.credited_by is not None:
        raise InUse(says("{other} corrects {number}. Void {other} first.", other=document.credited_by, number=number))
    if document.status == "draft":
        raise InvalidTransition(says("A draft cannot be voided. Delete it instead."))
    if document.status == "void":
        raise InvalidTransition(says("{number} is already void.", number=number))
