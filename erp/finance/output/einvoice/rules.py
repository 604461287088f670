"""Rules of EN 16931 about figures, which a document of the books may break; each complaint has the rule's name."""

from collections.abc import Iterator
from decimal import Decimal

from erp.finance.output.einvoice.model import EInvoice
from erp.kernel.errors import Complaint
from erp.kernel.language import Digits, says

DECIMALS = -2
"""No amount has more decimals than two (BR-DEC-01 to BR-DEC-28)."""


def misfits(invoice: EInvoice, field: str) -> Iterator[Complaint]:
    """Complain about figures that no e-invoice can have."""
    if any(_is_finer(amount) for amount in _amounts(invoice)):
        message = says(
            "No e-invoice is possible ({rule}). Amounts of e-invoices have at most two decimals; {currency} has more.",
            rule=Digits("BR-DEC-14"),
            currency=invoice.currency,
        )
        yield Complaint(field, "br_dec_14", message)
    for group in invoice.taxes:
        exact = group.base * (group.tax.rate or Decimal(0)) / 100
        if abs(exact - group.amount) >= 1:
            message = says(
                "No e-invoice is possible ({rule}). The tax at {percent} % is rounded per line and "
                "differs too much from the tax on the sum. Round tax per document in the workspace "
                "settings.",
                rule=Digits("BR-CO-17"),
                percent=Digits(f"{group.tax.rate:f}"),
            )
            yield Complaint(field, "br_co_17", message)


def _is_finer(amount: Decimal) -> bool:
    exponent = amount.normalize().as_tuple().exponent
    return isinstance(exponent, int) and exponent < DECIMALS


def _amounts(invoice: EInvoice) -> Iterator[Decimal]:
    yield from (invoice.sums.gross, invoice.sums.tax, invoice.sums.net, invoice.sums.payable)
    yield from (line.net for line in invoice.lines)
