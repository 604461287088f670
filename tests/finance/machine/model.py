"""A plain model of what contacts owe, written from the rules of bookkeeping and not from the code.

Every item is an amount of one contact on one account in one currency. Links use items against each other from a day
until they are released. All amounts are integers in minor units, a debit above zero.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

DIGITS = {"EUR": 2, "USD": 2, "JPY": 0}
BASE = "EUR"
RECEIVABLE, PAYABLE, BANK, GAINS, LOSSES = "1100", "2000", "1010", "4920", "6910"
RESULTS = (GAINS, LOSSES)
"""Accounts that begin every fiscal year at zero."""
SIGNS = {"sales_invoice": 1, "sales_credit_note": -1, "purchase_invoice": -1, "purchase_credit_note": 1}
CREDITED_BY = {"sales_invoice": "sales_credit_note", "purchase_invoice": "purchase_credit_note"}


def rounded(exact: Fraction) -> int:
    """Half away from zero."""
    whole = (abs(exact) + Fraction(1, 2)).__floor__()
    return whole if exact > 0 else -whole


def text(amount: int, currency: str = BASE) -> str:
    return f"{Decimal(amount).scaleb(-DIGITS[currency]):f}"


def minor(shown: str, currency: str = BASE) -> int:
    exact = Decimal(shown).scaleb(DIGITS[currency])
    assert exact == exact.to_integral_value(ROUND_HALF_UP), shown
    return int(exact)


def in_base(amount: int, currency: str, rate: str) -> int:
    return rounded(amount * Fraction(rate) * 10 ** DIGITS[BASE] / 10 ** DIGITS[currency])


def tax_of(net: int, percent: int) -> int:
    return rounded(Fraction(net * percent, 100))


class Short:
    """Is shown in a failed run by its name alone."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


@dataclass(eq=False, repr=False)
class Link(Short):
    """The use of one item against another; that of a reversal is never released."""

    source: "Item"
    target: "Item"
    amount: int
    bases: tuple[int, int]
    day: date
    is_reversal: bool = False
    released_on: date | None = None
    id: str = ""

    def __repr__(self) -> str:
        return f"{self.source} to {self.target}, {self.amount} on {self.day}"

    @property
    def stands(self) -> bool:
        return self.released_on is None

    @property
    def gain(self) -> int:
        """What the account of both is debited with: a gain above zero."""
        return (self.bases[0] - self.bases[1]) * (1 if self.target.amount > 0 else -1)

    def holds_on(self, day: date) -> bool:
        return self.day <= day and (self.released_on is None or day < self.released_on)


@dataclass(eq=False, repr=False)
class Item(Short):
    document: "Document"
    contact: str
    account: str
    currency: str
    amount: int
    base: int
    day: date
    due: date
    links: list[Link] = field(default_factory=list)
    id: str = ""

    def __repr__(self) -> str:
        return f"{self.document} {self.amount} {self.currency}"

    @property
    def sign(self) -> int:
        return 1 if self.amount > 0 else -1

    @property
    def live(self) -> list[Link]:
        return [link for link in self.links if link.stands]

    @property
    def left(self) -> int:
        """What can still be settled, whatever its day; unsigned."""
        return abs(self.amount) - sum(link.amount for link in self.live)

    @property
    def left_base(self) -> int:
        return abs(self.base) - sum(self._base_of(link) for link in self.live)

    def part(self, amount: int) -> int:
        """The base currency of a part: in proportion, and all the rest for the last part."""
        if amount == self.left:
            return self.left_base
        return min(self.left_base, rounded(Fraction(abs(self.base) * amount, abs(self.amount))))

    def open_on(self, day: date) -> int:
        if day < self.day:
            return 0
        return self.amount - self.sign * sum(link.amount for link in self.links if link.holds_on(day))

    def base_on(self, day: date) -> int:
        if day < self.day:
            return 0
        return self.base - self.sign * sum(self._base_of(link) for link in self.links if link.holds_on(day))

    @property
    def free_from(self) -> date:
        """The first day on which it can be settled again: before its last release, something else settles it."""
        ends = [link.released_on for link in self.links if link.released_on and link.released_on > link.day]
        return max([self.day, *ends])

    @property
    def last_day(self) -> date:
        """The last day on which anything was done to it."""
        return max([self.free_from, *(link.day for link in self.links)])

    def _base_of(self, link: Link) -> int:
        return link.bases[0] if link.source is self else link.bases[1]


@dataclass(eq=False, repr=False)
class Document(Short):
    """An invoice, a payment or a journal entry with its items."""

    type: str
    id: str
    number: str
    contact: str
    kind: str
    day: date
    currency: str = BASE
    total: int = 0
    items: list[Item] = field(default_factory=list)
    money: list[tuple[str, int]] = field(default_factory=list)
    """What it posts to accounts of the model that are nobody's, by code."""
    lines: list["Line"] = field(default_factory=list)
    credits: "Document | None" = None
    credited_nets: list[tuple[int, int]] = field(default_factory=list)
    """Of a credit note: the net and the tax that it takes from each line of what it credits."""
    notes: list["Document"] = field(default_factory=list)
    is_void: bool = False

    def __repr__(self) -> str:
        return self.number

    @property
    def item(self) -> Item:
        return self.items[0]

    @property
    def live_notes(self) -> list["Document"]:
        return [note for note in self.notes if not note.is_void]

    def left_of(self, place: int) -> tuple[int, int]:
        """The net and the tax of a line that are left to credit."""
        line, taken = self.lines[place], [note.credited_nets[place] for note in self.live_notes]
        return line.net - sum(net for net, _ in taken), line.tax - sum(tax for _, tax in taken)

    @property
    def settled(self) -> int:
        return sum(link.amount for item in self.items for link in item.live if not link.is_reversal)


@dataclass
class Line:
    net: int
    percent: int
    id: str = ""

    @property
    def tax(self) -> int:
        return tax_of(self.net, self.percent)


Posting = tuple[date, str, str | None, int]
"""A day, the code of an account, a contact, and an amount in the base currency."""


class Books:
    """What was posted and what is open."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.postings: list[Posting] = []
        self.documents: list[Document] = []
        self.lock: date | None = None

    def is_locked(self, day: date) -> bool:
        return self.lock is not None and day <= self.lock

    def enter(self, document: Document, *items: Item) -> None:
        self.documents.append(document)
        self._open(document, items)
        for code, amount in document.money:
            self._post(document.day, code, None, amount)

    def link(self, source: Item, target: Item, amount: int, day: date) -> Link:
        """Settle, and post the exchange difference."""
        made = Link(source, target, amount, (source.part(amount), target.part(amount)), day)
        for item in (source, target):
            item.links.append(made)
        self._post_gain(made, day, 1)
        return made

    def release(self, link: Link, day: date) -> None:
        link.released_on = day
        self._post_gain(link, day, -1)

    def reverse(self, document: Document, day: date) -> None:
        """Take a document back: what it settles is released, and a mirror of each item closes it."""
        for link in [link for item in document.items for link in item.live]:
            self.release(link, day)
        document.is_void = True
        originals = list(document.items)
        mirrors = [
            Item(document, item.contact, item.account, item.currency, -item.amount, -item.base, day, day)
            for item in originals
        ]
        self._open(document, mirrors)
        for item, mirror in zip(originals, mirrors, strict=True):
            made = Link(mirror, item, abs(item.amount), (abs(item.base),) * 2, day, is_reversal=True)
            item.links.append(made)
            mirror.links.append(made)
        for code, amount in document.money:
            self._post(day, code, None, -amount)

    def balance(self, code: str, day: date) -> int:
        """The balance of an account at the end of a day; of income and expenses since the year began."""
        first = date(day.year, 1, 1) if code in RESULTS else date.min
        return sum(amount for on, account, _, amount in self.postings if account == code and first <= on <= day)

    def owed_by(self, contact: str, day: date) -> int:
        return sum(amount for on, _, of, amount in self.postings if of == contact and on <= day)

    def open_on(self, day: date) -> list[tuple[str, str, int, int]]:
        """Number, currency, what is open and what that is in the base currency of every item open on a day."""
        rows = ((item, item.open_on(day)) for item in self.items)
        return sorted((item.document.number, item.currency, left, item.base_on(day)) for item, left in rows if left)

    def left_now(self) -> list[tuple[str, str, int, int]]:
        return sorted(
            (item.document.number, item.currency, item.sign * item.left, item.sign * item.left_base)
            for item in self.items
            if item.left
        )

    def overdue(self, contact: str, day: date) -> int:
        """What a customer owes that is due, net of their credit."""
        items = [item for item in self._receivables(contact) if item.amount < 0 or item.due < day]
        return max(0, sum(item.base_on(day) for item in items))

    def credit(self, contact: str, day: date) -> int:
        credits = (item for item in self._receivables(contact) if item.amount < 0 or item.document.type == "payment")
        return -sum(item.base_on(day) for item in credits)

    def closing(self, contact: str, day: date) -> dict[str, int]:
        """What a contact owes by currency as their statement says it: documents worth nothing are not on it."""
        sums: Counter[str] = Counter()
        for item in self.items:
            if item.contact == contact and item.day <= day and item.base:
                sums[item.currency] += item.amount
        return {currency: amount for currency, amount in sums.items() if amount}

    def check(self, day: date) -> None:
        """The rule itself, in the model: Σ open of each contact and account is what is posted, and open is a part."""
        differences: defaultdict[tuple[str, str], int] = defaultdict(int)
        for item in self.items:
            differences[item.contact, item.account] += item.base_on(day)
            assert 0 <= item.sign * item.open_on(day) <= abs(item.amount), (item.document.number, day)
        for on, account, contact, amount in self.postings:
            if contact is not None and on <= day:
                differences[contact, account] -= amount
        assert not any(differences.values()), (day, differences)

    def links(self) -> Iterator[Link]:
        """Everything that settles something and can be released, in the order it was made."""
        seen: set[int] = set()
        for item in self.items:
            for link in item.live:
                if id(link) not in seen and not link.is_reversal:
                    seen.add(id(link))
                    yield link

    def _receivables(self, contact: str) -> list[Item]:
        return [item for item in self.items if item.contact == contact and item.account == RECEIVABLE]

    def _open(self, document: Document, items: "tuple[Item, ...] | list[Item]") -> None:
        for item in items:
            document.items.append(item)
            self.items.append(item)
            self._post(item.day, item.account, item.contact, item.base)

    def _post_gain(self, link: Link, day: date, sign: int) -> None:
        amount = sign * link.gain
        self._post(day, link.target.account, link.target.contact, amount)
        self._post(day, GAINS if link.gain > 0 else LOSSES, None, -amount)

    def _post(self, day: date, code: str, contact: str | None, amount: int) -> None:
        if amount:
            self.postings.append((day, code, contact, amount))
