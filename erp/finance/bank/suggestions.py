"""Suggestions for lines of a statement, the likeliest first, each with its reason; nothing is posted here."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

import msgspec

from erp.finance.bank import store
from erp.finance.bank.models import BankLine, BankRule
from erp.finance.bank.store import BookEntry, Item
from erp.finance.bank.texts import Names, Numbers, Text
from erp.finance.books.accounts import AccountRef
from erp.finance.documents.models import Invoice
from erp.finance.items.asked import AskedLetter, Told
from erp.finance.write_downs import discounts
from erp.finance.write_downs.discounts import Offer
from erp.kernel import money
from erp.kernel.language import Listed, says

Because = Literal[
    "end_to_end",
    "number_and_amount",
    "discount",
    "items_and_charges",
    "fee",
    "part",
    "run",
    "batch",
    "iban",
    "name",
    "amount_and_date",
    "rule",
]
SURE: frozenset[Because] = frozenset({"end_to_end", "number_and_amount", "discount", "run"})
"""The reasons by which the whole amount belongs to one document or run."""
EARLIER, LATER = timedelta(days=90), timedelta(days=15)
"""Days between a line and its entry."""
NEAR = timedelta(days=10)
HIGHEST_FEE = 50
"""A bank fee is at most a fiftieth of an amount; a larger difference is a partial payment."""


class EntryPart(msgspec.Struct, frozen=True):
    """A journal entry, and the part of it that a line matches; below zero for money out."""

    entry: BookEntry
    amount: int


class ItemPart(msgspec.Struct, frozen=True):
    """An open item, the part of it that a line pays, and the cash discount."""

    item: Item
    amount: int
    discount: int = 0


class Suggestion(msgspec.Struct, kw_only=True, frozen=True):
    """One of: entries that are in the books, items that a new payment settles, a rule that posts."""

    because: Because
    reason: str
    entries: Sequence[EntryPart] = ()
    items: Sequence[ItemPart] = ()
    fee: int = 0
    rule: BankRule | None = None
    letter: AskedLetter | None = None


class Finder:
    """Finds suggestions for lines of one account; the books are read once for all of them.

    What a line may match is looked up by its amount, the numbers and names in its text, and its IBAN.
    """

    def __init__(self, account: AccountRef, lines: Sequence[BankLine]) -> None:
        self._account, self._lines = account, lines
        days = [line.date for line in lines] or [date.min]
        self._days = (min(days), max(days))
        self._parts: dict[tuple[str, date], ItemPart] = {}
        self._runs_by_day: dict[date, dict[int, list[list[BookEntry]]]] = {}

    def of(self, line: BankLine) -> list[Suggestion]:
        """Suggestions for a line that is not matched, at most five."""
        text = Text(line.text, line.end_to_end, line.party)
        suggestions = [
            *self._numbered_entries(line, text),
            *self._letters(line, text),
            *self._numbered_items(line, text),
            *self._runs(line),
            *self._near_entries(line, text),
            *self._known_items(line, text),
            *self._batches(line),
            *self._ruled(line, text),
        ]
        return _distinct(suggestions)[:5]

    @cached_property
    def _entries(self) -> list[BookEntry]:
        return store.entries(self._account, self._days[0] - EARLIER, self._days[1] + LATER)

    @cached_property
    def _by_amount(self) -> dict[int, list[BookEntry]]:
        by_amount = defaultdict(list)
        for entry in self._entries:
            by_amount[entry.remaining].append(entry)
        return dict(by_amount)

    @cached_property
    def _settled(self) -> dict[str, list[str]]:
        return store.settled([str(entry.source_id) for entry in self._entries if entry.source_type == "payment"])

    @cached_property
    def _items(self) -> list[Item]:
        return store.items(self._account.currency)

    @cached_property
    def _numbers(self) -> Numbers:
        items = enumerate(self._items)
        return Numbers((number, at) for at, item in items for number in (item.number, item.supplier_number))

    @cached_property
    def _names(self) -> Names:
        items = enumerate(self._items)
        return Names((name, at) for at, item in items for name in {item.contact_name, item.legal_name})

    @cached_property
    def _by_iban(self) -> dict[str, set[int]]:
        by_iban = defaultdict(set)
        for at, item in enumerate(self._items):
            for iban in self._ibans(item.contact_id, item.iban):
                by_iban[iban].add(at)
        return dict(by_iban)

    @cached_property
    def _learned(self) -> dict[str, set[str]]:
        return store.learned()

    @cached_property
    def _same_days(self) -> dict[tuple[date, bool], list[int]]:
        """The amounts of the lines by day and direction."""
        by_day = defaultdict(list)
        for line in self._lines:
            by_day[line.date, line.amount > 0].append(line.amount)
        return dict(by_day)

    @cached_property
    def _rules(self) -> list[BankRule]:
        return BankRule.fetch("SELECT * FROM bank_rule ORDER BY length(text) DESC, id")

    def _numbered_entries(self, line: BankLine, text: Text) -> Iterator[Suggestion]:
        for entry in self._by_amount.get(line.amount, ()):
            numbers = [entry.document, entry.number, entry.reference, *self._settled.get(entry.source_id or "", ())]
            named = next((number for number in numbers if text.names(number)), None)
            if named is not None:
                reason = says("{number} in the text, same amount.", number=named)
                yield _of_entry(entry, line.amount, _kind(named, text), reason)

    def _numbered_items(self, line: BankLine, text: Text) -> Iterator[Suggestion]:
        """The items whose numbers the line names: one, or several of one contact."""
        for items in self._by_contact(self._numbers.within(text), line):
            yield from self._several(line, items)
            for item in items:
                yield self._one(line, item, text)

    def _by_contact(self, positions: set[int], line: BankLine) -> Iterable[list[Item]]:
        """The items at these positions that the money of a line settles, by contact."""
        by_contact = defaultdict(list)
        for at in sorted(positions):
            item = self._items[at]
            if _fits(item, line):
                by_contact[item.contact_id].append(item)
        return by_contact.values()

    def _several(self, line: BankLine, items: Sequence[Item]) -> Iterator[Suggestion]:
        """All items of a contact that a line names, if it pays them all, perhaps less discount."""
        parts = [self._part(item, line.date) for item in items]
        if len(items) < 2:
            return
        numbers = Listed.of([item.number for item in items])
        if sum(abs(item.open) for item in items) == abs(line.amount):
            parts = [ItemPart(item, abs(item.open)) for item in items]
            reason = says("{numbers} in the text, same amount.", numbers=numbers)
            yield Suggestion(because="number_and_amount", reason=reason, items=parts)
        elif sum(part.amount for part in parts) == abs(line.amount):
            reason = says("{numbers} in the text, amount less cash discount.", numbers=numbers)
            yield Suggestion(because="discount", reason=reason, items=parts)

    def _part(self, item: Item, day: date) -> ItemPart:
        """An item less the discount that is in time."""
        part = self._parts.get((item.id, day))
        if part is None:
            discount = discount_of(item, day)
            part = self._parts[item.id, day] = ItemPart(item, abs(item.open) - discount, discount)
        return part

    def _one(self, line: BankLine, item: Item, text: Text) -> Suggestion:
        amount, due, number = abs(line.amount), abs(item.open), item.number
        whole = [ItemPart(item, due)]
        if amount == due:
            reason = says("{number} in the text, amount equals the open amount.", number=number)
            return Suggestion(because=_kind(number, text), reason=reason, items=whole)
        part = self._part(item, line.date)
        if part.discount and part.amount == amount:
            text_off = money.shown(part.discount, self._account.currency)
            reason = says("{number} in the text, less {amount} cash discount.", number=number, amount=text_off)
            return Suggestion(because="discount", reason=reason, items=[part])
        fee = due - amount if line.amount > 0 else amount - due
        if 0 < fee * HIGHEST_FEE <= due:
            text_fee = money.shown(fee, self._account.currency)
            reason = says("{number} in the text, less a bank fee of {amount}.", number=number, amount=text_fee)
            return Suggestion(because="fee", reason=reason, items=whole, fee=fee)
        reason = says("{number} in the text, different amount.", number=number)
        return Suggestion(because="part", reason=reason, items=[ItemPart(item, min(amount, due))])

    def _letters(self, line: BankLine, text: Text) -> Iterator[Suggestion]:
        """Reminders that ask for exactly this amount: it pays their items, and charges that are invoiced then."""
        for letter in self._letters_by_total.get(line.amount, ()):
            items = [self._items_by_id[id] for id in letter.item_ids if id in self._items_by_id]
            parts = _spread(items, letter.total - letter.charges)
            if parts is not None:
                names = text.names(letter.number) or text.has_name(letter.contact_name)
                reason = says("The amount of reminder {number}: open items and charges.", number=letter.number)
                if not names:
                    template = says("The amount of reminder {number} to {name}.")
                    reason = template.fill(number=letter.number, name=letter.contact_name)
                yield Suggestion(because="items_and_charges", reason=reason, items=parts, letter=letter)

    @cached_property
    def _letters_by_total(self) -> dict[int, list[AskedLetter]]:
        by_total = defaultdict(list)
        for letter in Told.letters(self._account.currency):
            by_total[letter.total].append(letter)
        return dict(by_total)

    @cached_property
    def _items_by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self._items}

    def _runs(self, line: BankLine) -> Iterator[Suggestion]:
        """Payroll runs, and payment runs whose payments leave the bank as one sum."""
        for entry in self._by_amount.get(line.amount, ()):
            if entry.source_type == "payroll_run" and _is_near(entry, line.date):
                reason = says("The amount is the net pay of payroll run {number}.", number=entry.document)
                yield _of_entry(entry, line.amount, "run", reason)
        for entries in self._runs_near(line.date).get(line.amount, ()):
            reason = says("The amount is the sum of payment run {number}.", number=entries[0].run_number)
            parts = [EntryPart(entry, entry.remaining) for entry in entries]
            yield Suggestion(because="run", reason=reason, entries=parts)

    def _runs_near(self, day: date) -> dict[int, list[list[BookEntry]]]:
        """The entries of each payment run that are near a day, by their sum."""
        by_sum = self._runs_by_day.get(day)
        if by_sum is None:
            by_sum = self._runs_by_day[day] = {}
            for entries in self._run_entries.values():
                if near := [entry for entry in entries if _is_near(entry, day)]:
                    by_sum.setdefault(sum(entry.remaining for entry in near), []).append(near)
        return by_sum

    @cached_property
    def _run_entries(self) -> dict[str, list[BookEntry]]:
        by_run = defaultdict(list)
        for entry in self._entries:
            if entry.run_id is not None:
                by_run[entry.run_id].append(entry)
        return dict(by_run)

    def _near_entries(self, line: BankLine, text: Text) -> Iterator[Suggestion]:
        for entry in self._by_amount.get(line.amount, ()):
            if not _is_near(entry, line.date) or entry.source_type == "payroll_run":
                continue
            if entry.contact_id and line.iban in self._ibans(entry.contact_id, None):
                reason = says("Same amount, IBAN of {name}.", name=entry.contact_name)
                yield _of_entry(entry, line.amount, "iban", reason)
            elif text.has_name(entry.contact_name):
                reason = says("Same amount, name {name}.", name=entry.contact_name)
                yield _of_entry(entry, line.amount, "name", reason)
            else:
                reason = says("Same amount, date close by.")
                yield _of_entry(entry, line.amount, "amount_and_date", reason)

    def _known_items(self, line: BankLine, text: Text) -> Iterator[Suggestion]:
        """Items of the contact that has the IBAN or the name: one of that amount, or all that are open together."""
        with_iban = self._by_iban.get(line.iban or "", set())
        for items in self._by_contact(with_iban | self._names.within(text), line):
            because: Because = "iban" if line.iban in self._ibans(items[0].contact_id, items[0].iban) else "name"
            template = says("Amount open, name {name}.")
            if because == "iban":
                template = says("Amount open, IBAN of {name}.")
            reason = template.fill(name=items[0].contact_name)
            parts = [self._part(item, line.date) for item in items]
            exact = [ItemPart(item, abs(item.open)) for item in items if abs(item.open) == abs(line.amount)]
            less = [part for part in parts if part.discount and part.amount == abs(line.amount)]
            if exact or less:
                yield Suggestion(because=because, reason=reason, items=[(exact or less)[0]])
            elif len(items) > 1 and sum(abs(item.open) for item in items) == abs(line.amount):
                yield Suggestion(
                    because=because, reason=reason, items=[ItemPart(item, abs(item.open)) for item in items]
                )

    def _ibans(self, contact_id: str, iban: str | None) -> set[str]:
        """The IBANs of a contact: its own, and the learned ones."""
        return self._learned.get(contact_id, set()) | ({iban} if iban else set())

    def _batches(self, line: BankLine) -> Iterator[Suggestion]:
        """Entries that all lines of this day and this direction sum to, such as a payroll."""
        same = self._same_days.get((line.date, line.amount > 0), ())
        if len(same) < 2:
            return
        for entry in self._by_amount.get(sum(same), ()):
            if _is_near(entry, line.date):
                number = entry.document or entry.number
                reason = says("{count} transactions of this day add up to {number}.", count=len(same), number=number)
                yield _of_entry(entry, line.amount, "batch", reason)

    def _ruled(self, line: BankLine, text: Text) -> Iterator[Suggestion]:
        for rule in self._rules:
            if text.has(rule.text) and _is_meant(rule, line):
                reason = says("The rule “{text}” fits.", text=rule.text)
                yield Suggestion(because="rule", reason=reason, rule=rule)


def _spread(items: Sequence[Item], amount: int) -> list[ItemPart] | None:
    """An amount over items in their order; None if they are less."""
    parts = []
    for item in items:
        part = min(amount, item.open)
        if part > 0:
            parts.append(ItemPart(item, part))
            amount -= part
    return None if amount else parts


def sure(found: Sequence[Suggestion]) -> Suggestion | None:
    """The suggestion that needs no eye: the first of a line, if no other is as good."""
    strong = [suggestion for suggestion in found if suggestion.because in SURE]
    return strong[0] if len(strong) == 1 and found[0] is strong[0] else None


def has_text_of(rule: BankRule, line: BankLine) -> bool:
    """Whether a line has the text of a rule."""
    return Text(line.text, line.end_to_end, line.party).has(rule.text)


def _is_meant(rule: BankRule, line: BankLine) -> bool:
    """Whether a rule is for money in the direction of a line, and for its account."""
    way = "in" if line.amount > 0 else "out"
    return rule.direction in ("any", way) and rule.account_of_bank_id in (None, line.account_id)


def _of_entry(entry: BookEntry, amount: int, because: Because, reason: str) -> Suggestion:
    return Suggestion(because=because, reason=reason, entries=[EntryPart(entry, amount)])


def _fits(item: Item, line: BankLine) -> bool:
    """Whether money in this direction settles an item."""
    return (item.open > 0) == (line.amount > 0)


def _kind(number: str, text: Text) -> Because:
    """The place of a number in a text."""
    return "end_to_end" if number.upper() == text.end_to_end else "number_and_amount"


def _is_near(entry: BookEntry, day: date) -> bool:
    return abs(date.fromisoformat(entry.day) - day) <= NEAR


def offer_of(item: Item, day: date) -> Offer | None:
    """The cash discount of an invoice or a bill that is in time on a day; other items have none."""
    return discounts.in_time(Invoice.find(item.document_id), day) if item.discounts else None


def discount_of(item: Item, day: date) -> int:
    """The amount of the cash discount that is in time on a day."""
    offered = offer_of(item, day)
    return 0 if offered is None else offered.amount


def _distinct(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Each proposal once, for its best reason; resemblances come last."""
    weak = ("part",)
    ordered = [suggestion for suggestion in suggestions if suggestion.because not in weak] + [
        suggestion for suggestion in suggestions if suggestion.because in weak
    ]
    seen, distinct = set(), []
    for suggestion in ordered:
        key = (
            tuple(part.entry.id for part in suggestion.entries),
            tuple(part.item.id for part in suggestion.items),
            suggestion.rule and suggestion.rule.account_id,
            suggestion.letter and suggestion.letter.id,
        )
        if key not in seen:
            seen.add(key)
            distinct.append(suggestion)
    return distinct
