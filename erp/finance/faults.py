"""Complaints gathered from several checks, so that a caller learns of every wrong field at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from erp.errors import Complaint, Invalid


class Faults:
    """What is wrong with a request so far."""

    def __init__(self) -> None:
        self.found: list[Complaint] = []
        self._refusal: Invalid | None = None

    def add(self, field: str, code: str, message: str) -> None:
        """Complain of a field."""
        self.found.append(Complaint(field, code, message))

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Take over the complaints of a check that refuses by itself, and go on after the block."""
        try:
            yield
        except Invalid as refusal:
            self.found += refusal.details
            self._refusal = refusal

    def refuse(self) -> None:
        """Refuse if there is anything.

        Raises:
            Invalid: with every complaint; the very refusal of a check where it was the only one.
        """
        if self._refusal is not None and self._refusal.details == self.found:
            raise self._refusal
        if self.found:
            raise Invalid(self.found)
