"""Tax on cash basis: parts of documents count on the days on which they are settled.

Payments, offsets and the credit notes of other documents settle them. Deductions and own credit notes lower the kept
amounts of a document, and may change the rates of the money so far.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from erp.finance.contacts.tax_rates import TAXED
from erp.finance.documents.standing import SETTLING
from erp.finance.documents.totals import tax_within
from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting.documents import COUNTING, SIGNS
from erp.finance.reports.tax.counting.facts import Fact, Source
from erp.finance.reports.tax.counting.facts import Rate as TaxRate
from erp.finance.reports.tax.counting.settling import Counted, Use, counted
from erp.finance.write_downs.parts import Part, Rate
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
    """An allocation to or from a document; `with_own` if it is between a document and its own credit note."""

    id: str
    date: str
    released_on: str | None
    amount: int
    with_own: int

    @property
    def use(self) -> Use:
        return Use(self.id, "money", self.date, self.released_on, self.amount)


class _Books(NamedTuple):
    """The rows about some documents and their credit notes, by the ids of the documents."""

    rates: Mapping[str, Sequence[Rate]]
    settled: Mapping[str, Sequence[_Settled]]
    deductions: Mapping[str, Sequence[Use]]
    notes: Mapping[str, Sequence[str]]


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
    """The facts of a document, each in the base currency: the value of all with it, less the value before."""
    own = {settled.id for settled in books.settled.get(document.id, ()) if settled.with_own}
    is_note = document.kind.endswith("credit_note")
    sums: defaultdict[str | None, list[int]] = defaultdict(lambda: [0, 0])
    for day, use, parts in _counted(document.id, books):
        for part in parts:
            if part.rate_id is not None and not (is_note and use.id in own):
                yield _fact(document, day, use, part, sums[part.rate_id])


def _counted(id: str, books: _Books) -> Iterator[Counted]:
    """All that counts of a document; for a credit note, also its settlements of its own document."""
    uses = [*books.deductions.get(id, ())]
    uses += [settled.use for settled in books.settled.get(id, ()) if not (settled.with_own and books.notes.get(id))]
    for note_id in books.notes.get(id, ()):
        uses += _of_note(note_id, books)
    yield from counted(books.rates.get(id, ()), uses)


def _of_note(id: str, books: _Books) -> Iterator[Use]:
    """The settlements of a document by one of its credit notes, with their parts by rate."""
    own = {settled.id: settled for settled in books.settled.get(id, ()) if settled.with_own}
    for day, use, parts in _counted(id, books):
        if use.id in own and day == use.date:
            yield use._replace(means="note", parts=parts)


def _fact(document: Paid, day: str, use: Use, part: Part, sums: list[int]) -> Fact:
    """A part in the base currency; `sums` are the net and the tax that have counted at its rate, and grow by it."""
    sign = SIGNS[document.kind]
    before = [_worth(document, amount) for amount in sums]
    sums[:] = sums[0] + part.net, sums[1] + part.tax
    base, tax = (sign * (_worth(document, amount) - was) for amount, was in zip(sums, before, strict=True))
    is_purchase = document.kind.startswith("purchase")
    note = "purchase_credit_note" if is_purchase else "sales_credit_note"
    return Fact(
        day=day,
        posted=day,
        side="purchase" if is_purchase else "sale",
        rate_id=str(part.rate_id),
        kind=note if use.means == "note" else document.kind,
        base=base,
        tax=0 if is_purchase else tax,
        input=tax if is_purchase else 0,
        source=document.source,
    )


def _worth(document: Paid, amount: int) -> int:
    return divide(amount * document.base_total, document.total)


def _read(paid: Sequence[Paid], rates: Mapping[str, TaxRate]) -> _Books:
    """All data for counting the settlements of some documents."""
    rounding = {document.id: document.rounding for document in paid}
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for of_id, id, amount in WORKSPACE.rows(_NOTES, {"ids": sql.array([*rounding])}):
        notes[of_id].append(id)
        rounding[id] = amount
    own = {"ids": sql.array([*rounding])}
    settled: defaultdict[str, list[_Settled]] = defaultdict(list)
    for id, *columns in WORKSPACE.rows(_SETTLED, own):
        settled[id].append(_Settled(*columns))
    by_rate = {id: _with_rounding(parts, rounding[id]) for id, parts in _rates(own, rates).items()}
    return _Books(by_rate, settled, _deductions(own), notes)


def _deductions(own: Mapping[str, str]) -> Mapping[str, list[Use]]:
    by_id: defaultdict[str, list[Use]] = defaultdict(list)
    rows = WORKSPACE.rows(_DEDUCTIONS, own)
    for (of_id, id, date, until), group in groupby(rows, key=lambda row: row[:4]):
        parts = [Part(*row[4:]) for row in group]
        by_id[of_id].append(Use(id, "deduction", date, until, sum(part.amount for part in parts), parts))
    return by_id


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
_RATES = f"""
WITH paid AS (SELECT id FROM invoice WHERE id {_AMONG}), part AS (
    SELECT p.invoice_id, 0 AS place, p.position, p.tax_rate_id, p.gross, p.tax
    FROM paid CROSS JOIN invoice_line AS p ON p.invoice_id = paid.id
    UNION ALL SELECT p.invoice_id, 1, p.position, p.tax_rate_id, CASE WHEN p.is_charge <> 0 THEN p.amount + p.tax
        ELSE -p.amount - p.tax END, CASE WHEN p.is_charge <> 0 THEN p.tax ELSE -p.tax END
    FROM paid CROSS JOIN invoice_adjustment AS p ON p.invoice_id = paid.id
    UNION ALL SELECT p.invoice_id, 2, p.position, p.tax_rate_id, -p.net - p.tax, -p.tax
    FROM paid CROSS JOIN invoice_deposit AS p ON p.invoice_id = paid.id
)
SELECT part.invoice_id, part.tax_rate_id, sum(part.gross), sum(part.tax) FROM part
GROUP BY part.invoice_id, part.tax_rate_id
ORDER BY part.invoice_id, min(part.place * 1000000 + part.position), part.tax_rate_id
"""
_OF_ITEMS = f"SELECT id, tax_rate_id, abs(amount) FROM open_item WHERE id {_AMONG}"
_NOTES = f"""
SELECT credited_invoice_id, id, rounding_amount FROM invoice
WHERE credited_invoice_id {_AMONG} AND status <> 'draft' AND kind IN {COUNTING}
"""
_DEDUCTIONS = f"""
WITH own AS (
    SELECT id, invoice_id AS of_id, date, undone_on FROM deduction WHERE invoice_id {_AMONG} AND kind IN {SETTLING}
    UNION ALL SELECT id, of_item_id, date, undone_on FROM deduction WHERE of_item_id {_AMONG} AND kind IN {SETTLING}
)
SELECT own.of_id, own.id, own.date, own.undone_on, p.tax_rate_id, p.amount, p.tax
FROM own CROSS JOIN deduction_part AS p ON p.deduction_id = own.id ORDER BY own.of_id, own.id, p.position
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
SELECT s.of_id, s.allocation_id, s.date, s.released_on, s.amount,
    coalesce(other.credited_invoice_id = s.document_id, 0) OR coalesce(own.credited_invoice_id = item.document_id, 0)
FROM side AS s JOIN open_item AS item ON item.id = s.other_id
LEFT JOIN journal_entry AS entry ON entry.id = item.entry_id
LEFT JOIN invoice AS own ON s.document_type = 'invoice' AND own.id = s.document_id
LEFT JOIN invoice AS other ON other.id = item.document_id
WHERE (s.document_type <> 'invoice' OR item.document_id <> s.document_id)
    AND coalesce(entry.kind, '') NOT IN ('doubtful', 'reversal', 'deposit_closing')
    AND NOT EXISTS (SELECT 1 FROM deduction AS d WHERE d.item_id = item.id)
ORDER BY s.date, s.allocation_id
"""
