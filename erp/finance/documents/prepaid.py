"""The part of a bill that its supplier says has been paid, such as deposits (BT-113): it is not to be paid again."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from erp.finance.documents.models import Invoice
from erp.kernel import money
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.store import sql
from erp.store.router import WORKSPACE
from erp.web.scalars import Money

PrepaidOpen = Annotated[Money, Meta(description="The part of `prepaidAmount` that nothing has been matched with.")]
PrepaidHint = Annotated[str, Meta(description="The advice to match the payment of `prepaidOpen`.")]


def misfits(kind: str, amount: int | None, total: int) -> Iterator[Complaint]:
    """The complaint about an amount that a document cannot have."""
    if not amount:
        return
    if kind != "purchase_invoice":
        yield Complaint("prepaidAmount", "not_needed", says("Only for bills. Clear the field."))
    elif not 0 <= amount <= total:
        yield Complaint("prepaidAmount", "out_of_range", says("Must be between 0 and the total of the bill."))


def unmatched(bills: Sequence[Invoice]) -> dict[str, int]:
    """The part of each bill's `prepaid_amount` that nothing has been matched with; one query for all of them.

    What is matched settles the prepaid part first, except money after the bill's date that fits into its rest: that
    pays the rest.
    """
    prepaid = {bill.id: bill for bill in bills if bill.prepaid_amount and bill.due}
    settled: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for id, day, amount in WORKSPACE.rows(_SETTLED, (sql.array(prepaid),)) if prepaid else ():
        settled[id].append((day, amount))
    return {id: min(_left(bill, settled[id]), bill.due) for id, bill in prepaid.items()}


def payable(bill: Invoice) -> int:
    """The amount of a bill that is still to be paid."""
    return bill.due - unmatched([bill]).get(bill.id, 0)


def hint(bill: Invoice, amount: int) -> str | None:
    """The advice about the part that nothing has been matched with; None where there is none."""
    return says("{amount} is said to be paid: match it.", amount=money.shown(amount, bill.currency)) if amount else None


def _left(bill: Invoice, settled: Sequence[tuple[str, int]]) -> int:
    left: int = bill.prepaid_amount or 0
    rest: int = bill.total - left
    for day, amount in settled:
        if day > bill.issue_date.isoformat() and amount <= rest:
            rest -= amount
        else:
            of_prepaid = min(left, amount)
            left, rest = left - of_prepaid, rest - (amount - of_prepaid)
    return left


_SETTLED = (
    "SELECT item.document_id, other.date, a.amount FROM open_item AS item"
    " JOIN allocation AS a ON item.id IN (a.from_item_id, a.to_item_id) AND a.released_on IS NULL"
    " JOIN open_item AS other ON other.id = CASE a.from_item_id WHEN item.id THEN a.to_item_id ELSE a.from_item_id END"
    " WHERE item.document_type = 'invoice' AND item.document_id IN (SELECT value FROM json_each(?))"
    " ORDER BY other.date, a.id"
)
