"""The outlines of letters: who is to get which letter with which items, and who is left out and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import groupby
from typing import Literal, NamedTuple

from erp.finance.dunning import levels, store, terms
from erp.finance.dunning.models import ReminderLevel
from erp.finance.dunning.store import Credit, LastLetter, OverdueItem
from erp.finance.items.asked import Told

Why = Literal[
    "blocked_contact",
    "blocked_document",
    "below_minimum",
    "not_yet",
    "doubtful",
    "written_off",
    "credit_covers",
    "no_level_left",
    "payment_suggested",
]
WRITTEN_OFF_DAYS = 365
"""Days for which the proposal still names what was written off."""


class Skipped(NamedTuple):
    """A contact that is left out, or one of their items, with the reason and its last day, if known."""

    contact_id: str
    contact_name: str
    item_id: str | None
    number: str | None
    why: Why
    until: date | None = None


class Choice(NamedTuple):
    """The changes of a person to a proposed letter: its level, and its items."""

    level: int | None = None
    item_ids: frozenset[str] | None = None


class Standing(NamedTuple):
    """An item with the level that it has, and the one it has on a letter of the day."""

    item: OverdueItem
    last: LastLetter | None
    level: int
    is_due: bool
    until: date | None

    @property
    def last_level(self) -> int:
        return self.last.level if self.last else 0


class Outline(NamedTuple):
    """A letter before its charges are counted."""

    contact_id: str
    contact_name: str
    currency: str
    level: ReminderLevel
    standings: Sequence[Standing]
    credits: Sequence[Credit]
    credit: int


Key = tuple[str, str]
"""A contact and a currency: there is one letter for both."""


def of(
    day: date,
    *,
    contact_id: str | None = None,
    currency: str | None = None,
    choices: Mapping[Key, Choice] | None = None,
) -> tuple[list[Outline], list[Skipped]]:
    """The letters of a day without their charges, which is quicker, and who is left out."""
    items = store.overdue(day, contact_id, currency)
    if choices is not None:
        items = [item for item in items if (item.contact_id, item.currency) in choices]
    sorting = _Sorting(day, items, store.credits(day, contact_id, currency), choices or {})
    outlines = [*sorting.outlines()]
    since = day - timedelta(WRITTEN_OFF_DAYS)
    for row in store.written_off(day, since, contact_id, currency) if choices is None else ():
        sorting.skipped.append(Skipped(row.contact_id, row.contact_name, row.item_id, row.number, "written_off"))
    return outlines, sorting.skipped


class Count(NamedTuple):
    """The number of letters, and of their customers."""

    letters: int
    customers: int


def count(day: date) -> Count:
    """The number of letters that `of` finds, without making them: a statement or two, whatever the number of items."""
    due_by = [(level.position, day - timedelta(level.days_after)) for level in levels.ordered()]
    if not due_by:
        return Count(0, 0)
    counted = partial(store.count_letters, day, due_by, minimum=terms.current().minimum)
    letters, customers = counted(paid=())
    if letters and (paid := Told.paid()):  # what seems paid takes letters away and never adds one
        letters, customers = counted(paid=paid)
    return Count(letters, customers)


class _Sorting:
    """Sorts overdue items into letters and what is left out."""

    def __init__(
        self, day: date, items: Sequence[OverdueItem], credits: Sequence[Credit], choices: Mapping[Key, Choice]
    ) -> None:
        self._day, self._items, self._choices = day, items, choices
        self._levels = levels.ordered()
        self._last = store.last_letters(item.id for item in items)
        self._paid = Told.paid() if items else frozenset[str]()
        self._minimum = terms.current().minimum
        self._credits: dict[Key, list[Credit]] = {}
        for credit in credits:
            self._credits.setdefault((credit.contact_id, credit.currency), []).append(credit)
        self.skipped: list[Skipped] = []

    def outlines(self) -> Iterator[Outline]:
        for (contact_id, currency), grouped in groupby(self._items, key=lambda item: (item.contact_id, item.currency)):
            items = [*grouped]
            if items[0].blocked_contact:
                self._skip_all(items[0], "blocked_contact", _day(items[0].contact_until))
                continue
            choice = self._choices.get((contact_id, currency), Choice())
            standings = [*self._eligible(items, choice)]
            if standings and (found := self._outline(standings, choice)) is not None:
                yield found

    def _eligible(self, items: Iterable[OverdueItem], choice: Choice) -> Iterator[Standing]:
        """The items that may be on a letter."""
        for item in items:
            if choice.item_ids is not None and item.id not in choice.item_ids:
                continue
            standing = self._standing(item)
            if item.is_doubtful:
                self._skip(item, "doubtful")
            elif item.blocked_document:
                self._skip(item, "blocked_document", _day(item.document_until))
            elif item.id in self._paid:
                self._skip(item, "payment_suggested")
            elif standing.last is not None and standing.last.day >= self._day:
                self._skip(item, "not_yet" if standing.until else "no_level_left", standing.until)
            else:
                yield standing

    def _standing(self, item: OverdueItem) -> Standing:
        last = self._last.get(item.id)
        level = last.level if last else 0
        following = next((each for each in self._levels if each.position > level), None)
        if following is None:
            return Standing(item, last, level, is_due=False, until=None)
        reached = (last.day if last else item.due) + timedelta(following.days_after)
        if reached <= self._day:
            return Standing(item, last, following.position, is_due=True, until=None)
        return Standing(item, last, level, is_due=False, until=reached - timedelta(1))

    def _outline(self, standings: Sequence[Standing], choice: Choice) -> Outline | None:
        if not any(standing.is_due for standing in standings):
            for standing in standings:
                self._skip(standing.item, "not_yet" if standing.until else "no_level_left", standing.until)
            return None
        first = standings[0].item
        credits = self._credits.get((first.contact_id, first.currency), [])
        owed, credit = sum(standing.item.open for standing in standings), sum(each.open for each in credits)
        if credit >= owed:
            self._skip_all(first, "credit_covers")
            return None
        base = sum(standing.item.open_base for standing in standings) - sum(each.open_base for each in credits)
        if base <= self._minimum:
            self._skip_all(first, "below_minimum")
            return None
        if choice.level is not None:
            standings = [_at_level(standing, choice.level) for standing in standings]
        position = choice.level or max(standing.level for standing in standings)
        level = next((each for each in self._levels if each.position == position), self._levels[-1])
        return Outline(first.contact_id, first.contact_name, first.currency, level, standings, credits, credit)

    def _skip(self, item: OverdueItem, why: Why, until: date | None = None) -> None:
        self.skipped.append(Skipped(item.contact_id, item.contact_name, item.id, item.number, why, until))

    def _skip_all(self, item: OverdueItem, why: Why, until: date | None = None) -> None:
        self.skipped.append(Skipped(item.contact_id, item.contact_name, None, None, why, until))


def _at_level(standing: Standing, level: int) -> Standing:
    """An item on a letter of a level that a person chose: one that is due takes it, another does not rise."""
    return standing._replace(level=level if standing.is_due else min(standing.level, level))


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
