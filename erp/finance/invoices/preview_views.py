"""How a document is shown that is not written yet."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from msgspec import Meta

from erp.finance.documents.store import taxes_of
from erp.finance.documents.totals import LineTotals
from erp.finance.invoices.previews import Preview
from erp.finance.invoices.view_parts import InvoiceTaxView
from erp.finance.invoices.views import TOTALS, DepositTotal, NetTotal, SumOfLines, TaxDate
from erp.kernel.errors import Complaint
from erp.kernel.money import RATE_SCALE, plain, text
from erp.store import names
from erp.web.scalars import Figure, Money
from erp.web.schema import DetailView, View, show


class InvoicePreviewLine(View):
    """A line with its computed amounts; they are of what it has, and 0 while its quantity or price is missing."""

    net: Money
    discount_share: Money
    net_after_discount: Money
    tax: Money
    gross: Money
    details: Annotated[list[DetailView], Meta(description="What the line lacks, or what is wrong with it.")]

    @classmethod
    def of(cls, line: LineTotals, currency: str, complaints: Sequence[Complaint]) -> "InvoicePreviewLine":
        amounts = {name: text(getattr(line, name), currency) for name in _AMOUNTS}
        return cls(**amounts, details=DetailView.of_all(complaints))


_AMOUNTS = ("net", "discount_share", "net_after_discount", "tax", "gross")


class InvoicePreview(View):
    """What an invoice would come to; without any details, it can be saved as it is."""

    issue_date: date
    due_date: date
    currency: str
    exchange_rate: Figure | None
    lines: list[InvoicePreviewLine]
    allowances: list[Money]
    charges: list[Money]
    subtotal: SumOfLines
    discount_total: Money
    charge_total: Money
    net_total: NetTotal
    tax_breakdown: list[InvoiceTaxView]
    tax_total: Money
    rounding_amount: Money
    total: Money
    deposit_total: DepositTotal
    amount_due: Money
    tax_date: TaxDate
    details: Annotated[list[DetailView], Meta(description="What the document lacks, except in its lines.")]

    @classmethod
    def of(cls, preview: Preview) -> "InvoicePreview":
        figures = preview.figures
        totals, currency = figures.totals, figures.currency
        adjustments = list(zip(figures.document.adjustments, totals.adjustments, strict=True))
        taxes = taxes_of(figures, "")
        named = names.of(tax_rate=[row.tax_rate_id for row in taxes])
        lines = zip(totals.lines, preview.of_lines, strict=True)
        return show(
            cls,
            figures,
            exchange_rate=None if figures.exchange_rate is None else plain(figures.exchange_rate, RATE_SCALE),
            lines=[InvoicePreviewLine.of(line, currency, complaints) for line, complaints in lines],
            allowances=[text(result.amount, currency) for item, result in adjustments if not item.is_charge],
            charges=[text(result.amount, currency) for item, result in adjustments if item.is_charge],
            tax_breakdown=[InvoiceTaxView.of(row, currency, named) for row in taxes],
            deposit_total=text(figures.deposit_total, currency),
            amount_due=text(totals.total - figures.deposit_total, currency),
            details=DetailView.of_all(preview.of_document),
            **{name: text(getattr(totals, name), currency) for name in TOTALS},
        )
