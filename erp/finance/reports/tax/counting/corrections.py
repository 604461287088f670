"""Facts beside documents: deposits when they are received, and deductions on their own day."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple

from erp.finance.contacts.tax_rates import OWED_BY_BUYER, TAXED
from erp.finance.documents.standing import SETTLING
from erp.finance.documents.totals import tax_on
from erp.finance.reports.period import Span
from erp.finance.reports.tax.counting.facts import Fact, Rate, Source
from erp.kernel.money import divide, spread
from erp.store import sql
from erp.store.router import WORKSPACE


def deposits(span: Span) -> Iterator[Fact]:
    """Received deposits, and releases of them."""
    for day, released_on, rate_id, net, tax, *source in WORKSPACE.rows(_DEPOSITS, _days(span)):
        fact = Fact(day, day, "sale", rate_id, "deposit_invoice", net, tax, 0, Source("invoice", *source))
        yield fact
        if released_on is not None:
            yield fact.reversed_on(released_on, released_on)


class _Part(NamedTuple):
    """A part of a deduction, with the deduction and its document."""

    deduction_id: str
    kind: str
    amount: int
    base_amount: int
    date: str
    undone_on: str | None
    rate_id: str | None
    part: int
    tax: int
    is_purchase: int
    tax_date: str
    type: Literal["invoice", "journal_entry", "payment"]
    id: str
    number: str
    contact_id: str
    contact: str


def deductions(span: Span, rates: Mapping[str, Rate]) -> Iterator[tuple[Fact, str]]:
    """Deductions of documents with their tax, or recoveries; with the tax date of the document."""
    parts = [_Part(*row) for row in WORKSPACE.rows(_DEDUCTIONS.format(_OF_DAYS), _days(span))]
    for first, own in _by_deduction(parts, rates):
        for fact in own:
            yield fact, first.tax_date
            if first.undone_on is not None:
                yield fact.reversed_on(first.undone_on, first.undone_on), first.tax_date


def facts_of(ids: Iterable[str], rates: Mapping[str, Rate]) -> Mapping[str, Sequence[Fact]]:
    """By their ids, the deductions that settle some documents or items without one, whether they correct tax or not."""
    parts = [_Part(*row) for row in WORKSPACE.rows(_DEDUCTIONS.format(_OF_DOCUMENTS), {"ids": sql.array([*ids])})]
    return {first.deduction_id: own for first, own in _by_deduction(parts, rates)}


def _by_deduction(parts: Sequence[_Part], rates: Mapping[str, Rate]) -> Iterator[tuple[_Part, Sequence[Fact]]]:
    """The first part of each deduction, with the facts of all."""
    lost = _lost(parts)
    for _, group in groupby(parts, key=attrgetter("deduction_id")):
        own = [*group]
        yield own[0], [*_facts(own, rates, lost)]


_Lost = Mapping[tuple[str, str | None], tuple[int, int]]


def _facts(parts: Sequence[_Part], rates: Mapping[str, Rate], lost: _Lost) -> Iterator[Fact]:
    """The parts of one deduction; its value is divided as its entry divides it."""
    first = parts[0]
    sign = 1 if first.kind == "recovery" else -1
    taxes = [_deductible(part.tax, lost.get((part.id, part.rate_id))) for part in parts]
    costs = [part.part - tax for part, tax in zip(parts, taxes, strict=True)]
    bases = spread(first.base_amount, [*costs, *taxes])
    count = len(parts)
    for part, own, cost, tax in zip(parts, taxes, bases[:count], bases[count:], strict=True):
        if part.rate_id is None:
            continue
        rate, base = rates[part.rate_id], cost - divide(first.base_amount * (part.tax - own), first.amount)
        reverse = _reverse(part, rate) if part.is_purchase else 0
        yield Fact(
            day=part.date,
            posted=part.date,
            side="purchase" if part.is_purchase else "sale",
            rate_id=part.rate_id,
            kind=part.kind,
            base=sign * base,
            tax=sign * (reverse if part.is_purchase else tax),
            input=sign * (tax + reverse) if part.is_purchase else 0,
            source=Source(part.type, part.id, part.number, part.contact_id, part.contact),
        )


def _reverse(part: _Part, rate: Rate) -> int:
    """The reverse charge tax that falls away."""
    if rate.category not in OWED_BY_BUYER or not rate.rate:
        return 0
    return divide(part.base_amount * tax_on(part.part, rate.rate), part.amount)


def _deductible(tax: int, lost: tuple[int, int] | None) -> int:
    """The deducted part of a tax that was deductible in part."""
    return tax if lost is None or not lost[0] else tax - divide(tax * lost[1], lost[0])


def _lost(parts: Sequence[_Part]) -> _Lost:
    """The tax of bills by rate, and its non-deductible part."""
    ids = sorted({part.id for part in parts if part.is_purchase and part.type == "invoice"})
    if not ids:
        return {}
    rows = WORKSPACE.rows(_LOST, (sql.array(ids),))
    return {(id, rate_id): (tax, lost) for id, rate_id, tax, lost in rows}


def _days(span: Span) -> dict[str, str]:
    return {"first": str(span.first), "last": str(span.last)}


_DEPOSITS = """
SELECT a.date, a.released_on, r.tax_rate_id, r.base_net, r.base_tax, i.id, i.number, i.contact_id, i.contact_name
FROM allocation AS a JOIN deposit_receipt AS r ON r.allocation_id = a.id JOIN invoice AS i ON i.id = r.invoice_id
WHERE (a.date BETWEEN :first AND :last OR a.released_on BETWEEN :first AND :last) AND r.tax_rate_id IS NOT NULL
ORDER BY a.date, a.id, r.id
"""
_DEDUCTIONS = f"""
SELECT d.id, d.kind, d.amount, d.base_amount, d.date, d.undone_on, p.tax_rate_id, p.amount,
    CASE WHEN t.category = '{TAXED}' THEN p.tax ELSE 0 END,
    CASE WHEN i.id IS NULL THEN item.amount < 0 ELSE i.kind LIKE 'purchase%' END,
    coalesce(i.tax_date, i.issue_date, item.document_date), CASE WHEN i.id IS NULL THEN item.document_type
    ELSE 'invoice' END, coalesce(i.id, item.document_id), coalesce(i.number, item.number),
    coalesce(i.contact_id, item.contact_id), coalesce(i.contact_name, c.name)
FROM deduction AS d {sql.THEN_JOIN} deduction_part AS p ON p.deduction_id = d.id
LEFT JOIN tax_rate AS t ON t.id = p.tax_rate_id LEFT JOIN invoice AS i ON i.id = d.invoice_id
LEFT JOIN open_item AS item ON item.id = d.of_item_id LEFT JOIN contact AS c ON c.id = item.contact_id
WHERE {{}}
ORDER BY d.date, d.id, p.position
"""
_OF_DAYS = """d.id IN (
    SELECT id FROM deduction WHERE date BETWEEN :first AND :last
    UNION SELECT id FROM deduction WHERE undone_on BETWEEN :first AND :last
) AND d.corrects_tax"""
_AMONG = "IN (SELECT value FROM json_each(:ids))"
_OF_DOCUMENTS = f"(d.invoice_id {_AMONG} OR d.of_item_id {_AMONG}) AND d.kind IN {SETTLING}"
_LOST = """
SELECT invoice_id, tax_rate_id, sum(tax), sum(non_deductible_tax) FROM invoice_line
WHERE invoice_id IN (SELECT value FROM json_each(?)) GROUP BY invoice_id, tax_rate_id
HAVING sum(non_deductible_tax) <> 0
"""
