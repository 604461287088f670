"""The tax of a quote by category and rate, summed from its rows; the rates of an issued quote never change."""

from collections.abc import Sequence

from erp.finance.documents.store import TaxRow
from erp.finance.quotes import figures
from erp.finance.quotes.models import Quote, QuoteAdjustment, QuoteLine


def of_quote(quote: Quote, lines: Sequence[QuoteLine], adjustments: Sequence[QuoteAdjustment]) -> list[TaxRow]:
    """The tax in the total of a quote, without its options."""
    parts = [(line.tax_rate_id, line.gross - line.tax, line.tax) for line in lines if line.option == "included"]
    for row in adjustments:
        sign = 1 if row.is_charge else -1
        parts.append((row.tax_rate_id, sign * row.amount, sign * row.tax))
    return _summed(quote, parts)


def of_accepted(quote: Quote, lines: Sequence[QuoteLine], adjustments: Sequence[QuoteAdjustment]) -> list[TaxRow]:
    """The tax in what the customer accepted."""
    parts = [(line.tax_rate_id, line.accepted_net or 0, line.accepted_tax or 0) for line in lines]
    for row in adjustments:
        sign = 1 if row.is_charge else -1
        parts.append((row.tax_rate_id, sign * (row.accepted_amount or 0), sign * (row.accepted_tax or 0)))
    return _summed(quote, parts)


def _summed(quote: Quote, parts: Sequence[tuple[str | None, int, int]]) -> list[TaxRow]:
    known = figures.taxes([rate_id for rate_id, _, _ in parts])
    groups: dict[tuple[str, int], TaxRow] = {}
    for rate_id, base, amount in parts:
        tax = known[rate_id]
        new = TaxRow("", quote.id, len(groups), rate_id, tax.category, tax.rate, 0, 0)
        row = groups.setdefault((tax.category, tax.rate), new)
        groups[tax.category, tax.rate] = row._replace(base=row.base + base, amount=row.amount + amount)
    return list(groups.values())
