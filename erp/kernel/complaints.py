"""Complaints gathered from several checks, so that a caller learns of every wrong field at once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal

from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Complaint, Invalid, UnknownReference


class Complaints:
    """What is wrong with a request so far."""

    def __init__(self) -> None:
        self.items: list[Complaint] = []
        self._refusal: Invalid | None = None

    def add(self, field: str, code: str, message: str) -> None:
        """Complain of a field."""
        self.items.append(Complaint(field, code, message))

    def unknown(self, field: str, noun: str) -> None:
        """Complain of a field that names no record of this workspace."""
        with self.gathered():
            raise UnknownReference(field, noun)

    def minor(self, value: Decimal, currency: str, field: str) -> int:
        """An amount in minor units; 0, with a complaint, when it is none of the currency."""
        try:
            return money.minor(value, currency)
        except money.TooManyDecimals:
            self.add(field, "too_many_decimals", f"{currency} has {DIGITS[currency] or 'no'} decimals.")
        except money.OutOfRange:
            self.add(field, "out_of_range", "It is larger than the books can hold.")
        return 0

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Take over the complaints of a check that refuses by itself, and go on after the block."""
        try:
            yield
        except Invalid as refusal:
            self.items += refusal.details
            self._refusal = refusal

    def refuse(self) -> None:
        """Refuse if there is anything.

        Raises:
            Invalid: with every complaint; the very refusal of a check where it was the only one.
        """
        if self._refusal is not None and self._refusal.details == self.items:
            raise self._refusal
        if self.items:
            raise Invalid(self.items)


def unknown(field: str, noun: str) -> Complaint:
    """The complaint about a record that is not in this workspace."""
    return UnknownReference(field, noun).details[0]


def unknown_currency(field: str) -> Complaint:
    """The complaint about a currency that is not in use."""
    return Complaint(field, "unknown_currency", "There is no such currency; a code looks like EUR.")


def refuse_any(complaints: Sequence[Complaint], noun: str) -> None:
    """Refuse when there are complaints about references to a noun.

    Raises:
        UnknownReference: a single one, about a record that is not in this workspace.
        Invalid: any others.
    """
    if len(complaints) == 1 and complaints[0].code == UnknownReference.code:
        raise UnknownReference(complaints[0].field, noun)
    if complaints:
        raise Invalid(complaints)
