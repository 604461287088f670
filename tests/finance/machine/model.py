"""What a plain model of the books consists of, written from the rules of bookkeeping and not from the code.

Every item is an amount of one contact on one account in one currency. Links use items against each other from a day
until they are released. All amounts are integers in minor units, a debit above zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from tests.finance.machine.amounts import rounded, tax_of
from tests.finance.machine.parts import Part, less

RECEIVABLE, DOUBTFUL, PAYABLE, BANK, FEES = "1100", "1150", "2000", "1010", "6800"
GAINS, LOSSES = "4920", "6910"
SIGNS = {
    "sales_invoice": 1,
    "sales_credit_note": -1,
    "deposit_invoice": 1,
    "final_invoice": 1,
    "purchase_invoice": -1,
    "purchase_credit_note": 1,
}
CREDITED_BY = {"sales_invoice": "sales_credit_note", "purchase_invoice": "purchase_credit_note"}
DEMANDING = (*CREDITED_BY, "deposit_invoice", "final_invoice")
SETTLING = ("cash_discount", "uncollectable", "small_difference")
"""Deductions that settle a document."""


class Short:
    """Is shown in a failed run by its name alone."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


@dataclass(eq=False, repr=False)
class Link(Short):
    """The use of one item against another; that of a reversal is never released.

    `made_by` is what must be taken back to release it, `receipt` what it posted as received of a deposit.
    """

    source: "Item"
    target: "Item"
    amount: int
    bases: tuple[int, int]
    day: date
    is_reversal: bool = False
    released_on: date | None = None
    made_by: "Document | None" = None
    receipt: "Document | None" = None
    id: str = ""

    def __repr__(self) -> str:
        return f"{self.source} to {self.target}, {self.amount} on {self.day}"

    @property
    def stands(self) -> bool:
        return self.released_on is None

    @property
    def documents(self) -> "tuple[Document, Document]":
        return self.source.document, self.target.document

    @property
    def is_of_two(self) -> bool:
        """Whether it settles one document with another."""
        return self.source.document is not self.target.document

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
    own_number: str = ""
    links: list[Link] = field(default_factory=list)
    id: str = ""

    def __repr__(self) -> str:
        return f"{self.number} {self.amount} {self.currency}"

    @property
    def number(self) -> str:
        return self.own_number or self.document.number

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
        return min(self.left_base, self.share(amount))

    def share(self, amount: int) -> int:
        """The base currency of a part, whatever else is settled."""
        return rounded(Fraction(abs(self.base) * amount, abs(self.amount)))

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
    """An invoice, a payment, a journal entry or what else is posted and taken back as one, with its items.

    An item may belong to another document than the one that opened it: a doubtful invoice has its item moved.
    """

    type: str
    id: str
    number: str
    contact: str
    kind: str
    day: date
    currency: str = "EUR"
    total: int = 0
    rate: str = "1"
    items: list[Item] = field(default_factory=list)
    legs: list[tuple[str, int]] = field(default_factory=list)
    """What it posts to accounts that are no contact's, by code."""
    foreign: list[tuple[str, int]] = field(default_factory=list)
    """Of a transfer: by how much it changes accounts, in their own currencies."""
    lines: list["Line"] = field(default_factory=list)
    offers_discount: bool = False
    credits: "Document | None" = None
    credited_nets: list[tuple[int, int]] = field(default_factory=list)
    """Of a credit note: the net and the tax that it takes from each line of what it credits."""
    notes: list["Document"] = field(default_factory=list)
    deductions: list["Deduction"] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    """Of a receipt of a deposit."""
    deposits: list["Document"] = field(default_factory=list)
    """Of a final invoice: those that it deducts."""
    deducted: int = 0
    closings: list[Link] = field(default_factory=list)
    """Of a final invoice: the links that close what was never paid of its deposits."""
    is_void: bool = False

    def __repr__(self) -> str:
        return self.number

    @property
    def item(self) -> Item:
        """The item in which it stands: that of doubtful receivables once it was moved there."""
        moved = [deduction.document.items[1] for deduction in self.standing("doubtful")]
        return next((item for item in moved if item.left), self.items[0])

    @property
    def live_notes(self) -> list["Document"]:
        return [note for note in self.notes if not note.is_void]

    def standing(self, *kinds: str) -> "list[Deduction]":
        """Its deductions of some kinds that have not been undone."""
        return [deduction for deduction in self.deductions if deduction.stands and deduction.kind in kinds]

    def rates(self) -> list[Part]:
        """What it comes to at each rate, less its credit notes."""
        parts = []
        for place, line in enumerate(self.lines):
            taken = [note.credited_nets[place] for note in self.live_notes]
            net, tax = line.net - sum(net for net, _ in taken), line.tax - sum(tax for _, tax in taken)
            parts.append(Part(place, line.percent, net + tax, tax))
        return parts

    def taken(self) -> list[Part]:
        """What deductions took off it."""
        return [part for deduction in self.standing(*SETTLING) for part in deduction.parts]

    def left_of(self, place: int) -> tuple[int, int]:
        """The net and the tax of a line that are left to credit."""
        left = less(self.rates(), self.taken())[place]
        return left.net, left.tax

    def recoverable(self) -> list[Part]:
        """What of its write-offs has not been received since, with the tax that was corrected."""
        written, later = self.standing("uncollectable"), self.standing("recovery")
        places = dict.fromkeys(part.place for deduction in written for part in deduction.parts)
        left = []
        for place in places:
            sums = [(1, part, deduction) for deduction in written for part in deduction.parts if part.place == place]
            sums += [(-1, part, deduction) for deduction in later for part in deduction.parts if part.place == place]
            gross = sum(sign * part.gross for sign, part, _ in sums)
            tax = sum(sign * part.tax for sign, part, deduction in sums if deduction.corrects_tax)
            left.append(Part(place, self.lines[place].percent, gross, tax))
        return [part for part in left if part.gross]

    @property
    def settled(self) -> int:
        return sum(link.amount for item in self.items for link in item.live if not link.is_reversal)

    @property
    def is_sale(self) -> bool:
        return not self.kind.startswith("purchase")


@dataclass
class Line:
    net: int
    percent: int
    id: str = ""

    @property
    def tax(self) -> int:
        return tax_of(self.net, self.percent)


@dataclass(eq=False, repr=False)
class Deduction(Short):
    """What was taken off a document, moved to doubtful receivables, or recovered of it later.

    `document` is what it posted, None of a recovery: its payment did. `link` is the payment's that it goes with.
    """

    kind: str
    amount: int
    parts: Sequence[Part]
    day: date
    corrects_tax: bool = True
    posted: Document | None = None
    payment: Document | None = None
    link: Link | None = None
    is_undone: bool = False

    def __repr__(self) -> str:
        return f"{self.kind} of {self.amount} on {self.day}"

    @property
    def document(self) -> Document:
        assert self.posted is not None
        return self.posted

    @property
    def stands(self) -> bool:
        return not self.is_undone
