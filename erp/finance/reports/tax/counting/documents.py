"""Invoices, bills and credit notes on accrual basis: on their tax date, and again when they are voided."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.contacts.tax_rates import OWED_BY_BUYER
from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting.facts import Fact, Rate, Source
from erp.kernel.money import spread
from erp.store import sql
from erp.store.router import WORKSPACE

SIGNS = {
    "sales_invoice": 1,
    "final_invoice": 1,
    "sales_credit_note": -1,
    "purchase_invoice": 1,
    "purchase_credit_note": -1,
}
"""Whether a document counts, or reverses; a deposit invoice counts when it is received."""


class Part(NamedTuple):
    """The sum of a document's lines at one rate on one day, in the document's currency."""

    invoice_id: str
    kind: str
    number: str
    contact_id: str
    contact: str
    currency: str
    exchange_rate: int | None
    issue_date: str
    tax_date: str
    day: str
    void_on: str | None
    is_settled: int
    rate_id: str
    base: int
    tax: int
    lost: int

    @property
    def source(self) -> Source:
        return Source("invoice", self.invoice_id, self.number, self.contact_id, self.contact)


class _Chosen(NamedTuple):
    """A query for the ids of documents, with its parameters."""

    query: str
    parameters: Mapping[str, str]

    def rows(self, statement: str) -> Sequence[Sequence[Any]]:
        """The rows about these documents."""
        return WORKSPACE.rows(f"WITH chosen AS ({self.query}), {_DOCUMENT} {statement}", self.parameters)


def facts(span: Span, rates: Mapping[str, Rate]) -> Iterator[tuple[Fact, str | None]]:
    """The facts of documents that count or are posted in some days.

    Each comes with the tax date of its document, but None where nothing is ever to be paid.
    """
    chosen = _Chosen(_OF_DAYS, {"first": str(span.first), "last": str(span.last)})
    for part, own in _by_document(chosen, rates):
        tax_date = None if part.is_settled else part.tax_date
        for fact in own:
            yield fact, tax_date
            if part.void_on is not None:
                yield fact.reversed_on(max(fact.day, part.void_on), part.void_on), tax_date


def facts_of(ids: Iterable[str], rates: Mapping[str, Rate]) -> Iterator[Fact]:
    """The facts of some documents, as if none were voided."""
    chosen = _Chosen("SELECT value AS id FROM json_each(:ids)", {"ids": sql.array([*ids])})
    for _, own in _by_document(chosen, rates):
        yield from own


def _by_document(chosen: _Chosen, rates: Mapping[str, Rate]) -> Iterator[tuple[Part, Sequence[Fact]]]:
    """The first part of each document, with the facts of all."""
    by_document: defaultdict[str, list[Part]] = defaultdict(list)
    for row in chosen.rows(_PARTS):
        by_document[row[0]].append(Part(*row))
    reverse, deposits = _reverse(chosen, by_document, rates), _deposits(chosen, by_document)
    for invoice_id, parts in by_document.items():
        owed = _owed(parts, reverse[invoice_id], rates) if invoice_id in reverse else [0] * len(parts)
        source = parts[0].source
        counted = [_fact(part, own, source) for part, own in zip(parts, owed, strict=True)]
        counted += [_applied(parts[0], *deposit) for deposit in deposits.get(invoice_id, ())]
        yield parts[0], counted


def _fact(part: Part, owed: int, source: Source) -> Fact:
    """The fact of a part; `owed` is the reverse charge tax on it, in the document's currency."""
    sign = SIGNS[part.kind]
    base, tax, reverse, lost = sign * part.base, sign * part.tax, sign * owed, sign * part.lost
    if part.exchange_rate is not None:
        base, tax, reverse, lost = (
            in_base(amount, part.currency, part.exchange_rate) for amount in (base, tax, reverse, lost)
        )
    is_purchase = part.kind.startswith("purchase")
    return Fact(
        part.day,
        part.issue_date,
        "purchase" if is_purchase else "sale",
        part.rate_id,
        part.kind,
        base,
        reverse if is_purchase else tax,
        tax + reverse - lost if is_purchase else 0,
        source,
    )


def _applied(part: Part, rate_id: str, net: int, tax: int) -> Fact:
    """The deposit that a final invoice applies, at the rate of the invoice: it counted when it was received."""
    if part.exchange_rate is not None:
        net, tax = (in_base(amount, part.currency, part.exchange_rate) for amount in (net, tax))
    return Fact(part.tax_date, part.issue_date, "sale", rate_id, "final_invoice", -net, -tax, 0, part.source)


def _owed(parts: Sequence[Part], reverse: Mapping[tuple[str, int], int], rates: Mapping[str, Rate]) -> list[int]:
    """The reverse charge tax, divided among the parts of its category and percentage."""
    owed = [0] * len(parts)
    for (category, percent), amount in reverse.items():
        places = [
            i
            for i, part in enumerate(parts)
            if (rates[part.rate_id].category, rates[part.rate_id].rate) == (category, percent)
        ]
        bases = [parts[i].base for i in places]
        weights = bases if sum(bases) > 0 else [abs(base) for base in bases]
        for i, share in zip(places, spread(amount, weights), strict=True):
            owed[i] = share
    return owed


def _reverse(
    chosen: _Chosen, documents: Mapping[str, Sequence[Part]], rates: Mapping[str, Rate]
) -> dict[str, dict[tuple[str, int], int]]:
    """By document, the reverse charge tax by category and percentage."""
    reverse: defaultdict[str, dict[tuple[str, int], int]] = defaultdict(dict)
    if not any(rates[part.rate_id].category in OWED_BY_BUYER for parts in documents.values() for part in parts):
        return reverse
    for invoice_id, category, rate, amount in chosen.rows(_REVERSE):
        reverse[invoice_id][category, rate] = amount
    return reverse


def _deposits(chosen: _Chosen, documents: Mapping[str, Sequence[Part]]) -> dict[str, list[tuple[str, int, int]]]:
    """By final invoice, the net and the tax of its deposits, by their rates."""
    deposits: defaultdict[str, list[tuple[str, int, int]]] = defaultdict(list)
    if not any(parts[0].kind == "final_invoice" for parts in documents.values()):
        return deposits
    for invoice_id, rate_id, net, tax in chosen.rows(_DEPOSITS):
        deposits[invoice_id].append((rate_id, net, tax))
    return deposits


COUNTING = tuple(SIGNS)
_OF_DAYS = """
    SELECT id FROM invoice WHERE tax_date <> issue_date AND tax_date BETWEEN :first AND :last
    UNION SELECT id FROM invoice WHERE issue_date BETWEEN :first AND :last
    UNION SELECT invoice_id FROM invoice_line WHERE tax_date BETWEEN :first AND :last
    UNION SELECT source_id FROM journal_entry
    WHERE date BETWEEN :first AND :last AND kind = 'reversal' AND source_type = 'invoice'
"""
_DOCUMENT = f"""document AS MATERIALIZED (
    SELECT i.id, i.kind, i.number, i.contact_id, i.contact_name, i.currency, i.exchange_rate, i.issue_date,
        coalesce(i.tax_date, i.issue_date) AS tax_date, mirror.date AS void_on,
        CASE WHEN i.total = i.deposit_total THEN 1 ELSE 0 END AS is_settled
    FROM chosen {sql.THEN_JOIN} invoice AS i ON i.id = chosen.id
    LEFT JOIN journal_entry AS mirror ON mirror.reverses_id = i.journal_entry_id
    WHERE i.status <> 'draft' AND i.kind IN {COUNTING} AND (i.status <> 'void' OR mirror.date IS NOT NULL)
)"""
_PARTS = f""", part AS (
    SELECT d.id, coalesce(l.tax_date, d.tax_date) AS day, l.tax_rate_id, l.gross - l.tax AS base, l.tax,
        l.non_deductible_tax AS lost
    FROM document AS d {sql.THEN_JOIN} invoice_line AS l ON l.invoice_id = d.id WHERE l.tax_rate_id IS NOT NULL
    UNION ALL SELECT d.id, d.tax_date, a.tax_rate_id, CASE WHEN a.is_charge THEN a.amount ELSE -a.amount END,
        CASE WHEN a.is_charge THEN a.tax ELSE -a.tax END, 0
    FROM document AS d {sql.THEN_JOIN} invoice_adjustment AS a ON a.invoice_id = d.id WHERE a.tax_rate_id IS NOT NULL
), summed AS (
    SELECT id, day, tax_rate_id, sum(base) AS base, sum(tax) AS tax, sum(lost) AS lost FROM part
    GROUP BY id, day, tax_rate_id
)
SELECT d.id, d.kind, d.number, d.contact_id, d.contact_name, d.currency, d.exchange_rate, d.issue_date, d.tax_date,
    summed.day, d.void_on, d.is_settled, summed.tax_rate_id, summed.base, summed.tax, summed.lost
FROM document AS d JOIN summed ON summed.id = d.id ORDER BY d.issue_date, d.id, summed.tax_rate_id
"""
_REVERSE = f"""SELECT t.invoice_id, t.category, t.rate, t.reverse_charge FROM document AS d
{sql.THEN_JOIN} invoice_tax AS t ON t.invoice_id = d.id WHERE t.reverse_charge <> 0 AND t.category IN {OWED_BY_BUYER}
"""
_DEPOSITS = f"""SELECT x.invoice_id, x.tax_rate_id, sum(x.net), sum(x.tax) FROM document AS d
{sql.THEN_JOIN} invoice_deposit AS x ON x.invoice_id = d.id WHERE x.tax_rate_id IS NOT NULL
GROUP BY x.invoice_id, x.tax_rate_id
"""
