"""Posted expense claims of employees, which a payment run pays beside bills: open items of their entries."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from erp.finance.books.models import OpenItem
from erp.kernel.complaints import Complaints
from erp.kernel.errors import UnknownReference
from erp.kernel.language import Noun, says
from erp.store import sql
from erp.store.router import WORKSPACE


class DueClaim(NamedTuple):
    """An expense claim that money is owed for, with its open item; it has the fields of a bill that a run reads."""

    id: str
    item: OpenItem
    supplier_number: str | None = None

    @property
    def number(self) -> str:
        return self.item.number

    @property
    def contact_id(self) -> str:
        return self.item.contact_id

    @property
    def currency(self) -> str:
        return self.item.currency

    @property
    def due_date(self) -> date:
        due_date: date = self.item.due_date
        return due_date

    @property
    def due(self) -> int:
        """The amount due, which is nothing on a claim that is paid or void."""
        return -self.item.open


_OF_CLAIMS = (
    "FROM journal_entry AS entry JOIN open_item AS item ON item.document_id = entry.id AND item.amount < 0"
    " WHERE entry.source_type = 'expense_claim' AND entry.kind = 'expense_claim'"
)
_DUE = f"SELECT entry.source_id, item.id {_OF_CLAIMS} AND item.open < 0 AND item.currency = ? AND item.due_date <= ?"
_DUE += " AND (SELECT pay_by FROM expense_claim WHERE id = entry.source_id) = 'payment_run'"
_NAMED = f"SELECT entry.source_id, item.id {_OF_CLAIMS} AND (entry.source_id = ? OR item.number = ?)"


def payable(through: date, currency: str) -> list[DueClaim]:
    """The claims in a currency that are due by a day, the earliest first; not those that are paid with the pay."""
    claims = _found(WORKSPACE.rows(_DUE, (currency, through.isoformat())))
    return sorted(claims, key=lambda claim: (claim.due_date, claim.id))


def named(names: Sequence[str], complaints: Complaints) -> Iterator[tuple[str, DueClaim]]:
    """The claims that a request names by id or number, each with its field."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        field = f"claimIds[{i}]"
        claim = next(iter(_found(WORKSPACE.rows(_NAMED, (name, name)))), None)
        with complaints.gathered():
            if claim is None:
                raise UnknownReference(field, Noun("expense claim"))
        if claim is None:
            continue
        if claim.id in seen:
            complaints.add(field, "repeated", says("{number} appears twice.", number=claim.number))
        elif not claim.due:
            complaints.add(field, "nothing_due", says("{number} has no amount due.", number=claim.number))
        else:
            yield field, claim
        seen.add(claim.id)


def _found(rows: Sequence[Sequence[str]]) -> list[DueClaim]:
    ids = sql.array(item_id for _, item_id in rows)
    items = {item.id: item for item in OpenItem.fetch(_ITEMS, ids)}
    return [DueClaim(id, items[item_id]) for id, item_id in rows]


_ITEMS = "SELECT * FROM open_item WHERE id IN (SELECT value FROM json_each(?))"
