"""Lines of posted bills on accounts for fixed assets that no asset names yet."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.documents.models import Invoice
from erp.kernel import money
from erp.kernel.errors import InUse, Invalid, UnknownReference
from erp.kernel.language import Noun, says
from erp.store import sql
from erp.store.router import WORKSPACE


class Candidate(NamedTuple):
    """A line of a bill that may become an asset; its cost is net with non-deductible tax, in the base currency."""

    invoice_id: str
    line_id: str
    invoice_number: str
    contact_name: str
    date: date
    name: str
    account_id: str
    project_id: str | None
    dimensions: str | None
    cost: int


_NET = "({0}.gross - {0}.tax + {0}.non_deductible_tax - {0}.non_deductible_cost)"
_CREDITED = (
    f"(SELECT coalesce(sum({_NET.format('c')}), 0) FROM invoice_line AS c JOIN invoice AS note"
    " ON note.id = c.invoice_id WHERE c.credited_line_id = l.id AND note.status NOT IN ('draft', 'void'))"
)
_LINES = (
    "SELECT i.id, l.id, i.number, i.contact_name, i.issue_date, l.description, l.account_id,"
    f" coalesce(l.project_id, i.project_id), {_NET.format('l')} - {_CREDITED}, i.currency, i.exchange_rate,"
    " l.dimensions, EXISTS (SELECT 1 FROM asset WHERE asset.line_id = l.id)"
    " FROM (SELECT DISTINCT e.source_id AS id FROM account AS fixed JOIN posting AS p ON p.account_id = fixed.id"
    " JOIN journal_entry AS e ON e.id = p.entry_id WHERE fixed.subtype = 'fixed_asset' AND e.source_type = 'invoice'"
    f") AS bought {sql.THEN_JOIN} invoice AS i ON i.id = bought.id JOIN invoice_line AS l ON l.invoice_id = i.id"
    " JOIN account AS a ON a.id = l.account_id"
    " WHERE i.kind = 'purchase_invoice' AND i.status NOT IN ('draft', 'void') AND a.subtype = 'fixed_asset'"
)
"""Without what credit notes have taken back; found by the few postings, not among all lines."""
_ALL = f"{_LINES} ORDER BY i.issue_date, i.number, l.position"
_OF_BILL = f"{_LINES} AND i.id = ? ORDER BY l.position"


def without_asset() -> Sequence[Candidate]:
    """The lines that no asset names, the earliest first."""
    return [candidate for candidate, has_asset in _bought(WORKSPACE.rows(_ALL)) if not has_asset]


def find(invoice_id: str, line_id: str) -> Candidate:
    """The line of a posted bill that becomes an asset.

    Raises:
        UnknownReference: the bill is not in this workspace.
        Invalid: it is not a line of a posted bill on an account for fixed assets.
        InUse: it has assets already.
    """
    if Invoice.find_or_none(invoice_id) is None:
        raise UnknownReference("fromLine.invoiceId", Noun("invoice"))
    for candidate, has_asset in _bought(WORKSPACE.rows(_OF_BILL, (invoice_id,))):
        if candidate.line_id == line_id:
            if has_asset:
                raise InUse(says("This line already has an asset. Delete the asset first."))
            return candidate
    message = says("Must be a line above 0.00 of a posted bill, on an account for fixed assets.")
    raise Invalid.one("fromLine.lineId", "unsuitable_line", message)


def is_bought(invoice_id: str, line_id: str) -> bool:
    """Whether something is left of a line: its bill is not void, nor the line credited whole."""
    bought = _bought(WORKSPACE.rows(_OF_BILL, (invoice_id,)))
    return any(candidate.line_id == line_id for candidate, _ in bought)


def _bought(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Candidate, bool]]:
    """The lines above zero, and whether they have an asset.

    Lines below zero, such as a discount, lower the others of the bill on the same account in proportion.
    """
    for _, of_bill in groupby(rows, key=lambda row: row[0]):
        lines = list(of_bill)
        for account_id in dict.fromkeys(row[6] for row in lines):
            of_account = [row for row in lines if row[6] == account_id and row[8]]
            positive = [row for row in of_account if row[8] > 0]
            lowered = sum(row[8] for row in of_account if row[8] < 0)
            shares = money.spread(lowered, [row[8] for row in positive]) if positive else []
            for row, share in zip(positive, shares, strict=True):
                candidate = _candidate(row, row[8] + share)
                if candidate.cost > 0:
                    yield candidate, bool(row[-1])


def _candidate(row: Sequence[Any], amount: int) -> Candidate:
    invoice_id, line_id, number, contact_name, day, name, account_id, project_id = row[:8]
    currency, exchange_rate, dimensions = row[9:12]
    cost = in_base(amount, currency, exchange_rate)
    return Candidate(
        invoice_id=invoice_id,
        line_id=line_id,
        invoice_number=number,
        contact_name=contact_name,
        date=date.fromisoformat(day),
        name=name[:200],
        account_id=account_id,
        project_id=project_id,
        dimensions=dimensions,
        cost=cost,
    )
