"""Suggestions for lines of a statement, the likeliest first, each with its reason; nothing is posted here."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

import msgspec

from erp.finance.bank import store
from erp.finance.bank.models import BankLine, BankRule
from erp.finance.bank.store import BookEntry, Item
from erp.finance.books.accounts import AccountRef
from erp.finance.documents.models import Invoice
from erp.finance.write_downs import discounts
from erp.kernel import money
from erp.kernel.language import Listed, says

Because = Literal[
    "end_to_end",
    "number_and_amount",
    "discount",
    "fee",
    "part",
    "run",
    "batch",
    "iban",
    "name",
    "amount_and_date",
    "rule",
]
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


class Finder:
    """Finds suggestions for lines of one account; the books are read once for all of them."""

    def __init__(self, account: AccountRef, lines: Sequence[BankLine]) -> None:
        self._account, self._lines = account, lines
        days = [line.date for line in lines] or [date.min]
        self._days = (min(days), max(days))

    def of(self, line: BankLine) -> list[Suggestion]:
        """Suggestions for a line that is not matched, at most five."""
        text = _Text(line)
        suggestions = [
            *self._numbered_entries(line, text),
            *self._numbered_items(line, text),
            *self._runs(line),
            *self._near_entries(line, text),
            *self._known_items(line, text),
            *self._batches(line),
            *self._ruled(text),
        ]
        return _distinct(suggestions)[:5]

    @cached_property
    def _entries(self) -> list[BookEntry]:
        return store.entries(self._account, self._days[0] - EARLIER, self._days[1] + LATER)

    @cached_property
    def _settled(self) -> dict[str, list[str]]:
        return store.settled([str(entry.source_id) for entry in self._entries if entry.source_type == "payment"])

    @cached_property
    def _items(self) -> list[Item]:
        return store.items(self._account.currency)

    @cached_property
    def _learned(self) -> dict[str, set[str]]:
        return store.learned()

    @cached_property
    def _rules(self) -> list[BankRule]:
        return BankRule.fetch("SELECT * FROM bank_rule ORDER BY length(text) DESC, id")

    def _numbered_entries(self, line: BankLine, text: "_Text") -> Iterator[Suggestion]:
        for entry in self._entries:
            numbers = [entry.document, entry.number, entry.reference, *self._settled.get(entry.source_id or "", ())]
            named = next((number for number in numbers if text.names(number)), None)
            if entry.remaining == line.amount and named is not None:
                reason = says("{number} in the text, same amount.", number=named)
                yield _of_entry(entry, line.amount, text.kind_of(named), reason)

    def _numbered_items(self, line: BankLine, text: "_Text") -> Iterator[Suggestion]:
        """The items whose numbers the line names: one, or several of one contact."""
        named = [item for item in self._items if _fits(item, line) and _named(item, text)]
        by_contact: dict[str, list[Item]] = {}
        for item in named:
            by_contact.setdefault(item.contact_id, []).append(item)
        for items in by_contact.values():
            yield from self._several(line, items)
            for item in items:
                yield self._one(line, item, text)

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
        discount = _discount(item, day)
        return ItemPart(item, abs(item.open) - discount, discount)

    def _one(self, line: BankLine, item: Item, text: "_Text") -> Suggestion:
        amount, due, number = abs(line.amount), abs(item.open), item.number
        whole = [ItemPart(item, due)]
        if amount == due:
            reason = says("{number} in the text, amount equals the open amount.", number=number)
            return Suggestion(because=text.kind_of(number), reason=reason, items=whole)
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

    def _runs(self, line: BankLine) -> Iterator[Suggestion]:
        """Payroll runs, and payment runs whose payments leave the bank as one sum."""
        runs: dict[str, list[BookEntry]] = {}
        for entry in self._entries:
            if entry.source_type == "payroll_run" and entry.remaining == line.amount and _is_near(entry, line):
                reason = says("The amount is the net pay of payroll run {number}.", number=entry.document)
                yield _of_entry(entry, line.amount, "run", reason)
            elif entry.run_id is not None and _is_near(entry, line):
                runs.setdefault(entry.run_id, []).append(entry)
        for entries in runs.values():
            if sum(entry.remaining for entry in entries) == line.amount:
                reason = says("The amount is the sum of payment run {number}.", number=entries[0].run_number)
                parts = [EntryPart(entry, entry.remaining) for entry in entries]
                yield Suggestion(because="run", reason=reason, entries=parts)

    def _near_entries(self, line: BankLine, text: "_Text") -> Iterator[Suggestion]:
        for entry in self._entries:
            if entry.remaining != line.amount or not _is_near(entry, line) or entry.source_type == "payroll_run":
                continue
            if entry.contact_id and self._has_iban(line, entry.contact_id, None):
                reason = says("Same amount, IBAN of {name}.", name=entry.contact_name)
                yield _of_entry(entry, line.amount, "iban", reason)
            elif text.has_name(entry.contact_name):
                reason = says("Same amount, name {name}.", name=entry.contact_name)
                yield _of_entry(entry, line.amount, "name", reason)
            else:
                reason = says("Same amount, date close by.")
                yield _of_entry(entry, line.amount, "amount_and_date", reason)

    def _known_items(self, line: BankLine, text: "_Text") -> Iterator[Suggestion]:
        """Items of the contact that has the IBAN or the name: one of that amount, or all that are open together."""
        mine: dict[str, list[Item]] = {}
        for item in self._items:
            if _fits(item, line) and self._who(line, item, text) is not None:
                mine.setdefault(item.contact_id, []).append(item)
        for items in mine.values():
            because = self._who(line, items[0], text) or "name"
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

    def _who(self, line: BankLine, item: Item, text: "_Text") -> Because | None:
        if self._has_iban(line, item.contact_id, item.iban):
            return "iban"
        return "name" if text.has_name(item.contact_name) or text.has_name(item.legal_name) else None

    def _has_iban(self, line: BankLine, contact_id: str, iban: str | None) -> bool:
        ibans = self._learned.get(contact_id, set()) | ({iban} if iban else set())
        return line.iban is not None and line.iban in ibans

    def _batches(self, line: BankLine) -> Iterator[Suggestion]:
        """Entries that all lines of this day and this direction sum to, such as a payroll."""
        same = [other for other in self._lines if other.date == line.date and (other.amount > 0) == (line.amount > 0)]
        total = sum(other.amount for other in same)
        for entry in self._entries:
            if len(same) > 1 and entry.remaining == total and _is_near(entry, line):
                number = entry.document or entry.number
                reason = says("{count} transactions of this day add up to {number}.", count=len(same), number=number)
                yield _of_entry(entry, line.amount, "batch", reason)

    def _ruled(self, text: "_Text") -> Iterator[Suggestion]:
        for rule in self._rules:
            if text.has(rule.text):
                reason = says("The rule “{text}” fits.", text=rule.text)
                yield Suggestion(because="rule", reason=reason, rule=rule)


def has_text_of(rule: BankRule, line: BankLine) -> bool:
    """Whether the rule is among the suggestions for a line."""
    return _Text(line).has(rule.text)


class _Text:
    """All words of a line, to be searched."""

    def __init__(self, line: BankLine) -> None:
        self._end_to_end: str = (line.end_to_end or "").upper()
        self._all: str = " ".join(part for part in (line.text, line.end_to_end, line.party) if part).upper()
        self._dense = re.sub(r"[^A-Z0-9]", "", self._all)

    def names(self, number: str | None) -> bool:
        """Whether it has a number: as a word, or a long one with other spaces and hyphens."""
        if not number:
            return False
        dense = re.sub(r"[^A-Z0-9]", "", number.upper())
        if len(dense) >= 7 and any(map(str.isdigit, dense)) and dense in self._dense:
            return True
        return re.search(rf"(?<![A-Z0-9]){re.escape(number.upper())}(?![A-Z0-9])", self._all) is not None

    def kind_of(self, number: str) -> Because:
        """The place of a number in it."""
        return "end_to_end" if number.upper() == self._end_to_end else "number_and_amount"

    def has_name(self, name: str | None) -> bool:
        """Whether it has a name of at least four letters."""
        return name is not None and len(name) >= 4 and name.upper() in self._all

    def has(self, text: str) -> bool:
        """Whether it has the text of a rule, in any case of letters."""
        return bool(text.upper() in self._all)


def _of_entry(entry: BookEntry, amount: int, because: Because, reason: str) -> Suggestion:
    return Suggestion(because=because, reason=reason, entries=[EntryPart(entry, amount)])


def _fits(item: Item, line: BankLine) -> bool:
    """Whether money in this direction settles an item."""
    return (item.open > 0) == (line.amount > 0)


def _named(item: Item, text: _Text) -> bool:
    return text.names(item.number) or text.names(item.supplier_number)


def _is_near(entry: BookEntry, line: BankLine) -> bool:
    return bool(abs(date.fromisoformat(entry.day) - line.date) <= NEAR)


def _discount(item: Item, day: date) -> int:
    """The cash discount of an invoice or a bill on a day; 0 for other items."""
    if item.document_type != "invoice":
        return 0
    offered = discounts.in_time(Invoice.find(item.document_id), day)
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
        )
        if key not in seen:
            seen.add(key)
            distinct.append(suggestion)
    return distinct
