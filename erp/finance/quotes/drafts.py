"""Writing quotes: from figures to rows, which a change of a draft replaces."""

from collections.abc import Sequence
from typing import Any

from erp.finance.contacts import payment_terms
from erp.finance.contacts.models import Contact
from erp.finance.documents import drafts as documents
from erp.finance.documents import paper_texts
from erp.finance.documents.drafts import SNAPSHOT
from erp.finance.documents.models import Invoice
from erp.finance.documents.store import AdjustmentRow, LineRow, Parts
from erp.finance.quotes import reading
from erp.finance.quotes.figures import QuoteFigures
from erp.finance.quotes.models import Quote, QuoteAdjustment, QuoteLine

_OF_LINE = tuple(name for name in QuoteLine._meta.columns if name in LineRow._fields)
_OF_ADJUSTMENT = tuple(name for name in QuoteAdjustment._meta.columns if name in AdjustmentRow._fields)


def write(figures: QuoteFigures, **own: Any) -> Quote:
    """Write a new draft; `own` are columns that do not follow from its command."""
    contact = documents.on_record(figures.figures)
    quote = Quote.add(**columns(figures, contact), **own)
    _insert(quote, figures, documents.parts_of(figures.figures, quote.id))
    return quote


def rewrite(quote: Quote, figures: QuoteFigures, line_ids: Sequence[str | None] | None = None) -> None:
    """Write a draft again.

    Args:
        line_ids: the ids that a request gives its lines; when absent the lines stay the same.
    """
    contact = documents.on_record(figures.figures)
    before = [line_row(line) for line in quote.lines]
    quote.change(**columns(figures, contact))
    parts = documents.parts_of(figures.figures, quote.id)
    ids: Sequence[str | None] = [row.id for row in before]
    if line_ids is not None:
        ids = documents.match_lines(before, parts.lines, line_ids)
    for row in (*quote.lines, *quote.adjustments):
        row.delete_instance()
    _insert(quote, figures, parts.with_line_ids(ids))


def line_row(line: QuoteLine) -> LineRow:
    """A line as a line of an invoice, as papers show it."""
    values = {name: getattr(line, name) for name in _OF_LINE}
    return LineRow(invoice_id=line.quote_id, **values)


def adjustment_row(row: QuoteAdjustment) -> AdjustmentRow:
    """The same of an allowance or a charge."""
    values = {name: getattr(row, name) for name in _OF_ADJUSTMENT}
    return AdjustmentRow(invoice_id=row.quote_id, **values)


def _insert(quote: Quote, figures: QuoteFigures, parts: Parts) -> None:
    for line, choice in zip(parts.lines, figures.command.choices, strict=True):
        values = {name: getattr(line, name) for name in _OF_LINE}
        QuoteLine.create(quote=quote.id, option=choice.option, alternative_to=choice.alternative_to, **values)
    for row in parts.adjustments:
        QuoteAdjustment.create(quote=quote.id, **{name: getattr(row, name) for name in _OF_ADJUSTMENT})


def columns(figures: QuoteFigures, contact: Contact) -> dict[str, Any]:
    """The columns of a quote that follow from its command."""
    command, computed = figures.command, figures.figures
    document, totals, discount = command.document, computed.totals, computed.document.discount
    own_terms = document.payment_terms
    return {
        "contact_id": contact.id,
        "contact_name": contact.name,
        "customer": {name: getattr(contact, name) for name in SNAPSHOT},
        "issue_date": computed.issue_date,
        "valid_until": figures.valid_until,
        "subject": command.subject,
        "currency": computed.currency,
        "prices_include_tax": computed.document.prices_include_tax,
        "tax_rounding": computed.document.tax_rounding,
        "discount_amount": discount and discount.amount,
        "discount_percent": discount and discount.percent,
        "reference": document.reference,
        "project_id": document.project_id,
        "note": document.note,
        "intro": command.intro,
        "closing": command.closing,
        "service_from": document.service.start,
        "service_to": document.service.end,
        "payment_terms": None if own_terms is None else payment_terms.stored(own_terms) or {},
        "subtotal": totals.subtotal,
        "discount_total": totals.discount_total,
        "charge_total": totals.charge_total,
        "tax_total": totals.tax_total,
        "rounding_amount": totals.rounding_amount,
        "total": totals.total,
        "terms": reading.terms(command, contact.id, computed.currency),
    }


def texts_of(quote: Quote, language: str, *, is_order: bool = False) -> dict[str, str]:
    """The texts of a quote's paper, or of its order confirmation, with their places; the first that there is wins."""
    contact = Contact.find(quote.contact_id)
    if is_order:
        chosen = paper_texts.chosen_for("order_confirmation", language, contact)
    else:
        chosen = paper_texts.chosen_for("quote", language, contact, quote.intro, quote.closing)
    return {name: text for name, text in chosen.items() if text}


_OF_QUOTE = tuple(name for name in Quote._meta.columns if name in Invoice._meta.columns)


def as_invoice(quote: Quote) -> Invoice:
    """The invoice that a quote would be, unsaved: for its paper."""
    values = {name: getattr(quote, name) for name in _OF_QUOTE}
    return Invoice(**values | {"due_date": quote.valid_until, "base_total": quote.total})
