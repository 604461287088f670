"""Fills a data directory with the demonstration."""

from erp.demo import books, payroll, people, work
from erp.demo import plan_people as plan
from erp.demo.days import Days
from erp.demo.office import Agenda, Office
from erp.demo.plan_people import Person
from erp.kernel import clock
from erp.kernel.config import Config
from erp.store import router
from erp.web.client import Client


def fill(settings: Config) -> list[Person]:
    """Create the company in an empty data directory, as of today; the people who can sign in.

    Of the settings only the folder matters here: who may register is for the server that starts afterwards.
    """
    from erp.app import create_app

    config = Config(data_dir=settings.data_dir)
    try:
        _play(Client(create_app(config)))
    finally:
        router.close_all()
    return [person for person in plan.STAFF if person.left is None]


def _play(visitor: Client) -> None:
    days = Days(clock.today(plan.ZONE))
    office = Office(days, Agenda(days.today))
    people.found_company(office, visitor)
    people.invite_staff(office, visitor)
    people.set_holidays_and_allowance(office)
    payroll.set_up(office)
    people.end_employments(office)
    people.ask_for_leave(office)
    books.set_up(office)
    for area in (work, books, payroll):
        area.schedule(office)
    office.agenda.play()
    books.lock(office)
    people.suspend_leavers(office)
