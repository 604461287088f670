"""The uses of what is bought: the facts of a bill, divided among the accounts of its lines."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from erp.finance.reports.tax.counting.facts import Fact
from erp.finance.reports.tax.forms import Use
from erp.kernel.money import spread
from erp.store import sql
from erp.store.router import WORKSPACE


class _Share(NamedTuple):
    """The lines of a bill at one rate with one use."""

    use: Use
    base: int
    tax: int


def told(facts: Sequence[Fact]) -> list[Fact]:
    """The facts with the uses of purchases; one whose lines have several uses is divided."""
    shares = _shares({fact.source.id for fact in facts if fact.side == "purchase" and fact.source.type == "invoice"})
    return [part for fact in facts for part in _divided(fact, shares.get((fact.source.id, fact.rate_id), ()))]


def _divided(fact: Fact, shares: Sequence[_Share]) -> Iterable[Fact]:
    if not shares:
        return [fact]
    bases = _weights([share.base for share in shares])
    taxes = [share.tax for share in shares] if any(share.tax for share in shares) else bases
    parts = (spread(fact.base, bases), *(spread(amount, _weights(taxes)) for amount in (fact.tax, fact.input)))
    return [
        fact._replace(use=share.use, base=base, tax=tax, input=deducted)
        for share, base, tax, deducted in zip(shares, *parts, strict=True)
    ]


def _weights(amounts: Sequence[int]) -> Sequence[int]:
    """Amounts as weights: their size where they do not add up to more than nothing."""
    return amounts if sum(amounts) > 0 else [abs(amount) or 1 for amount in amounts]


def _shares(ids: Iterable[str]) -> Mapping[tuple[str, str], Sequence[_Share]]:
    shares: defaultdict[tuple[str, str], list[_Share]] = defaultdict(list)
    for invoice_id, rate_id, *share in WORKSPACE.rows(_SHARES, (sql.array(sorted(ids)),)):
        shares[invoice_id, rate_id].append(_Share(*share))
    return shares


_USE = (
    "CASE a.subtype WHEN 'fixed_asset' THEN 'asset' WHEN 'cost_of_sales' THEN 'cost' WHEN 'inventory' THEN 'cost'"
    " ELSE 'other' END"
)
_SHARES = f"""
SELECT l.invoice_id, l.tax_rate_id, {_USE}, sum(l.gross - l.tax), sum(l.tax - l.non_deductible_tax)
FROM invoice_line AS l JOIN account AS a ON a.id = l.account_id
WHERE l.invoice_id IN (SELECT value FROM json_each(?)) AND l.tax_rate_id IS NOT NULL
GROUP BY l.invoice_id, l.tax_rate_id, {_USE} ORDER BY l.invoice_id, l.tax_rate_id, {_USE}
"""
