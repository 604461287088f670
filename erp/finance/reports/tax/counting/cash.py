"""Tax on cash basis: parts of documents count on the days on which they are settled.

Payments, offsets and the credit notes of other documents settle them. Deductions and own credit notes lower the kept
amounts of a document, and may change the rates of the money so far.
"""

from collections.abc import Iterator, Mapping, Sequence

from erp.finance.reports.tax.counting import settlements
from erp.finance.reports.tax.counting.documents import SIGNS
from erp.finance.reports.tax.counting.facts import Fact, Rate
from erp.finance.reports.tax.counting.settlements import Books, Paid
from erp.finance.reports.tax.counting.settling import Use
from erp.finance.reports.tax.counting.valuing import Valuation, Value, Valued
from erp.finance.write_downs.parts import Part


def facts(paid: Sequence[Paid], rates: Mapping[str, Rate]) -> Iterator[Fact]:
    """All settlements of some documents; without documents that the caller does not count on cash basis."""
    books = settlements.read(paid, rates)
    for document in paid:
        for (day, use, *_), values in _own(document, books):
            note = "purchase_credit_note" if document.is_purchase else "sales_credit_note"
            kind = note if use.means == "note" else document.kind
            yield from (_fact(document, day, kind, value) for value in values if value.base or value.tax)


def unpaid(paid: Sequence[Paid], rates: Mapping[str, Rate], day: str) -> Iterator[Fact]:
    """The kept values of some documents at the end of a day, less those that have counted."""
    books = settlements.read(paid, rates)
    for document in paid:
        values = _valuation(document.id, books).unpaid(day)
        yield from (_fact(document, document.tax_date, document.kind, value) for value in values)


def parts(paid: Sequence[Paid], rates: Mapping[str, Rate]) -> Iterator[tuple[Paid, Part]]:
    """The same settlements as `facts`, unsigned and in the currencies of the documents."""
    books = settlements.read(paid, rates)
    for document in paid:
        yield from ((document, part) for step, _ in _own(document, books) for part in step.parts)
        steps = [step for step, _ in _valuation(document.id, books).counted()]
        if steps and steps[-1].is_closed:  # the rounding has settled the document, but it is no turnover
            rounded = books.rounded[document.id]
            yield document, rounded._replace(amount=-rounded.amount)


def _own(document: Paid, books: Books) -> Iterator[Valued]:
    """The values of a document, without those that a credit note has settled of its own document."""
    own = {settled.id for settled in books.settled.get(document.id, ()) if settled.with_own}
    for valued in _valuation(document.id, books).counted():
        if not (document.is_note and valued.step.use.id in own):
            yield valued


def _valuation(id: str, books: Books) -> Valuation:
    """A document while it is counted; a credit note also settles its own document."""
    uses = [*books.deductions.get(id, ())]
    uses += [settled.use for settled in books.settled.get(id, ()) if not (settled.with_own and books.notes.get(id))]
    off = {use.id: books.deducted[use.id] for use in uses if use.id in books.deducted}
    for note_id in books.notes.get(id, ()):
        for use, values in _of_note(note_id, books):
            uses.append(use)
            off[use.id] = values
    return Valuation(books.rates.get(id, ()), uses, books.accrued.get(id, ()), off)


def _of_note(id: str, books: Books) -> Iterator[tuple[Use, Sequence[Value]]]:
    """The settlements of a document by one of its credit notes, with their parts and values by rate."""
    own = {settled.id for settled in books.settled.get(id, ()) if settled.with_own}
    for step, values in _valuation(id, books).counted():
        if step.use.id in own and step.day == step.use.date:
            yield step.use._replace(means="note", parts=step.parts), values


def _fact(document: Paid, day: str, kind: str, value: Value) -> Fact:
    sign = SIGNS[document.kind]
    tax = sign * value.tax
    return Fact(
        day=day,
        posted=day,
        side="purchase" if document.is_purchase else "sale",
        rate_id=value.rate_id,
        kind=kind,
        base=sign * value.base,
        tax=0 if document.is_purchase else tax,
        input=tax if document.is_purchase else 0,
        source=document.source,
    )
