"""Lines of posted bills on accounts for fixed assets that no asset names yet."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.documents.models import Invoice
from erp.kernel.errors import InUse, Invalid, UnknownReference
from erp.kernel.language import Noun, says
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
LINES = (
    "SELECT i.id, l.id, i.number, i.contact_name, i.issue_date, l.description, l.account_id,"
    f" coalesce(l.project_id, i.project_id), l.dimensions, {_NET.format('l')} - {_CREDITED}, i.currency,"
    " i.exchange_rate"
    " FROM (SELECT DISTINCT e.source_id AS id FROM account AS fixed JOIN posting AS p ON p.account_id = fixed.id"
    " JOIN journal_entry AS e ON e.id = p.entry_id WHERE fixed.subtype = 'fixed_asset' AND e.source_type = 'invoice'"
    ") AS bought CROSS JOIN invoice AS i ON i.id = bought.id JOIN invoice_line AS l ON l.invoice_id = i.id"
    " JOIN account AS a ON a.id = l.account_id"
    " WHERE i.kind = 'purchase_invoice' AND i.status NOT IN ('draft', 'void') AND a.subtype = 'fixed_asset'"
    f" AND {_NET.format('l')} > {_CREDITED}"
)
"""Without lines that credit notes have taken back whole; found by the few postings, not among all lines."""

_WITHOUT_ASSET = "NOT EXISTS (SELECT 1 FROM asset WHERE asset.line_id = l.id)"
_OPEN = f"{LINES} AND {_WITHOUT_ASSET} ORDER BY i.issue_date, i.number, l.position"
_ONE = f"{LINES} AND i.id = ? AND l.id = ?"


def without_asset() -> Sequence[Candidate]:
    """The lines that no asset names, the earliest first."""
    return [_candidate(row) for row in WORKSPACE.rows(_OPEN)]


def find(invoice_id: str, line_id: str) -> Candidate:
    """The line of a posted bill that becomes an asset.

    Raises:
        UnknownReference: the bill is not in this workspace.
        Invalid: it is not a line of a posted bill on an account for fixed assets.
        InUse: it has assets already.
    """
    if Invoice.find_or_none(invoice_id) is None:
        raise UnknownReference("fromLine.invoiceId", Noun("invoice"))
    rows = WORKSPACE.rows(_ONE, (invoice_id, line_id))
    if not rows:
        message = says("Must be a line of a posted bill, on an account for fixed assets.")
        raise Invalid.one("fromLine.lineId", "unsuitable_line", message)
    if WORKSPACE.rows("SELECT 1 FROM asset WHERE line_id = ?", (line_id,)):
        raise InUse(says("This line already has an asset. Delete the asset first."))
    return _candidate(rows[0])


def _candidate(row: Sequence[Any]) -> Candidate:
    *_, amount, currency, exchange_rate = row
    invoice_id, line_id, number, contact_name, day, name, account_id, project_id, dimensions = row[:9]
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
