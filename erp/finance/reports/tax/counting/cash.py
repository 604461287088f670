"""Tax on cash basis: parts of documents count on the days on which they are settled.

Payments, offsets and the credit notes of other documents settle; deductions of a document, and its own credit notes, do
not. Each part is split over the rates of its document as everywhere: by gross, less its own credit notes.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from erp.finance.contacts.tax_rates import TAXED
from erp.finance.documents.standing import SETTLING
from erp.finance.documents.totals import tax_within
from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting.documents import COUNTING, SIGNS
from erp.finance.reports.tax.counting.facts import Fact, Source
from erp.finance.reports.tax.counting.facts import Rate as TaxRate
from erp.finance.write_downs.parts import Part, Rate, rest, split
from erp.kernel.money import divide
from erp.store import sql
from erp.store.router import WORKSPACE


class Paid(NamedTuple):
    """A document of which a part was settled or released in some days.

    An open item of another program has the id of its entry as well, and an id of its own.
    """

    id: str
    kind: str
    number: str
    contact_id: str
    contact: str
    tax_date: str
    total: int
    base_total: int
    rounding: int = 0
    entry_id: str | None = None

    @property
    def source(self) -> Source:
        """The document, or the entry of its opening item."""
        if self.entry_id is None:
            return Source("invoice", self.id, self.number, self.contact_id, self.contact)
        return Source("journal_entry", self.entry_id, self.number, self.contact_id, self.contact)


class _Settled(NamedTuple):
    """The settled part of a document, from a day until a day."""

    date: str
    released_on: str | None
    amount: int


class _Reduction(NamedTuple):
    """A reduction of a document at one rate, from a day until a day: a credit note, or a deduction."""

    date: str
    until: str | None
    rate_id: str | None
    amount: int
    tax: int

    def is_in_force(self, day: str) -> bool:
        return self.date <= day and (self.until is None or self.until > day)


class _Books(NamedTuple):
    """The rows about some documents, by their ids."""

    rates: Mapping[str, Sequence[Rate]]
    credits: Mapping[str, Sequence[_Reduction]]
    deductions: Mapping[str, Sequence[_Reduction]]
    settled: Mapping[str, Sequence[_Settled]]


def documents(span: Span) -> list[Paid]:
    """The documents of which a part was settled or released in some days."""
    days = {"first": str(span.first), "last": str(span.last)}
    paid = [Paid(*row[:-1]) for row in WORKSPACE.rows(_DOCUMENTS, days)]
    return paid + [Paid(*row) for row in WORKSPACE.rows(_TAKEN_OVER, days)]


def facts(paid: Sequence[Paid], rates: Mapping[str, TaxRate]) -> Iterator[Fact]:
    """All settlements of some documents; without documents that the caller does not count on cash basis."""
    books = _read(paid, rates)
    for document in paid:
        yield from _of_document(document, books)


def _of_document(document: Paid, books: _Books) -> Iterator[Fact]:
    """Each settlement of a document by the rates of its part, and again with the opposite sign when it is released."""
    counted: list[tuple[_Settled, Sequence[Part]]] = []
    for settled in books.settled.get(document.id, ()):
        parts = _parts(document, settled, counted, books)
        for part in parts:
            if part.rate_id is not None:
                before = [own for other, own in counted if other.released_on is None]
                yield from _fact(document, settled, part, before)
        counted.append((settled, parts))


def _parts(
    document: Paid, settled: _Settled, counted: Sequence[tuple[_Settled, Sequence[Part]]], books: _Books
) -> list[Part]:
    """A settlement split over the rates of its document; the closing one takes the whole remainder of each."""
    day = settled.date
    credits = [taken for taken in books.credits.get(document.id, ()) if taken.is_in_force(day)]
    own = books.rates.get(document.id, ())
    pool = [_less(rate, credits) for rate in own]
    if sum(rate.amount for rate in pool) <= 0:
        pool = [*own]
    taken = [
        Part(part.rate_id, part.amount, part.tax)
        for part in books.deductions.get(document.id, ())
        if part.is_in_force(day)
    ]
    for other, parts in counted:
        if other.released_on is None or other.released_on > day:
            taken += parts
    remaining = sum(rate.amount for rate in pool) - sum(part.amount for part in taken)
    if not any(rate.amount for rate in pool):
        return []
    return rest(settled.amount, pool, taken) if settled.amount == remaining else split(settled.amount, pool)


def _less(rate: Rate, credits: Sequence[_Reduction]) -> Rate:
    own = [reduction for reduction in credits if reduction.rate_id == rate.rate_id]
    amount, tax = sum(reduction.amount for reduction in own), sum(reduction.tax for reduction in own)
    return rate._replace(amount=rate.amount - amount, tax=rate.tax - tax)


def _fact(document: Paid, settled: _Settled, part: Part, before: Sequence[Sequence[Part]]) -> Iterator[Fact]:
    """A part in the base currency: the value of all parts with it, less their value before."""
    own = [other for parts in before for other in parts if other.rate_id == part.rate_id]
    nets, taxes = sum(other.net for other in own), sum(other.tax for other in own)
    sign = SIGNS[document.kind]
    base, tax = (
        sign * (_worth(document, until + amount) - _worth(document, until))
        for until, amount in ((nets, part.net), (taxes, part.tax))
    )
    is_purchase = document.kind.startswith("purchase")
    fact = Fact(
        day=settled.date,
        posted=settled.date,
        side="purchase" if is_purchase else "sale",
        rate_id=str(part.rate_id),
        kind=document.kind,
        base=base,
        tax=0 if is_purchase else tax,
        input=tax if is_purchase else 0,
        source=document.source,
    )
    yield fact
    if settled.released_on is not None:
        yield fact.reversed_on(settled.released_on, settled.released_on)


def _worth(document: Paid, amount: int) -> int:
    return divide(amount * document.base_total, document.total)


def _read(paid: Sequence[Paid], rates: Mapping[str, TaxRate]) -> _Books:
    """All data for splitting the settlements of some documents."""
    own = {"ids": sql.array([document.id for document in paid])}
    credits, deductions = _reductions(_CREDITS, own), _reductions(_DEDUCTIONS, own)
    settled: defaultdict[str, list[_Settled]] = defaultdict(list)
    for id, *columns in WORKSPACE.rows(_SETTLED, own):
        settled[id].append(_Settled(*columns))
    by_id = {document.id: document for document in paid}
    of_documents = {id: _with_rounding(parts, by_id[id].rounding) for id, parts in _rates(own, rates).items()}
    return _Books(of_documents, credits, deductions, settled)


def _rates(own: Mapping[str, str], rates: Mapping[str, TaxRate]) -> Mapping[str, list[Rate]]:
    """The amounts of documents at each rate; an item of another program has one rate, and its amount is gross."""
    by_id: defaultdict[str, list[Rate]] = defaultdict(list)
    for id, rate_id, gross, tax in WORKSPACE.rows(_RATES, own):
        by_id[id].append(Rate(rate_id, rates[rate_id].rate if tax else 0, gross, tax))
    for id, rate_id, gross in WORKSPACE.rows(_OF_ITEMS, own):
        percent = rates[rate_id].rate if rates[rate_id].category == TAXED else 0
        by_id[id].append(Rate(rate_id, percent, gross, tax_within(gross, percent)))
    return by_id


def _with_rounding(parts: list[Rate], rounding: int) -> list[Rate]:
    """The rates of a document, its rounding with the largest of them."""
    largest = max(range(len(parts)), key=lambda i: parts[i].amount)
    parts[largest] = parts[largest]._replace(amount=parts[largest].amount + rounding)
    return parts


def _reductions(query: str, own: Mapping[str, str]) -> Mapping[str, list[_Reduction]]:
    by_id: defaultdict[str, list[_Reduction]] = defaultdict(list)
    for id, *columns in WORKSPACE.rows(query, own):
        by_id[id].append(_Reduction(*columns))
    return by_id


_WITHIN = "(a.date BETWEEN :first AND :last OR a.released_on BETWEEN :first AND :last)"
_SIDES = """
    SELECT from_item_id AS own_id, to_item_id AS other_id, id, date, released_on, amount FROM allocation AS a {}
    UNION ALL SELECT to_item_id, from_item_id, id, date, released_on, amount FROM allocation AS a {}
"""
_SIDES_WITHIN = _SIDES.format(f"WHERE {_WITHIN}", f"WHERE {_WITHIN}")
_OWED = "own.amount <> 0 AND (own.amount > 0) = (account.subtype = 'receivable')"
_DOCUMENTS = f"""
WITH side AS ({_SIDES_WITHIN})
SELECT DISTINCT i.id, i.kind, i.number, i.contact_id, i.contact_name, coalesce(i.tax_date, i.issue_date), i.total,
    i.base_total, i.rounding_amount, i.issue_date
FROM side CROSS JOIN open_item AS own ON own.id = side.own_id AND own.document_type = 'invoice'
CROSS JOIN invoice AS i ON i.id = own.document_id WHERE i.kind IN {COUNTING} AND i.total <> 0
ORDER BY i.issue_date, i.id
"""
_TAKEN_OVER = f"""
WITH side AS ({_SIDES_WITHIN})
SELECT DISTINCT own.id, CASE WHEN own.amount > 0 THEN 'sales_invoice' ELSE 'purchase_invoice' END, own.number,
    own.contact_id, c.name, own.document_date, abs(own.amount), abs(own.base_amount), 0, own.entry_id
FROM side CROSS JOIN open_item AS own ON own.id = side.own_id AND own.tax_rate_id IS NOT NULL
JOIN contact AS c ON c.id = own.contact_id JOIN account ON account.id = own.account_id
WHERE own.document_type = 'journal_entry' AND own.entry_id IS NOT NULL AND {_OWED}
ORDER BY own.document_date, own.number
"""
_AMONG = "IN (SELECT value FROM json_each(:ids))"
_PARTS = """
    SELECT p.invoice_id, p.tax_rate_id, p.gross, p.tax FROM {0} CROSS JOIN invoice_line AS p ON p.invoice_id = {0}.id
    UNION ALL SELECT p.invoice_id, p.tax_rate_id, CASE WHEN p.is_charge <> 0 THEN p.amount + p.tax
        ELSE -p.amount - p.tax END, CASE WHEN p.is_charge <> 0 THEN p.tax ELSE -p.tax END
    FROM {0} CROSS JOIN invoice_adjustment AS p ON p.invoice_id = {0}.id
"""
_RATES = f"""
WITH paid AS (SELECT id FROM invoice WHERE id {_AMONG}), part AS (
    {_PARTS.format("paid")} UNION ALL SELECT p.invoice_id, p.tax_rate_id, -p.net - p.tax, -p.tax
    FROM paid CROSS JOIN invoice_deposit AS p ON p.invoice_id = paid.id
)
SELECT part.invoice_id, part.tax_rate_id, sum(part.gross), sum(part.tax) FROM part
GROUP BY part.invoice_id, part.tax_rate_id ORDER BY part.invoice_id, part.tax_rate_id
"""
_OF_ITEMS = f"SELECT id, tax_rate_id, abs(amount) FROM open_item WHERE id {_AMONG}"
_CREDITS = f"""
WITH note AS (
    SELECT i.id, i.credited_invoice_id, i.issue_date, mirror.date AS until FROM invoice AS i
    LEFT JOIN journal_entry AS mirror ON mirror.reverses_id = i.journal_entry_id
    WHERE i.credited_invoice_id {_AMONG} AND i.status <> 'draft' AND (i.status <> 'void' OR mirror.date IS NOT NULL)
), part AS ({_PARTS.format("note")})
SELECT note.credited_invoice_id, note.issue_date, note.until, part.tax_rate_id, sum(part.gross), sum(part.tax)
FROM note JOIN part ON part.invoice_id = note.id
GROUP BY note.id, note.credited_invoice_id, note.issue_date, note.until, part.tax_rate_id
"""
_DEDUCTIONS = f"""
WITH own AS (
    SELECT id, invoice_id AS of_id, date, undone_on FROM deduction WHERE invoice_id {_AMONG} AND kind IN {SETTLING}
    UNION ALL SELECT id, of_item_id, date, undone_on FROM deduction WHERE of_item_id {_AMONG} AND kind IN {SETTLING}
)
SELECT own.of_id, own.date, own.undone_on, p.tax_rate_id, p.amount, p.tax
FROM own CROSS JOIN deduction_part AS p ON p.deduction_id = own.id
"""
_SETTLED = f"""
WITH own AS (
    SELECT id, document_id, document_type, document_id AS of_id FROM open_item
    WHERE document_id {_AMONG} AND document_type = 'invoice'
    UNION ALL SELECT id, document_id, document_type, id FROM open_item WHERE id {_AMONG}
), side AS (
    SELECT own.*, a.id AS allocation_id, a.to_item_id AS other_id, a.date, a.released_on, a.amount
    FROM own CROSS JOIN allocation AS a ON a.from_item_id = own.id
    UNION ALL SELECT own.*, a.id, a.from_item_id, a.date, a.released_on, a.amount
    FROM own CROSS JOIN allocation AS a ON a.to_item_id = own.id
)
SELECT s.of_id, s.date, s.released_on, s.amount FROM side AS s JOIN open_item AS item ON item.id = s.other_id
LEFT JOIN journal_entry AS entry ON entry.id = item.entry_id
LEFT JOIN invoice AS own ON s.document_type = 'invoice' AND own.id = s.document_id
LEFT JOIN invoice AS other ON other.id = item.document_id
WHERE (s.document_type <> 'invoice' OR item.document_id <> s.document_id)
    AND coalesce(entry.kind, '') NOT IN ('doubtful', 'reversal', 'deposit_closing')
    AND NOT EXISTS (SELECT 1 FROM deduction AS d WHERE d.item_id = item.id)
    AND (other.credited_invoice_id IS NULL OR other.credited_invoice_id <> s.document_id)
    AND (own.credited_invoice_id IS NULL OR own.credited_invoice_id <> item.document_id)
ORDER BY s.date, s.allocation_id
"""
