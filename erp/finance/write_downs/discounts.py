"""Cash discounts: the offer of a document's terms on a day, and the deductions that a payment takes."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

import msgspec

from erp.finance.contacts import payment_terms
from erp.finance.contacts.payment_terms import PaymentTerms
from erp.finance.documents import prepaid
from erp.finance.documents.models import DEMANDING, Invoice
from erp.finance.documents.overdue import AWAITING
from erp.finance.write_downs import subjects, write_offs
from erp.finance.write_downs.deductions import Wanted
from erp.finance.write_downs.subjects import Subject
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.language import Sentence, says
from erp.kernel.money import MICRO
from erp.store import workspace_settings

DISCOUNTED = tuple(kind for kind in DEMANDING if kind != "deposit_invoice")
"""Kinds of documents with cash discounts; a deposit has none, because it is no income yet."""


class Offer(NamedTuple):
    """A discount on the amount to pay, `percent` in millionths; `until` is its last day."""

    percent: int
    until: date
    amount: int
    is_late: bool


class Taking(msgspec.Struct, frozen=True):
    """The requested deductions, in minor units; `field` is the path of their fields, with a point at its end."""

    field: str = ""
    discount_taken: bool = False
    discount_amount: int | None = None
    settle_difference: bool = False

    def __bool__(self) -> bool:
        return self.discount_taken or self.discount_amount is not None or self.settle_difference


def offer(invoice: Invoice, day: date) -> Offer | None:
    """The discount for paying a document on a day, its prepaid part aside; after the last day of all, the last one."""
    if invoice.kind not in DISCOUNTED:
        return None
    return _offer(invoice.payment_terms, invoice.issue_date, prepaid.payable(invoice), day)


def _offer(stored: Mapping[str, Any] | None, issued: date, due: int, day: date) -> Offer | None:
    offers = steps(payment_terms.read(stored), issued, due)
    if not offers:
        return None
    grace = timedelta(days=workspace_settings.current().discount_grace_days)
    offered = next((step for step in offers if day <= step.until + grace), offers[-1])
    return offered._replace(is_late=day > offered.until + grace)


def steps(terms: PaymentTerms | None, issued: date, due: int) -> list[Offer]:
    """The discounts of payment terms for an amount due, in their order, as if each were in time."""
    discounts = () if terms is None or due <= 0 else terms.discounts or ()
    percents = [(money.scaled(step.percent, MICRO), issued + timedelta(days=step.days)) for step in discounts]
    return [Offer(percent, until, money.divide(due * percent, 100 * MICRO), False) for percent, until in percents]


def in_time(invoice: Invoice, day: date) -> Offer | None:
    """The discount for paying a document on a day, days of grace included; None if it is too late or nothing."""
    if invoice.status not in AWAITING:
        return None
    offered = offer(invoice, day)
    return None if offered is None or offered.is_late or not offered.amount else offered


def wanted(subject: Subject, amount: int, taking: Taking, day: date, complaints: Complaints) -> list[Wanted]:
    """The deductions that a payment takes from a document or an item, in addition to the amount paid.

    Args:
        amount: the amount paid, in minor units.
        day: the date of the payment, by which a discount is in time.
    """
    message = _refusal(subject)
    if message is not None:
        complaints.add(f"{taking.field}amount", "unsuitable", message)
        return []
    due = subject.due if subject.invoice is None else prepaid.payable(subject.invoice)
    discounts = _discounts(subject, due, taking, day, complaints)
    rest = due - amount - sum(discount.amount for discount in discounts)
    if taking.settle_difference and rest > 0:
        write_offs.check_small(subject.item, rest, f"{taking.field}settleDifference", complaints)
        return [*discounts, Wanted("small_difference", rest, day)]
    if taking.discount_taken and rest and discounts:
        _complain_of_rest(subject, due, discounts[0].amount, taking, complaints)
    return discounts


def _refusal(subject: Subject) -> Sentence | None:
    """Message if the subject can only be paid in full."""
    invoice = subject.invoice
    if invoice is None:
        return subjects.refusal(subject.item)
    if invoice.kind == "deposit_invoice":
        return says(
            "{number} is a deposit invoice. Take the cash discount when the final invoice is paid.",
            number=invoice.number,
        )
    if invoice.kind not in DEMANDING:
        return says("Only invoices and bills can be paid with a cash discount or small difference.")
    return None


def _discounts(subject: Subject, due: int, taking: Taking, day: date, complaints: Complaints) -> list[Wanted]:
    offered = _offer(subject.payment_terms, subject.issue_date, due, day)
    field = f"{taking.field}discountTaken"
    if taking.discount_amount is not None:
        if taking.discount_taken:
            complaints.add(field, "exactly_one", says("Send either discountTaken or discountAmount."))
        is_late = offered is not None and offered.is_late
        return [Wanted("cash_discount", taking.discount_amount, day, is_late=is_late)]
    if not taking.discount_taken:
        return []
    if offered is None:
        message = says(
            "The payment terms of {number} offer no cash discount. Enter its amount instead.", number=subject.number
        )
        complaints.add(field, "no_discount", message)
        return []
    if not offered.amount:
        return []
    return [Wanted("cash_discount", offered.amount, day, is_late=offered.is_late)]


def _complain_of_rest(subject: Subject, due: int, discount: int, taking: Taking, complaints: Complaints) -> None:
    shown, off, pays = (money.shown(minor, subject.item.currency) for minor in (due, discount, due - discount))
    message = says(
        "{number}: {due} due less {off} cash discount is {pays}. Pay that amount, or enter another cash discount.",
        due=shown,
        number=subject.number,
        off=off,
        pays=pays,
    )
    complaints.add(f"{taking.field}amount", "wrong_amount", message)
