"""Payroll: the pay components, the attendance of each month, and the payroll runs."""

from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from erp.demo import people
from erp.demo import plan_people as plan
from erp.demo.days import PRESENT
from erp.demo.figures import pick
from erp.demo.office import Office
from erp.demo.people import HR, OWNER
from erp.demo.plan_people import Person

BOOKKEEPER = "Amara"
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri")


def set_up(office: Office) -> None:
    """Enter the pay components, and the employees' own ones."""
    components = [office.as_(HR).post("/hr/pay-components", **component) for component in plan.COMPONENTS]
    card = next(component["id"] for component in components if component["code"] == plan.TRAVEL_CARD["code"])
    every = office.as_(HR).get("/hr/pay-components")
    overtime = next(component for component in every if component["calculation"] == "overtime")
    for person in plan.STAFF:
        if person.first in plan.TRAVEL_CARD_HOLDERS:
            _set_pay(office, person, person.pay, people.hire_day(office.days, person), card)
        elif person.by_the_hour:
            _set_pay(office, person, person.pay, people.hire_day(office.days, person), overtime["id"])
        if person.raise_to is not None:
            month, pay = person.raise_to
            _set_pay(office, person, pay, office.days.first(month), card)


def _set_pay(office: Office, person: Person, pay: int, day: date, *components: str) -> None:
    path = f"/hr/employees/{office.employees[person.first]}/compensations"
    who = office.as_(OWNER if person.first == HR else HR)
    who.post(path, **people.pay_of(person, pay, *components), effectiveFrom=day)


def schedule(office: Office) -> None:
    """Pay every month on its last working day; the run of the current month is only a draft."""
    for month in range(PRESENT):
        office.agenda.at(office.days.pay_day(month), _pay, office, month)
    office.agenda.at(office.days.today, _draft, office, PRESENT)


def _pay(office: Office, month: int) -> None:
    run, day = _draft(office, month), office.days.pay_day(month)
    for action in ("approve", "pay"):  # it pays all who could, so the owner does both
        office.as_(OWNER).post(f"/hr/payroll/runs/{run['id']}/{action}", date=day)


def _draft(office: Office, month: int) -> Any:
    """Enter the attendance of a month, and calculate its payroll."""
    records = [
        _attended(office, person, day, month)
        for person in plan.STAFF
        for day in office.days.of_month(month)
        if is_at_work(office, person, day)
    ]
    if records:
        office.as_(HR).post("/hr/attendance", records=records)
    days = office.days
    return office.as_(HR).post(
        "/hr/payroll/run", periodStart=days.first(month), periodEnd=days.last(month), payDate=days.pay_day(month)
    )


def is_at_work(office: Office, person: Person, day: date) -> bool:
    """Whether a person works on a working day of the office."""
    if not person.is_employed or WEEKDAYS[day.weekday()] not in person.week:
        return False
    if day < people.hire_day(office.days, person) or office.leave.get((person.first, day)) == "1":
        return False
    return person.left is None or day <= office.days.last(person.left)


def _attended(office: Office, person: Person, day: date, month: int) -> dict[str, Any]:
    """A day of attendance: with punches, or only a status, on some days remote."""
    record: dict[str, Any] = {"employeeId": office.employees[person.first], "date": day}
    name = (person.name, month, day.day)
    if not person.punches or (person.first, day) in office.leave:
        return record | {"status": "remote" if pick(1, 5, "remote", *name) == 1 else "present"}
    began = datetime.combine(day, time(7, 30), ZoneInfo(plan.ZONE)) + timedelta(minutes=pick(0, 75, "began", *name))
    pause = pick(30, 50, "pause", *name)
    worked = person.week[WEEKDAYS[day.weekday()]] + pick(-25, 40, "worked", *name)
    ended = began + timedelta(minutes=worked + pause)
    punch = {"in": began.isoformat(), "out": ended.isoformat()}
    return record | {"punches": [punch], "breakMinutes": pause}
