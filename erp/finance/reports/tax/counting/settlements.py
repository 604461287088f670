"""Documents that are settled, and what settles them, as the file has them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from erp.finance.books.open_items import MAY_BE_OPEN_AT, OPEN_AT
from erp.finance.contacts.tax_rates import TAXED
from erp.finance.documents.standing import SETTLING
from erp.finance.documents.totals import tax_within
from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting import corrections, documents
from erp.finance.reports.tax.counting.documents import COUNTING, SIGNS
from erp.finance.reports.tax.counting.facts import Fact, Source
from erp.finance.reports.tax.counting.facts import Rate as TaxRate
from erp.finance.reports.tax.counting.settling import Use
from erp.finance.reports.tax.counting.valuing import Value
from erp.finance.write_downs.parts import Part, Rate
from erp.kernel.money import divide
from erp.store import sql
from erp.store.router import WORKSPACE


class Paid(NamedTuple):
    """A document that can be settled in parts.

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

    @property
    def is_purchase(self) -> bool:
        return self.kind.startswith("purchase")

    @property
    def is_note(self) -> bool:
        return self.kind.endswith("credit_note")


class Settled(NamedTuple):
    """An allocation to or from a document; `with_own` if it is between a document and its own credit note."""

    id: str
    date: str
    released_on: str | None
    amount: int
    with_own: int

    @property
    def use(self) -> Use:
        return Use(self.id, "money", self.date, self.released_on, self.amount)


class Books(NamedTuple):
    """The rows about some documents and their credit notes, by the ids of the documents.

    `rounded` is their rounding with its rate. `accrued` are their values on accrual basis, `deducted` the values of
    their deductions by the ids of these.
    """

    rates: Mapping[str, Sequence[Rate]]
    rounded: Mapping[str, Part]
    settled: Mapping[str, Sequence[Settled]]
    deductions: Mapping[str, Sequence[Use]]
    notes: Mapping[str, Sequence[str]]
    accrued: Mapping[str, Sequence[Value]]
    deducted: Mapping[str, Sequence[Value]]


def settled_in(span: Span) -> list[Paid]:
    """The documents of which a part was settled or released in some days."""
    days = {"first": str(span.first), "last": str(span.last)}
    paid = [Paid(*row[:-1]) for row in WORKSPACE.rows(_DOCUMENTS, days)]
    return paid + [Paid(*row) for row in WORKSPACE.rows(_TAKEN_OVER, days)]


def of_ids(ids: Iterable[str]) -> list[Paid]:
    """Some documents by their ids."""
    rows = WORKSPACE.rows(f"SELECT {_DOCUMENT} FROM invoice AS i WHERE i.id {_AMONG}", {"ids": sql.array([*ids])})
    return [Paid(*row[:-1]) for row in rows]


def open_on(day: str, last: str) -> list[Paid]:
    """The documents with an open amount at the end of a day, and what is taken over between it and a last day."""
    days = {"day": day, "last": last}
    unpaid = [Paid(*row[:-1]) for row in WORKSPACE.rows(_OPEN, days)]
    return unpaid + [Paid(*row) for row in WORKSPACE.rows(_TAKEN_OVER_OPEN, days)]


def read(paid: Sequence[Paid], rates: Mapping[str, TaxRate]) -> Books:
    """All data for counting the settlements of some documents."""
    rounding = {document.id: document.rounding for document in paid}
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for of_id, id, amount in WORKSPACE.rows(_NOTES, {"ids": sql.array([*rounding])}):
        notes[of_id].append(id)
        rounding[id] = amount
    own = {"ids": sql.array([*rounding])}
    settled: defaultdict[str, list[Settled]] = defaultdict(list)
    for id, *columns in WORKSPACE.rows(_SETTLED, own):
        settled[id].append(Settled(*columns))
    by_rate = _rates(own, rates)
    rounded = {id: _add_rounding(parts, rounding[id]) for id, parts in by_rate.items()}
    accrued = _accrued(documents.facts_of(rounding, rates))
    accrued |= {item.id: _taken_over(item, by_rate[item.id]) for item in paid if item.entry_id is not None}
    deducted = {
        id: [_value(fact, -1) for fact in own_facts] for id, own_facts in corrections.facts_of(rounding, rates).items()
    }
    return Books(by_rate, rounded, settled, _deductions(own), notes, accrued, deducted)


def _accrued(facts: Iterable[Fact]) -> dict[str, list[Value]]:
    """By document, the values of each rate."""
    sums: defaultdict[str, dict[str, Value]] = defaultdict(dict)
    for fact in facts:
        value, by_rate = _value(fact, SIGNS[fact.kind]), sums[fact.source.id]
        before = by_rate.get(fact.rate_id, Value(fact.rate_id, 0, 0))
        by_rate[fact.rate_id] = Value(fact.rate_id, before.base + value.base, before.tax + value.tax)
    return {id: [*by_rate.values()] for id, by_rate in sums.items()}


def _value(fact: Fact, sign: int) -> Value:
    return Value(fact.rate_id, sign * fact.base, sign * (fact.input if fact.side == "purchase" else fact.tax))


def _taken_over(item: Paid, rates: Sequence[Rate]) -> list[Value]:
    """The value of an open item of another program, whose tax it posted."""
    worth = [
        (rate.rate_id, [divide(x * item.base_total, item.total) for x in (rate.amount - rate.tax, rate.tax)])
        for rate in rates
    ]
    return [Value(id, *amounts) for id, amounts in worth if id is not None]


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


def _add_rounding(rates: list[Rate], rounding: int) -> Part:
    """Add the rounding of a document to the largest of its rates."""
    largest = max(range(len(rates)), key=lambda i: rates[i].amount)
    rates[largest] = rates[largest]._replace(amount=rates[largest].amount + rounding)
    return Part(rates[largest].rate_id, rounding, 0)


_WITHIN = "(a.date BETWEEN :first AND :last OR a.released_on BETWEEN :first AND :last)"
_SIDES = """
    SELECT from_item_id AS own_id, to_item_id AS other_id, id, date, released_on, amount FROM allocation AS a {}
    UNION ALL SELECT to_item_id, from_item_id, id, date, released_on, amount FROM allocation AS a {}
"""
_SIDES_WITHIN = _SIDES.format(f"WHERE {_WITHIN}", f"WHERE {_WITHIN}")
_OWED = "own.amount <> 0 AND (own.amount > 0) = (account.subtype = 'receivable')"
_DOCUMENT = """i.id, i.kind, i.number, i.contact_id, i.contact_name, coalesce(i.tax_date, i.issue_date), i.total,
    i.base_total, i.rounding_amount, i.issue_date"""
_DOCUMENTS = f"""
WITH side AS ({_SIDES_WITHIN})
SELECT DISTINCT {_DOCUMENT}
FROM side {sql.THEN_JOIN} open_item AS own ON own.id = side.own_id AND own.document_type = 'invoice'
{sql.THEN_JOIN} invoice AS i ON i.id = own.document_id WHERE i.kind IN {COUNTING} AND i.total <> 0
ORDER BY i.issue_date, i.id
"""
_ITEM = """own.id, CASE WHEN own.amount > 0 THEN 'sales_invoice' ELSE 'purchase_invoice' END, own.number,
    own.contact_id, c.name, own.document_date, abs(own.amount), abs(own.base_amount), 0, own.entry_id"""
_IS_TAKEN_OVER = f"""own.document_type = 'journal_entry' AND own.entry_id IS NOT NULL
    AND own.tax_rate_id IS NOT NULL AND {_OWED}"""
_TAKEN_OVER = f"""
WITH side AS ({_SIDES_WITHIN})
SELECT DISTINCT {_ITEM}
FROM side {sql.THEN_JOIN} open_item AS own ON own.id = side.own_id
JOIN contact AS c ON c.id = own.contact_id JOIN account ON account.id = own.account_id
WHERE {_IS_TAKEN_OVER} ORDER BY own.document_date, own.number
"""
_OPEN_ITEMS = f"SELECT id, document_id FROM open_item WHERE {MAY_BE_OPEN_AT} AND {OPEN_AT} <> 0"
_OPEN = f"""
SELECT DISTINCT {_DOCUMENT} FROM ({_OPEN_ITEMS}) AS own {sql.THEN_JOIN} invoice AS i ON i.id = own.document_id
WHERE i.kind IN {COUNTING} ORDER BY i.issue_date, i.id
"""
_TAKEN_OVER_OPEN = f"""
WITH taken_over AS (
    SELECT id FROM ({_OPEN_ITEMS}) AS unpaid UNION SELECT id FROM open_item WHERE date > :day AND date <= :last
)
SELECT {_ITEM} FROM taken_over {sql.THEN_JOIN} open_item AS own ON own.id = taken_over.id
JOIN contact AS c ON c.id = own.contact_id JOIN account ON account.id = own.account_id
WHERE {_IS_TAKEN_OVER} ORDER BY own.document_date, own.number
"""
_AMONG = "IN (SELECT value FROM json_each(:ids))"
_RATES = f"""
WITH paid AS (SELECT id FROM invoice WHERE id {_AMONG}), part AS (
    SELECT p.invoice_id, 0 AS place, p.position, p.tax_rate_id, p.gross, p.tax
    FROM paid {sql.THEN_JOIN} invoice_line AS p ON p.invoice_id = paid.id
    UNION ALL SELECT p.invoice_id, 1, p.position, p.tax_rate_id, CASE WHEN p.is_charge THEN p.amount + p.tax
        ELSE -p.amount - p.tax END, CASE WHEN p.is_charge THEN p.tax ELSE -p.tax END
    FROM paid {sql.THEN_JOIN} invoice_adjustment AS p ON p.invoice_id = paid.id
    UNION ALL SELECT p.invoice_id, 2, p.position, p.tax_rate_id, -p.net - p.tax, -p.tax
    FROM paid {sql.THEN_JOIN} invoice_deposit AS p ON p.invoice_id = paid.id
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
FROM own {sql.THEN_JOIN} deduction_part AS p ON p.deduction_id = own.id ORDER BY own.of_id, own.id, p.position
"""
_SETTLED = f"""
WITH own AS (
    SELECT id, document_id, document_type, document_id AS of_id FROM open_item
    WHERE document_id {_AMONG} AND document_type = 'invoice'
    UNION ALL SELECT id, document_id, document_type, id FROM open_item WHERE id {_AMONG}
), side AS (
    SELECT own.*, a.id AS allocation_id, a.to_item_id AS other_id, a.date, a.released_on, a.amount
    FROM own {sql.THEN_JOIN} allocation AS a ON a.from_item_id = own.id
    UNION ALL SELECT own.*, a.id, a.from_item_id, a.date, a.released_on, a.amount
    FROM own {sql.THEN_JOIN} allocation AS a ON a.to_item_id = own.id
)
SELECT s.of_id, s.allocation_id, s.date, s.released_on, s.amount,
    coalesce(other.credited_invoice_id = s.document_id, false)
    OR coalesce(own.credited_invoice_id = item.document_id, false)
FROM side AS s JOIN open_item AS item ON item.id = s.other_id
LEFT JOIN journal_entry AS entry ON entry.id = item.entry_id
LEFT JOIN invoice AS own ON s.document_type = 'invoice' AND own.id = s.document_id
LEFT JOIN invoice AS other ON other.id = item.document_id
WHERE (s.document_type <> 'invoice' OR item.document_id <> s.document_id)
    AND coalesce(entry.kind, '') NOT IN ('doubtful', 'reversal', 'deposit_closing')
    AND NOT EXISTS (SELECT 1 FROM deduction AS d WHERE d.item_id = item.id)
ORDER BY s.date, s.allocation_id
"""
