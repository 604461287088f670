"""Checks of tax on cash basis: once nothing of a document is open, it comes to the lines and to the ledger.

The counting of returns is held against the rows themselves: a document less its credit notes and deductions.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from erp.finance.books import default_accounts
from erp.finance.contacts.tax_rates import TAXED
from erp.finance.documents.standing import SETTLING
from erp.finance.reports.tax.counting import cash, facts, settlements
from erp.finance.reports.tax.counting.counted import basis_on
from erp.finance.reports.tax.counting.documents import COUNTING
from erp.finance.reports.tax.counting.facts import Rate
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.system.checks.findings import Findings

CODE = "cash_tax_differs"
"""Begins each finding."""
MOST = 500
"""Number of documents that are compared at once."""


def check(findings: Findings) -> None:
    """Compare the tax of each document of which nothing is open, if tax has ever been on cash basis."""
    if any(change["basis"] == "cash" for change in workspace_settings.current().tax_basis):
        rates = facts.rates()
        ids = [id for (id,) in WORKSPACE.rows(_CLOSED)]
        for start in range(0, len(ids), MOST):
            findings.add(*_Closed(ids[start : start + MOST], rates).differences())


class _Closed:
    """Some documents of which nothing is open, with their credit notes."""

    def __init__(self, ids: Sequence[str], rates: Mapping[str, Rate]) -> None:
        self.rates, self.own = rates, {"ids": sql.array(ids)}
        self.of = dict(WORKSPACE.rows(_WITH_NOTES, self.own))
        self.paid = [document for document in settlements.of_ids(self.of) if basis_on(document.tax_date) == "cash"]
        self.numbers = {document.id: document.number for document in self.paid}

    def differences(self) -> Iterator[str]:
        """A sentence for each document and rate whose tax differs."""
        net, tax = self._counted()
        for id, rate_id, kept_net, kept_tax in WORKSPACE.rows(_KEPT, self.own):
            base, rest = net[id, rate_id] - kept_net, tax[id, rate_id] - kept_tax
            if id in self.numbers and (base or rest):
                yield (
                    f"{CODE}: The tax of {self.numbers[id]} at {self.rates[rate_id].name} on cash basis differs from"
                    f" its lines: by {base} in the taxable amount and {rest} in the tax (smallest unit of money)."
                )
        owed = self._owed()
        for id, posted in WORKSPACE.rows(_POSTED, self.own | {"accounts": self._accounts()}):
            if id in self.numbers and owed[id] != posted:
                yield (
                    f"{CODE}: The tax of {self.numbers[id]} on cash basis differs from its journal entries:"
                    f" by {owed[id] - posted} (in the smallest unit of money)."
                )

    def _counted(self) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
        """Net amounts and tax that have counted, by document and rate, in the currencies of the documents."""
        net: Counter[tuple[str, str]] = Counter()
        tax: Counter[tuple[str, str]] = Counter()
        for document, part in cash.parts(self.paid, self.rates):
            if part.rate_id is not None:
                sign = -1 if document.is_note and self.of[document.id] != document.id else 1
                net[self.of[document.id], part.rate_id] += sign * part.net
                tax[self.of[document.id], part.rate_id] += sign * part.tax
        return net, tax

    def _owed(self) -> Counter[str]:
        """Tax that has counted, by document, in the base currency: above zero if it is owed."""
        owed: Counter[str] = Counter()
        for fact in cash.facts(self.paid, self.rates):
            if self.rates[fact.rate_id].category == TAXED:
                owed[self.of[fact.source.id]] += fact.owed
        return owed

    def _accounts(self) -> str:
        accounts = {default_accounts.of("tax"), default_accounts.of("input_tax")}
        accounts |= {id for rate in self.rates.values() for id in (rate.output_account_id, rate.input_account_id)}
        return sql.array(sorted(accounts))


_DOCUMENTS = f"invoice WHERE status NOT IN ('draft', 'void') AND kind IN {COUNTING}"
_CLOSED = f"""
SELECT coalesce(credited_invoice_id, id) AS id FROM (SELECT * FROM {_DOCUMENTS}) AS document
GROUP BY coalesce(credited_invoice_id, id)
HAVING sum(CASE WHEN EXISTS (SELECT 1 FROM open_item WHERE document_id = document.id)
    AND NOT EXISTS (SELECT 1 FROM open_item WHERE document_id = document.id AND open <> 0) THEN 1 ELSE 0 END) = count(*)
ORDER BY 1
"""
"""A document with its credit notes, if nothing of any is open. Without an item, nothing is ever paid."""
_AMONG = "IN (SELECT value FROM json_each(:ids))"
_WITH_NOTES = f"""
SELECT id, id FROM {_DOCUMENTS} AND id {_AMONG}
UNION ALL SELECT id, credited_invoice_id FROM {_DOCUMENTS} AND credited_invoice_id {_AMONG}
"""
_KEPT = f"""
WITH document AS (
    SELECT id, id AS of_id, 1 AS sign FROM {_DOCUMENTS} AND id {_AMONG}
    UNION ALL SELECT id, credited_invoice_id, -1 FROM {_DOCUMENTS} AND credited_invoice_id {_AMONG}
), part AS (
    SELECT d.of_id, p.tax_rate_id, d.sign * (p.gross - p.tax) AS net, d.sign * p.tax AS tax
    FROM document AS d JOIN invoice_line AS p ON p.invoice_id = d.id
    UNION ALL SELECT d.of_id, p.tax_rate_id, d.sign * CASE WHEN p.is_charge THEN p.amount ELSE -p.amount END,
        d.sign * CASE WHEN p.is_charge THEN p.tax ELSE -p.tax END
    FROM document AS d JOIN invoice_adjustment AS p ON p.invoice_id = d.id
    UNION ALL SELECT d.of_id, p.tax_rate_id, -d.sign * p.net, -d.sign * p.tax
    FROM document AS d JOIN invoice_deposit AS p ON p.invoice_id = d.id
    UNION ALL SELECT d.of_id, p.tax_rate_id, -d.sign * (p.amount - p.tax), -d.sign * p.tax
    FROM document AS d JOIN deduction AS x ON x.invoice_id = d.id AND x.undone_on IS NULL AND x.kind IN {SETTLING}
    JOIN deduction_part AS p ON p.deduction_id = x.id
)
SELECT of_id, tax_rate_id, sum(net), sum(tax) FROM part WHERE tax_rate_id IS NOT NULL
GROUP BY of_id, tax_rate_id ORDER BY of_id, tax_rate_id
"""
_POSTED = f"""
WITH document AS (
    SELECT id, id AS of_id, journal_entry_id AS entry_id FROM {_DOCUMENTS} AND id {_AMONG}
    UNION ALL SELECT id, credited_invoice_id, journal_entry_id FROM {_DOCUMENTS} AND credited_invoice_id {_AMONG}
), entry AS (
    SELECT of_id, entry_id FROM document
    UNION ALL SELECT d.of_id, x.journal_entry_id FROM document AS d
    JOIN deduction AS x ON x.invoice_id = d.id AND x.undone_on IS NULL AND x.kind IN {SETTLING}
)
SELECT entry.of_id, -sum(p.amount) FROM entry
JOIN posting AS p ON p.entry_id = entry.entry_id AND p.account_id IN (SELECT value FROM json_each(:accounts))
WHERE NOT EXISTS (SELECT 1 FROM deduction AS x WHERE x.invoice_id = entry.of_id AND NOT x.corrects_tax
    AND x.undone_on IS NULL AND x.kind IN {SETTLING})
AND NOT EXISTS (SELECT 1 FROM invoice_tax WHERE invoice_id = entry.of_id AND reverse_charge <> 0)
GROUP BY entry.of_id ORDER BY entry.of_id
"""
"""The tax that the entries of a document have posted; above zero if it is owed.

A write-off may leave its tax in the books, and reverse charge counts on accrual basis: such documents are left out.
"""
