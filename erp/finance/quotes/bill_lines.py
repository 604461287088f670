"""The lines of an invoice of a quote: in the quote's own terms where these give the same net amounts."""

from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from erp.finance.books.dimensions.codes import Dimensions, of_text
from erp.finance.books.service import Service
from erp.finance.contacts.models import Contact
from erp.finance.documents import figures as documents
from erp.finance.documents.commands import InvoiceCommand, LineCommand, QuotePart
from erp.finance.documents.totals import Adjustment
from erp.finance.quotes.accepted import Accepted
from erp.finance.quotes.figures import part_of
from erp.finance.quotes.models import Quote, QuoteAdjustment, QuoteLine
from erp.finance.quotes.parts import WHOLE, Taken
from erp.finance.quotes.reading import with_rate
from erp.kernel import money
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.kernel.money import MICRO, divide


def printed(quote: Quote, customer: Contact, accepted: Sequence[Accepted], taken: Sequence[Taken]) -> InvoiceCommand:
    """The lines of an invoice: in the quote's own terms where these give exactly the net amounts, else 1 × the net."""
    rows = {each.row.id: each.row for each in accepted}
    own = [_own_terms(rows[each.id], each) for each in taken]
    if all(own):
        lines = [line for line in own if line is not None]
        discount = part_of(quote.discount_amount, quote.discount_percent)
        is_whole = len(taken) == len(accepted) and all(each.part == WHOLE for each in taken)
        if discount is None or discount.percent is not None or is_whole:
            whole = InvoiceCommand(
                contact=customer,
                lines=lines,
                discount=discount,
                prices_include_tax=bool(quote.prices_include_tax),
            )
            if _nets(whole, quote) == [each.amount for each in taken]:
                return whole
    return InvoiceCommand(
        contact=customer,
        lines=_line_by_line(quote, [rows[each.id] for each in taken], taken, own, customer),
        prices_include_tax=False,
    )


def _line_by_line(
    quote: Quote,
    rows: Sequence[QuoteLine | QuoteAdjustment],
    taken: Sequence[Taken],
    own: Sequence[LineCommand | None],
    customer: Contact,
) -> list[LineCommand]:
    """Each line in its own terms, the document's percentage among them, or as 1 × its net."""
    plain = [
        replace(_plain_terms(row, each), quantity=MICRO, unit_price=money.price(each.amount, quote.currency))
        for row, each in zip(rows, taken, strict=True)
    ]
    if quote.prices_include_tax or quote.discount_amount is not None:
        return plain
    tried = [_discounted(quote, line) or other for line, other in zip(own, plain, strict=True)]
    nets = _nets(InvoiceCommand(contact=customer, lines=tried, prices_include_tax=False), quote)
    wanted = [each.amount for each in taken]
    fits = [net == amount for net, amount in zip(nets or (), wanted, strict=False)]
    return [line if fit else other for line, other, fit in zip(tried, plain, fits, strict=True)] if fits else plain


def _discounted(quote: Quote, line: LineCommand | None) -> LineCommand | None:
    """A line with the document's discount as its own; None where it has one of its own."""
    if line is None or quote.discount_percent is None:
        return line
    return None if line.discount else replace(line, discount=Adjustment(percent=quote.discount_percent))


def _nets(command: InvoiceCommand, quote: Quote) -> list[int] | None:
    """The net amounts of the lines after the document's discount; None if they cannot be computed."""
    try:
        figures = documents.compute_figures(with_rate(replace(command, currency=quote.currency)))
    except Invalid:
        return None
    return [line.net_after_discount for line in figures.totals.lines]


def _own_terms(row: QuoteLine | QuoteAdjustment, taken: Taken) -> LineCommand | None:
    """A line of a quote with a part of its quantity; None for an allowance or a charge."""
    if not isinstance(row, QuoteLine):
        return None
    quantity = divide(row.quantity * taken.part, WHOLE)
    if not quantity:
        return None
    return replace(
        _plain_terms(row, taken),
        quantity=quantity,
        unit=row.unit,
        unit_price=row.unit_price,
        price_base_quantity=row.price_base_quantity,
        discount=part_of(row.discount_amount, row.discount_percent),
        charge=part_of(row.charge_amount, row.charge_percent),
    )


def _plain_terms(row: QuoteLine | QuoteAdjustment, taken: Taken) -> LineCommand:
    """A line without its quantity and price."""
    line = LineCommand(
        description=row.description or _unnamed(row),
        quantity=0,
        unit_price=0,
        tax_rate_id=row.tax_rate_id,
        account_id=row.account_id,
        dimensions=_dimensions(row.dimensions),
        of_quote=QuotePart(row.id, taken.part),
    )
    if not isinstance(row, QuoteLine):
        return line
    return replace(
        line,
        account_id=row.account_id if row.account_because in ("line", "product") else None,
        is_account_of_product=row.account_because == "product",
        product_id=row.product_id,
        project_id=row.project_id,
        task_id=row.task_id,
        service=_service(row),
    )


def _unnamed(row: QuoteLine | QuoteAdjustment) -> str:
    is_charge = isinstance(row, QuoteAdjustment) and row.is_charge
    return str(says("Surcharge") if is_charge else says("Discount"))


def _dimensions(text: str | None) -> Dimensions | None:
    codes = of_text(text)
    return Dimensions(codes) if codes else None


def _service(line: QuoteLine) -> Service:
    days = [None if text is None else date.fromisoformat(text) for text in (line.service_from, line.service_to)]
    return Service(*days)
