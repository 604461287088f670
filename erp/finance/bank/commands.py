"""Requested matches of bank lines, in minor units, as requests and suggestions ask for them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import msgspec

from erp.finance.bank.bodies import LineConfirmation
from erp.finance.books import work
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import stored
from erp.kernel.complaints import Complaints


class MatchedEntry(NamedTuple):
    """A journal entry to match with a line; without an amount, as much as is left of both."""

    entry_id: str
    amount: int | None


class PaidItem(NamedTuple):
    """An open item that a line pays, in minor units."""

    item_id: str
    amount: int
    discount_taken: bool = False
    discount: int | None = None


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A requested match: journal entries, open items that the line pays, or an account to post it to."""

    entries: Sequence[MatchedEntry] = ()
    items: Sequence[PaidItem] = ()
    contact_id: str | None = None
    account_id: str | None = None
    tax_rate_id: str | None = None
    description: str | None = None
    fee: int = 0
    fee_tax_rate_id: str | None = None
    project_id: str | None = None
    dimensions: str | None = None


def read(body: LineConfirmation, currency: str) -> Match:
    """The match that a request asks for, with amounts in minor units."""
    complaints = Complaints()

    def minor(amount: Decimal | None, field: str) -> int | None:
        return None if amount is None else complaints.minor(amount, currency, field)

    match = Match(
        entries=[
            MatchedEntry(said.entry_id, minor(said.amount, f"entries[{i}].amount"))
            for i, said in enumerate(body.entries)
        ],
        items=[
            PaidItem(
                said.item_id,
                complaints.minor(said.amount, currency, f"items[{i}].amount"),
                said.discount_taken,
                minor(said.discount_amount, f"items[{i}].discountAmount"),
            )
            for i, said in enumerate(body.items)
        ],
        contact_id=body.contact_id,
        account_id=body.account_id,
        tax_rate_id=body.tax_rate_id,
        description=body.description,
        fee=minor(body.fee_amount, "feeAmount") or 0,
        fee_tax_rate_id=body.fee_tax_rate_id,
        project_id=body.project_id,
        dimensions=stored(body.dimensions),
    )
    work.check_projects({"projectId": body.project_id}, complaints)
    assigning.check({"dimensions": body.dimensions}, complaints)
    complaints.refuse()
    return match
