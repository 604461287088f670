"""The accepted lines and charges of a quote, and what live invoices took of each."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from erp.finance.quotes.models import Quote, QuoteAdjustment, QuoteLine
from erp.finance.quotes.parts import WHOLE, Part
from erp.kernel.money import divide
from erp.store.router import WORKSPACE


class Accepted(NamedTuple):
    """An accepted line, allowance or charge, with its part."""

    row: QuoteLine | QuoteAdjustment
    part: Part


_TAKEN = """
SELECT line.quote_line_id, line.quote_part, line.gross - line.tax,
    coalesce((SELECT sum(credit.gross - credit.tax) FROM invoice AS note
        JOIN invoice_line AS credit ON credit.invoice_id = note.id
        WHERE note.credited_invoice_id = bill.id AND note.status <> 'void' AND credit.credited_line_id = line.id), 0)
FROM invoice AS bill JOIN invoice_line AS line ON line.invoice_id = bill.id
WHERE bill.quote_id = ? AND bill.status <> 'void' AND bill.kind IN ('sales_invoice', 'final_invoice')
    AND line.quote_line_id IS NOT NULL
"""


def accepted_parts(quote: Quote) -> list[Accepted]:
    """The parts of an accepted quote: its accepted lines in their order, then its allowances and charges."""
    amounts: dict[str, int] = defaultdict(int)
    shares: dict[str, int] = defaultdict(int)
    for id, part, net, credited in WORKSPACE.rows(_TAKEN, (quote.id,)):
        amounts[id] += net - credited
        shares[id] += divide(part * (net - credited), net) if net else part
    rows: list[tuple[QuoteLine | QuoteAdjustment, int]] = [
        (line, line.accepted_net) for line in in_place(quote.lines) if line.accepted_net is not None
    ]
    rows += [
        (row, row.accepted_amount if row.is_charge else -row.accepted_amount)
        for row in quote.adjustments
        if row.accepted_amount is not None
    ]
    return [Accepted(row, Part(row.id, amount, amounts[row.id], shares[row.id])) for row, amount in rows]


def in_place(lines: Sequence[QuoteLine]) -> list[QuoteLine]:
    """Lines in their order, an alternative at the place of the line that it replaces."""
    return sorted(lines, key=lambda line: ((line.alternative_to or line.position + 1), line.position))


def left_quantity(line: QuoteLine, part: Part) -> int:
    """The quantity of a line that is left to invoice, in millionths."""
    return divide(line.quantity * part.part_left, WHOLE)
