"""The levels of reminders and the base rates of interest: the rules of adding, changing and deleting them."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from erp.finance.dunning.bodies import BaseRateChange, NewBaseRate, NewReminderLevel, ReminderLevelChange
from erp.finance.dunning.interest import Step
from erp.finance.dunning.models import BaseRate, ReminderLevel
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, InUse, Invalid, Refusal
from erp.kernel.language import Word, says
from erp.store import changes, events, workspace_settings
from erp.store.router import WORKSPACE

MOST = 5
NAMES = (Word("Payment reminder"), Word("Reminder", "letter"), Word("Final reminder"))
"""The names of the levels of a new workspace; letters print them in the language of their customer."""
SEEDS = (
    ("Payment reminder", 7, 7, False),
    ("Reminder", 14, 7, False),
    ("Final reminder", 10, 7, True),
)
"""Name, days after, days to pay, and whether interest is charged, of the levels of a new workspace."""


class LevelLimit(Refusal):
    """There are five reminder levels already. Change or delete one of them."""


class PositionTaken(AlreadyExists):
    """Another reminder level has position {position}."""


class DayTaken(AlreadyExists):
    """There is a base rate from {day} already."""


def seeds() -> Iterator[dict[str, Any]]:
    """The levels of a new workspace."""
    for position, (name, days_after, pay_within_days, charges_interest) in enumerate(SEEDS, 1):
        yield {
            "position": position,
            "name": name,
            "days_after": days_after,
            "pay_within_days": pay_within_days,
            "fee": 0,
            "charges_interest": charges_interest,
            "charges_lump_sum": False,
        }


def ordered() -> list[ReminderLevel]:
    """The levels by position."""
    return ReminderLevel.fetch("SELECT * FROM reminder_level ORDER BY position")


def add(body: NewReminderLevel) -> ReminderLevel:
    """Add a level, as the last one unless it names its position.

    Raises:
        LevelLimit: there are five.
        PositionTaken: another level has the position.
    """
    taken = {level.position for level in ordered()}
    if len(taken) == MOST:
        raise LevelLimit
    values = _columns(body.changes())
    if values["position"] is None:
        values["position"] = next(place for place in _places(taken) if place not in taken)
    _check_free(values["position"], taken)
    level = ReminderLevel.add(**{**values, "fee": values["fee"] or 0})
    events.write("reminder_level.created", "reminder_level", level.id, event_data(level))
    return level


def _places(taken: set[int]) -> Iterator[int]:
    """The position after the last one, then any free one."""
    last = max(taken, default=0)
    if last < MOST:
        yield last + 1
    yield from range(1, MOST + 1)


def change(id: str, body: ReminderLevelChange) -> ReminderLevel:
    """Change a level; letters keep what they said.

    Raises:
        PositionTaken: another level has the position.
        InUse: a letter names the level, and its position would change.
    """
    level = ReminderLevel.find_to_change(id)
    values = changes.differing(level, _columns(body.changes()))
    if "position" in values:
        check_unused(level)
        _check_free(values["position"], {other.position for other in ordered()})
    if values:
        data = {**event_data(level), "changes": changes.before_and_after(level, values)}
        level.change(**values)
        events.write("reminder_level.updated", "reminder_level", id, data)
    return level


def remove(id: str) -> None:
    """Delete a level that no letter names.

    Raises:
        InUse: a letter names it.
    """
    level = ReminderLevel.find_to_change(id)
    check_unused(level)
    level.delete_instance()
    events.write("reminder_level.deleted", "reminder_level", id, event_data(level))


def check_unused(level: ReminderLevel) -> None:
    """Refuse if a letter that is not undone names the level."""
    for (number,) in WORKSPACE.rows(_NAMED, (level.id,)):
        raise InUse(says("{number} has this level. Undo the letter first.", number=number))


_NAMED = "SELECT number FROM reminder WHERE level_id = ? AND status = 'made' ORDER BY id LIMIT 1"


def _check_free(position: int, taken: set[int]) -> None:
    if position in taken:
        raise PositionTaken(position=position, field="position")


def _columns(sent: dict[str, Any]) -> dict[str, Any]:
    if isinstance(sent.get("fee"), Decimal):
        complaints = Complaints()
        sent["fee"] = complaints.minor(sent["fee"], workspace_settings.current().base_currency, "fee")
        complaints.refuse()
    return sent


def event_data(level: ReminderLevel) -> dict[str, Any]:
    """The fields of every event of a level."""
    return {"position": level.position, "name": level.name}


def base_rates() -> list[Step]:
    """The base rates in order of their days."""
    rows = BaseRate.fetch("SELECT * FROM base_rate ORDER BY valid_from")
    return [Step(row.valid_from, row.rate) for row in rows]


def add_rate(body: NewBaseRate) -> BaseRate:
    """Add a base rate.

    Raises:
        DayTaken: there is one from that day.
    """
    _check_day(body.valid_from)
    rate = BaseRate.add(valid_from=body.valid_from, rate=_scaled(body.rate))
    events.write("base_rate.created", "base_rate", rate.id, _rate_data(rate))
    return rate


def change_rate(id: str, body: BaseRateChange) -> BaseRate:
    """Change a base rate; letters keep the interest that they asked for.

    Raises:
        DayTaken: there is another one from that day.
    """
    rate = BaseRate.find_to_change(id)
    sent = body.changes()
    if "rate" in sent:
        sent["rate"] = _scaled(sent["rate"])
    values = changes.differing(rate, sent)
    if "valid_from" in values:
        _check_day(values["valid_from"])
    if values:
        data = {**_rate_data(rate), "changes": changes.before_and_after(rate, values)}
        rate.change(**values)
        events.write("base_rate.updated", "base_rate", id, data)
    return rate


def remove_rate(id: str) -> None:
    """Delete a base rate; letters keep the interest that they asked for."""
    rate = BaseRate.find_to_change(id)
    rate.delete_instance()
    events.write("base_rate.deleted", "base_rate", id, _rate_data(rate))


def _check_day(day: Any) -> None:
    if BaseRate.find_by(valid_from=day.isoformat()) is not None:
        raise DayTaken(day=day, field="validFrom")


def _scaled(rate: Decimal) -> int:
    if not -100 <= rate <= 100:
        raise Invalid.one("rate", "out_of_range", says("Must be from -100 to 100."))
    return money.scaled(rate, money.MICRO)


def _rate_data(rate: BaseRate) -> dict[str, Any]:
    return {"validFrom": rate.valid_from.isoformat(), "rate": money.plain(rate.rate)}
