"""Requested matches of bank lines, in minor units, as requests and suggestions ask for them."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

import msgspec

from erp.finance.bank.bodies import LineConfirmation, MatchDraft
from erp.finance.books import work
from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import stored
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid
from erp.kernel.language import says

REST = "rest."
"""The path of the part that takes the rest of a line."""


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
    settles_rest: bool = False


class AccountPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a line that is posted to an account, tax included; without an amount, all of the line.

    `path` is the part's place in a request, with a point at its end.
    """

    account_id: str
    amount: int | None = None
    tax_rate_id: str | None = None
    project_id: str | None = None
    dimensions: str | None = None
    contact_id: str | None = None
    description: str | None = None
    path: str = ""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A requested match: journal entries, open items that the line pays, or accounts to post it to.

    `rest` takes what entries or open items leave of the line.
    """

    entries: Sequence[MatchedEntry] = ()
    items: Sequence[PaidItem] = ()
    contact_id: str | None = None
    parts: Sequence[AccountPart] = ()
    rest: AccountPart | None = None
    description: str | None = None
    rule_id: str | None = None
    reminder_id: str | None = None
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
                said.settle_difference,
            )
            for i, said in enumerate(body.items)
        ],
        contact_id=None if body.account_id else body.contact_id,  # it is in the part
        parts=_whole(body) or _parts(body, minor),
        rest=_rest(body),
        description=body.description,
        rule_id=body.rule_id,
        reminder_id=body.reminder_id,
        fee=minor(body.fee_amount, "feeAmount") or 0,
        fee_tax_rate_id=body.fee_tax_rate_id,
        project_id=body.project_id,
        dimensions=stored(body.dimensions),
    )
    paths = {"": body} | {f"parts[{i}].": part for i, part in enumerate(body.parts)}
    work.check_projects({f"{path}projectId": said.project_id for path, said in paths.items()}, complaints)
    assigning.check({f"{path}dimensions": said.dimensions for path, said in paths.items()}, complaints)
    complaints.refuse()
    return match


def check_one_kind(said: Match | MatchDraft, *, has_contact: bool, has_fee: bool) -> None:
    """Refuse entries, open items and accounts together; a contact and a fee belong to a payment."""
    kinds = [name for name in ("entries", "items", "parts") if getattr(said, name)]
    if len(kinds) > 1 or (has_contact and kinds and "items" not in kinds):
        message = says("Choose entries, or open items and a contact for the rest, or accounts.")
        raise Invalid.one("entries", "exactly_one", message)
    if isinstance(said, Match) and said.reminder_id and not said.items:
        raise Invalid.one("reminderId", "not_applicable", says("Choose the open items of the reminder as well."))
    if has_fee and (said.entries or said.parts):
        raise Invalid.one("feeAmount", "not_applicable", says("Only payments have a bank fee."))


def _whole(body: LineConfirmation) -> list[AccountPart]:
    """The only part of a line that is posted to one account."""
    if body.account_id is None:
        return []
    if body.parts:
        raise Invalid.one("parts", "exactly_one", says("Send either accountId or parts."))
    return [
        AccountPart(
            account_id=body.account_id,
            tax_rate_id=body.tax_rate_id,
            project_id=body.project_id,
            dimensions=stored(body.dimensions),
            contact_id=body.contact_id,
        )
    ]


def _rest(body: LineConfirmation) -> AccountPart | None:
    if body.rest_account_id is None:
        return None
    if body.contact_id is not None or not (body.items or body.entries):
        message = says("Choose entries or open items with it, and no contact for the rest.")
        raise Invalid.one("restAccountId", "not_applicable", message)
    return AccountPart(
        account_id=body.rest_account_id,
        tax_rate_id=body.rest_tax_rate_id,
        project_id=body.project_id,
        dimensions=stored(body.dimensions),
        path=REST,
    )


def _parts(body: LineConfirmation, minor: Callable[[Decimal | None, str], int | None]) -> list[AccountPart]:
    return [
        AccountPart(
            account_id=part.account_id,
            amount=minor(part.amount, f"parts[{i}].amount"),
            tax_rate_id=part.tax_rate_id,
            project_id=part.project_id,
            dimensions=stored(part.dimensions),
            contact_id=part.contact_id,
            description=part.description,
            path=f"parts[{i}].",
        )
        for i, part in enumerate(body.parts)
    ]
