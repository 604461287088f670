"""An invoice of a quote as it would be drafted, with its lines."""

from datetime import date

from erp.finance.documents.models import InvoiceKind
from erp.finance.documents.store import LineRow
from erp.finance.invoices.view_parts import PercentOrAmountView
from erp.finance.invoices.views import NetTotal
from erp.finance.quotes import invoiced
from erp.finance.quotes.invoicing import QuoteTaken
from erp.finance.quotes.views import IsAbove, LeftNet
from erp.kernel.money import plain, price_text, text
from erp.web.scalars import Figure, Money
from erp.web.schema import View, show


class QuoteInvoiceLine(View):
    """A line of an invoice as it would be drafted."""

    description: str
    quantity: Figure
    unit: str | None
    unit_price: Figure
    discount: PercentOrAmountView | None
    net_after_discount: Money
    tax: Money

    @classmethod
    def of(cls, row: LineRow, currency: str) -> "QuoteInvoiceLine":
        return show(
            cls,
            row,
            quantity=plain(row.quantity),
            unit_price=price_text(row.unit_price, currency),
            discount=PercentOrAmountView.of(row.discount_amount, row.discount_percent, currency),
            net_after_discount=text(row.gross - row.tax, currency),
            tax=text(row.tax, currency),
        )


class QuoteInvoicePreview(View):
    """An invoice of a quote as it would be drafted: nothing is stored."""

    kind: InvoiceKind
    issue_date: date
    currency: str
    net_total: NetTotal
    tax_total: Money
    total: Money
    deposit_total: Money
    amount_due: Money
    left_net: LeftNet
    is_above: IsAbove
    lines: list[QuoteInvoiceLine]

    @classmethod
    def of(cls, taken: QuoteTaken) -> "QuoteInvoicePreview":
        invoice, quote = taken.full.invoice, taken.quote
        currency = invoice.currency
        return show(
            cls,
            invoice,
            net_total=text(invoice.net_total, currency),
            tax_total=text(invoice.tax_total, currency),
            total=text(invoice.total, currency),
            deposit_total=text(invoice.deposit_total, currency),
            amount_due=text(invoice.demanded, currency),
            left_net=text(invoiced.left(quote, invoiced.of(quote)), currency),
            is_above=taken.is_above,
            lines=[QuoteInvoiceLine.of(row, currency) for row in taken.full.parts.lines],
        )
