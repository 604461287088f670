"""Fills a data directory with the demonstration."""

from erp.demo import money, people, scenario, work
from erp.demo.days import Calendar
from erp.demo.player import Player
from erp.demo.scenario import Person
from erp.kernel import clock
from erp.kernel.config import Config
from erp.store import router
from erp.web.client import Client

PATTERNS = people.PATTERNS | work.PATTERNS | money.PATTERNS


def fill(settings: Config) -> list[Person]:
    """Create the company in an empty data directory, as of today; the people who can sign in.

    Of the settings only the folder matters here: who may register is for the server that starts afterwards.
    """
    from erp.app import create_app

    told = scenario.read()
    config = Config(data_dir=settings.data_dir)
    try:
        visitor, calendar = Client(create_app(config)), Calendar(clock.today(told.time_zone))
        Player(told, visitor, calendar, PATTERNS).play()
    finally:
        router.close_all()
    return [person for person in told.people if not person.leaves]
