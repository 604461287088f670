"""The body of a request to credit an invoice."""

from typing import Annotated, Any, ClassVar

import msgspec

from erp.finance.books.periods import AllowFuture
from erp.finance.documents.bodies import Force, SupplierNumber
from erp.web.scalars import Amount, Day, Id, Line, Note, Quantity
from erp.web.schema import Body


class CreditedLine(Body):
    """The part of a line to credit: exactly one of a quantity and an amount that lowers its price."""

    line_id: Annotated[Id, msgspec.Meta(description="The id of a line of the invoice.")]
    quantity: (
        Annotated[Quantity, msgspec.Meta(description="In the unit of the line, with the sign of its quantity.")] | None
    ) = None
    amount: (
        Annotated[
            Amount,
            msgspec.Meta(
                description="The part of the line's `net` to credit. Where prices include tax, the part of its price"
                " as entered, with tax. The document's discount is taken off in proportion."
            ),
        ]
        | None
    ) = None


class InvoiceCredit(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Returned"}

    lines: (
        Annotated[
            list[CreditedLine],
            msgspec.Meta(min_length=1, max_length=500, description="All that is left of the invoice when absent."),
        ]
        | None
    ) = None
    date: Annotated[Day, msgspec.Meta(description="Today when absent; not before the invoice's.")] | None = None
    reason: Annotated[Note, msgspec.Meta(description="It becomes the note of the credit note.")] | None = None
    reference: Annotated[Line, msgspec.Meta(description="The invoice's own reference when absent.")] | None = None
    supplier_number: (
        Annotated[SupplierNumber, msgspec.Meta(description="The number that the supplier gave its credit note.")] | None
    ) = None
    force: Force = False
    allow_future: AllowFuture = False
