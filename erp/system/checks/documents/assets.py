"""Checks of fixed assets, depreciation runs and disposals against their entries."""

from erp.system.checks.documents.shared import MIRRORED, numbered
from erp.system.checks.findings import Rule

_STANDS = "NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = d.journal_entry_id)"

RULES = (
    numbered("depreciation runs", "depreciation_run", "depreciationRun"),
    Rule(
        "The journal entry of depreciation run {} does not match the run.",
        "SELECT r.number FROM depreciation_run AS r LEFT JOIN journal_entry AS entry ON entry.id = r.journal_entry_id"
        " WHERE entry.source_id IS DISTINCT FROM r.id OR entry.kind <> 'depreciation' OR entry.date <> r.date"
        f" OR (r.status = 'void') <> {MIRRORED.format('r')}"
        " OR EXISTS (SELECT 1 FROM depreciation AS d WHERE d.run_id = r.id"
        "  AND d.journal_entry_id <> r.journal_entry_id)",
    ),
    Rule(
        "The depreciation of fixed assets collected on account {} is not what journal entry {} posts.",
        "SELECT account.code, entry.number FROM ("
        " SELECT journal_entry_id, account_id, amount FROM depreciation"
        " UNION ALL SELECT p.entry_id, p.account_id, p.amount FROM posting AS p"
        "  JOIN journal_entry AS e ON e.id = p.entry_id JOIN account AS a ON a.id = p.account_id"
        "  WHERE e.kind = 'depreciation' AND a.subtype = 'fixed_asset'"
        ") AS both_sides JOIN account ON account.id = both_sides.account_id"
        " JOIN journal_entry AS entry ON entry.id = both_sides.journal_entry_id"
        " GROUP BY entry.number, account.code HAVING sum(both_sides.amount) <> 0",
    ),
    Rule(
        "The depreciation of asset {} is more than its cost.",
        "SELECT asset.number FROM asset JOIN depreciation AS d ON d.asset_id = asset.id"
        f" WHERE {_STANDS} GROUP BY asset.id, asset.number, asset.cost, asset.opening_accumulated"
        " HAVING asset.opening_accumulated + sum(d.amount) > asset.cost",
    ),
    Rule(
        "The book value of asset {} at its disposal is not its cost less its depreciation.",
        "SELECT asset.number FROM asset LEFT JOIN depreciation AS d ON d.asset_id = asset.id"
        f" AND {_STANDS} WHERE asset.disposal_book_value IS NOT NULL"
        " GROUP BY asset.id, asset.number, asset.cost, asset.opening_accumulated, asset.disposal_book_value"
        " HAVING asset.disposal_book_value"
        " <> asset.cost - asset.opening_accumulated - coalesce(sum(d.amount), 0)",
    ),
    Rule(
        "The journal entry of the disposal of asset {} does not match the disposal.",
        "SELECT asset.number FROM asset LEFT JOIN journal_entry AS entry ON entry.id = asset.disposal_entry_id"
        " WHERE asset.disposal_entry_id IS NOT NULL AND (entry.source_id IS DISTINCT FROM asset.id"
        " OR entry.kind <> 'asset_disposal' OR entry.date <> asset.disposed_on"
        " OR EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = asset.disposal_entry_id))",
    ),
)
