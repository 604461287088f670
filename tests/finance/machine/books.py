"""A plain model of the books: what was posted and what is open, on any day."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from tests.finance.machine.model import DOUBTFUL, GAINS, LOSSES, RECEIVABLE, Document, Item, Link

Posting = tuple[date, str, str | None, int]
"""A day, the code of an account, a contact, and an amount in the base currency."""


class Books:
    """What was posted and what is open."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.postings: list[Posting] = []
        self.revalued: dict[str, list[Posting]] = {}
        """What revaluations post that stand, by their ids: it changes the accounts and not what is open."""
        self.documents: list[Document] = []
        self.moves: list[tuple[date, str, int, int]] = []
        """What transfers change of accounts: a day, a code, in the account's own currency, and in its book value."""
        self.lock: date | None = None

    def is_locked(self, day: date) -> bool:
        return self.lock is not None and day <= self.lock

    def enter(self, document: Document, *items: Item) -> None:
        self.documents.append(document)
        self._open(document, items)
        self._post_legs(document, document.day, 1)

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
        if link.receipt is not None:
            self.reverse(link.receipt, day)

    def reverse(self, document: Document, day: date) -> None:
        """Take a document back: what it settles is released, and a mirror of each item closes it."""
        for link in [link for item in document.items for link in item.live]:
            self.release(link, day)
        document.is_void = True
        originals = list(document.items)
        mirrors = [
            Item(
                item.document,
                item.contact,
                item.account,
                item.currency,
                -item.amount,
                -item.base,
                day,
                day,
                item.own_number,
            )
            for item in originals
        ]
        self._open(document, mirrors)
        for item, mirror in zip(originals, mirrors, strict=True):
            made = Link(mirror, item, abs(item.amount), (abs(item.base),) * 2, day, is_reversal=True)
            item.links.append(made)
            mirror.links.append(made)
        self._post_legs(document, day, -1)

    def settled(self, document: Document) -> int:
        """What of a document others settle."""
        links = {id(link): link for item in self.items_of(document) for link in item.live}
        return sum(link.amount for link in links.values() if link.is_of_two)

    def due(self, document: Document) -> int:
        demanded = document.total - document.deducted
        return 0 if document.is_void else demanded - self.settled(document)

    def is_written_off(self, document: Document) -> bool:
        """Whether nothing is due on it any more, and some of that was written off."""
        written = document.standing("uncollectable")
        return bool(written) and not document.is_void and self.due(document) == 0

    def final_of(self, deposit: Document) -> Document | None:
        """The final invoice that deducts a deposit."""
        finals = (document for document in self.documents if deposit in document.deposits)
        return next((final for final in finals if not final.is_void), None)

    def items_of(self, document: Document) -> list[Item]:
        return [item for item in self.items if item.document is document]

    def last_day(self, document: Document) -> date:
        """The last day on which anything was done to a document."""
        return max([document.day, *(item.last_day for item in self.items_of(document))])

    def balance(self, code: str, day: date) -> int:
        """The balance of an account at the end of a day; of income and expenses since the year began."""
        return self.balances(day).get(code, 0)

    def balances(self, day: date) -> dict[str, int]:
        """The balance of each account at the end of a day; "" is the result of earlier years."""
        sums: Counter[str] = Counter()
        for on, code, _, amount in self.all_postings():
            if on <= day:
                sums["" if code >= "4000" and on.year < day.year else code] += amount
        return {code: amount for code, amount in sums.items() if amount}

    def owed_by(self, contact: str, day: date) -> int:
        return sum(amount for on, _, of, amount in self.all_postings() if of == contact and on <= day)

    def open_on(self, day: date) -> list[tuple[str, str, int, int]]:
        """Number, currency, what is open and what that is in the base currency of every item open on a day."""
        rows = ((item, item.open_on(day)) for item in self.items)
        return sorted((item.number, item.currency, left, item.base_on(day)) for item, left in rows if left)

    def left_now(self) -> list[tuple[str, str, int, int]]:
        return sorted(
            (item.number, item.currency, item.sign * item.left, item.sign * item.left_base)
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
        """The rule itself, in the model: Σ open of each contact and account is what is posted, and open is a part.

        Opening balances are replaced on their own date: on the days on which they were settled for a while, what is
        open of them then is below nothing.
        """
        differences: defaultdict[tuple[str, str], int] = defaultdict(int)
        for item in self.items:
            differences[item.contact, item.account] += item.base_on(day)
            is_part = 0 <= item.sign * item.open_on(day) <= abs(item.amount)
            assert is_part or item.document.kind == "replaced", (item.number, day)
        for on, account, contact, amount in self.postings:
            if contact is not None and on <= day:
                differences[contact, account] -= amount
        assert not any(differences.values()), (day, differences)

    def links(self) -> Iterator[Link]:
        """Everything that settles something and stands, in the order it was made."""
        seen: set[int] = set()
        for item in self.items:
            for link in item.live:
                if id(link) not in seen and not link.is_reversal:
                    seen.add(id(link))
                    yield link

    def all_postings(self) -> Iterator[Posting]:
        yield from self.postings
        for postings in self.revalued.values():
            yield from postings

    def _receivables(self, contact: str) -> list[Item]:
        return [item for item in self.items if item.contact == contact and item.account in (RECEIVABLE, DOUBTFUL)]

    def _open(self, document: Document, items: Sequence[Item]) -> None:
        for item in items:
            document.items.append(item)
            self.items.append(item)
            self._post(item.day, item.account, item.contact, item.base)

    def held(self, code: str, day: date) -> tuple[int, int]:
        """What an own account holds at the end of a day in its currency, and its book value without revaluations."""
        moves = [move for move in self.moves if move[0] <= day and move[1] == code]
        return sum(move[2] for move in moves), sum(move[3] for move in moves)

    def _post_legs(self, document: Document, day: date, sign: int) -> None:
        for code, amount in document.legs:
            self._post(day, code, None, sign * amount)
        for (code, amount), (_, worth) in zip(document.foreign, document.legs, strict=False):
            self.moves.append((day, code, sign * amount, sign * worth))

    def _post_gain(self, link: Link, day: date, sign: int) -> None:
        amount = sign * link.gain
        self._post(day, link.target.account, link.target.contact, amount)
        self._post(day, GAINS if link.gain > 0 else LOSSES, None, -amount)

    def _post(self, day: date, code: str, contact: str | None, amount: int) -> None:
        if amount:
            self.postings.append((day, code, contact, amount))
