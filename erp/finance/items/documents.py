"""The documents that settle each other, as far as this room knows them; the rooms above have the tables.

Their columns are `Any` because Peewee's fields have no static type.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

if TYPE_CHECKING:
    from datetime import date

    from typing_extensions import TypeIs

Direction = Literal["received", "made"]
Side = Literal["receivable", "payable"]

SETTLED_BY: Mapping[str, tuple[Direction, Side]] = {
    "sales_invoice": ("received", "receivable"),
    "sales_credit_note": ("made", "receivable"),
    "purchase_invoice": ("made", "payable"),
    "purchase_credit_note": ("received", "payable"),
}
"""By kind of document: the direction of the payments that settle it, and the default account that both post to."""


class _Document(Protocol):
    noun: ClassVar[str]
    id: Any
    number: Any
    currency: Any


class Payment(_Document, Protocol):
    """A payment; amounts are minor units."""

    date: Any
    amount: Any
    base_amount: Any
    allocated_amount: Any


class Invoice(_Document, Protocol):
    """An invoice or a credit note; amounts are minor units."""

    kind: Any
    contact_id: str
    status: Any
    issue_date: Any
    total: Any
    base_total: Any

    @property
    def due(self) -> int:
        """What is still to be paid."""


def is_payment(document: Payment | Invoice) -> "TypeIs[Payment]":
    """Whether it is a payment, else an invoice or a credit note."""
    return document.noun == "payment"


def day_of(document: Payment | Invoice) -> "date":
    """The date of a payment, or the issue date of an invoice."""
    day: date = document.date if is_payment(document) else document.issue_date
    return day
