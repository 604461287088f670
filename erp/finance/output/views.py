"""Views of bills that came in as files."""

from typing import Annotated, Self

import msgspec

from erp.finance.documents.store import FullInvoice
from erp.finance.invoices.views import InvoiceView
from erp.finance.output import incoming
from erp.finance.output.incoming import ReadFile


class ReceivedBillView(InvoiceView):
    """A draft of a bill, or of a supplier's credit note, that came in as a file."""

    warnings: Annotated[list[str], msgspec.Meta(description="Points to check before it is issued.")]

    @classmethod
    def of_file(cls, full: FullInvoice, file: ReadFile | None) -> Self:
        """Show a draft from a file; None for a file without an e-invoice."""
        warnings = [] if file is None else incoming.warnings(file, full)
        return cls(**msgspec.structs.asdict(InvoiceView.of(full)), warnings=warnings)
