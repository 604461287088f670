"""Fills a data directory with the demonstration."""

from collections.abc import Callable
from wsgiref.types import WSGIApplication

from erp.demo import money, people, scenario, work
from erp.demo.days import Calendar
from erp.demo.player import Player
from erp.demo.scenario import Person, Scenario
from erp.kernel import clock
from erp.kernel.config import Config
from erp.store import router
from erp.web.client import Client

PATTERNS = people.PATTERNS | work.PATTERNS | money.PATTERNS


def fill(settings: Config, create_app: Callable[[Config], WSGIApplication]) -> list[Person]:
    """Create the company in an empty data directory, as of today; the people who can sign in.

    Of the settings only the folder matters here: who may register is for the server that starts afterwards.
    """
    told = scenario.read()
    try:
        play(told, Client(create_app(Config(data_dir=settings.data_dir))))
    finally:
        router.close_all()
    return [person for person in told.people if not person.leaves]


def play(told: Scenario, visitor: Client) -> None:
    """Create the company of a scenario in an application without users."""
    Player(told, visitor, Calendar(clock.today(told.time_zone)), PATTERNS).play()
