"""Journal entries as bookings of two accounts each, pure.

DATEV posts from one account to another. An entry with one account on a side becomes as many bookings as the other side
has accounts; of any other entry, the largest debits are set against the largest credits. Tax that an automatic account
finds has no booking of its own: that account gets the gross amount. Where its split would differ by a cent, or where a
booking would have such accounts on both sides, the entry is booked net, and key 40 stops the split.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from erp.finance.closing.datev.charts import Automatic
from erp.kernel import money

NO_SPLIT = "40"
"""The key that stops an automatic account from splitting an amount."""


class Position(msgspec.Struct, frozen=True):
    """An amount of an account, a debit above zero.

    Attributes:
        bears_tax: whether it is an account of income or expenses.
        line: the place of its posting in the entry.
    """

    account: str
    amount: int
    line: int
    is_personal: bool = False
    bears_tax: bool = False
    is_gross: bool = False
    key: str = ""


class Booking(msgspec.Struct, frozen=True):
    """An amount above zero from one account to another; a debit or a credit of the first."""

    first: Position
    contra: Position
    amount: int
    is_debit: bool

    @property
    def key(self) -> str:
        """The tax key."""
        return self.first.key or self.contra.key


def of_entry(
    positions: Sequence[Position], automatic: Mapping[str, Automatic], tax_accounts: Collection[str]
) -> list[Booking]:
    """The bookings of an entry.

    Args:
        automatic: the automatic accounts of the chart.
        tax_accounts: the accounts that hold nothing but tax.
    """
    gross = _with_keys(_gross(positions, automatic), automatic, tax_accounts)
    bookings = _paired(gross)
    if all(_is_sound(booking, automatic) for booking in bookings):
        return bookings
    return _paired(_with_keys(positions, automatic, tax_accounts))


def of_opening(positions: Sequence[Position], automatic: Mapping[str, Automatic], opening: str) -> list[Booking]:
    """The bookings of opening balances: each against the account of opening balances."""
    contra = Position(account=opening, amount=0, line=-1)
    return [
        Booking(position, contra, abs(position.amount), is_debit=position.amount > 0)
        for position in _with_keys(positions, automatic, ())
        if position.account != opening
    ]


def _gross(positions: Sequence[Position], automatic: Mapping[str, Automatic]) -> list[Position]:
    """The positions with the tax of automatic accounts included, as far as DATEV would find the same tax."""
    taxed: dict[str, list[Position]] = defaultdict(list)
    for position in positions:
        if position.account in automatic:
            taxed[automatic[position.account].tax_account].append(position)
    result = list(positions)
    for tax_account, net in taxed.items():
        tax = [position for position in result if position.account == tax_account]
        grossed = _grossed(net, sum(position.amount for position in tax), automatic)
        if tax and grossed:
            result = [position for position in result if position not in tax and position not in net] + grossed
    return sorted(result, key=lambda position: position.line)


def _grossed(net: Sequence[Position], tax: int, automatic: Mapping[str, Automatic]) -> list[Position]:
    """Net positions with their share of a tax; none if DATEV would split any of them in another way."""
    percents = [automatic[position.account].percent for position in net]
    shares = [money.divide(p.amount * percent, 100) for p, percent in zip(net, percents, strict=True)]
    largest = max(range(len(net)), key=lambda i: abs(net[i].amount))
    shares[largest] += tax - sum(shares)
    gross = [position.amount + share for position, share in zip(net, shares, strict=True)]
    taxes = [money.divide(amount * p, 100 + p) for amount, p in zip(gross, percents, strict=True)]
    if taxes != shares:
        return []
    return [
        msgspec.structs.replace(p, amount=amount, is_gross=True) for p, amount in zip(net, gross, strict=True) if amount
    ]


def _with_keys(
    positions: Iterable[Position], automatic: Mapping[str, Automatic], tax_accounts: Collection[str]
) -> list[Position]:
    """The positions with the key of each: 40 where an account has no tax in it, or tax has a booking of its own."""
    positions = list(positions)
    is_taxed = any(position.account in tax_accounts for position in positions)
    return [
        msgspec.structs.replace(position, key=NO_SPLIT)
        if not position.is_gross and (position.account in automatic or (is_taxed and position.bears_tax))
        else position
        for position in positions
    ]


def _is_sound(booking: Booking, automatic: Mapping[str, Automatic]) -> bool:
    """Whether DATEV splits a booking as intended: only whole amounts, and not by a key or account beside it."""
    sides = (booking.first, booking.contra)
    if not any(side.is_gross for side in sides):
        return True
    is_whole = all(abs(side.amount) == booking.amount for side in sides if side.is_gross)
    return is_whole and not booking.key and sum(side.account in automatic for side in sides) == 1


def _paired(positions: Sequence[Position]) -> list[Booking]:
    debits = [position for position in positions if position.amount > 0]
    credits = [position for position in positions if position.amount < 0]
    if min(len(debits), len(credits)) > 1:
        for side in (debits, credits):
            side.sort(key=lambda position: (-abs(position.amount), position.line))
    bookings = []
    remaining = {id(position): abs(position.amount) for position in positions}
    while debits and credits:
        debit, credit = debits[0], credits[0]
        amount = min(remaining[id(debit)], remaining[id(credit)])
        bookings.append(_booking(debit, credit, amount, is_credit_first=len(credits) == 1 < len(debits)))
        for side, position in ((debits, debit), (credits, credit)):
            remaining[id(position)] -= amount
            if not remaining[id(position)]:
                side.pop(0)
    return bookings


def _booking(debit: Position, credit: Position, amount: int, *, is_credit_first: bool) -> Booking:
    """A booking whose first account is a contact's, else the one that all the others face."""
    if credit.is_personal if debit.is_personal != credit.is_personal else is_credit_first:
        return Booking(credit, debit, amount, is_debit=False)
    return Booking(debit, credit, amount, is_debit=True)
