"""A document while it is typed: everything may be missing."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

import msgspec

from erp.finance.documents.bodies import NewInvoice, NewInvoiceLine
from erp.kernel.errors import Complaint
from erp.web.scalars import Number


class TypedQuantity(Number):
    """A quantity that may still be 0."""

    whole_digits = 12
    json_schema = {"type": "string", "description": "A quantity, with at most 6 decimals."}


TypedWording = Annotated[str, msgspec.Meta(max_length=1000)]


class TypedLine(NewInvoiceLine):
    """A line as far as it is typed."""

    quantity: TypedQuantity | None = None  # type: ignore[assignment]  # a line that is complete has one
    description: TypedWording | None = None


TypedLines = Annotated[list[TypedLine], msgspec.Meta(max_length=500)]


class TypedInvoice(NewInvoice, kw_only=True):
    """A document as far as it is typed."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "lines": [{"description": "Consulting", "quantity": "8", "unitPrice": "95.00"}, {"description": "Trav"}],
    }

    lines: TypedLines = []  # type: ignore[assignment]

    def check(self) -> Iterable[Complaint]:
        """Nothing is refused: the preview has the complaints."""
        return ()
