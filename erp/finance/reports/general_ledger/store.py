"""The general ledger's reads: postings in their order, their contra accounts, and sums."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from erp.finance.contacts import heads
from erp.finance.reports.period import Span
from erp.finance.reports.projects_in import NO_PROJECT
from erp.store import sql
from erp.store.router import WORKSPACE

CHUNK = 1000
"""Number of postings read at a time."""


class Place(NamedTuple):
    """A posting's place in the ledger of its account. Ids of entries sort in the order of posting."""

    date: str = ""
    entry_id: str = ""
    line: int = 0


class LedgerPosting(NamedTuple):
    """A posting as the ledger shows it; debit above zero."""

    date: str
    entry_id: str
    line: int
    amount: int
    number: str
    text: str
    source_id: str | None
    contact: str | None
    currency: str | None
    foreign_amount: int | None

    @property
    def place(self) -> Place:
        """Its place in the ledger of its account."""
        return Place(self.date, self.entry_id, self.line)


_OF_DIMENSIONS = "coalesce(p.dimensions, '') IN (SELECT value FROM json_each(:dimensions))"


class Choice(NamedTuple):
    """The contact, project and dimensions (as stored) of the postings to show; without them, all postings."""

    contact_id: str | None
    project_id: str | None
    dimensions: Sequence[str] | None = None

    @property
    def is_all(self) -> bool:
        """Whether every posting is shown."""
        return self == (None, None, None)

    @property
    def where(self) -> str:
        """The condition on a posting `p`."""
        project = "p.project_id IS NULL" if self.project_id == NO_PROJECT else "p.project_id = :project"
        conditions = [
            *([f"p.contact_id IN {heads.owned('contact')}"] if self.contact_id else []),
            *([project] if self.project_id else []),
            *([_OF_DIMENSIONS] if self.dimensions is not None else []),
        ]
        return "".join(f" AND {condition}" for condition in conditions)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of that condition."""
        chosen = {"contact": self.contact_id, "project": self.project_id}
        return chosen if self.dimensions is None else {**chosen, "dimensions": sql.array(self.dimensions)}


def postings(account_id: str, span: Span, choice: Choice, after: Place, limit: int | None) -> Iterator[LedgerPosting]:
    """The postings of an account in their order, after a place; at most so many."""
    while limit is None or limit > 0:
        size = CHUNK if limit is None else min(limit, CHUNK)
        rows = _chunk(account_id, span, choice, after, size)
        yield from rows
        if len(rows) < size:
            return
        after = rows[-1].place
        limit = None if limit is None else limit - size


def _chunk(account_id: str, span: Span, choice: Choice, after: Place, size: int) -> list[LedgerPosting]:
    parameters = {
        **choice.parameters,
        **after._asdict(),
        "account": account_id,
        "first": str(span.first),
        "last": str(span.last),
        "size": size,
    }
    return [LedgerPosting(*row) for row in WORKSPACE.rows(_POSTINGS.format(where=choice.where), parameters)]


class Sums(NamedTuple):
    """Debits and credits above zero."""

    debit: int
    credit: int


def sums(choice: Choice, first: date | None, last: date) -> dict[str, Sums]:
    """By account id, the postings from a first day to a last."""
    parameters = {**choice.parameters, "first": str(first or ""), "last": str(last)}
    rows = WORKSPACE.rows(_SUMS.format(where=choice.where), parameters)
    return {id: Sums(debit, credit) for id, debit, credit in rows}


def count(choice: Choice, span: Span, account_ids: Sequence[str]) -> int:
    """The number of postings of some accounts in some days."""
    days = {"first": str(span.first), "last": str(span.last), "accounts": sql.array(account_ids)}
    ((number,),) = WORKSPACE.rows(_COUNT.format(where=choice.where), choice.parameters | days)
    return int(number)


def through(account_id: str, choice: Choice, first: date, place: Place) -> int:
    """The postings to an account from a day to a place, inclusive."""
    parameters = {**choice.parameters, **place._asdict(), "account": account_id, "first": str(first)}
    ((amount,),) = WORKSPACE.rows(_THROUGH.format(where=choice.where), parameters)
    return int(amount)


class Contra(NamedTuple):
    """An account on the other side of an entry."""

    id: str
    code: str
    name: str


def contra_accounts(account_id: str, rows: Sequence[LedgerPosting]) -> Mapping[tuple[str, bool], list[Contra]]:
    """By entry, and whether it is for a debit of an account: the accounts on the other side, by code."""
    accounts: dict[tuple[str, bool], list[Contra]] = defaultdict(list)
    ids = sql.array(sorted({row.entry_id for row in rows}))
    for entry_id, is_debit, *account in WORKSPACE.rows(_CONTRA, {"ids": ids, "account": account_id}):
        accounts[entry_id, not is_debit].append(Contra(*account))
    return accounts


def tax_rates(account_id: str, rows: Sequence[LedgerPosting]) -> Mapping[str | None, list[str]]:
    """By the invoice of postings, the names of the tax rates whose net or tax is on an account."""
    rates: dict[str | None, list[str]] = defaultdict(list)
    ids = sql.array(sorted({row.source_id for row in rows if row.source_id is not None}))
    for invoice_id, name in WORKSPACE.rows(_TAX_RATES, {"ids": ids, "account": account_id}):
        rates[invoice_id].append(name)
    return rates


_POSTINGS = """
SELECT p.date, p.entry_id, p.line, p.amount, e.number, coalesce(p.description, e.description), e.source_id,
    contact.name, p.currency, p.foreign_amount
FROM posting AS p JOIN journal_entry AS e ON e.id = p.entry_id LEFT JOIN contact AS party ON party.id = p.contact_id
LEFT JOIN contact ON contact.id = coalesce(party.head_id, party.id)
WHERE p.account_id = :account AND p.date BETWEEN :first AND :last
AND (p.date, p.entry_id, p.line) > (:date, :entry_id, :line){where}
ORDER BY p.date, p.entry_id, p.line LIMIT :size
"""
_SUMS = """
SELECT p.account_id, sum(CASE WHEN p.amount > 0 THEN p.amount ELSE 0 END),
    sum(CASE WHEN p.amount < 0 THEN -p.amount ELSE 0 END)
FROM posting AS p WHERE p.date BETWEEN :first AND :last{where} GROUP BY p.account_id
"""
_COUNT = f"""
SELECT count(*) FROM json_each(:accounts) AS wanted {sql.THEN_JOIN} posting AS p
ON p.account_id = wanted.value AND p.date BETWEEN :first AND :last WHERE true{{where}}
"""
_THROUGH = """
SELECT coalesce(sum(p.amount), 0) FROM posting AS p WHERE p.account_id = :account AND p.date >= :first
AND (p.date, p.entry_id, p.line) <= (:date, :entry_id, :line){where}
"""
_CONTRA = """
SELECT DISTINCT p.entry_id, p.amount > 0, a.id, a.code, a.name
FROM posting AS p JOIN account AS a ON a.id = p.account_id
WHERE p.entry_id IN (SELECT value FROM json_each(:ids)) AND p.account_id <> :account ORDER BY p.entry_id, a.code
"""
_TAX_RATES = """
SELECT DISTINCT l.invoice_id, r.name FROM invoice_line AS l JOIN tax_rate AS r ON r.id = l.tax_rate_id
WHERE l.invoice_id IN (SELECT value FROM json_each(:ids)) AND (
    l.account_id = :account
    OR coalesce(r.output_tax_account_id, (SELECT account_id FROM default_account WHERE key = 'tax')) = :account
    OR coalesce(r.input_tax_account_id, (SELECT account_id FROM default_account WHERE key = 'input_tax')) = :account
) ORDER BY l.invoice_id, r.name
"""
