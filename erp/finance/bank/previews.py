"""A match that is being chosen: the sum of its parts, and the rest of the line."""

from decimal import Decimal
from typing import NamedTuple

from erp.finance.bank import commands, store
from erp.finance.bank.account_entries import tax_in
from erp.finance.bank.bodies import ConfirmedEntry, DraftItem, DraftPart, MatchDraft
from erp.finance.bank.models import BankLine
from erp.finance.bank.store import Item
from erp.finance.bank.suggestions import discount_of
from erp.finance.books import accounts
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.language import Noun, says


class Chosen(NamedTuple):
    """An item or an entry, its amount, the cash discount that is taken beside it, and what stays open of it."""

    id: str
    amount: int
    discount: int
    rest: int


class Split(NamedTuple):
    """A part of a line, tax included, and the tax in it."""

    gross: int
    tax: int


class Preview(NamedTuple):
    """A draft in minor units of the line's currency; `whole` is the line with its fee.

    `has_place` says that a credit or an account takes what is left of it.
    """

    line: BankLine
    items: list[Chosen]
    entries: list[Chosen]
    parts: list[Split]
    whole: int
    has_place: bool

    @property
    def chosen(self) -> int:
        amounts = [one.amount for one in (*self.items, *self.entries)] + [part.gross for part in self.parts]
        return sum(amounts)

    @property
    def left(self) -> int:
        """The part of the line that has no place yet, below zero if too much is chosen."""
        return self.whole - self.chosen

    @property
    def is_complete(self) -> bool:
        """Whether the draft can be confirmed as it is."""
        if self.parts:
            return self.left == 0 and all(part.gross for part in self.parts)
        return self.chosen > 0 if self.left == 0 else self.left > 0 and self.has_place


def preview(line_id: str, draft: MatchDraft) -> Preview:
    """Add up a draft.

    Raises:
        UnknownReference: there is no such tax rate.
        Invalid: with a complaint for every item or entry that cannot be matched, or for a mixture of both.
    """
    line = BankLine.find(line_id)
    commands.check_one_kind(draft, has_contact=draft.keeps_rest, has_fee=bool(draft.fee_amount))
    reader = _Reader(line, Complaints())
    fee = 0 if draft.fee_amount is None else reader.complaints.minor(draft.fee_amount, line.currency, "feeAmount")
    whole = abs(line.amount) + (fee if line.amount > 0 else -fee)
    parts = [reader.part(part, f"parts[{i}].") for i, part in enumerate(draft.parts)]
    entries = reader.entries(draft.entries, whole)
    items = reader.items(draft.items, whole - sum(entry.amount for entry in entries))
    reader.complaints.refuse()
    return Preview(line, items, entries, parts, whole, draft.keeps_rest or draft.posts_rest)


class _Reader(NamedTuple):
    line: BankLine
    complaints: Complaints

    def part(self, part: DraftPart, path: str) -> Split:
        gross = 0
        if part.amount is not None:
            gross = self.complaints.minor(part.amount, self.line.currency, f"{path}amount")
        is_income = self.line.amount > 0
        return Split(gross, tax_in(gross, part.tax_rate_id, is_income=is_income, field=f"{path}taxRateId")[0])

    def items(self, drafts: list[DraftItem], left: int) -> list[Chosen]:
        known = {item.id: item for item in store.items(self.line.currency) if self._fits(item.open)} if drafts else {}
        chosen, first = [], None
        for i, draft in enumerate(drafts):
            item, path = known.pop(draft.item_id, None), f"items[{i}]."
            if item is None:
                self.complaints.unknown(f"{path}itemId", Noun("open item"))
                continue
            first = first or item
            self._check_contact(item, first, path)
            due = abs(item.open)
            discount = discount_of(item, self.line.date) if draft.discount_taken else 0
            amount = self._amount(draft.amount, min(due - discount, left), due, item.number, path)
            taken = discount if amount == due - discount else 0
            chosen.append(Chosen(item.id, amount, taken, due - amount - taken))
            left -= amount
        return chosen

    def entries(self, drafts: list[ConfirmedEntry], left: int) -> list[Chosen]:
        account = accounts.refer(self.line.account_id, "accountId", postable=False)
        found = store.entries(account, *store.ALWAYS) if drafts else []
        known = {entry.id: entry for entry in found if self._fits(entry.remaining)}
        chosen = []
        for i, draft in enumerate(drafts):
            entry, path = known.pop(draft.entry_id, None), f"entries[{i}]."
            if entry is None:
                self.complaints.unknown(f"{path}entryId", Noun("unmatched entry of this account"))
                continue
            most = abs(entry.remaining)
            amount = self._amount(draft.amount, min(most, left), most, entry.number, path)
            chosen.append(Chosen(entry.id, amount, 0, most - amount))
            left -= amount
        return chosen

    def _check_contact(self, item: Item, first: Item, path: str) -> None:
        """A line is one payment, so that its items belong to one contact."""
        if item.contact_id != first.contact_id:
            message = says("{number} and {other} belong to different contacts.", number=item.number, other=first.number)
            self.complaints.add(f"{path}itemId", "wrong_contact", message)

    def _fits(self, open: int) -> bool:
        """Whether an open amount is in the direction of the line."""
        return (open > 0) == (self.line.amount > 0)

    def _amount(self, typed: Decimal | None, usual: int, most: int, number: str, path: str) -> int:
        """The typed amount, else the usual one, at least 0."""
        if typed is None:
            return max(usual, 0)
        minor = self.complaints.minor(typed, self.line.currency, f"{path}amount")
        if minor > most:
            left = money.shown(most, self.line.currency)
            message = says("{number} has an open amount of {left}.", number=number, left=left)
            self.complaints.add(f"{path}amount", "too_large", message)
        return minor
