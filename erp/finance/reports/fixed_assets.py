"""Write-downs of fixed assets: entries of only fixed assets, income and expenses."""

from typing import NamedTuple

from erp.finance.reports.period import Span
from erp.store import sql
from erp.store.router import WORKSPACE


class WrittenDown(NamedTuple):
    """By account id, debit above zero: the assets, and the income and expenses of their changes."""

    assets: dict[str, int]
    results: dict[str, int]


def written_down(span: Span) -> WrittenDown:
    """Entries without money or debt: depreciation, or the loss of scrapped assets."""
    written = WrittenDown({}, {})
    for account_id, is_asset, amount in WORKSPACE.rows(_WRITTEN, {"first": str(span.first), "last": str(span.last)}):
        (written.assets if is_asset else written.results)[account_id] = amount
    return written


_WRITTEN = f"""
WITH changed AS (
    SELECT DISTINCT f.entry_id AS id FROM account AS asset {sql.THEN_JOIN} posting AS f
    ON f.account_id = asset.id AND f.date BETWEEN :first AND :last WHERE asset.subtype = 'fixed_asset'
)
SELECT p.account_id, a.subtype = 'fixed_asset', sum(p.amount)
FROM changed {sql.THEN_JOIN} posting AS p ON p.entry_id = changed.id JOIN account AS a ON a.id = p.account_id
WHERE NOT EXISTS (
    SELECT 1 FROM posting AS other JOIN account AS o ON o.id = other.account_id
    WHERE other.entry_id = changed.id AND o.subtype <> 'fixed_asset' AND o.type NOT IN ('income', 'expense')
)
GROUP BY p.account_id, a.subtype
"""
