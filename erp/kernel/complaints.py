"""Complaints collected from several checks, so that a caller learns about every wrong field at once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TypeVar

from msgspec.structs import replace

from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Complaint, Invalid, NotFound, Refusal, UnknownReference
from erp.kernel.language import Noun, Sentence, says

T = TypeVar("T")
R = TypeVar("R")

REQUIRED = ("required", says("This field is required."))
UNKNOWN_CURRENCY = ("unknown_currency", says("There is no such currency. Use a code such as EUR."))


class Complaints:
    """The complaints about a request so far."""

    def __init__(self) -> None:
        self.items: list[Complaint] = []
        self._refusal: Invalid | None = None

    def add(self, field: str, code: str, message: Sentence) -> None:
        self.items.append(Complaint(field, code, message))

    def unknown(self, field: str, noun: Noun) -> None:
        """Add that a field names no record of this workspace."""
        with self.gathered():
            raise UnknownReference(field, noun)

    def minor(self, value: Decimal, currency: str, field: str) -> int:
        """An amount in minor units; where the currency cannot express it, 0 and a complaint."""
        try:
            return money.minor(value, currency)
        except money.TooManyDecimals:
            message = (
                says("{currency} has {decimals} decimals.") if DIGITS[currency] else says("{currency} has no decimals.")
            )
            self.add(field, "too_many_decimals", message.fill(currency=currency, decimals=DIGITS[currency]))
        except money.OutOfRange:
            self.add(field, "out_of_range", says("The amount is larger than the books can hold."))
        return 0

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Collect the complaints of a check that raises, and continue after the block."""
        try:
            yield
        except Invalid as refusal:
            self.items += refusal.details
            self._refusal = refusal

    @contextmanager
    def taking(self, field: str) -> Iterator[None]:
        """Collect the complaints of any refusal, about this field where it names none, and continue after the block."""
        try:
            yield
        except Refusal as refusal:
            self.items += said_of(refusal, field)

    def refuse(self) -> None:
        """Refuse if there are any complaints.

        Raises:
            Invalid: with every complaint; if all come from one check, the refusal that the check raised.
        """
        if self._refusal is not None and self._refusal.details == self.items:
            raise self._refusal
        if self.items:
            raise Invalid(self.items)


class Collected(Complaints):
    """Complaints that never refuse: for unfinished input."""

    def refuse(self) -> None:
        """Continue despite complaints."""


def all_or_none(rows: Sequence[T], act: Callable[[T], R], name: str) -> list[R]:
    """Do something with each row, in their order, or with none of them.

    Args:
        name: of the field that holds the rows.

    Raises:
        Invalid: with the complaints about each row, by its index; the caller must undo the other rows.
    """
    results: list[R] = []
    complaints: list[Complaint] = []
    for i, row in enumerate(rows):
        try:
            results.append(act(row))
        except NotFound as refusal:
            complaints.append(Complaint(f"{name}[{i}]", UnknownReference.code, refusal.message))
        except Refusal as refusal:
            complaints += said_of(refusal, f"{name}[{i}]", f"{name}[{i}].")
    if complaints:
        raise Invalid(complaints)
    return results


def said_of(refusal: Refusal, field: str, prefix: str = "") -> list[Complaint]:
    """The complaints of a refusal, about this field where it names none; a refusal with status 5xx is raised again.

    Args:
        prefix: goes before the fields that the refusal names.
    """
    if refusal.status >= 500:
        raise refusal
    if not refusal.details:
        return [Complaint(field, refusal.code, refusal.message)]
    return [replace(complaint, field=f"{prefix}{complaint.field}") for complaint in refusal.details]


def unknown(field: str, noun: Noun) -> Complaint:
    """The complaint about a record that is not in this workspace."""
    return UnknownReference(field, noun).details[0]


def unknown_currency(field: str) -> Complaint:
    """The complaint about a currency that is not in use."""
    return Complaint(field, *UNKNOWN_CURRENCY)


def refuse_any(complaints: Sequence[Complaint], noun: Noun) -> None:
    """Refuse when there are complaints about references to a noun.

    Raises:
        UnknownReference: there is one, about a record that is not in this workspace.
        Invalid: there are others.
    """
    if len(complaints) == 1 and complaints[0].code == UnknownReference.code:
        raise UnknownReference(complaints[0].field, noun)
    if complaints:
        raise Invalid(complaints)
