"""The figures of a quote: the totals of its included lines, and what each option would cost by itself."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

import msgspec
from msgspec.structs import replace

from erp.finance.documents import figures as documents
from erp.finance.documents import totals
from erp.finance.documents.figures import Figures
from erp.finance.documents.totals import UNTAXED, Adjustment, Document, DocumentAdjustment, Line, Tax, Totals
from erp.finance.quotes import reading
from erp.finance.quotes.bodies import early_end
from erp.finance.quotes.models import Quote, QuoteAdjustment, QuoteLine
from erp.finance.quotes.reading import LineChoice, QuoteCommand
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint, Refusal
from erp.kernel.language import says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE


class BadAlternative(Refusal):
    """An alternative needs the position of the included line that it replaces, and no other line has one."""

    status = 422


class NothingIncluded(Refusal):
    """At least one line must be included: a quote of options alone has no total."""

    status = 422


class QuoteFigures(msgspec.Struct, frozen=True):
    """All that is computed from a command; the totals of `figures` leave out the options."""

    command: QuoteCommand
    figures: Figures
    valid_until: date


def compute(command: QuoteCommand, complaints: Complaints | None = None) -> QuoteFigures:
    """Compute the figures of a quote; nothing is written.

    Raises:
        Invalid: with a complaint for every field that is wrong.
        BadAlternative: a line names no included line to replace, or needs none.
        NothingIncluded: all lines are options.
    """
    complaints = complaints or Complaints()
    issue_date = command.document.issue_date or workspace_settings.today()
    complaints.items += early_end(issue_date, command.valid_until)
    figures = documents.compute_figures(command.document, complaints)
    wrong = list(misfits(command.choices))
    if wrong:
        raise BadAlternative(details=wrong)
    if not included(command.choices):
        raise NothingIncluded(field="lines")
    return QuoteFigures(command, with_choices(figures, command.choices), valid_until(command, figures.issue_date))


def valid_until(command: QuoteCommand, issue_date: date) -> date:
    days = timedelta(days=workspace_settings.current().quote_valid_days)
    return command.valid_until or issue_date + days


def included(choices: Sequence[LineChoice]) -> list[int]:
    """The indexes of the lines in the total."""
    return [i for i, choice in enumerate(choices) if choice.option == "included"]


def misfits(choices: Sequence[LineChoice]) -> Iterator[Complaint]:
    """Complaints about alternatives without an included line to replace, and about other lines that name one."""
    positions = {i + 1 for i in included(choices)}
    for i, choice in enumerate(choices):
        if choice.option == "alternative":
            is_wrong = choice.alternative_to not in positions
            message = says("Enter the position of the included line that this one replaces.")
        else:
            is_wrong = choice.alternative_to is not None
            message = says("Only an alternative replaces another line. Leave this field out.")
        if is_wrong:
            yield Complaint(f"lines[{i}].alternativeTo", "bad_alternative", message)


def with_choices(figures: Figures, choices: Sequence[LineChoice]) -> Figures:
    """The figures of all lines with the totals of the included ones; an option has its own, without any discount."""
    document, within = figures.document, included(choices)
    whole = computed(replace(document, lines=[document.lines[i] for i in within]))
    of_included = dict(zip(within, whole.lines, strict=True))
    lines = [of_included.get(i) or _alone(document, line) for i, line in enumerate(document.lines)]
    return replace(figures, totals=replace(whole, lines=tuple(lines)))


def computed(document: Document) -> Totals:
    """The totals of a document.

    Raises:
        Invalid: an amount is larger than the books can hold.
    """
    try:
        return totals.compute(document)
    except money.OutOfRange:
        raise documents.too_large() from None


def _alone(document: Document, line: Line) -> totals.LineTotals:
    alone = replace(document, lines=[line], adjustments=(), discount=None, rounding_amount=0)
    return computed(alone).lines[0]


def of_chosen(quote: Quote, lines: Sequence[QuoteLine], adjustments: Sequence[QuoteAdjustment]) -> Totals:
    """The totals of those lines of an issued quote, from its rows: they keep their tax rates."""
    rates = taxes([*(line.tax_rate_id for line in lines), *(row.tax_rate_id for row in adjustments)])
    settings = workspace_settings.current()
    rounding = reading.stored(quote.terms).rounding_amount
    document = Document(
        lines=[
            Line(
                row.quantity,
                row.unit_price,
                rates[row.tax_rate_id],
                row.price_base_quantity,
                part_of(row.discount_amount, row.discount_percent),
                part_of(row.charge_amount, row.charge_percent),
            )
            for row in lines
        ],
        currency=quote.currency,
        adjustments=[
            DocumentAdjustment(
                part_of(row.given_amount, row.given_percent) or Adjustment(amount=0),
                rates[row.tax_rate_id],
                bool(row.is_charge),
            )
            for row in adjustments
        ],
        discount=part_of(quote.discount_amount, quote.discount_percent),
        rounding_amount=None if rounding is None else money.minor(rounding, quote.currency),
        prices_include_tax=bool(quote.prices_include_tax),
        tax_rounding="line" if quote.tax_rounding == "line" else "document",
        cash_step=settings.cash_rounding if quote.currency == settings.base_currency else None,
    )
    return computed(document)


def part_of(amount: int | None, percent: int | None) -> Adjustment | None:
    """A discount or charge from its two columns."""
    return None if amount is None and percent is None else Adjustment(amount=amount, percent=percent)


_TAXES = "SELECT id, category, rate FROM tax_rate WHERE id IN (SELECT value FROM json_each(?))"


def taxes(ids: Sequence[str | None]) -> Mapping[str | None, Tax]:
    rows = WORKSPACE.rows(_TAXES, (sql.array({id for id in ids if id is not None}),))
    return {None: UNTAXED} | {id: Tax(id, category, rate) for id, category, rate in rows}
