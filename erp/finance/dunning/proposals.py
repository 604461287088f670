"""The proposal: the letters of a day with their figures. Nothing is stored."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from erp.finance.dunning import interest, levels, outlines, store, terms
from erp.finance.dunning.interest import Step, Stretch
from erp.finance.dunning.models import ReminderLevel
from erp.finance.dunning.outlines import Choice, Key, Outline, Skipped, Standing
from erp.finance.dunning.store import Held, OverdueItem, Settlement
from erp.finance.dunning.terms import Terms
from erp.kernel.errors import Refusal
from erp.store import workspace_settings


class NoBaseRate(Refusal):
    """There is no interest rate for {day}. Enter the base rate, or the points, in the settings for reminders."""

    status = 422


class ProposedItem(NamedTuple):
    """An item on a letter, with the charges that were charged before."""

    item: OverdueItem
    days_overdue: int
    last_level: int
    level: int
    interest: int
    lump_sum: int
    charged_interest: int
    charged_lump_sum: int
    stretches: Sequence[Stretch]


class ProposedLetter(NamedTuple):
    """A letter with its figures in minor units of its currency."""

    contact_id: str
    contact_name: str
    currency: str
    level: ReminderLevel
    items: Sequence[ProposedItem]
    credit: int
    fee: int
    charged_fee: int
    day: date

    @property
    def open(self) -> int:
        return sum(each.item.open for each in self.items) - self.credit

    @property
    def interest(self) -> int:
        return sum(each.interest for each in self.items)

    @property
    def lump_sum(self) -> int:
        return sum(each.lump_sum for each in self.items)

    @property
    def charged_interest(self) -> int:
        return sum(each.charged_interest for each in self.items)

    @property
    def charged_lump_sum(self) -> int:
        return sum(each.charged_lump_sum for each in self.items)

    @property
    def charged(self) -> int:
        return self.charged_fee + self.charged_interest + self.charged_lump_sum

    @property
    def total(self) -> int:
        return self.open + self.fee + self.interest + self.lump_sum - self.charged

    @property
    def pay_by(self) -> date:
        return self.day + timedelta(self.level.pay_within_days)


class Proposal(NamedTuple):
    day: date
    letters: Sequence[ProposedLetter]
    skipped: Sequence[Skipped]


def propose(
    day: date | None = None,
    *,
    contact_id: str | None = None,
    currency: str | None = None,
    choices: Mapping[Key, Choice] | None = None,
) -> Proposal:
    """The letters of a day, today's by default.

    Args:
        choices: the letters that are meant, with what a person changes on them; all by default.

    Raises:
        NoBaseRate: interest is charged for a day without a rate.
    """
    day = day or workspace_settings.today()
    found, skipped = outlines.of(day, contact_id=contact_id, currency=currency, choices=choices)
    return Proposal(day, [*_Charging(day, found).letters()], skipped)


class _Charging:
    """Counts the charges of letters; what they need of the books is read once for all of them."""

    def __init__(self, day: date, outlines: Sequence[Outline]) -> None:
        self._day, self._outlines = day, outlines
        self._terms: Terms = terms.current()
        self._base: str = workspace_settings.current().base_currency
        bearing = [
            standing.item.id
            for letter in outlines
            if letter.level.charges_interest
            for standing in letter.standings
            if not standing.item.is_charge
        ]
        self._rates = levels.base_rates() if bearing else []
        self._settled: Mapping[str, Sequence[Settlement]] = store.settlements(bearing) if bearing else {}
        charging = [
            standing.item.id
            for letter in outlines
            if letter.level.charges_interest or letter.level.charges_lump_sum or letter.level.fee
            for standing in letter.standings
        ]
        self._held = store.held(charging) if charging else Held({}, {}, {})

    def letters(self) -> Iterator[ProposedLetter]:
        for outline in self._outlines:
            used = _set_off(outline)
            items = [self._item(outline, standing, used.get(standing.item.id, ())) for standing in outline.standings]
            fee = outline.level.fee if outline.currency == self._base else 0
            charged = max((self._held.fee.get(each.item.id, 0) for each in items), default=0)
            yield ProposedLetter(
                outline.contact_id,
                outline.contact_name,
                outline.currency,
                outline.level,
                items,
                outline.credit,
                fee,
                min(fee, charged),
                self._day,
            )

    def _item(self, outline: Outline, standing: Standing, used: Sequence[Step]) -> ProposedItem:
        item = standing.item
        parts = self._stretches(standing, used) if outline.level.charges_interest and not item.is_charge else []
        amount = interest.amount(parts)
        lump_sum = self._lump_sum(item) if outline.level.charges_lump_sum else 0
        return ProposedItem(
            item=item,
            days_overdue=(self._day - item.due).days,
            last_level=standing.last_level,
            level=standing.level,
            interest=amount,
            lump_sum=lump_sum,
            charged_interest=min(amount, self._held.interest.get(item.id, 0)),
            charged_lump_sum=min(lump_sum, self._held.lump_sum.get(item.id, 0)),
            stretches=parts,
        )

    def _lump_sum(self, item: OverdueItem) -> int:
        """The lump sum for an invoice to a business, in its own currency."""
        if self._terms.lump_sum is None or item.is_charge or item.buyer_kind != "business":
            return 0
        currency, amount = self._terms.lump_sum
        return amount if currency == item.currency else 0

    def _stretches(self, standing: Standing, used: Sequence[Step]) -> list[Stretch]:
        item, since = standing.item, standing.item.due
        if item.buyer_kind == "consumer" and self._terms.consumer_interest_from == "first_letter":
            if standing.last is None:
                return []
            since = max(since, standing.last.first)
        first: date = since + timedelta(1)
        if first > self._day:
            return []
        principal = principals(item.amount, self._settled.get(item.id, ()), used)
        return interest.stretches(first, self._day, principal, self._rates_of(item, first))

    def _rates_of(self, item: OverdueItem, first: date) -> list[Step]:
        """The yearly rates for an item from a day on."""
        is_business = item.buyer_kind == "business"
        if not is_business and self._terms.fixed_consumer_rate is not None:
            return [Step(date.min, self._terms.fixed_consumer_rate)]
        points = self._terms.business_points if is_business else self._terms.consumer_points
        if points is None or not self._rates or self._rates[0].since > first:
            raise NoBaseRate(day=first)
        return [Step(step.since, max(0, step.value + points)) for step in self._rates]


def _set_off(outline: Outline) -> dict[str, list[Step]]:
    """The amounts of credit that are set off against each item, the oldest due first, each from its own date on."""
    used: dict[str, list[Step]] = {}
    left = [(standing.item.id, standing.item.open) for standing in outline.standings]
    for credit in outline.credits:
        amount = credit.open
        while amount and left:
            id, open = left[0]
            part = min(amount, open)
            used.setdefault(id, []).append(Step(date.fromisoformat(credit.date), part))
            amount -= part
            left[:1] = [(id, open - part)] if open > part else []
    return used


def principals(amount: int, settled: Sequence[Settlement], used: Sequence[Step]) -> list[Step]:
    """The principal from each day on: the open amount at the end of the day before.

    Args:
        used: the credit that is set off, from its date on.
    """
    changes: dict[date, int] = {}
    for day, released_on, part in settled:
        if released_on is None or day < released_on:
            changes[day] = changes.get(day, 0) - part
            if released_on is not None:
                changes[released_on] = changes.get(released_on, 0) + part
    for step in used:
        changes[step.since] = changes.get(step.since, 0) - step.value
    steps = [Step(date.min, amount)]
    for day in sorted(changes):
        steps.append(Step(day + timedelta(1), steps[-1].value + changes[day]))
    return steps
