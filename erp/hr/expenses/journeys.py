"""Amounts of journeys: the distance with one's own vehicle, and the days away."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from erp.hr.access import zones
from erp.hr.expenses import per_diem as days_away
from erp.hr.expenses.bodies import NewClaimLine
from erp.hr.expenses.per_diem import Away, Place
from erp.hr.expenses.rates import rates
from erp.kernel import money
from erp.kernel.errors import Invalid
from erp.kernel.language import Digits, says
from erp.store import workspace_settings

LONGEST = 366
"""The most days of one journey."""


def mileage(line: NewClaimLine) -> dict[str, Any]:
    """The columns of a distance: distance × rate of the day, rounded once.

    Raises:
        Invalid: there is no rate.
    """
    assert line.date is not None
    assert line.distance is not None
    assert line.vehicle is not None
    country = line.country or rates.home()
    rate = rates.of_distance(country, line.vehicle, line.date)
    tenths = money.scaled(line.distance, 10)
    base = workspace_settings.current().base_currency
    unit = "mi" if country in rates.MILES else "km"
    explained = says(
        "{distance} {unit} × {rate}",
        distance=Digits(str(line.distance)),
        unit=unit,
        rate=Digits(money.price_text(rate, base)),
    )
    return {
        "date": line.date,
        "amount_base": money.divide(tenths * rate, 10 * money.price(1, base)),
        "trip": {
            "distance": str(line.distance),
            "vehicle": line.vehicle,
            "from": line.origin,
            "to": line.destination,
            "country": country,
        },
        "explanation": str(explained),
    }


def per_diem(line: NewClaimLine, employee_id: str) -> dict[str, Any]:
    """The columns of days away, in the person's time zone.

    Raises:
        Invalid: it does not end after it began.
        NoRate: there is none.
        UnknownRegion: a region has no per diem of its own on any day.
    """
    assert line.start_at is not None
    assert line.end_at is not None
    zone = ZoneInfo(zones.of_one(employee_id))
    start, end = line.start_at.astimezone(zone), line.end_at.astimezone(zone)
    if end <= start:
        raise Invalid.one("endAt", "before_start", says("The journey must end after it began."))
    if (end.date() - start.date()).days >= LONGEST:
        raise Invalid.one("endAt", "too_long", says("A journey can have {most} days at most.", most=LONGEST))
    stays: dict[date, Place] = {
        stay.date: _place(stay.country, stay.region, f"stays[{i}].region") for i, stay in enumerate(line.stays)
    }
    usual = _place(line.country or rates.home(), line.region, "region")
    if line.overnight or (end.date() - start.date()).days != 1:
        counted = days_away.days(start, end, stays, usual, rates.home())
    else:
        counted = days_away.without_night(start, end, stays, usual)
    meals: dict[date, list[str]] = {
        day.date: [name for name in days_away.CUTS if getattr(day, name)] for day in line.meals
    }
    rows = [_day(day, meals) for day in counted]
    base = workspace_settings.current().base_currency
    return {
        "date": line.date or start.date(),
        "amount_base": sum(amount for _, amount in rows),
        "days": [row | {"amount": money.text(amount, base)} for row, amount in rows],
        "trip": _trip(line, usual, [stays[stay.date] for stay in line.stays]),
        "explanation": None,
    }


def _place(country: str, region: str | None, field: str) -> Place:
    return Place(country, rates.known_region(country, region, field))


def _day(day: Away, meals: Mapping[date, list[str]]) -> tuple[dict[str, Any], int]:
    rate = rates.of_day(day.place, day.date)
    given = meals.get(day.date, [])
    row = {
        "date": day.date.isoformat(),
        "part": day.part,
        "country": day.place.country,
        "region": day.place.region,
        "meals": given,
    }
    return row, days_away.amount(day, rate, given)


def _trip(line: NewClaimLine, usual: Place, places: Sequence[Place]) -> dict[str, Any]:
    assert line.start_at is not None
    assert line.end_at is not None
    return {
        "startAt": line.start_at.isoformat(),
        "endAt": line.end_at.isoformat(),
        "overnight": line.overnight,
        "country": usual.country,
        "region": usual.region,
        "stays": [
            {"date": str(stay.date), "country": place.country, "region": place.region}
            for stay, place in zip(line.stays, places, strict=True)
        ],
        "meals": [
            {"date": str(day.date)} | {name: getattr(day, name) for name in days_away.CUTS} for day in line.meals
        ],
    }
