"""References: what a request names of the books' own records, found and checked many at once."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from erp.kernel.errors import Complaint, Invalid, UnknownReference

AccountName = Annotated[str, Meta(min_length=1, max_length=64, description="An account's id or its code.")]


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
